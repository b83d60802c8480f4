//! The root: iterative deepening, aspiration windows, several lines, and the
//! decision when to stop.

use super::move_loop::PLY;
use super::node::Window;
use super::picker::Known;
use super::report::{Bound, Line, Report};
use super::score::{
    INFINITE, MATE, MATE_BOUND, MAX_PLY, Value, is_decisive, is_mate, is_rule, to_score,
};
use super::stopping::{Course, plies_of_mate};
use super::table::Entry;
use super::worker::{Interrupted, Worker};
use crate::board::{Move, Position};
use crate::eval::wdl::wdl;
use std::time::Duration;

/// Misses of the window after which it is opened on that side.
const MOST_MISSES: u32 = 3;
/// Bounds and the current move are told only in searches longer than this.
const LONG_SEARCH: Duration = Duration::from_secs(3);
/// The first depth at which the other threads help.
const HELPED_FROM: u32 = 2;
/// Depths beyond its length by which a mate that is looked for has been found.
const MATE_SEARCH_DEPTHS: u32 = 16;
/// Root moves and plies that are never reduced.
const UNREDUCED_MOVES: usize = 2;
const UNREDUCED_DEPTH: i32 = 2;
/// Helpers leave out every third depth, those further on fewer.
const SKIP_PERIOD: usize = 3;

/// A move at the root and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct RootMove {
    pub mv: Move,
    /// The value of the last search, or minus infinity when it was not the
    /// best.
    pub value: Value,
    /// The value of the depth before.
    pub previous: Value,
    pub bound: Bound,
    /// The move and the play expected after it.
    pub pv: Vec<Move>,
    pub seldepth: usize,
    /// Nodes spent on it.
    pub nodes: u64,
    /// The depth at which value and play were found.
    pub depth: u32,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Upper,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
            depth: 0,
        }
    }
}

impl Worker<'_> {
    /// Deepens until a limit is reached; the root moves are then in order.
    /// `report` gets news from the first thread only. `call_helpers` is called
    /// after depth 1, so that however many they are a move is there at once.
    pub fn iterate(&mut self, report: &mut dyn FnMut(Report), call_helpers: &dyn Fn()) {
        self.prepare_root();
        let mut course = Course::default();
        for depth in 1..=self.deepest() {
            if depth == HELPED_FROM {
                call_helpers();
            }
            let settled = self.root_moves.clone();
            if self.skips(depth) {
                continue;
            }
            if self.search_lines(depth, report).is_err() {
                self.fall_back(settled, report);
                break;
            }
            self.completed_depth = depth;
            if self.id == 0 && self.is_enough(&mut course) {
                break;
            }
        }
        if self.id == 0 {
            self.wait_if_asked();
        }
    }

    /// The depth at which the search ends; when it looks for a mate and for
    /// nothing else, one at which such a mate would have been found.
    fn deepest(&self) -> u32 {
        let limits = &self.shared.limits;
        let mate = limits
            .mate_alone()
            .map(|moves| plies_of_mate(moves) + MATE_SEARCH_DEPTHS);
        let asked = limits.depth.or(mate).unwrap_or(MAX_PLY as u32);
        asked.clamp(1, MAX_PLY as u32 - 1)
    }

    /// Puts the table's move first and notes the evaluation.
    fn prepare_root(&mut self) {
        let known = self.shared.table.probe(self.table_key(), 0);
        let first = known.map_or(Move::NULL, |entry| entry.mv);
        self.root_moves.sort_by_key(|m| m.mv != first);
        if !self.pos.in_check() {
            self.frame_mut(0).eval = Some(self.evaluate());
        }
    }

    /// Helpers leave out some depths, so that the threads differ.
    fn skips(&self, depth: u32) -> bool {
        self.id > 0
            && depth > 1
            && (depth as usize + self.id).is_multiple_of(SKIP_PERIOD + self.id / 2)
    }

    /// Searches all lines asked for at one depth.
    fn search_lines(
        &mut self,
        depth: u32,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), Interrupted> {
        for root_move in &mut self.root_moves {
            root_move.previous = root_move.value;
        }
        let lines = self.line_count();
        for line in 0..lines {
            self.seldepth = 0;
            self.aspire(depth, line, report)?;
            self.root_moves[..=line].sort_by_key(|m| -m.value);
        }
        if self.id == 0 {
            for line in 0..lines {
                self.report_line(line, report);
            }
        }
        Ok(())
    }

    pub fn line_count(&self) -> usize {
        self.shared
            .settings
            .multi_pv
            .clamp(1, self.root_moves.len())
    }

    /// Searches a line in a narrow window around the value expected, wider
    /// after each miss.
    fn aspire(
        &mut self,
        depth: u32,
        line: usize,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), Interrupted> {
        let p = self.params();
        let expected = self.root_moves[line].previous;
        let mut delta = p.aspiration_window;
        let mut window = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        if depth as i32 >= p.aspiration_depth && !is_decisive(expected) {
            window = Window {
                alpha: expected - delta,
                beta: expected + delta,
            };
        }
        let (mut reduction, mut misses) = (0, 0);
        loop {
            misses += 1;
            let value = self.search_root(depth as i32 - reduction, depth, line, window)?;
            self.root_moves[line..].sort_by_key(|m| (-m.value, -m.previous));
            if value <= window.alpha && window.alpha > -INFINITE {
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = widen(value, -delta, misses);
                reduction = 0;
            } else if value >= window.beta && window.beta < INFINITE {
                window.beta = widen(value, delta, misses);
                reduction = (reduction + 1).min(depth as i32 / 4);
            } else {
                return Ok(());
            }
            if self.id == 0 && self.elapsed() > LONG_SEARCH {
                self.report_line(line, report);
            }
            delta += delta * p.aspiration_growth / 100;
        }
    }

    /// One pass over the root moves from `line` on.
    fn search_root(
        &mut self,
        depth: i32,
        nominal: u32,
        line: usize,
        window: Window,
    ) -> Result<Value, Interrupted> {
        self.pv.clear(0);
        self.prepare_frame(0);
        let mut alpha = window.alpha;
        let mut best = -INFINITE;
        for i in line..self.root_moves.len() {
            let mv = self.root_moves[i].mv;
            let before = self.nodes;
            let value = self.search_root_move(
                mv,
                depth,
                i - line,
                Window {
                    alpha,
                    beta: window.beta,
                },
            )?;
            let first = i == line;
            let bound = Window { alpha, ..window }.bound(value);
            let pv = if first || value > alpha {
                self.root_pv(mv, value > alpha)
            } else {
                Vec::new()
            };
            let (nodes, seldepth) = (self.nodes - before, self.seldepth);
            let root_move = &mut self.root_moves[i];
            root_move.nodes += nodes;
            if first || value > alpha {
                *root_move = RootMove {
                    value,
                    bound,
                    pv,
                    seldepth,
                    depth: nominal,
                    ..root_move.clone()
                };
            } else {
                root_move.value = -INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        self.store_root(line, best, window, depth);
        Ok(best)
    }

    fn root_pv(&self, mv: Move, improved: bool) -> Vec<Move> {
        if improved { self.pv.line() } else { vec![mv] }
    }

    fn search_root_move(
        &mut self,
        mv: Move,
        depth: i32,
        number: usize,
        window: Window,
    ) -> Result<Value, Interrupted> {
        let reduction = self.root_reduction(mv, depth, number);
        let undo = self.make(0, mv);
        self.frame_mut(0).count = number + 1;
        let value = self.search_root_child(depth - 1, reduction, number, window);
        if value.is_ok_and(|v| v > window.alpha) {
            self.pv.set(0, mv);
        }
        self.unmake(mv, undo);
        value
    }

    /// By how many plies a root move is reduced at first.
    fn root_reduction(&self, mv: Move, depth: i32, number: usize) -> i32 {
        if number <= UNREDUCED_MOVES || depth <= UNREDUCED_DEPTH {
            return 0;
        }
        let p = self.params();
        let known = Known::of(self, mv);
        let reduction = self.reduction(depth, number)
            - p.lmr_root
            - p.lmr_check * i32::from(known.check)
            - known.history * PLY / p.lmr_history;
        (reduction / PLY - i32::from(self.pos.is_capture(mv))).clamp(0, depth - 2)
    }

    fn search_root_child(
        &mut self,
        depth: i32,
        reduction: i32,
        number: usize,
        window: Window,
    ) -> Result<Value, Interrupted> {
        let zero = Window::null(window.alpha).flipped();
        if number > 0 {
            let mut value = -self.negamax(1, depth - reduction, zero, true)?;
            if reduction > 0 && value > window.alpha {
                value = -self.negamax(1, depth, zero, true)?;
            }
            if value <= window.alpha {
                return Ok(value);
            }
        }
        Ok(-self.negamax(1, depth, window.flipped(), false)?)
    }

    fn store_root(&mut self, line: usize, value: Value, window: Window, depth: i32) {
        let limits = &self.shared.limits;
        let complete = line == 0 && limits.search_moves.is_none() && limits.ban_moves.is_empty();
        let best = self.root_moves.iter().max_by_key(|m| m.value).map(|m| m.mv);
        let Some(mv) = best.filter(|_| complete && !is_rule(value)) else {
            return;
        };
        let bound = Some(window.bound(value));
        let eval = self.evaluate();
        let entry = Entry {
            mv,
            value,
            eval,
            depth,
            bound,
            pv: true,
        };
        self.shared.table.store(self.table_key(), 0, entry);
    }

    /// After an interruption: moves with exact values of the unfinished depth
    /// count, the others are as the last finished depth left them.
    fn fall_back(&mut self, settled: Vec<RootMove>, report: &mut dyn FnMut(Report)) {
        let lines = self.line_count();
        let fresh = self.root_moves.iter().max_by_key(|m| m.value).cloned();
        let best = settled.first().map(|m| m.depth);
        self.root_moves = settled;
        let Some(fresh) =
            fresh.filter(|m| m.bound == Bound::Exact && best.is_none_or(|d| m.depth > d))
        else {
            self.report_again(report);
            return;
        };
        if lines == 1 {
            self.root_moves.retain(|m| m.mv != fresh.mv);
            self.root_moves.insert(0, fresh);
        }
        self.report_again(report);
    }

    fn report_again(&self, report: &mut dyn FnMut(Report)) {
        if self.id == 0
            && self
                .root_moves
                .first()
                .is_some_and(|m| m.bound == Bound::Exact)
        {
            self.report_line(0, report);
        }
    }

    /// Tells about the line of this rank.
    pub fn report_line(&self, line: usize, report: &mut dyn FnMut(Report)) {
        let root_move = &self.root_moves[line];
        if root_move.value == -INFINITE {
            return;
        }
        let value = self.proven(root_move);
        report(Report::Line(Line {
            depth: root_move.depth,
            seldepth: (root_move.seldepth as u32).max(root_move.pv.len() as u32),
            multipv: line + 1,
            score: to_score(value),
            bound: root_move.bound,
            wdl: wdl(value, self.pos.occupied().len()),
            nodes: self.total_nodes(),
            time: self.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: root_move.pv.clone(),
        }));
    }

    /// The value, but a mate only when the line really ends in it.
    pub fn proven(&self, root_move: &RootMove) -> Value {
        let value = root_move.value;
        let proven = root_move.bound == Bound::Exact
            && ends_in_mate(&self.pos, &root_move.pv, MATE - value.abs());
        if is_mate(value) && !proven {
            return value.clamp(1 - MATE_BOUND, MATE_BOUND - 1);
        }
        value
    }
}

/// A bound moved outward by `delta`; after a few misses, and beyond
/// evaluations, the window is open.
fn widen(value: Value, delta: Value, misses: u32) -> Value {
    let wide = value + delta;
    if misses >= MOST_MISSES || is_decisive(wide) {
        INFINITE * delta.signum()
    } else {
        wide
    }
}

/// Whether the moves lead to a position without a move in `plies` plies.
fn ends_in_mate(pos: &Position, pv: &[Move], plies: Value) -> bool {
    let end = pv.iter().fold(pos.clone(), |pos, &mv| pos.after(mv));
    pv.len() as Value == plies && !end.has_legal_move()
}
