//! What moves have been worth before: the histories that order moves.

use super::structure::STRUCTURES;
use crate::board::{Color, Move, Piece, PieceKind, SQUARES, Square};
use arrayvec::ArrayVec;
use bytemuck::allocation::{try_zeroed_box, try_zeroed_vec};

/// Histories stay within this size.
const HISTORY_MAX: i32 = 16_384;
const CORRECTION_MAX: i32 = 1_024;
const CORRECTION_SIZE: usize = 1 << 14;
const PAWN_SIZE: usize = 1 << 9;
const PIECE_TO: usize = Piece::COUNT * SQUARES;
/// Plies back whose moves a continuation history looks at.
pub const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// Histories that a quiet move has: by squares, by pawns, and continuations.
const QUIET_HISTORIES: usize = 2 + CONTINUATIONS.len();
/// Their sum stays within this size.
pub const QUIET_HISTORY_MAX: i32 = HISTORY_MAX * QUIET_HISTORIES as i32;

/// A piece and the square it went to, as an index below 1260.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// The index of `piece` going to `to`.
    #[inline]
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * SQUARES + to.index()) as u16)
    }
}

/// A history by piece and target.
type ByPieceTo = [i16; PIECE_TO];

/// Moves a value towards the bonus's sign so that it never leaves its range.
fn gravitate(value: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    *value += (bonus - i32::from(*value) * bonus.abs() / max) as i16;
}

/// All histories of one thread.
#[derive(Debug, Clone)]
pub struct Histories {
    quiet: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    pawn: Vec<ByPieceTo>,
    capture: Box<[[i16; 7]; PIECE_TO]>,
    continuation: Vec<ByPieceTo>,
    counter: Box<[Move; PIECE_TO]>,
    correction: [Vec<[i16; 2]>; STRUCTURES],
    continuation_correction: Vec<ByPieceTo>,
}

impl Default for Histories {
    fn default() -> Self {
        Self::new().expect("memory for the histories of a search")
    }
}

/// The histories of the quiet moves of one node.
pub struct QuietView<'a> {
    squares: &'a [[i16; SQUARES]; SQUARES],
    pawn: &'a ByPieceTo,
    continuations: ArrayVec<&'a ByPieceTo, { CONTINUATIONS.len() }>,
}

impl QuietView<'_> {
    /// How well `mv`, by `mover`, has fared; up to [`QUIET_HISTORY_MAX`].
    #[inline]
    pub fn of(&self, mv: Move, mover: PieceTo) -> i32 {
        let at = usize::from(mover.0);
        let followed: i32 = self.continuations.iter().map(|c| i32::from(c[at])).sum();
        i32::from(self.squares[mv.from().index()][mv.to().index()])
            + i32::from(self.pawn[at])
            + followed
    }
}

impl Histories {
    /// Histories that know nothing, or `None` where there is no memory for
    /// them. Pages are taken only as they are written to.
    pub fn new() -> Option<Self> {
        let corrections = (0..STRUCTURES).map(|_| try_zeroed_vec(CORRECTION_SIZE).ok());
        let corrections: Vec<_> = corrections.collect::<Option<_>>()?;
        Some(Self {
            quiet: try_zeroed_box().ok()?,
            pawn: try_zeroed_vec(PAWN_SIZE).ok()?,
            capture: try_zeroed_box().ok()?,
            continuation: try_zeroed_vec(PIECE_TO).ok()?,
            counter: Box::new([Move::NULL; PIECE_TO]),
            correction: corrections.try_into().ok()?,
            continuation_correction: try_zeroed_vec(PIECE_TO).ok()?,
        })
    }

    /// The histories of quiet moves of `side` with pawns as `pawns` says,
    /// after the moves `earlier`.
    #[inline]
    pub fn quiets(
        &self,
        side: Color,
        pawns: u64,
        earlier: impl Iterator<Item = PieceTo>,
    ) -> QuietView<'_> {
        QuietView {
            squares: &self.quiet[side.index()],
            pawn: &self.pawn[pawns as usize % PAWN_SIZE],
            continuations: earlier
                .map(|e| &self.continuation[usize::from(e.0)])
                .collect(),
        }
    }

    /// Rewards (or punishes) a quiet move by its squares.
    pub fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32) {
        let value = &mut self.quiet[side.index()][mv.from().index()][mv.to().index()];
        gravitate(value, bonus, HISTORY_MAX);
    }

    /// Rewards (or punishes) a quiet move where the pawns stand so.
    pub fn update_pawn(&mut self, pawns: u64, mover: PieceTo, bonus: i32) {
        let value = &mut self.pawn[pawns as usize % PAWN_SIZE][usize::from(mover.0)];
        gravitate(value, bonus, HISTORY_MAX);
    }

    /// The history of a capture by piece, square and victim.
    #[inline]
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

    /// By how much evaluations were wrong for `side` where the structure of
    /// one kind has the key `key`, in units of `CORRECTION_MAX`.
    #[inline]
    pub fn correction(&self, kind: usize, side: Color, key: u64) -> i32 {
        i32::from(self.correction[kind][key as usize % CORRECTION_SIZE][side.index()])
    }

    /// The same after the last two moves.
    #[inline]
    pub fn continuation_correction(&self, earlier: PieceTo, last: PieceTo) -> i32 {
        i32::from(self.continuation_correction[usize::from(earlier.0)][usize::from(last.0)])
    }

    /// Learns the error of an evaluation.
    pub fn update_correction(&mut self, kind: usize, side: Color, key: u64, error: i32) {
        let value = &mut self.correction[kind][key as usize % CORRECTION_SIZE][side.index()];
        correct(value, error);
    }

    /// Learns the error of an evaluation after the last two moves.
    pub fn update_continuation_correction(&mut self, earlier: PieceTo, last: PieceTo, error: i32) {
        let value = &mut self.continuation_correction[usize::from(earlier.0)][usize::from(last.0)];
        correct(value, error);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

fn correct(value: &mut i16, error: i32) {
    let error = error.clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
    gravitate(value, error, CORRECTION_MAX);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_gather_and_stay_in_range() {
        let mut histories = Histories::default();
        let mv: Move = "h2e2".parse().unwrap();
        for _ in 0..10_000 {
            histories.update_quiet(Color::Red, mv, 1500);
        }
        let mover = PieceTo::new(Piece::RedCannon, mv.to());
        let value = |side| histories.quiets(side, 0, std::iter::empty()).of(mv, mover);
        assert!(value(Color::Red) > HISTORY_MAX * 9 / 10 && value(Color::Red) <= HISTORY_MAX);
        assert_eq!(value(Color::Black), 0);
    }
}
