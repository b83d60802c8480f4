//! The 90 points of the board.

use super::Color;
use std::fmt;
use std::str::FromStr;

/// Number of files (a to i).
pub const FILES: usize = 9;
/// Number of ranks (0 to 9).
pub const RANKS: usize = 10;
/// Number of squares.
pub const SQUARES: usize = FILES * RANKS;

/// A point of the board, numbered `rank * 9 + file`: a0 = 0, i0 = 8, i9 = 89.
///
/// Text is ICCS: file letter a to i from Red's left, rank digit 0 to 9 from
/// Red's back rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(pub(super) u8);

impl Square {
    /// The square with this number.
    ///
    /// # Panics
    /// When `index` is 90 or more.
    #[inline(always)]
    pub const fn new(index: usize) -> Self {
        assert!(index < SQUARES);
        Self(index as u8)
    }

    /// The square on `file` (0 to 8) and `rank` (0 to 9).
    ///
    /// # Panics
    /// When either is off the board.
    #[inline(always)]
    pub const fn at(file: usize, rank: usize) -> Self {
        assert!(file < FILES && rank < RANKS);
        Self((rank * FILES + file) as u8)
    }

    /// The square `(df, dr)` away, `None` off the board.
    pub const fn offset(self, df: i32, dr: i32) -> Option<Self> {
        let (file, rank) = (self.file() as i32 + df, self.rank() as i32 + dr);
        if file < 0 || file >= FILES as i32 || rank < 0 || rank >= RANKS as i32 {
            return None;
        }
        Some(Self::at(file as usize, rank as usize))
    }

    /// All squares from a0 to i9.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..SQUARES as u8).map(Self)
    }

    /// The rank counted from `color`'s own back rank.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> usize {
        match color {
            Color::Red => self.rank(),
            Color::Black => RANKS - 1 - self.rank(),
        }
    }

    /// The same rank seen from the other side (a0 <-> a9).
    #[inline(always)]
    pub const fn flipped(self) -> Self {
        Self::at(self.file(), RANKS - 1 - self.rank())
    }

    /// The left-right mirror image (a0 <-> i0).
    #[inline(always)]
    pub const fn mirrored(self) -> Self {
        Self::at(FILES - 1 - self.file(), self.rank())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquareError(String);

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no square: expected a file a-i and a rank 0-9",
            self.0
        )
    }
}

impl std::error::Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'i' | file @ b'A'..=b'I', rank @ b'0'..=b'9'] => Ok(Self::at(
                (file.to_ascii_lowercase() - b'a') as usize,
                (rank - b'0') as usize,
            )),
            _ => Err(SquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_over_all_squares() {
        for sq in Square::all() {
            assert_eq!(sq.to_string().parse(), Ok(sq));
            assert_eq!(sq.flipped().flipped(), sq);
            assert_eq!(sq.mirrored().mirrored(), sq);
        }
        assert_eq!("h2".parse(), Ok(Square::at(7, 2)));
    }

    #[test]
    fn other_texts_are_named_in_the_error() {
        for text in ["", "a", "j0", "a10", "0a", "a:", "ä0"] {
            let error = text.parse::<Square>().unwrap_err();
            assert!(error.to_string().contains(text));
        }
    }
}
