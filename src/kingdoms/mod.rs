//! The Game of the Seven Kingdoms (七國象棋), ascribed to Sima Guang: seven
//! armies and a neutral emperor on the 19x19 points of a go board.
//!
//! ```
//! use chuhe::kingdoms::{Options, Position};
//!
//! let start = Position::start(Options::ENGLISH);
//! assert_eq!(start.legal_moves().len(), 96);
//! let next = start.play("a13b15".parse()?)?;
//! assert_eq!(next.turn().map(|seat| seat.name()), Some("Chu"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order: `seat`, `square`, `piece`, `moves` are the words;
//! `options` the points on which sources differ; `board`, `position`,
//! `movegen`, `rules` the game; `text` its text form.

mod board;
mod error;
mod hash;
mod movegen;
mod moves;
mod options;
mod outcome;
mod perft;
mod piece;
mod position;
mod rules;
mod seat;
mod square;
mod text;

pub use board::ARMY;
pub use error::{ParseError, PlayError};
pub use moves::Move;
pub use options::{
    Conquest, Count, Domain, Fall, FallenGeneral, Hegemon, NO_TEAMS, OPTIONS, OptionSpec, Options,
    Reach, Screen, historical_players,
};
pub use outcome::{Ending, Outcome};
pub use perft::{divide, perft};
pub use piece::{KINDS, Kind, Piece};
pub use position::Position;
pub use seat::{SEATS, Seat};
pub use square::{SIDE, Square};
pub use text::{FIELDS, START, START_MIRRORED_SOUTH};
