//! The order in which a node tries its moves.
//!
//! Stages: the table's move, captures that do not lose material, killers and
//! the counter move, the other quiet moves by history, losing captures.

use super::worker::Worker;
use crate::board::{Move, MoveList, Piece, PieceKind};
use arrayvec::ArrayVec;

/// A move with its rank in the order.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    mv: Move,
    rank: i32,
    known: Option<Known>,
}

/// What ordering a move has found out about it.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Whether it gives check.
    pub check: bool,
    /// Its history.
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
    ranked: ArrayVec<Ranked, { crate::board::MAX_MOVES }>,
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

    /// Leaves out the quiet moves that have not been tried.
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
        let mut moves = MoveList::new();
        worker.pos.captures(&mut moves);
        self.rank(&moves, |mv| {
            let victim = worker
                .pos
                .piece_on(mv.to())
                .map_or(PieceKind::Pawn, Piece::kind);
            (
                VICTIM_RANK[victim.index()] + worker.capture_history(mv),
                None,
            )
        });
        self.enter(Stage::GoodCaptures)
    }

    fn good_capture(&mut self, worker: &Worker<'_>) -> Option<Move> {
        while let Some(mv) = self.select() {
            if worker.pos.see_ge(mv, self.threshold) {
                return Some(mv);
            }
            self.bad.push(mv);
        }
        self.enter(if self.skip_quiets {
            Stage::BadCaptures
        } else {
            Stage::Refutations
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
        let mut moves = MoveList::new();
        worker.pos.quiets(&mut moves);
        let refutations = self.refutations;
        moves.retain(|mv| !refutations.contains(mv));
        let view = worker.quiet_view(worker.ply());
        self.rank(&moves, |mv| {
            let history = view.of(mv, worker.piece_to(mv));
            let check = worker.pos.gives_check(mv);
            let rank = history + if check { CHECK_RANK } else { 0 };
            (rank, Some(Known { check, history }))
        });
        self.enter(Stage::Quiets)
    }

    fn quiet(&mut self) -> Option<Move> {
        let found = if self.skip_quiets {
            None
        } else {
            self.select()
        };
        if found.is_none() {
            self.enter(Stage::BadCaptures);
        }
        found
    }

    fn bad_capture(&mut self) -> Option<Move> {
        let found = self.bad.get(self.next).copied();
        self.next += 1;
        if found.is_none() {
            self.enter(Stage::Done);
        }
        found
    }

    fn rank(&mut self, moves: &[Move], rank: impl Fn(Move) -> (i32, Option<Known>)) {
        let table_move = self.table_move;
        self.ranked.clear();
        let wanted = moves.iter().filter(|&&mv| mv != table_move);
        self.ranked.extend(wanted.map(|&mv| {
            let (rank, known) = rank(mv);
            Ranked { mv, rank, known }
        }));
    }

    /// One step of a selection sort; most nodes need few moves.
    fn select(&mut self) -> Option<Move> {
        let rest = self.ranked.get_mut(self.next..)?;
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].rank > rest[best].rank {
                best = i;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        self.next += 1;
        self.known = rest[0].known;
        Some(rest[0].mv)
    }
}
