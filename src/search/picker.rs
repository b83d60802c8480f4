//! The order in which a node tries its moves.
//!
//! Stages: the table's move, captures that do not lose material, killers and
//! the counter move, the other quiet moves by history, losing captures. In
//! quiescence: captures, then perhaps quiet checks.

use super::history::QUIET_HISTORY_MAX;
use super::threats::Threats;
use super::worker::Worker;
use crate::board::{MAX_MOVES, Move, MoveList, Piece, PieceKind};
use arrayvec::ArrayVec;

/// A move's rank, whether it gives check and its number in the list, in one
/// word, so that the best is the greatest word. A word of 0 is a move that was
/// given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ranked(u32);

impl Ranked {
    const GIVEN: Self = Self(0);
    const NUMBER_BITS: u32 = 8;
    const RANK_SHIFT: u32 = Self::NUMBER_BITS + 1;
    /// Added to ranks, which lie within this of 0.
    const BIAS: i32 = 1 << (u32::BITS - Self::RANK_SHIFT - 1);

    #[inline]
    fn new(rank: i32, check: bool, number: usize) -> Self {
        let rank = (rank + Self::BIAS) as u32;
        Self(rank << Self::RANK_SHIFT | u32::from(check) << Self::NUMBER_BITS | number as u32)
    }

    fn number(self) -> usize {
        (self.0 & ((1 << Self::NUMBER_BITS) - 1)) as usize
    }

    fn known(self) -> Known {
        let check = self.0 >> Self::NUMBER_BITS & 1 != 0;
        let rank = (self.0 >> Self::RANK_SHIFT) as i32 - Self::BIAS;
        Known {
            check,
            history: rank - if check { CHECK_RANK } else { 0 },
        }
    }
}

const _: () = assert!(
    MAX_MOVES <= 1 << Ranked::NUMBER_BITS && QUIET_HISTORY_MAX + CHECK_RANK < Ranked::BIAS,
    "numbers and ranks must fit their bits"
);

/// What ordering a move has found out about it.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Whether it gives check.
    pub check: bool,
    /// Its history and its worth as a flight.
    pub history: i32,
}

impl Known {
    /// For any legal move.
    pub fn of(worker: &Worker<'_>, mv: Move) -> Self {
        let history = if worker.pos.is_capture(mv) {
            worker.capture_history(mv)
        } else {
            worker.quiet_view(worker.ply()).of(mv, worker.piece_to(mv))
        };
        Self {
            check: worker.pos.gives_check(mv),
            history,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Refutations,
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    BadCaptures,
    Done,
}

/// Moves that are tried before the other quiet ones: two killers and the
/// counter move.
pub type Refutations = [Move; 3];

/// Yields the legal moves of one node, the promising ones first.
pub struct Picker {
    stage: Stage,
    table_move: Move,
    refutations: Refutations,
    /// Captures that lose more than this wait to the end.
    threshold: i32,
    skip_quiets: bool,
    /// Whether quiet checks follow the captures where quiet moves are left out.
    checks: bool,
    moves: MoveList,
    ranked: ArrayVec<Ranked, MAX_MOVES>,
    bad: MoveList,
    next: usize,
    known: Option<Known>,
}

/// What a captured piece is worth in the order of captures.
const VICTIM_RANK: [i32; 7] = [0, 3_000, 3_000, 7_000, 14_000, 8_000, 2_000];
/// Rank of captures and of the history together stays above this.
const CHECK_RANK: i32 = 8_000;

impl Picker {
    /// All moves.
    pub fn new(table_move: Move, refutations: Refutations, threshold: i32) -> Self {
        Self {
            stage: Stage::TableMove,
            table_move,
            refutations,
            threshold,
            skip_quiets: false,
            checks: false,
            moves: MoveList::new(),
            ranked: ArrayVec::new(),
            bad: MoveList::new(),
            next: 0,
            known: None,
        }
    }

    /// Captures only, those that win at least `threshold` by exchanges.
    pub fn captures(table_move: Move, threshold: i32) -> Self {
        Self {
            skip_quiets: true,
            ..Self::new(table_move, [Move::NULL; 3], threshold)
        }
    }

    /// Captures as above, then the quiet checks that win at least `threshold`,
    /// that is, lose nothing.
    pub fn captures_and_checks(table_move: Move, threshold: i32) -> Self {
        Self {
            checks: true,
            ..Self::captures(table_move, threshold)
        }
    }

    /// Leaves out the quiet moves that have not been tried, but for checks.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the moves that come now are captures that lose material.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage >= Stage::BadCaptures
    }

    /// What is known about the last move given out.
    pub fn known(&self, worker: &Worker<'_>, mv: Move) -> Known {
        self.known.unwrap_or_else(|| Known::of(worker, mv))
    }

    /// The next move; `None` when all are tried.
    pub fn next(&mut self, worker: &Worker<'_>) -> Option<Move> {
        self.known = None;
        loop {
            let found = match self.stage {
                Stage::TableMove => self.table_move(worker),
                Stage::GenerateCaptures => self.generate_captures(worker),
                Stage::GoodCaptures => self.good_capture(worker),
                Stage::Refutations => self.refutation(worker),
                Stage::GenerateQuiets => self.generate_quiets(worker),
                Stage::Quiets => self.quiet(),
                Stage::GenerateChecks => self.generate_checks(worker),
                Stage::Checks => self.check(worker),
                Stage::BadCaptures => self.bad_capture(),
                Stage::Done => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn enter(&mut self, stage: Stage) -> Option<Move> {
        self.stage = stage;
        self.next = 0;
        None
    }

    fn table_move(&mut self, worker: &Worker<'_>) -> Option<Move> {
        self.enter(Stage::GenerateCaptures);
        let mv = self.table_move;
        let wanted = !mv.is_null()
            && worker.pos.is_legal(mv)
            && (!self.skip_quiets || worker.pos.is_capture(mv));
        if !wanted {
            self.table_move = Move::NULL;
        }
        wanted.then_some(mv)
    }

    fn generate_captures(&mut self, worker: &Worker<'_>) -> Option<Move> {
        worker.pos.captures(&mut self.moves);
        self.rank(|mv| {
            let victim = worker
                .pos
                .piece_on(mv.to())
                .map_or(PieceKind::Pawn, Piece::kind);
            (
                VICTIM_RANK[victim.index()] + worker.capture_history(mv),
                false,
            )
        });
        self.enter(Stage::GoodCaptures)
    }

    fn good_capture(&mut self, worker: &Worker<'_>) -> Option<Move> {
        while let Some(ranked) = self.select() {
            let mv = self.moves[ranked.number()];
            if worker.pos.see_ge(mv, self.threshold) {
                return Some(mv);
            }
            self.bad.push(mv);
        }
        self.enter(match (self.skip_quiets, self.checks) {
            (false, _) => Stage::Refutations,
            (true, true) => Stage::GenerateChecks,
            (true, false) => Stage::BadCaptures,
        })
    }

    fn refutation(&mut self, worker: &Worker<'_>) -> Option<Move> {
        while let Some(&mv) = self.refutations.get(self.next) {
            let seen = mv == self.table_move || self.refutations[..self.next].contains(&mv);
            self.next += 1;
            if !self.skip_quiets && !seen && !worker.pos.is_capture(mv) && worker.pos.is_legal(mv) {
                return Some(mv);
            }
        }
        self.enter(Stage::GenerateQuiets)
    }

    fn generate_quiets(&mut self, worker: &Worker<'_>) -> Option<Move> {
        if self.skip_quiets {
            return self.enter(Stage::BadCaptures);
        }
        self.moves.clear();
        worker.pos.quiets(&mut self.moves);
        let refutations = self.refutations;
        self.moves.retain(|mv| !refutations.contains(mv));
        let view = worker.quiet_view(worker.ply());
        let (threats, p) = (Threats::of(&worker.pos), worker.params());
        self.rank(|mv| {
            let kind = worker.pos.piece_on(mv.from()).map(Piece::kind);
            let flight = kind.map_or(0, |kind| threats.flight(p, kind, mv));
            let history = view.of(mv, worker.piece_to(mv)) + flight;
            let check = worker.pos.gives_check(mv);
            (history + if check { CHECK_RANK } else { 0 }, check)
        });
        self.enter(Stage::Quiets)
    }

    fn quiet(&mut self) -> Option<Move> {
        let mut found = self.select();
        while self.skip_quiets && found.is_some_and(|ranked| !ranked.known().check) {
            found = self.select();
        }
        if found.is_none() {
            self.enter(Stage::BadCaptures);
        }
        self.known = found.map(Ranked::known);
        found.map(|ranked| self.moves[ranked.number()])
    }

    fn generate_checks(&mut self, worker: &Worker<'_>) -> Option<Move> {
        self.moves.clear();
        worker.pos.quiet_checks(&mut self.moves);
        self.enter(Stage::Checks)
    }

    fn check(&mut self, worker: &Worker<'_>) -> Option<Move> {
        while let Some(&mv) = self.moves.get(self.next) {
            self.next += 1;
            if worker.pos.see_ge(mv, self.threshold) {
                return Some(mv);
            }
        }
        self.enter(Stage::BadCaptures)
    }

    fn bad_capture(&mut self) -> Option<Move> {
        let found = self.bad.get(self.next).copied();
        self.next += 1;
        if found.is_none() {
            self.enter(Stage::Done);
        }
        found
    }

    /// Ranks the moves in the list by `rank`, which tells a check as well.
    #[inline]
    fn rank(&mut self, rank: impl Fn(Move) -> (i32, bool)) {
        self.ranked.clear();
        for (number, &mv) in self.moves.iter().enumerate() {
            let ranked = if mv == self.table_move {
                Ranked::GIVEN
            } else {
                let (rank, check) = rank(mv);
                Ranked::new(rank, check, number)
            };
            self.ranked.push(ranked);
        }
    }

    /// One step of a selection sort; most nodes need few moves.
    fn select(&mut self) -> Option<Ranked> {
        let best = self
            .ranked
            .iter()
            .fold(0, |best, ranked| best.max(ranked.0));
        let best = Ranked(best);
        if best == Ranked::GIVEN {
            return None;
        }
        self.ranked[best.number()] = Ranked::GIVEN;
        Some(best)
    }
}
