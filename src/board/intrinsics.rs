//! The only `unsafe` code of the board: accessors that tell the compiler what
//! the types guarantee, so that tables of 90 are indexed without a check, and
//! the prefetch instruction.

use super::{Bitboard, FILES, Move, RANKS, SQUARES, Square};

impl Square {
    /// The square with this number, not checked in release builds.
    ///
    /// # Safety
    /// `index` must be below 90.
    #[inline(always)]
    pub(super) const unsafe fn new_unchecked(index: u32) -> Self {
        debug_assert!(index < SQUARES as u32);
        Self(index as u8)
    }

    /// The number, 0 to 89.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // SAFETY: every constructor of `Square` checks that its number is
        // below 90.
        unsafe { std::hint::assert_unchecked((self.0 as usize) < SQUARES) };
        self.0 as usize
    }
}

/// The file and the rank of each square.
static COORDINATES: [(u8, u8); SQUARES] = {
    let mut table = [(0, 0); SQUARES];
    let mut i = 0;
    while i < SQUARES {
        table[i] = ((i % FILES) as u8, (i / FILES) as u8);
        i += 1;
    }
    table
};

impl Square {
    /// The file, 0 (a) to 8 (i).
    #[inline(always)]
    pub const fn file(self) -> usize {
        let file = COORDINATES[self.index()].0 as usize;
        // SAFETY: the table has no larger number.
        unsafe { std::hint::assert_unchecked(file < FILES) };
        file
    }

    /// The rank, 0 to 9 from Red's back rank.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        let rank = COORDINATES[self.index()].1 as usize;
        // SAFETY: the table has no larger number.
        unsafe { std::hint::assert_unchecked(rank < RANKS) };
        rank
    }
}

impl Bitboard {
    /// The lowest square.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        // SAFETY: a bitboard has no bit above the 90 of the board, and this
        // one is not empty.
        Some(unsafe { Square::new_unchecked(self.bits().trailing_zeros()) })
    }
}

impl Move {
    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        // SAFETY: moves are made from two squares, or from a code that
        // `from_code` checks.
        unsafe { Square::new_unchecked((self.code() >> Self::TO_BITS) as u32) }
    }

    /// Where it ends.
    #[inline(always)]
    pub const fn to(self) -> Square {
        // SAFETY: see `from`.
        unsafe { Square::new_unchecked((self.code() & Self::TO_MASK) as u32) }
    }
}

/// Asks the processor to load the cache line of `target` soon. It has no other
/// effect.
#[inline(always)]
pub fn prefetch<T>(target: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program can see and does
        // not fault, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(target.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}
