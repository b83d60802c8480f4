//! The two sides.

use std::ops::Not;

/// A side. Red moves first, stands on ranks 0 to 4 and has upper-case letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Red (`w` in a FEN), at the bottom of the board.
    Red,
    /// Black (`b` in a FEN), at the top of the board.
    Black,
}

impl Color {
    /// Both sides, Red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Black];

    /// 0 for Red, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side, usable in constants.
    #[inline(always)]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.opponent()
    }
}
