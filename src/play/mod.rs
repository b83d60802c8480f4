//! A person against the engine at a board in the terminal, both games.
//!
//! In reading order: a `screen::Screen` says what the terminal can show,
//! `seat` who plays and how strong, `words` what a person may say, `game` what
//! both games answer to it; `table` is the talk itself, `xiangqi` and
//! `kingdoms` are the games, `xiangqi_board` and `kingdoms_board` their
//! pictures; `store` keeps the game on disk after every move, `lines` reads
//! what is typed.

pub mod game;
pub mod kingdoms;
mod kingdoms_board;
mod kingdoms_words;
pub mod lines;
pub mod screen;
pub mod seat;
pub mod store;
pub mod table;
pub mod words;
pub mod xiangqi;
mod xiangqi_board;
mod xiangqi_setup;
