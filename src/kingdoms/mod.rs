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
//! `movegen`, `rules` the game; `text` its text form, `record`
//! whole games as text; `scan`, `evaluate` and
//! `weights` the worth of a position; `maxn` and `best_reply` the two searches;
//! `engine` runs them and `bench` measures them; `protocol` is the game in the words of UCI.

pub mod bench;
mod best_reply;
mod board;
mod control;
mod engine;
mod error;
mod evaluate;
mod hash;
mod maxn;
mod movegen;
mod moves;
mod options;
mod order;
mod outcome;
mod perft;
mod piece;
mod player;
mod position;
pub mod protocol;
mod random;
mod record;
mod rules;
mod scan;
mod seat;
mod square;
mod table;
mod text;
mod weights;

pub use best_reply::Replies;
pub use board::ARMY;
pub use engine::{Algorithm, Engine, Report, Settings};
pub use error::{ParseError, PlayError};
pub use evaluate::{FEATURES, Features, Values, chances, evaluate, features};
pub use maxn::Widths;
pub use moves::Move;
pub use options::{
    Conquest, Count, Domain, Fall, FallenGeneral, Hegemon, NO_TEAMS, OPTIONS, OptionSpec, Options,
    Reach, Screen, historical_players,
};
pub use outcome::{Ending, Outcome};
pub use perft::{divide, perft, perft_until};
pub use piece::{KINDS, Kind, Piece};
pub use player::Player;
pub use position::Position;
pub use random::Random;
pub use record::{GAME, Record, RecordError, RecordErrorKind};
pub use seat::{SEATS, Seat};
pub use square::{SIDE, Square};
pub use text::{FIELDS, START, START_MIRRORED_SOUTH};
pub use weights::WEIGHTS;
