//! The occupancy of one rank or file as a small number, and back.
//!
//! A rank is nine neighbouring bits of the 90. A file is every ninth bit: one
//! multiplication gathers eight of them (the chess programmer's way to collect
//! a diagonal of the 8x8 board, which has the same stride), the top two ranks
//! are added by hand.

use super::{Color, FILES, PieceKind, RANKS, Square};

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

/// Width of a field of a line's word.
const FIELD: u32 = RANKS as u32;

/// What is on one rank or file, one word for each side with three fields of
/// ten bits, one bit for each place: from the lowest, all pieces, rooks and
/// kings, cannons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    own: u32,
    enemy: u32,
}

impl Line {
    /// The places of the side's own pieces (other bits are of no meaning).
    #[inline(always)]
    pub(super) const fn own(self) -> u16 {
        self.own as u16
    }

    /// The places of the enemy's pieces (other bits are of no meaning).
    #[inline(always)]
    pub(super) const fn enemy(self) -> u16 {
        self.enemy as u16
    }

    /// The places of all pieces, for a line known to be a file.
    #[inline(always)]
    pub(super) const fn file_state(self) -> usize {
        (self.own | self.enemy) as usize & (FILE_STATES - 1)
    }

    /// The places of all pieces, for a line known to be a rank.
    #[inline(always)]
    pub(super) const fn rank_state(self) -> usize {
        (self.own | self.enemy) as usize & (RANK_STATES - 1)
    }

    /// The line with an own piece's place empty.
    #[inline(always)]
    pub(super) const fn without(self, place: usize) -> Self {
        Self {
            own: self.own & !(1 << place),
            enemy: self.enemy,
        }
    }

    /// Whether an enemy on this line matters to a king who sees it in this
    /// `view`: it gives check, or its check is kept off by pieces one of which
    /// may be bound, or it is a cannon with no screen.
    #[inline(always)]
    pub(super) const fn endangers(self, view: View) -> bool {
        // Rooks matter in the first two fields of the view, cannons in all.
        let attackers = self.enemy >> FIELD;
        view.0 & (attackers | attackers << FIELD | attackers >> FIELD) != 0
    }

    /// Whether an enemy on this line attacks a king who sees it in this
    /// `view`.
    #[inline(always)]
    pub(super) const fn attacks(self, view: View) -> bool {
        view.0 & (self.enemy >> FIELD) != 0
    }
}

/// What is to be seen along a line from one place: three fields of ten bits
/// with the first, second and third pieces on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View(u32);

/// All ranks and files of a position, kept up to date move by move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Lines {
    ranks: [[u32; RANKS]; 2],
    files: [[u32; FILES]; 2],
}

/// The fields in which each kind of piece has its bit.
const FIELDS_OF: [u32; 7] = {
    let mut fields = [1; 7];
    fields[PieceKind::King.index()] |= 1 << FIELD;
    fields[PieceKind::Rook.index()] |= 1 << FIELD;
    fields[PieceKind::Cannon.index()] |= 1 << (2 * FIELD);
    fields
};

impl Lines {
    /// Adds or removes a piece on `sq`.
    #[inline(always)]
    pub(super) fn toggle(&mut self, color: Color, kind: PieceKind, sq: Square) {
        let (file, rank) = (sq.file(), sq.rank());
        self.ranks[color.index()][rank] ^= FIELDS_OF[kind.index()] << file;
        self.files[color.index()][file] ^= FIELDS_OF[kind.index()] << rank;
    }

    /// A rank as `us` sees it.
    #[inline(always)]
    pub(super) const fn rank(&self, us: Color, rank: usize) -> Line {
        Line {
            own: self.ranks[us.index()][rank],
            enemy: self.ranks[us.opponent().index()][rank],
        }
    }

    /// A file as `us` sees it.
    #[inline(always)]
    pub(super) const fn file(&self, us: Color, file: usize) -> Line {
        Line {
            own: self.files[us.index()][file],
            enemy: self.files[us.opponent().index()][file],
        }
    }
}

/// Where the sliders go along a line from each place, by its occupancy.
pub(super) struct LineTable<const LENGTH: usize, const STATES: usize> {
    /// Rook: up to and including the first piece on either side.
    pub rook: [[u16; STATES]; LENGTH],
    /// Cannon, captures: the second piece on either side.
    pub cannon: [[u16; STATES]; LENGTH],
    /// Cannon, all its ways: the empty places up to the first piece on either
    /// side, and the second piece.
    pub cannon_moves: [[u16; STATES]; LENGTH],
    /// What a king sees.
    pub view: [[View; STATES]; LENGTH],
}

impl<const LENGTH: usize, const STATES: usize> LineTable<LENGTH, STATES> {
    pub(super) const fn new() -> Self {
        let mut table = Self {
            rook: [[0; STATES]; LENGTH],
            cannon: [[0; STATES]; LENGTH],
            cannon_moves: [[0; STATES]; LENGTH],
            view: [[View(0); STATES]; LENGTH],
        };
        let mut at = 0;
        while at < LENGTH {
            let mut state = 0;
            while state < STATES {
                table.fill(at, state);
                state += 1;
            }
            at += 1;
        }
        table
    }

    const fn fill(&mut self, at: usize, state: usize) {
        let (up, down) = (Self::ray(at, 1, state), Self::ray(at, -1, state));
        let first = (up.pieces[0] | down.pieces[0]) as u32;
        let second = (up.pieces[1] | down.pieces[1]) as u32;
        let third = (up.pieces[2] | down.pieces[2]) as u32;
        let empty = up.empty | down.empty;
        self.rook[at][state] = empty | first as u16;
        self.cannon[at][state] = second as u16;
        self.cannon_moves[at][state] = empty | second as u16;
        self.view[at][state] = View(first | second << FIELD | third << (2 * FIELD));
    }

    /// What lies in one direction.
    const fn ray(at: usize, step: i32, state: usize) -> Ray {
        let mut ray = Ray {
            empty: 0,
            pieces: [0; 3],
        };
        let mut passed = 0;
        let mut to = at as i32 + step;
        while to >= 0 && to < LENGTH as i32 && passed < ray.pieces.len() {
            if state >> to & 1 != 0 {
                ray.pieces[passed] = 1 << to;
                passed += 1;
            } else if passed == 0 {
                ray.empty |= 1 << to;
            }
            to += step;
        }
        ray
    }
}

/// One direction of a line: the empty places before the first piece, and the
/// first three pieces, each as a set.
struct Ray {
    empty: u16,
    pieces: [u16; 3],
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
