//! The 361 points of the 19x19 board.

use super::ParseError;
use std::fmt;
use std::str::FromStr;

/// Files, and ranks, of the board.
pub const SIDE: usize = 19;
/// Cells of a padded row: one cell of edge, shared by the two ends.
const STRIDE: usize = SIDE + 1;
/// Cells of the padded board: a row of edge below and above, and one cell
/// more for the step to the north-east from the last point.
pub(super) const CELLS: usize = STRIDE * (SIDE + 2) + 1;

/// A point of the board. Text is the file letter `a` to `s` from the west and
/// the rank number 1 to 19 from the south: `a10`, `s19`.
///
/// Inside it is a cell of a padded board, so that a step off the board lands
/// on an edge cell and no step needs a bounds check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u16);

impl Square {
    /// The centre, where the emperor of Zhou stands.
    pub const CENTRE: Self = Self::at(9, 9);

    /// The square on `file` and `rank`, both 0 to 18.
    ///
    /// # Panics
    /// When either is off the board.
    #[inline]
    pub const fn at(file: usize, rank: usize) -> Self {
        assert!(file < SIDE && rank < SIDE);
        Self(((rank + 1) * STRIDE + file + 1) as u16)
    }

    /// The square on `file` and `rank`, `None` off the board.
    pub const fn checked(file: i32, rank: i32) -> Option<Self> {
        if file < 0 || rank < 0 || file >= SIDE as i32 || rank >= SIDE as i32 {
            return None;
        }
        Some(Self::at(file as usize, rank as usize))
    }

    /// The file, 0 (`a`) to 18 (`s`).
    #[inline]
    pub const fn file(self) -> usize {
        self.0 as usize % STRIDE - 1
    }

    /// The rank, 0 (text `1`) to 18 (text `19`).
    #[inline]
    pub const fn rank(self) -> usize {
        self.0 as usize / STRIDE - 1
    }

    /// All squares, rank by rank from a1 to s19.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SIDE * SIDE).map(|i| Self::at(i % SIDE, i / SIDE))
    }

    /// The cell of the padded board.
    #[inline(always)]
    pub(super) const fn cell(self) -> usize {
        self.0 as usize
    }

    /// The square of a cell that is known to lie on the board.
    #[inline(always)]
    pub(super) const fn of_cell(cell: usize) -> Self {
        Self(cell as u16)
    }

    /// The square written at the start of `text`, and the rest of the text.
    pub(super) fn split_from(text: &str) -> Option<(Self, &str)> {
        let letter = *text.as_bytes().first().filter(|b| b.is_ascii())?;
        let file = i32::from(letter) - i32::from(b'a');
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text[1..].split_at(digits);
        if number.starts_with('0') {
            return None;
        }
        let rank: i32 = number.parse().ok()?;
        Some((Self::checked(file, rank - 1)?, rest))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.file() as u8),
            self.rank() + 1
        )
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match Self::split_from(text) {
            Some((square, "")) => Ok(square),
            _ => Err(ParseError::Square(text.to_owned())),
        }
    }
}

/// A step from cell to cell.
pub(super) type Step = isize;

/// North, east, south, west.
pub(super) const ORTHOGONAL: [Step; 4] = [STRIDE as Step, 1, -(STRIDE as Step), -1];
/// North-east, south-east, south-west, north-west.
pub(super) const DIAGONAL: [Step; 4] = [
    STRIDE as Step + 1,
    1 - STRIDE as Step,
    -1 - STRIDE as Step,
    STRIDE as Step - 1,
];
/// The two diagonals that lead away from the origin after a step in the
/// orthogonal direction of the same index.
pub(super) const OUTWARD: [[Step; 2]; 4] = [
    [DIAGONAL[0], DIAGONAL[3]],
    [DIAGONAL[0], DIAGONAL[1]],
    [DIAGONAL[1], DIAGONAL[2]],
    [DIAGONAL[2], DIAGONAL[3]],
];
