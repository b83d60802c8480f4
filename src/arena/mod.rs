//! Engines as child processes, games between them, matches and tournaments,
//! and what the results say.
//!
//! In reading order: a `config::MatchConfig` says what is to be played,
//! `schedule` which games that are, `runner` has workers play them: a
//! `player::Player` drives an engine `process::Process`, `game` lets two
//! players play under the `arbiter`, the `journal` keeps the games, the
//! `standings` add them up, `stats` say what they mean, and `summary`,
//! `pgn` and `html` tell it. `kingdoms` does the same for seven seats.

pub mod arbiter;
pub mod config;
pub mod game;
pub mod html;
pub mod journal;
pub mod kingdoms;
pub mod limit;
pub mod opening;
pub mod pgn;
pub mod player;
pub mod process;
pub mod progress;
mod ranks;
pub mod reason;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod standings;
pub mod stats;
pub mod summary;
