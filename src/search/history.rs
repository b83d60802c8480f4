//! What moves have been worth before: the histories that order moves.

use crate::board::{Color, Move, Piece, PieceKind, SQUARES, Square};

/// Histories stay within this size.
pub const HISTORY_MAX: i32 = 16_384;
const CORRECTION_MAX: i32 = 1_024;
const CORRECTION_SIZE: usize = 1 << 14;
const PIECE_TO: usize = Piece::COUNT * SQUARES;
/// Plies back whose moves a continuation history looks at.
pub const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// A piece and the square it went to, as an index below 1260.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// The index of `piece` going to `to`.
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * SQUARES + to.index()) as u16)
    }
}

/// Moves a value towards the bonus's sign so that it never leaves its range.
fn gravitate(value: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    *value += (bonus - i32::from(*value) * bonus.abs() / max) as i16;
}

/// All histories of one thread.
#[derive(Debug, Clone)]
pub struct Histories {
    quiet: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    capture: Box<[[i16; 7]; PIECE_TO]>,
    continuation: Vec<[i16; PIECE_TO]>,
    counter: Box<[Move; PIECE_TO]>,
    correction: Vec<[i16; 2]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: Box::new([[[0; SQUARES]; SQUARES]; 2]),
            capture: Box::new([[0; 7]; PIECE_TO]),
            continuation: vec![[0; PIECE_TO]; PIECE_TO],
            counter: Box::new([Move::NULL; PIECE_TO]),
            correction: vec![[0; 2]; CORRECTION_SIZE],
        }
    }
}

impl Histories {
    /// The history of a quiet move by squares.
    pub fn quiet(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.quiet[side.index()][mv.from().index()][mv.to().index()])
    }

    /// Rewards (or punishes) a quiet move.
    pub fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32) {
        let value = &mut self.quiet[side.index()][mv.from().index()][mv.to().index()];
        gravitate(value, bonus, HISTORY_MAX);
    }

    /// The history of a capture by piece, square and victim.
    pub fn capture(&self, mover: PieceTo, victim: PieceKind) -> i32 {
        i32::from(self.capture[usize::from(mover.0)][victim.index()])
    }

    /// Rewards (or punishes) a capture.
    pub fn update_capture(&mut self, mover: PieceTo, victim: PieceKind, bonus: i32) {
        gravitate(
            &mut self.capture[usize::from(mover.0)][victim.index()],
            bonus,
            HISTORY_MAX,
        );
    }

    /// How well `mover` has followed `earlier`.
    pub fn continuation(&self, earlier: PieceTo, mover: PieceTo) -> i32 {
        i32::from(self.continuation[usize::from(earlier.0)][usize::from(mover.0)])
    }

    /// Rewards (or punishes) `mover` after `earlier`.
    pub fn update_continuation(&mut self, earlier: PieceTo, mover: PieceTo, bonus: i32) {
        let value = &mut self.continuation[usize::from(earlier.0)][usize::from(mover.0)];
        gravitate(value, bonus, HISTORY_MAX);
    }

    /// The quiet move that last refuted `earlier`.
    pub fn counter(&self, earlier: PieceTo) -> Move {
        self.counter[usize::from(earlier.0)]
    }

    /// Remembers a refutation.
    pub fn set_counter(&mut self, earlier: PieceTo, mv: Move) {
        self.counter[usize::from(earlier.0)] = mv;
    }

    /// By how much evaluations of such positions were wrong, in units of
    /// `CORRECTION_MAX`; `key` names the kind of position.
    pub fn correction(&self, side: Color, key: u64) -> i32 {
        i32::from(self.correction[key as usize % CORRECTION_SIZE][side.index()])
    }

    /// Learns the error of an evaluation.
    pub fn update_correction(&mut self, side: Color, key: u64, error: i32) {
        let value = &mut self.correction[key as usize % CORRECTION_SIZE][side.index()];
        gravitate(
            value,
            error.clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4),
            CORRECTION_MAX,
        );
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_gather_and_stay_in_range() {
        let mut histories = Histories::default();
        let mv = "h2e2".parse().unwrap();
        for _ in 0..10_000 {
            histories.update_quiet(Color::Red, mv, 1500);
        }
        let value = histories.quiet(Color::Red, mv);
        assert!(value > HISTORY_MAX * 9 / 10 && value <= HISTORY_MAX);
        assert_eq!(histories.quiet(Color::Black, mv), 0);
    }
}
