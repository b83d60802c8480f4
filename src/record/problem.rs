//! What a reader could not make sense of, and where.

use crate::board::Move;
use std::fmt;

/// Where in a file something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// An offset in a binary file, in bytes.
    Offset(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(n) => write!(f, "line {n}"),
            Self::Offset(n) => write!(f, "offset {n:#x}"),
        }
    }
}

/// A part of a file that could not be read; what was readable is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: ProblemKind,
}

/// What is wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// A move text that is not readable as a legal move; its line ends there.
    MoveText {
        /// The ply from the start of the game, from 1.
        ply: usize,
        /// What the notation says about it.
        error: crate::notation::NotationError,
    },
    /// A move that is illegal; its line ends there.
    IllegalMove {
        /// The ply from the start of the game, from 1.
        ply: usize,
        /// The move, if its squares are on the board.
        mv: Option<Move>,
        /// The position.
        fen: String,
    },
    /// The start position is none; the game has no moves then.
    BadStart {
        /// Its text or a drawing of the board.
        text: String,
        /// Why it is none.
        reason: String,
    },
    /// The side to move was the other one, as the first move shows.
    SideCorrected,
    /// Words among the moves that are no move.
    StrayText(String),
    /// A comment, tag or bracket without an end.
    Unclosed(&'static str),
    /// The file ends inside of something or a length is impossible.
    Truncated(&'static str),
    /// More moves or text than a reader keeps.
    TooLarge(&'static str),
    /// A version of the format that nobody has described.
    UnknownVersion(u8),
    /// Variations whose parent line does not exist.
    LostVariation(String),
    /// Nothing in the file is a game.
    NoGame,
}

/// The most problems that a reader reports of one game.
const MAX_PROBLEMS: usize = 1000;

/// Adds a problem unless there are very many already.
pub(super) fn note(problems: &mut Vec<Problem>, problem: Problem) {
    if problems.len() < MAX_PROBLEMS {
        problems.push(problem);
    }
}

impl Problem {
    pub(super) fn at_line(line: usize, kind: ProblemKind) -> Self {
        let place = Place::Line(line);
        Self { place, kind }
    }

    pub(super) fn at_offset(offset: usize, kind: ProblemKind) -> Self {
        let place = Place::Offset(offset);
        Self { place, kind }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MoveText { ply, error } => write!(f, "ply {ply}: {error}"),
            Self::IllegalMove { ply, mv, fen } => match mv {
                Some(mv) => write!(f, "ply {ply}: {mv} is illegal in {fen}"),
                None => write!(f, "ply {ply}: a move off the board in {fen}"),
            },
            Self::BadStart { text, reason } => {
                write!(f, "`{text}` is no start position: {reason}")
            }
            Self::SideCorrected => f.write_str("the first move is the other side's; corrected"),
            Self::StrayText(text) => write!(f, "`{}` is no move", text.escape_debug()),
            Self::Unclosed(what) => write!(f, "{what} without an end"),
            Self::Truncated(what) => write!(f, "the file breaks off in {what}"),
            Self::TooLarge(what) => write!(f, "{what} is too large"),
            Self::UnknownVersion(v) => write!(f, "version {v} of the format is not known"),
            Self::LostVariation(name) => write!(f, "variation {name} has no parent line"),
            Self::NoGame => f.write_str("no game found"),
        }
    }
}

impl std::error::Error for Problem {}
