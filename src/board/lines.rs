//! The occupancy of one rank or file as a small number, and back.
//!
//! A rank is nine neighbouring bits of the 90. A file is every ninth bit: one
//! multiplication gathers eight of them (the chess programmer's way to collect
//! a diagonal of the 8x8 board, which has the same stride), the top two ranks
//! are added by hand.

use super::{FILES, RANKS};

/// Number of occupancies of a rank.
pub(super) const RANK_STATES: usize = 1 << FILES;
/// Number of occupancies of a file.
pub(super) const FILE_STATES: usize = 1 << RANKS;

/// Bits 0, 9, 18 ... 63: file a on ranks 0 to 7.
const EIGHT_RANKS: u64 = 0x8040_2010_0804_0201;
/// Bits 0, 8, 16 ... 56.
const EVERY_EIGHTH: u64 = 0x0101_0101_0101_0101;

/// The nine bits of a rank.
#[inline(always)]
pub(super) const fn rank_line(bits: u128, rank: usize) -> usize {
    (bits >> (rank * FILES)) as usize & (RANK_STATES - 1)
}

/// The ten bits of a file, rank 0 lowest.
#[inline(always)]
pub(super) const fn file_line(bits: u128, file: usize) -> usize {
    let bits = bits >> (file & 0xF);
    let (low, high) = (bits as u64, (bits >> 64) as u64);
    let eight = (low & EIGHT_RANKS).wrapping_mul(EVERY_EIGHTH) >> 56;
    // Ranks 8 and 9 of file a are bits 8 and 17 of the upper half.
    (eight | (high & 0x100) | (high >> 8 & 0x200)) as usize
}

/// The squares of a rank whose bits are set in `line`.
#[inline(always)]
pub(super) const fn rank_squares(line: u16, rank: usize) -> u128 {
    (line as u128) << (rank * FILES)
}

/// The squares of a file whose bits are set in `line`.
#[inline(always)]
pub(super) const fn file_squares(line: u16, file: usize) -> u128 {
    let line = line as u64;
    let low = (line & 0xFF).wrapping_mul(EVERY_EIGHTH) & EIGHT_RANKS;
    let high = (line & 0x100) | (line & 0x200) << 8;
    ((high as u128) << 64 | low as u128) << (file & 0xF)
}

/// Where the sliders go along a line from each place, by its occupancy.
pub(super) struct LineTable<const LENGTH: usize, const STATES: usize> {
    /// Rook: up to and including the first piece on either side.
    pub rook: [[u16; STATES]; LENGTH],
    /// Cannon, captures: the second piece on either side.
    pub cannon: [[u16; STATES]; LENGTH],
}

impl<const LENGTH: usize, const STATES: usize> LineTable<LENGTH, STATES> {
    pub(super) const fn new() -> Self {
        let mut table = Self {
            rook: [[0; STATES]; LENGTH],
            cannon: [[0; STATES]; LENGTH],
        };
        let mut at = 0;
        while at < LENGTH {
            let mut state = 0;
            while state < STATES {
                let up = Self::ray(at as i32, 1, state);
                let down = Self::ray(at as i32, -1, state);
                table.rook[at][state] = up.0 | down.0;
                table.cannon[at][state] = up.1 | down.1;
                state += 1;
            }
            at += 1;
        }
        table
    }

    /// The targets of rook and cannon in one direction.
    const fn ray(at: i32, step: i32, state: usize) -> (u16, u16) {
        let (mut rook, mut cannon) = (0, 0);
        let mut passed = 0;
        let mut to = at + step;
        while to >= 0 && to < LENGTH as i32 && passed < 2 {
            let is_piece = state >> to & 1 != 0;
            if passed == 0 {
                rook |= 1 << to;
            } else if is_piece {
                cannon |= 1 << to;
            }
            if is_piece {
                passed += 1;
            }
            to += step;
        }
        (rook, cannon)
    }
}

/// The sliders' targets along a rank.
pub(super) static RANK_TABLE: LineTable<FILES, RANK_STATES> = LineTable::new();
/// The sliders' targets along a file.
pub(super) static FILE_TABLE: LineTable<RANKS, FILE_STATES> = LineTable::new();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};

    #[test]
    fn lines_are_gathered_and_spread() {
        for sq in Square::all() {
            let bits = Bitboard::of(sq).bits();
            for other in 0..RANKS {
                let expected = if other == sq.rank() {
                    1 << sq.file()
                } else {
                    0
                };
                assert_eq!(rank_line(bits, other), expected);
            }
            for other in 0..FILES {
                let expected = if other == sq.file() {
                    1 << sq.rank()
                } else {
                    0
                };
                assert_eq!(file_line(bits, other), expected);
            }
            assert_eq!(rank_squares(1 << sq.file(), sq.rank()), bits);
            assert_eq!(file_squares(1 << sq.rank(), sq.file()), bits);
        }
        assert_eq!(file_line(Bitboard::ALL.bits(), 8), FILE_STATES - 1);
        assert_eq!(
            file_squares((FILE_STATES - 1) as u16, 8),
            Bitboard::file(8).bits()
        );
    }
}
