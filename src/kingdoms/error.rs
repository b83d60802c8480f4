//! What can be wrong with text and moves.

use super::{Move, Seat, Square};
use std::fmt;

/// A fault in a position line, a square, a move or an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// The position line has this many fields, not eight.
    FieldCount(usize),
    /// The board has this many ranks, not 19.
    RankCount(usize),
    /// A rank does not have 19 points.
    RankLength {
        /// The rank, 1 to 19.
        rank: usize,
        /// Its text.
        row: String,
    },
    /// Not a kingdom letter and a piece letter.
    Piece(String),
    /// The emperor stands elsewhere than on j10.
    EmperorPlace(Square),
    /// No emperor on j10.
    NoEmperor,
    /// A kingdom has two generals.
    TwoGenerals(Seat),
    /// A kingdom has more than 17 pieces.
    ArmyTooLarge(Seat),
    /// A field is malformed.
    Field {
        /// Which one.
        name: &'static str,
        /// Its text, or the offending part.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A fallen kingdom is said to command pieces.
    FallenCommander(Seat),
    /// A kingdom has pieces on the board, but nobody commands them.
    Uncommanded(Seat),
    /// Not a square from a1 to s19.
    Square(String),
    /// Not two different squares.
    Move(String),
    /// No option of this name.
    OptionName(String),
    /// An option does not take this value.
    OptionValue {
        /// Which option.
        name: String,
        /// The value given.
        value: String,
        /// What was expected.
        expected: String,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::FieldCount(n) => write!(f, "position has {n} fields, expected 8"),
            Self::RankCount(n) => write!(f, "board has {n} ranks, expected 19"),
            Self::RankLength { rank, row } => {
                write!(f, "rank {rank} `{row}` does not have 19 points")
            }
            Self::Piece(t) => write!(
                f,
                "bad piece `{t}`, expected a kingdom (w r o b g p k) and a piece \
                 (G R B C M A X D S N), or yE"
            ),
            Self::EmperorPlace(s) => write!(f, "emperor on {s}, expected on j10"),
            Self::NoEmperor => write!(f, "no emperor yE on j10"),
            Self::TwoGenerals(k) => write!(f, "kingdom {k} has two generals"),
            Self::ArmyTooLarge(k) => write!(f, "kingdom {k} has more than 17 pieces"),
            Self::Field {
                name,
                text,
                expected,
            } => write!(f, "bad {name} `{text}`, expected {expected}"),
            Self::FallenCommander(k) => {
                write!(f, "kingdom {k} commands pieces but not its own")
            }
            Self::Uncommanded(k) => {
                write!(f, "kingdom {k} has pieces on the board but no commander")
            }
            Self::Square(t) => write!(f, "bad square `{t}`, expected a1 to s19"),
            Self::Move(t) => write!(f, "bad move `{t}`, expected two squares as in a13b15"),
            Self::OptionName(t) => write!(f, "no rule option `{t}`"),
            Self::OptionValue {
                name,
                value,
                expected,
            } => write!(f, "bad value `{value}` of {name}, expected {expected}"),
        }
    }
}

impl std::error::Error for ParseError {}

/// A move that cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The rules forbid it here.
    Illegal(Move),
    /// The game is over.
    GameOver(Move),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Illegal(m) => write!(f, "illegal move `{m}`"),
            Self::GameOver(m) => write!(f, "move `{m}` after the end of the game"),
        }
    }
}

impl std::error::Error for PlayError {}
