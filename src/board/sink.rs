//! What becomes of generated moves: they are written to a list or counted.

use super::lines::FILE_STATES;
use super::{Bitboard, Color, Move, MoveList, RANKS, SQUARES, Square};

/// A receiver of moves.
pub(super) trait Sink {
    /// The moves of one piece.
    fn add(&mut self, from: Square, targets: Bitboard);
    /// One move.
    fn add_one(&mut self, from: Square, to: Square);
    /// The moves of one piece along its rank.
    fn add_rank(&mut self, from: Square, targets: u16);
    /// The moves of one piece along its file.
    fn add_file(&mut self, from: Square, targets: u16);
    /// Moves of several pieces that all go `by` squares in the numbering.
    fn add_steps(&mut self, targets: Bitboard, by: i32);
    /// The same within the half of the board where `owner` starts.
    fn add_half(&mut self, owner: Color, targets: u64, by: i32);
}

/// Counts the moves without writing them.
pub(super) struct Count(pub u32);

impl Sink for Count {
    #[inline(always)]
    fn add(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.len() as u32;
    }

    #[inline(always)]
    fn add_one(&mut self, _from: Square, _to: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn add_rank(&mut self, _from: Square, targets: u16) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn add_file(&mut self, _from: Square, targets: u16) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn add_steps(&mut self, targets: Bitboard, _by: i32) {
        self.0 += targets.len() as u32;
    }

    #[inline(always)]
    fn add_half(&mut self, _owner: Color, targets: u64, _by: i32) {
        self.0 += targets.count_ones();
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn add(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn add_one(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to));
    }

    #[inline(always)]
    fn add_rank(&mut self, from: Square, targets: u16) {
        append(self, targets, |place| Move::along_rank(from, place));
    }

    #[inline(always)]
    fn add_file(&mut self, from: Square, targets: u16) {
        append(self, targets, |place| Move::along_file(from, place));
    }

    #[inline(always)]
    fn add_steps(&mut self, targets: Bitboard, by: i32) {
        for to in targets {
            let from = Square::new((to.index() as i32 - by) as usize);
            self.push(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn add_half(&mut self, owner: Color, targets: u64, by: i32) {
        let targets = Bitboard::from_bits((targets as u128) << (owner.index() * SQUARES / 2));
        self.add_steps(targets, by);
    }
}

/// Room for the places of a line, and for a copy in one piece.
const PLACES: usize = 16;

/// The places of a line's set bits from the lowest, then zeros.
static PLACES_OF: [[u8; PLACES]; FILE_STATES] = {
    let mut table = [[0; PLACES]; FILE_STATES];
    let mut state = 0;
    while state < FILE_STATES {
        let (mut place, mut n) = (0, 0);
        while place < RANKS {
            if state >> place & 1 != 0 {
                table[state][n] = place as u8;
                n += 1;
            }
            place += 1;
        }
        state += 1;
    }
    table
};

/// Adds the moves to the places of a line. There is no branch on their number:
/// all that could be are written, then those too many cut off.
#[inline(always)]
fn append(list: &mut MoveList, targets: u16, to_place: impl Fn(u8) -> Move) {
    let targets = targets & (FILE_STATES - 1) as u16;
    let moves = PLACES_OF[targets as usize].map(to_place);
    let count = targets.count_ones() as usize;
    let end = list.len() + count;
    if list.try_extend_from_slice(&moves).is_ok() {
        list.truncate(end);
    } else {
        list.extend(moves.into_iter().take(count));
    }
}
