//! Matches of the Game of the Seven Kingdoms: engine programs on seven seats,
//! which are rotated from game to game.
//!
//! In reading order: a `config::SevenConfig` says what is to be played and
//! who has which seat, `player` drives one engine, `game` plays one game,
//! `log` is what is kept of it, `runner` plays them all, `places` makes the
//! table of placements, `html` the page.

pub mod config;
pub mod game;
pub mod html;
pub mod log;
pub mod places;
pub mod player;
pub mod runner;
