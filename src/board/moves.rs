//! Moves and lists of them.

use super::{FILES, RANKS, Square, SquareError};
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

/// Upper bound for the number of moves of one position.
pub const MAX_MOVES: usize = 256;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move from one square to another, in 14 bits (`from << 7 | to`).
///
/// Text is ICCS in lower case, four characters: `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    pub(super) const TO_BITS: u32 = 7;
    pub(super) const TO_MASK: u16 = (1 << Self::TO_BITS) - 1;

    /// No move (a0a0), also the null move of the search.
    pub const NULL: Self = Self(0);

    /// The move between these squares.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self((from.index() as u16) << Self::TO_BITS | to.index() as u16)
    }

    /// The move along its rank to a file (0 to 8).
    #[inline(always)]
    pub(super) const fn along_rank(from: Square, file: u8) -> Self {
        let start = Self::new(from, Square::at(0, from.rank()));
        debug_assert!((file as usize) < FILES);
        Self(start.0 + file as u16)
    }

    /// The move along its file to a rank (0 to 9).
    #[inline(always)]
    pub(super) const fn along_file(from: Square, rank: u8) -> Self {
        let start = Self::new(from, Square::at(from.file(), 0));
        debug_assert!((rank as usize) < RANKS);
        Self(start.0 + rank as u16 * FILES as u16)
    }

    /// Whether this is [`Move::NULL`].
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The 14-bit code, for tables and files.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The move of a code of [`Move::code`], `None` when a square is off the
    /// board.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Self> {
        if (code >> Self::TO_BITS) < 90 && (code & Self::TO_MASK) < 90 {
            Some(Self(code))
        } else {
            None
        }
    }

    /// The left-right mirror image.
    pub const fn mirrored(self) -> Self {
        Self::new(self.from().mirrored(), self.to().mirrored())
    }

    /// The same move with ranks counted from the other side.
    pub const fn flipped(self) -> Self {
        Self::new(self.from().flipped(), self.to().flipped())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveError(String);

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no move: expected two squares such as h2e2",
            self.0
        )
    }
}

impl std::error::Error for MoveError {}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let parse = || -> Option<Result<Self, SquareError>> {
            let (from, to) = (text.get(..2)?, text.get(2..)?);
            Some(
                from.parse()
                    .and_then(|from| Ok(Self::new(from, to.parse()?))),
            )
        };
        match parse() {
            Some(Ok(mv)) if mv.from() != mv.to() => Ok(mv),
            _ => Err(MoveError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_code_round_trip() {
        let mv: Move = "h2e2".parse().unwrap();
        assert_eq!(mv.to_string(), "h2e2");
        assert_eq!(Move::from_code(mv.code()), Some(mv));
        assert_eq!(mv.mirrored().to_string(), "b2e2");
        assert_eq!(mv.flipped().to_string(), "h7e7");
        for text in ["", "h2", "h2e", "h2e22", "h2h2", "h10e2", "炮二平五"] {
            assert!(text.parse::<Move>().unwrap_err().to_string().contains(text));
        }
    }
}
