//! One move as text and back, in every notation that players and files use.
//!
//! `Notation::write` prints a legal move of a position, `read` reads a
//! text and finds out by itself in which notation it is, and
//! `Notation::parse` reads one notation only. Texts are matched against the
//! legal moves of the position, so a text that is read is a move that can be
//! played.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::notation::{Notation, read};
//!
//! let pos = Position::startpos();
//! let (mv, notation) = read(&pos, "炮二平五")?;
//! assert_eq!(notation, Notation::Chinese);
//! assert_eq!(Notation::Iccs.write(&pos, mv), "h2e2");
//! assert_eq!(Notation::Wxf.write(&pos, mv), "C2=5");
//! assert_eq!(Notation::Algebraic.write(&pos, mv), "h3e3");
//! assert_eq!(Notation::Russian.write(&pos, mv), "Пh3-e3");
//! assert_eq!(Notation::WinBoard.write(&pos, mv), "Che2");
//! # Ok::<(), chuhe::notation::NotationError>(())
//! ```

mod chinese;
mod coordinate;
mod error;
mod normal;
mod relative;
mod tandem;
mod winboard;
mod wxf;

pub use error::{NotationError, NotationErrorKind};

use crate::board::{Move, Position};
use std::fmt;
use std::str::FromStr;

/// A way to write a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Two squares, ranks 0 to 9: `h2e2`.
    Iccs,
    /// The same as in PGN files with `Format "ICCS"`: `H2-E2`.
    IccsLong,
    /// Two squares, ranks 1 to 10: `h3e3`.
    Algebraic,
    /// The Russian long form, ranks 1 to 10: `Пh3-e3`, `Лa1:a4+`.
    Russian,
    /// The notation of the World Xiangqi Federation: `C2=5`, `+R-2`.
    Wxf,
    /// Simplified Chinese: `炮二平五`, `马８进７`.
    Chinese,
    /// Traditional Chinese: `炮二平五`, `馬８進７`.
    ChineseTraditional,
    /// The short algebraic form of WinBoard and XBoard: `Che2`, `axa3+`.
    WinBoard,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 8] = [
        Self::Iccs,
        Self::IccsLong,
        Self::Algebraic,
        Self::Russian,
        Self::Wxf,
        Self::Chinese,
        Self::ChineseTraditional,
        Self::WinBoard,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iccs => "iccs",
            Self::IccsLong => "iccs-long",
            Self::Algebraic => "algebraic",
            Self::Russian => "russian",
            Self::Wxf => "wxf",
            Self::Chinese => "chinese",
            Self::ChineseTraditional => "chinese-traditional",
            Self::WinBoard => "winboard",
        }
    }

    /// The text of a legal move. A move from an empty square is written as
    /// ICCS.
    pub fn write(self, pos: &Position, mv: Move) -> String {
        match self {
            Self::Iccs => Some(mv.to_string()),
            Self::IccsLong => Some(coordinate::write_iccs_long(mv)),
            Self::Algebraic => Some(coordinate::write_algebraic(mv)),
            Self::Russian => coordinate::write_russian(pos, mv),
            Self::Wxf => wxf::write(pos, mv),
            Self::Chinese => chinese::write(pos, mv, &chinese::SIMPLIFIED),
            Self::ChineseTraditional => chinese::write(pos, mv, &chinese::TRADITIONAL),
            Self::WinBoard => winboard::write(pos, mv),
        }
        .unwrap_or_else(|| mv.to_string())
    }

    /// Reads a text of this notation.
    ///
    /// # Errors
    /// When the text is no move of this notation, no legal move, or could be
    /// several.
    pub fn parse(self, pos: &Position, text: &str) -> Result<Move, NotationError> {
        let hits = hits(pos, text)
            .into_iter()
            .filter(|hit| self.takes(hit.notation))
            .collect();
        choose(pos, text, hits).map(|(mv, _)| mv)
    }

    /// Whether a text recognised as `other` is one of this notation. The two
    /// Chinese scripts and WXF share one grammar and are read as one.
    fn takes(self, other: Self) -> bool {
        self.family() == other.family()
    }

    const fn family(self) -> u8 {
        match self {
            Self::Iccs | Self::IccsLong => 0,
            Self::Algebraic => 1,
            Self::Russian => 2,
            Self::Wxf | Self::Chinese | Self::ChineseTraditional => 3,
            Self::WinBoard => 4,
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let name = text.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|n| n.name() == name)
            .ok_or_else(|| NotationError::unknown_name(text))
    }
}

/// A legal move that a text may mean, how well it fits (0 is best) and the
/// notation in which the text says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hit {
    level: u8,
    mv: Move,
    notation: Notation,
}

/// Reads a text, recognising its notation.
///
/// Coordinates are taken with ranks 0 to 9 when that is a legal move and with
/// ranks 1 to 10 otherwise. Of several readings of a pawn's place on its file
/// the one of competition practice wins.
///
/// # Errors
/// When the text is no move of any notation, no legal move, or could be
/// several; the candidates are listed then.
pub fn read(pos: &Position, text: &str) -> Result<(Move, Notation), NotationError> {
    choose(pos, text, hits(pos, text))
}

/// All legal moves that a text may mean, the likeliest first. For readers of
/// whole games, which can tell by the moves that follow.
pub fn candidates(pos: &Position, text: &str) -> Vec<Move> {
    let mut hits = hits(pos, text);
    hits.sort_by_key(|hit| hit.level);
    let mut moves: Vec<Move> = Vec::new();
    for hit in hits {
        if !moves.contains(&hit.mv) {
            moves.push(hit.mv);
        }
    }
    moves
}

/// Whether a text has the shape of a move in some notation, legal or not.
pub fn is_move_text(text: &str) -> bool {
    let text = normal::normalise(text);
    coordinate::Coordinates::parse(&text).is_some()
        || relative::Spec::parse(&text).is_some()
        || winboard::Pattern::parse(&text).is_some()
}

/// Whether a text shows that its game counts ranks from 1: it names rank 10 or
/// has Russian letters.
pub fn counts_ranks_from_one(text: &str) -> bool {
    coordinate::Coordinates::parse(&normal::normalise(text))
        .is_some_and(|squares| squares.counts_from_one())
}

fn hits(pos: &Position, text: &str) -> Vec<Hit> {
    let plain = normal::normalise(text);
    if let Some(squares) = coordinate::Coordinates::parse(&plain) {
        return squares.hits(pos);
    }
    if let Some(spec) = relative::Spec::parse(&plain) {
        return spec.hits(pos, normal::script(text));
    }
    match winboard::Pattern::parse(&plain) {
        Some(pattern) => pattern.hits(pos),
        None => Vec::new(),
    }
}

/// The move of the best level when it is the only one there.
fn choose(pos: &Position, text: &str, hits: Vec<Hit>) -> Result<(Move, Notation), NotationError> {
    let best = hits.iter().map(|hit| hit.level).min();
    let mut best: Vec<Hit> = hits
        .into_iter()
        .filter(|hit| Some(hit.level) == best)
        .collect();
    best.dedup_by_key(|hit| hit.mv);
    match best[..] {
        [hit] => Ok((hit.mv, hit.notation)),
        [] => Err(NotationError::no_move(pos, text, is_move_text(text))),
        _ => Err(NotationError::ambiguous(
            pos,
            text,
            best.iter().map(|hit| hit.mv).collect(),
        )),
    }
}
