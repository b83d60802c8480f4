//! One search thread: its position, its stack and what it has learnt.

use super::engine::Settings;
use super::history::{CONTINUATIONS, Histories, PieceTo, QuietView};
use super::params::Params;
use super::pv::PvTable;
use super::root::RootMove;
use super::score::{MAX_PLY, Value};
use super::structure::Structure;
use super::table::Table;
use crate::board::{Move, Piece, PieceKind, Position, Square, Undo};
use crate::clock::{Budget, Limits, Stop};
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::rules::Counts;
use crate::rules::repetition::{Ply, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The search was told to end; every caller returns at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Nodes between two looks at clock and stop flag; a power of two. Few, for on
/// a table that was never used each of them may wait for a page.
const POLL_NODES: u64 = 64;
/// Looks at the clock for one of a helper at the nodes of all.
const HELPER_PATIENCE: u64 = 16;
/// Depth 1 is finished whatever the clock says, if it takes no more nodes.
const FIRST_DEPTH_NODES: u64 = 20_000;
/// Frames below the root's, so that plies before the root can be asked for.
const FRAME_OFFSET: usize = 6;
/// Plies without capture that make a draw.
pub const DRAW_PLIES: u16 = 120;
const REDUCTION_TABLE: usize = 256;

/// Everything that the threads of one search have in common.
pub struct Shared {
    pub table: Arc<Table>,
    pub limits: Limits,
    pub settings: Settings,
    pub stop: Stop,
    /// Set when the first thread is done, to end the others.
    pub done: AtomicBool,
    pub started: Instant,
    pub budget: Option<Budget>,
    /// Plies without capture that make a draw.
    pub capture_limit: u16,
    /// The counts at the root, under rules that count moves.
    pub counts: Option<Counts>,
    /// What the arbiter says of lines from the root, for the side to move after
    /// them, under rules that cost too much to be asked further on.
    pub root_verdicts: Vec<(Vec<Move>, Verdict)>,
    pub network: Option<Arc<Network>>,
    /// Nodes of each thread, written now and then.
    pub nodes: Vec<AtomicU64>,
    /// The root.
    pub position: Position,
    /// The moves to choose from.
    pub root_moves: Vec<RootMove>,
    /// Moves of the game that led to the root.
    pub history: Vec<Ply>,
}

impl Shared {
    /// Whether there is no point in joining any more.
    pub fn is_over(&self) -> bool {
        self.done.load(Relaxed) || self.stop.is_stopped()
    }
}

/// What a node remembers for the nodes above and below it.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// The move made from here and the piece that moved.
    pub mv: Move,
    pub mover: Option<PieceTo>,
    /// The corrected static evaluation, `None` in check.
    pub eval: Option<Value>,
    pub killers: [Move; 2],
    /// The move left out by a singular search.
    pub excluded: Move,
    /// Whether the move made from here was quiet.
    pub quiet: bool,
    /// How many moves were tried with it.
    pub count: usize,
    /// By how many plies the search of the move made from here was reduced.
    pub reduction: i32,
    /// Cutoffs among the children.
    pub cutoffs: u32,
}

const EMPTY_FRAME: Frame = Frame {
    mv: Move::NULL,
    mover: None,
    eval: None,
    killers: [Move::NULL; 2],
    excluded: Move::NULL,
    quiet: false,
    count: 0,
    reduction: 0,
    cutoffs: 0,
};

/// A search thread.
pub struct Worker<'a> {
    pub shared: &'a Shared,
    /// 0 for the thread that reports and keeps time.
    pub id: usize,
    pub pos: Position,
    pub histories: &'a mut Histories,
    pub nodes: u64,
    pub seldepth: usize,
    pub root_moves: Vec<RootMove>,
    pub completed_depth: u32,
    /// No null move for this side above this ply (verification).
    pub null_min_ply: usize,
    /// The moves of the game, and those from the root on.
    pub path: Vec<Ply>,
    /// The structure of each position from the root on; a null move changes none.
    structures: Vec<Structure>,
    /// The counts of each ply from the root, under rules that count moves.
    pub counts: Vec<Counts>,
    frames: Box<[Frame]>,
    pub evaluator: Evaluator,
    /// What is expected below each ply.
    pub pv: PvTable,
    reductions: Box<[i32; REDUCTION_TABLE]>,
    node_limit: u64,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared, id: usize, histories: &'a mut Histories) -> Self {
        let mut frames = vec![EMPTY_FRAME; MAX_PLY + FRAME_OFFSET + 2].into_boxed_slice();
        fill_frames_before(
            &mut frames[..FRAME_OFFSET],
            &shared.position,
            &shared.history,
        );
        let divisor = f64::from(shared.settings.params.lmr_divisor) / 100.0;
        let reduction = |i: usize| {
            if i == 0 {
                0
            } else {
                ((i as f64).ln() * 1024.0 / divisor.sqrt()) as i32
            }
        };
        Self {
            shared,
            id,
            evaluator: Evaluator::new(shared.network.as_ref(), &shared.position),
            structures: vec![Structure::of(&shared.position)],
            pos: shared.position.clone(),
            histories,
            nodes: 0,
            seldepth: 0,
            root_moves: shared.root_moves.clone(),
            completed_depth: 0,
            null_min_ply: 0,
            path: shared.history.clone(),
            counts: shared.counts.iter().cloned().collect(),
            frames,
            pv: PvTable::new(),
            reductions: Box::new(std::array::from_fn(reduction)),
            node_limit: Self::node_limit(shared),
        }
    }

    fn node_limit(shared: &Shared) -> u64 {
        if shared.nodes.len() == 1 {
            shared.limits.nodes.unwrap_or(u64::MAX)
        } else {
            u64::MAX
        }
    }

    pub fn params(&self) -> &'a Params {
        &self.shared.settings.params
    }

    /// The part of the late move reduction that depends on depth and number.
    pub fn reduction(&self, depth: i32, count: usize) -> i32 {
        let d = self.reductions[(depth.max(0) as usize).min(REDUCTION_TABLE - 1)];
        let c = self.reductions[count.min(REDUCTION_TABLE - 1)];
        ((i64::from(d) * i64::from(c)) >> 10) as i32 + self.params().lmr_base
    }

    // ---- The clock ----

    pub fn elapsed(&self) -> Duration {
        self.shared.started.elapsed()
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.shared.nodes[self.id].store(self.nodes, Relaxed);
        self.shared.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }

    /// Counts a node; now and then looks whether the search shall end.
    pub fn count_node(&mut self) -> Result<(), Interrupted> {
        self.nodes += 1;
        if self.nodes >= self.node_limit && self.completed_depth > 0 {
            return Err(Interrupted);
        }
        if self.nodes.is_multiple_of(POLL_NODES) {
            self.poll()
        } else {
            Ok(())
        }
    }

    /// Helpers look at clock and flag themselves too: where threads outnumber
    /// processors they give way to the first one the sooner.
    fn poll(&self) -> Result<(), Interrupted> {
        let ended = if self.id == 0 {
            let first = self.completed_depth == 0 && self.nodes < FIRST_DEPTH_NODES;
            !first && (self.is_spent() || self.shared.stop.is_stopped())
        } else {
            self.shared.nodes[self.id].store(self.nodes, Relaxed);
            self.shared.is_over() || self.is_late() || self.is_spent_in_all()
        };
        if ended { Err(Interrupted) } else { Ok(()) }
    }

    /// Whether all threads together have used up the nodes. Helpers ask for it
    /// less often than for the rest, for it looks at every thread.
    fn is_spent_in_all(&self) -> bool {
        self.nodes.is_multiple_of(POLL_NODES * HELPER_PATIENCE) && self.is_out_of_nodes()
    }

    fn is_out_of_nodes(&self) -> bool {
        let limit = self.shared.limits.nodes;
        limit.is_some_and(|limit| self.total_nodes() >= limit)
    }

    /// Whether nodes or time are used up.
    fn is_spent(&self) -> bool {
        self.is_out_of_nodes() || self.is_late()
    }

    /// Whether the time is used up.
    fn is_late(&self) -> bool {
        let budget = self.shared.budget.filter(|_| !self.is_untimed());
        budget.is_some_and(|b| self.time_used() >= b.maximum)
    }

    /// Whether time does not count (yet).
    pub fn is_untimed(&self) -> bool {
        self.shared.limits.infinite
            || self.shared.limits.ponder && !self.shared.stop.is_ponder_hit()
    }

    /// Time used, in nodes where the user wants it counted so.
    pub fn time_used(&self) -> Duration {
        match self.shared.settings.nodes_per_ms {
            0 => self.elapsed(),
            per_ms => Duration::from_micros(self.total_nodes().saturating_mul(1000) / per_ms),
        }
    }

    // ---- The stack ----

    pub fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAME_OFFSET]
    }

    pub fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAME_OFFSET]
    }

    /// The move made `back` plies before `ply`, as piece and square.
    pub fn mover_before(&self, ply: usize, back: usize) -> Option<PieceTo> {
        self.frames[ply + FRAME_OFFSET - back].mover
    }

    /// Clears what the children of `ply` will write.
    pub fn prepare_frame(&mut self, ply: usize) {
        let child = &mut self.frames[ply + FRAME_OFFSET + 1];
        child.killers = [Move::NULL; 2];
        child.cutoffs = 0;
    }

    /// Plays a move from `ply`.
    pub fn make(&mut self, ply: usize, mv: Move) -> Undo {
        self.shared.table.prefetch(self.pos.key_after(mv));
        let moved = self.pos.piece_on(mv.from());
        if let Some(piece) = moved {
            let captured = self.pos.piece_on(mv.to());
            self.evaluator.push(mv, piece, captured);
            self.structures
                .push(self.structure().after(mv, piece, captured));
        }
        let mover = moved.map(|piece| PieceTo::new(piece, mv.to()));
        let key = self.pos.key();
        let before = (!self.counts.is_empty()).then(|| self.pos.clone());
        let undo = self.pos.make(mv);
        if let Some(before) = before {
            self.count(&before, mv);
        }
        let frame = self.frame_mut(ply);
        frame.mv = mv;
        frame.mover = mover;
        frame.quiet = undo.captured.is_none();
        let gave_check = self.pos.in_check();
        self.path.push(Ply {
            key,
            mv,
            captured: undo.captured,
            gave_check,
        });
        undo
    }

    /// Carries the counts over a move from `before`.
    fn count(&mut self, before: &Position, mv: Move) {
        let mut next = self.counts[self.counts.len() - 1].clone();
        next.play(before, mv, &self.pos);
        self.counts.push(next);
    }

    /// The key of the position in the table. Under rules that count moves the
    /// runs behind it are a part of it.
    pub fn table_key(&self) -> u64 {
        let runs = self.counts.last().map_or(0, Counts::signature);
        self.pos.key() ^ runs
    }

    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        self.path.pop();
        self.counts.pop();
        self.structures.pop();
        self.evaluator.pop();
        self.pos.unmake(mv, undo);
    }

    pub fn make_null(&mut self, ply: usize) -> Undo {
        let key = self.pos.key();
        let undo = self.pos.make_null();
        self.shared.table.prefetch(self.pos.key());
        let frame = self.frame_mut(ply);
        frame.mv = Move::NULL;
        frame.mover = None;
        frame.quiet = false;
        self.path.push(Ply {
            key,
            mv: Move::NULL,
            captured: None,
            gave_check: false,
        });
        if let Some(counts) = self.counts.last() {
            self.counts.push(counts.clone());
        }
        undo
    }

    pub fn unmake_null(&mut self, undo: Undo) {
        self.path.pop();
        self.counts.pop();
        self.pos.unmake_null(undo);
    }

    // ---- Histories ----

    /// The piece that `mv` moves, with its target.
    pub fn piece_to(&self, mv: Move) -> PieceTo {
        PieceTo::new(
            self.pos.piece_on(mv.from()).unwrap_or(Piece::RedKing),
            mv.to(),
        )
    }

    pub fn capture_history(&self, mv: Move) -> i32 {
        let victim = self
            .pos
            .piece_on(mv.to())
            .map_or(PieceKind::Pawn, Piece::kind);
        self.histories.capture(self.piece_to(mv), victim)
    }

    /// The histories of the quiet moves at the node that is searched now.
    pub fn quiet_view(&self, ply: usize) -> QuietView<'_> {
        let earlier = CONTINUATIONS
            .iter()
            .filter_map(|&back| self.mover_before(ply, back));
        let side = self.pos.side_to_move();
        self.histories.quiets(side, self.structure().pawns, earlier)
    }

    /// The structure of the position that is searched now.
    #[inline]
    pub fn structure(&self) -> Structure {
        self.structures.last().copied().unwrap_or_default()
    }

    /// Plies from the root.
    pub fn ply(&self) -> usize {
        self.path.len() - self.shared.history.len()
    }
}

/// Notes the last moves of the game in the frames below the root's, the latest
/// in the last one.
fn fill_frames_before(frames: &mut [Frame], pos: &Position, history: &[Ply]) {
    let mut board = Square::all().map(|sq| pos.piece_on(sq)).collect::<Vec<_>>();
    for (frame, ply) in frames.iter_mut().rev().zip(history.iter().rev()) {
        let (from, to) = (ply.mv.from(), ply.mv.to());
        let Some(piece) = board[to.index()] else {
            return;
        };
        frame.mv = ply.mv;
        frame.mover = Some(PieceTo::new(piece, to));
        board[from.index()] = Some(piece);
        board[to.index()] = ply.captured;
    }
}
