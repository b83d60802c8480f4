//! Sets of squares.

use super::{FILES, RANKS, SQUARES, Square};
use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of squares; bit `i` of the 128 is [`Square`] `i`, the upper 38 bits
/// are always zero. `&`, `|`, `^`, `-`, `!` are the operations of sets.
///
/// ```
/// use chuhe::board::{Bitboard, Square};
/// let palace = Bitboard::from_iter(["d0", "e1", "f2"].map(|s| s.parse::<Square>().unwrap()));
/// assert_eq!(palace.len(), 3);
/// assert!(palace.contains(Square::at(4, 1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(u128);

/// The set of each single square.
static SINGLE: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut i = 0;
    while i < SQUARES {
        table[i] = Bitboard(1 << i);
        i += 1;
    }
    table
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 90 squares.
    pub const ALL: Self = Self((1 << SQUARES) - 1);

    /// The set of the bits below bit 90.
    #[inline(always)]
    pub(super) const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set as bits.
    #[inline(always)]
    pub(super) const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline(always)]
    pub const fn of(sq: Square) -> Self {
        // A look-up is quicker than a shift of two words.
        SINGLE[sq.index()]
    }

    /// All squares of a file (0 to 8).
    pub const fn file(file: usize) -> Self {
        let mut bits = 0;
        let mut rank = 0;
        while rank < RANKS {
            bits |= 1 << Square::at(file, rank).index();
            rank += 1;
        }
        Self(bits)
    }

    /// All squares of a rank (0 to 9).
    pub const fn rank(rank: usize) -> Self {
        Self(((1 << FILES) - 1) << (rank * FILES))
    }

    /// Whether no square is in it.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any square is in it.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether more than one square is in it.
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `sq` is in it.
    #[inline(always)]
    pub const fn contains(self, sq: Square) -> bool {
        let (low, high) = self.words();
        let word = if sq.index() < 64 { low } else { high };
        word >> (sq.index() % 64) & 1 != 0
    }

    /// The squares 0 to 63, and 64 to 89.
    #[inline(always)]
    pub(super) const fn words(self) -> (u64, u64) {
        (self.0 as u64, (self.0 >> 64) as u64)
    }

    /// Every square moved up by `squares` in the numbering, as far as it stays
    /// on the board.
    #[inline(always)]
    pub(super) const fn up(self, squares: u32) -> Self {
        Self::from_bits(self.0 << squares)
    }

    /// Every square moved down by `squares` in the numbering.
    #[inline(always)]
    pub(super) const fn down(self, squares: u32) -> Self {
        Self(self.0 >> squares)
    }

    /// The union, usable in constants.
    #[inline(always)]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set with `sq` added.
    #[inline(always)]
    pub const fn with(self, sq: Square) -> Self {
        self.union(Self::of(sq))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(sq: Square) -> Self {
        Self::of(sq)
    }
}

/// The squares of a set from the lowest to the highest.
#[derive(Debug, Clone)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let sq = Bitboard(self.low as u128).first();
            self.low &= self.low - 1;
            sq
        } else if self.high != 0 {
            let sq = Bitboard((self.high as u128) << 64).first();
            self.high &= self.high - 1;
            sq
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.low.count_ones() + self.high.count_ones()) as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        let (low, high) = self.words();
        Squares { low, high }
    }
}

macro_rules! set_operator {
    ($($op:ident $method:ident $assign:ident $assign_method:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl $op for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $op::$method(*self, other);
            }
        }
    )*};
}

set_operator! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

/// Draws the board with rank 9 at the top: `X` in the set, `.` outside.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            let row = (0..FILES).map(|file| {
                if self.contains(Square::at(file, rank)) {
                    'X'
                } else {
                    '.'
                }
            });
            writeln!(f, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_set_algebra() {
        let (file, rank) = (Bitboard::file(4), Bitboard::rank(9));
        let e9 = Square::at(4, 9);
        assert_eq!(file & rank, Bitboard::of(e9));
        assert_eq!((file | rank).len(), 18);
        assert_eq!(file ^ rank, (file | rank) - Bitboard::of(e9));
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert_eq!((!file).len(), 80);
        assert_eq!(file.into_iter().collect::<Bitboard>(), file);
        assert!(file.many() && !Bitboard::of(e9).many());
    }
}
