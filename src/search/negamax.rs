//! The principal variation search of the inner nodes.
//!
//! [`Worker::negamax`] is the list of steps; each step is a
//! function below, in `move_loop` (the moves) or in `learning` (what is kept of
//! the result).

use super::node::{Node, Window};
use super::picker::Picker;
use super::pruning::{null_move_depth, razoring, reverse_futility};
use super::quiescence::cutoff;
use super::report::Bound;
use super::score::{EVAL_LIMIT, MAX_PLY, Value, is_decisive, mated_in};
use super::table::Entry;
use super::worker::{DRAW_PLIES, Interrupted, Worker};
use crate::board::Move;

/// Reductions of the last move, in plies, from which hindsight corrects the
/// depth.
const HINDSIGHT_DEEPER: i32 = 3;
const HINDSIGHT_SHALLOWER: i32 = 2;
/// The table is not trusted for cutoffs so near the draw by length.
const HALFMOVE_TRUST: u16 = DRAW_PLIES - 16;

/// The part of a verifying search in which null moves are forbidden.
const VERIFIED: (usize, usize) = (3, 4);

impl Worker<'_> {
    /// The value of the position to `depth` plies, exact within the window.
    pub fn negamax(
        &mut self,
        ply: usize,
        depth: i32,
        window: Window,
        cut: bool,
    ) -> Result<Value, Interrupted> {
        if depth <= 0 {
            return self.quiescence(ply, window);
        }
        let mut node = Node::new(ply, depth, window, cut);
        if let Some(value) = self.enter(&mut node)? {
            return Ok(value);
        }
        if let Some(value) = self.look_up(&mut node) {
            return Ok(value);
        }
        self.assess(&mut node);
        if let Some(value) = self.prune_node(&mut node)? {
            return Ok(value);
        }
        self.reduce_without_move(&mut node);
        self.try_moves(&mut node)?;
        Ok(self.conclude(&mut node))
    }

    /// Counts the node; the value when the game is over here or no line from
    /// here can matter.
    fn enter(&mut self, node: &mut Node) -> Result<Option<Value>, Interrupted> {
        self.count_node()?;
        self.pv.clear(node.ply);
        self.prepare_frame(node.ply);
        node.excluded = self.frame(node.ply).excluded;
        node.in_check = self.pos.in_check();
        if node.pv {
            self.seldepth = self.seldepth.max(node.ply);
        }
        if node.excluded.is_null() {
            match self.adjudicate(node.ply, node.window.alpha, node.window.beta) {
                Err(value) => return Ok(Some(value)),
                Ok((alpha, beta)) => node.narrow(alpha, beta),
            }
        }
        if node.ply >= MAX_PLY {
            return Ok(Some(self.evaluate()));
        }
        // Mate distance: a shorter mate is known already.
        let alpha = node.window.alpha.max(mated_in(node.ply));
        let beta = node.window.beta.min(-mated_in(node.ply + 1));
        node.window = Window { alpha, beta };
        node.first_alpha = alpha;
        Ok((alpha >= beta).then_some(alpha))
    }

    /// Asks the table; the value if it settles the matter.
    fn look_up(&mut self, node: &mut Node) -> Option<Value> {
        if !node.excluded.is_null() {
            return None;
        }
        node.entry = self.shared.table.probe(self.table_key(), node.ply);
        let entry = node.entry?;
        node.was_pv |= entry.pv;
        if node.pv || self.pos.halfmove_clock() >= HALFMOVE_TRUST {
            return None;
        }
        let value = cutoff(&entry, node.window, node.depth)?;
        if value >= node.window.beta && !entry.mv.is_null() && self.pos.is_legal(entry.mv) {
            node.best_move = entry.mv;
            self.reward(node);
        }
        Some(value)
    }

    /// Sets the static evaluation and whether it improves.
    fn assess(&mut self, node: &mut Node) {
        if node.in_check {
            self.frame_mut(node.ply).eval = None;
            return;
        }
        if node.excluded.is_null() {
            self.set_eval(node);
        } else {
            node.eval = self.frame(node.ply).eval.unwrap_or(0);
        }
        let earlier = [2, 4]
            .into_iter()
            .find_map(|back| self.eval_before(node.ply, back));
        let own = self.frame(node.ply).eval.unwrap_or(node.eval);
        node.improving = earlier.is_none_or(|earlier| own > earlier);
        if let Some(before) = self.eval_before(node.ply, 1)
            && node.excluded.is_null()
        {
            self.compare(node, own, before);
        }
    }

    /// Learns from how the last move changed the evaluation, `own` now and
    /// `before` for the other side before it; looks deeper where a reduced
    /// move has not made things worse, less deep where both sides are content.
    fn compare(&mut self, node: &mut Node, own: Value, before: Value) {
        let p = self.params();
        let bonus = -(own + before) * p.gain_weight / 10;
        self.update_last_squares(node.ply, bonus.clamp(-p.gain_max, p.gain_max));
        let reduction = self.frame(node.ply - 1).reduction;
        if reduction >= HINDSIGHT_DEEPER && own <= -before {
            node.depth += p.hindsight;
        } else if reduction >= HINDSIGHT_SHALLOWER
            && node.depth >= 2
            && own + before > p.hindsight_margin
        {
            node.depth -= p.hindsight;
        }
    }

    fn eval_before(&self, ply: usize, back: usize) -> Option<Value> {
        self.frame(ply.checked_sub(back)?).eval
    }

    /// The evaluation with what the histories and the table know about it.
    pub fn set_eval(&mut self, node: &mut Node) {
        let known = node
            .entry
            .map(|entry| entry.eval)
            .filter(|_| self.pos.halfmove_clock() < HALFMOVE_TRUST / 2);
        node.raw_eval = known.unwrap_or_else(|| self.evaluate());
        let corrected = node.raw_eval + self.correction(node.ply);
        node.eval = corrected.clamp(-EVAL_LIMIT, EVAL_LIMIT);
        self.frame_mut(node.ply).eval = Some(node.eval);
        if let Some(entry) = node.entry.filter(|entry| !is_decisive(entry.value)) {
            let better = match entry.bound {
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => entry.value > node.eval,
                Some(Bound::Upper) => entry.value < node.eval,
                None => false,
            };
            if better {
                node.eval = entry.value;
            }
        }
    }

    /// Tries to settle the node without trying its moves one by one.
    fn prune_node(&mut self, node: &mut Node) -> Result<Option<Value>, Interrupted> {
        if node.in_check || node.pv || !node.excluded.is_null() {
            return Ok(None);
        }
        let p = self.params();
        if razoring(p, node) {
            let value = self.quiescence(node.ply, Window::null(node.window.alpha))?;
            if value <= node.window.alpha {
                return Ok(Some(value));
            }
        }
        if !node.was_pv && reverse_futility(p, node) {
            return Ok(Some((node.eval + node.window.beta) / 2));
        }
        if let Some(value) = self.null_move(node)? {
            return Ok(Some(value));
        }
        self.probcut(node)
    }

    /// Null move: if even passing is good enough, a move will be.
    fn null_move(&mut self, node: &Node) -> Result<Option<Value>, Interrupted> {
        let p = self.params();
        let beta = node.window.beta;
        let wanted = node.cut
            && node.depth >= p.null_depth
            && node.eval >= beta
            && node.ply >= self.null_min_ply
            && !is_decisive(beta)
            && !self.frame(node.ply.saturating_sub(1)).mv.is_null()
            && self.has_attackers();
        if !wanted {
            return Ok(None);
        }
        let depth = null_move_depth(p, node);
        let undo = self.make_null(node.ply);
        let value = self.negamax(node.ply + 1, depth, Window::null(beta - 1).flipped(), false);
        self.unmake_null(undo);
        let value = -value?;
        if value < beta {
            return Ok(None);
        }
        let value = if is_decisive(value) { beta } else { value };
        if node.depth < p.null_verify_depth || self.null_min_ply > 0 {
            return Ok(Some(value));
        }
        self.verify_null(node, depth, value)
    }

    /// Searches without null moves, in case every real move is bad.
    fn verify_null(
        &mut self,
        node: &Node,
        depth: i32,
        value: Value,
    ) -> Result<Option<Value>, Interrupted> {
        self.null_min_ply = node.ply + depth.max(0) as usize * VERIFIED.0 / VERIFIED.1 + 1;
        let verified = self.negamax(node.ply, depth, Window::null(node.window.beta - 1), false);
        self.null_min_ply = 0;
        Ok((verified? >= node.window.beta).then_some(value))
    }

    /// Whether the side to move has a piece that can cross the river with
    /// some force.
    pub fn has_attackers(&self) -> bool {
        use crate::board::PieceKind::{Cannon, Knight, Rook};
        let own = self.pos.color(self.pos.side_to_move());
        let force = self.pos.kind(Rook) | self.pos.kind(Knight) | self.pos.kind(Cannon);
        (own & force).any()
    }

    /// ProbCut: a capture that keeps a shallower search well above beta.
    fn probcut(&mut self, node: &mut Node) -> Result<Option<Value>, Interrupted> {
        let p = self.params();
        let target = node.window.beta + p.probcut_margin;
        let sure = node.window.beta + p.probcut_table_margin;
        let known = node
            .entry
            .filter(|entry| entry.depth >= node.depth - p.probcut_reduction);
        if known.is_some_and(|entry| surely_above(&entry, sure)) {
            return Ok(Some(sure));
        }
        let refuted = known.is_some_and(|entry| entry.bound.is_some() && entry.value < target);
        if node.depth < p.probcut_depth || is_decisive(target) || refuted {
            return Ok(None);
        }
        let mut picker = Picker::captures(node.table_move(), target - node.eval);
        while let Some(mv) = picker.next(self) {
            if picker.is_at_bad_captures() {
                break;
            }
            let value = self.probe_capture(node, mv, target)?;
            if value >= target && !is_decisive(value) {
                node.best_move = mv;
                node.best = value;
                self.store(node, node.depth - p.probcut_reduction + 1);
                return Ok(Some(value - p.probcut_margin));
            }
        }
        Ok(None)
    }

    fn probe_capture(
        &mut self,
        node: &Node,
        mv: Move,
        target: Value,
    ) -> Result<Value, Interrupted> {
        let window = Window::null(target - 1).flipped();
        let depth = node.depth - self.params().probcut_reduction;
        let undo = self.make(node.ply, mv);
        let mut value = self.quiescence(node.ply + 1, window).map(|v| -v);
        if value.is_ok_and(|v| v >= target) {
            value = self
                .negamax(node.ply + 1, depth, window, !node.cut)
                .map(|v| -v);
        }
        self.unmake(mv, undo);
        value
    }

    /// Internal iterative reduction: without a move from the table the order
    /// is poor, so look less deep and come back.
    fn reduce_without_move(&self, node: &mut Node) {
        let wanted = node.depth >= self.params().iir_depth
            && (node.pv || node.cut)
            && node.table_move().is_null()
            && node.excluded.is_null();
        node.depth -= i32::from(wanted);
    }
}

/// Whether the table's bound lies above `value`, neither being decisive.
fn surely_above(entry: &Entry, value: Value) -> bool {
    entry.bound == Some(Bound::Lower)
        && entry.value >= value
        && !is_decisive(entry.value)
        && !is_decisive(value)
}
