//! Why a text is no position, in words that name the offending part.

use super::{Color, FILES, Piece, RANKS, Square};
use std::fmt;

/// The longest part of a text that an error quotes, in characters.
const EXCERPT: usize = 40;

/// Why a text is no position. The message of each variant quotes the offending
/// text (long texts cut short) and says what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FenError {
    /// There is nothing but white space.
    Empty,
    /// The board has not ten ranks.
    RankCount {
        /// The field of the board.
        board: String,
        /// The number of ranks in it.
        found: usize,
    },
    /// A rank has not nine files.
    RankLength {
        /// The rank, 0 to 9.
        rank: usize,
        /// Its text.
        text: String,
        /// The number of files in it.
        found: usize,
    },
    /// A character that is neither a piece nor a digit from 1 to 9.
    UnknownPiece {
        /// The rank, 0 to 9.
        rank: usize,
        /// The character.
        letter: char,
    },
    /// Square brackets after the board that hold a piece or do not close.
    Hand(String),
    /// The second field names no side.
    Side(String),
    /// The third or fourth field, of no use in xiangqi, is not `-`.
    Unused(String),
    /// A counter that is no number from 0 to 65535.
    Counter {
        /// What it counts.
        name: &'static str,
        /// Its text.
        text: String,
    },
    /// Text after the sixth field.
    Trailing(String),
    /// A side without a king, or with several.
    KingCount {
        /// The side.
        color: Color,
        /// How many kings it has.
        found: usize,
    },
    /// A side with more than 16 pieces.
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many pieces it has.
        found: usize,
    },
    /// A king, an advisor or a bishop where it can never stand.
    OffItsPoints {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The kings face each other on an open file.
    KingsFacing {
        /// The red king.
        red: Square,
        /// The black king.
        black: Square,
    },
    /// The king of the side that is not to move can be taken.
    KingCapturable {
        /// The king.
        king: Square,
        /// A piece that attacks it.
        attacker: Square,
    },
}

/// `text` in quotes, control characters escaped, cut to a readable length.
fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(EXCERPT).collect();
    let dots = if cut.len() < text.len() { "..." } else { "" };
    format!("`{}{dots}`", cut.escape_debug())
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty text: expected a position in FEN"),
            Self::RankCount { board, found } => write!(
                f,
                "board {} has {found} ranks: expected {RANKS}, separated by `/`",
                quoted(board)
            ),
            Self::RankLength { rank, text, found } => write!(
                f,
                "rank {rank} {} has {found} files: expected {FILES}",
                quoted(text)
            ),
            Self::UnknownPiece { rank, letter } => write!(
                f,
                "{} in rank {rank}: expected a piece (K A B N R C P, also E or H, either case) \
                 or a digit 1-9",
                quoted(&letter.to_string())
            ),
            Self::Hand(text) => write!(f, "hand {}: expected `[]`", quoted(text)),
            Self::Side(text) => write!(f, "side to move {}: expected w, r or b", quoted(text)),
            Self::Unused(text) => write!(f, "field {}: expected `-`", quoted(text)),
            Self::Counter { name, text } => {
                let max = u16::MAX;
                write!(f, "{name} {}: expected a number 0-{max}", quoted(text))
            }
            Self::Trailing(text) => {
                write!(f, "{} after the position: expected nothing", quoted(text))
            }
            Self::KingCount { color, found } => {
                write!(f, "{} has {found} kings: expected one", name(*color))
            }
            Self::TooManyPieces { color, found } => {
                write!(
                    f,
                    "{} has {found} pieces: expected 16 or fewer",
                    name(*color)
                )
            }
            Self::OffItsPoints { piece, square } => {
                write!(f, "`{piece}` on {square}: expected one of its own points")
            }
            Self::KingsFacing { red, black } => write!(
                f,
                "kings on {red} and {black} face each other: expected a piece between"
            ),
            Self::KingCapturable { king, attacker } => write!(
                f,
                "the king on {king} can be taken from {attacker}: expected its side to move"
            ),
        }
    }
}

impl std::error::Error for FenError {}
