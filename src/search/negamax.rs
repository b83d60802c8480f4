//! The principal variation search of the inner nodes.
//!
//! [`Worker::negamax`] is the list of steps; each step is a function below.

use super::history::HISTORY_MAX;
use super::node::{Node, Window};
use super::picker::{Picker, Refutations};
use super::pruning::{
    futility, history_bonus, history_malus, late_move_count, null_move_depth, razoring,
    reverse_futility, see_capture_threshold, see_quiet_threshold,
};
use super::quiescence::cutoff;
use super::report::Bound;
use super::score::{EVAL_LIMIT, MATE_BOUND, MAX_PLY, Value, is_decisive, is_rule, mated_in};
use super::table::{EVAL_ONLY_DEPTH, Entry};
use super::worker::{DRAW_PLIES, Interrupted, Worker};
use crate::board::{Move, exchange_value};

/// A ply in the unit of reductions.
const PLY: i32 = 1024;
/// The table is not trusted for cutoffs so near the draw by length.
const HALFMOVE_TRUST: u16 = DRAW_PLIES - 16;
/// Corrections are kept in this many parts of a centipawn.
const CORRECTION_SCALE: i32 = 512;

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

    // ---- Before the moves ----

    /// Counts the node; the value when the game is over here or no line from
    /// here can matter.
    fn enter(&mut self, node: &mut Node) -> Result<Option<Value>, Interrupted> {
        self.count_node()?;
        self.clear_pv(node.ply);
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
        node.entry = self.shared.table.probe(self.pos.key(), node.ply);
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
        let side = self.pos.side_to_move();
        let correction = self.histories.correction(side, self.correction_key());
        let corrected =
            node.raw_eval + correction * self.params().correction_weight / CORRECTION_SCALE;
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
        self.null_min_ply = node.ply + (depth.max(0) as usize) * 3 / 4 + 1;
        let verified = self.negamax(node.ply, depth, Window::null(node.window.beta - 1), false);
        self.null_min_ply = 0;
        Ok((verified? >= node.window.beta).then_some(value))
    }

    /// Whether the side to move has a piece that can cross the river with
    /// some force.
    fn has_attackers(&self) -> bool {
        use crate::board::PieceKind::{Cannon, Knight, Rook};
        let own = self.pos.color(self.pos.side_to_move());
        let force = self.pos.kind(Rook) | self.pos.kind(Knight) | self.pos.kind(Cannon);
        (own & force).any()
    }

    /// ProbCut: a capture that keeps a shallower search well above beta.
    fn probcut(&mut self, node: &mut Node) -> Result<Option<Value>, Interrupted> {
        let p = self.params();
        let target = node.window.beta + p.probcut_margin;
        let refuted = node.entry.is_some_and(|e| {
            e.depth >= node.depth - p.probcut_reduction && e.bound.is_some() && e.value < target
        });
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

    // ---- The moves ----

    fn try_moves(&mut self, node: &mut Node) -> Result<(), Interrupted> {
        let threshold = -self.params().see_order_margin;
        let mut picker = Picker::new(node.table_move(), self.refutations(node.ply), threshold);
        while let Some(mv) = picker.next(self) {
            if mv == node.excluded {
                continue;
            }
            node.count += 1;
            if self.skip_move(node, &mut picker, mv) {
                continue;
            }
            let extension = match self.extension(node, mv)? {
                Extension::Cutoff(value) => {
                    node.best = value;
                    return Ok(());
                }
                Extension::Plies(plies) => plies,
            };
            let value = self.search_move(node, mv, extension)?;
            if self.take_value(node, mv, value) {
                return Ok(());
            }
            self.note_tried(node, mv);
        }
        Ok(())
    }

    fn refutations(&self, ply: usize) -> Refutations {
        let [a, b] = self.frame(ply).killers;
        let counter = self
            .mover_before(ply, 1)
            .map_or(Move::NULL, |mover| self.histories.counter(mover));
        [a, b, counter]
    }

    /// Whether a move is left out as hopeless. Never before one move has been
    /// searched that does not lose.
    fn skip_move(&self, node: &Node, picker: &mut Picker, mv: Move) -> bool {
        if node.best <= -MATE_BOUND || !self.has_attackers() {
            return false;
        }
        let p = self.params();
        let reduced = (node.depth - self.reduction(node.depth, node.count) / PLY).max(0);
        if self.pos.is_capture(mv) {
            let victim = self
                .pos
                .piece_on(mv.to())
                .map_or(0, |piece| exchange_value(piece.kind()));
            let hopeless = futility(p, node, reduced)
                && node.eval + victim + p.futility_base + p.futility_margin * node.depth
                    <= node.window.alpha
                && !self.pos.gives_check(mv);
            return hopeless || !self.pos.see_ge(mv, see_capture_threshold(p, node.depth));
        }
        if node.count >= late_move_count(p, node.depth, node.improving) {
            picker.skip_quiets();
        }
        let history = self.quiet_history(mv);
        let stale =
            reduced <= p.history_prune_depth && history < -p.history_prune_margin * node.depth;
        stale
            || futility(p, node, reduced) && !self.pos.gives_check(mv)
            || !self.pos.see_ge(mv, see_quiet_threshold(p, reduced))
    }

    /// How much deeper a move is searched: the table's move when all others
    /// are clearly worse, and checks in the open.
    fn extension(&mut self, node: &Node, mv: Move) -> Result<Extension, Interrupted> {
        let p = self.params();
        let check = Extension::Plies(i32::from(self.extends_check(node, mv)));
        let Some(entry) = node.entry.filter(|entry| entry.mv == mv) else {
            return Ok(check);
        };
        let testable = node.depth >= p.singular_depth
            && node.ply < 2 * self.root_depth()
            && node.excluded.is_null()
            && entry.depth >= node.depth - 3
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && !is_decisive(entry.value);
        if !testable {
            return Ok(check);
        }
        let beta = entry.value - p.singular_margin * node.depth;
        self.frame_mut(node.ply).excluded = mv;
        let value = self.negamax(
            node.ply,
            (node.depth - 1) / 2,
            Window::null(beta - 1),
            node.cut,
        );
        self.frame_mut(node.ply).excluded = Move::NULL;
        let value = value?;
        Ok(if value < beta {
            Extension::Plies(1 + i32::from(!node.pv && value < beta - p.double_margin))
        } else if value >= node.window.beta && !is_decisive(value) {
            // Multi-cut: several moves fail high.
            Extension::Cutoff(value)
        } else if entry.value >= node.window.beta {
            Extension::Plies(-2)
        } else {
            Extension::Plies(-i32::from(node.cut))
        })
    }

    /// Checks that lose nothing are searched deeper near the leaves: chains of
    /// them decide many attacks.
    fn extends_check(&self, node: &Node, mv: Move) -> bool {
        node.depth <= self.params().check_depth
            && node.ply < 2 * self.root_depth()
            && self.pos.gives_check(mv)
            && self.pos.see_ge(mv, 0)
    }

    fn root_depth(&self) -> usize {
        self.completed_depth as usize + 1
    }

    /// Plays a move and searches it: reduced first, then as deep and wide as
    /// its value deserves.
    fn search_move(&mut self, node: &Node, mv: Move, extension: i32) -> Result<Value, Interrupted> {
        let reduction = self.move_reduction(node, mv);
        let undo = self.make(node.ply, mv);
        let value = self.search_child(node, extension, reduction);
        self.unmake(mv, undo);
        value
    }

    /// The late move reduction of a move in 1024ths of a ply, before it is
    /// played.
    fn move_reduction(&self, node: &Node, mv: Move) -> i32 {
        let p = self.params();
        if node.depth < 2 || node.count <= 1 + usize::from(node.pv) {
            return 0;
        }
        let quiet = !self.pos.is_capture(mv);
        let history = if quiet {
            self.quiet_history(mv)
        } else {
            self.capture_history(mv)
        };
        let table_capture = !node.table_move().is_null() && self.pos.is_capture(node.table_move());
        let killers = self.frame(node.ply).killers;
        let mut reduction = self.reduction(node.depth, node.count);
        reduction -= p.lmr_pv * i32::from(node.was_pv);
        reduction += p.lmr_cut * i32::from(node.cut);
        reduction += p.lmr_improving * i32::from(!node.improving);
        reduction += p.lmr_tt_capture * i32::from(table_capture);
        reduction -= p.lmr_killer * i32::from(killers.contains(&mv));
        reduction -= p.lmr_check * i32::from(self.pos.gives_check(mv));
        reduction -= history * PLY / p.lmr_history;
        if quiet { reduction } else { reduction / 2 }
    }

    fn search_child(
        &mut self,
        node: &Node,
        extension: i32,
        reduction: i32,
    ) -> Result<Value, Interrupted> {
        let ply = node.ply + 1;
        let depth = node.depth - 1 + extension;
        let zero = Window::null(node.window.alpha).flipped();
        let mut value = node.window.alpha;
        if reduction != 0 {
            let reduced = (depth - reduction / PLY).clamp(1.min(depth), depth.max(0) + 1);
            value = -self.negamax(ply, reduced, zero, true)?;
            if value > node.window.alpha && reduced < depth {
                let deeper = i32::from(value > node.best + self.params().lmr_deeper_margin);
                value = -self.negamax(ply, depth + deeper, zero, !node.cut)?;
            }
        } else if !node.pv || node.count > 1 {
            value = -self.negamax(ply, depth, zero, !node.cut)?;
        }
        if node.pv && (node.count == 1 || value > node.window.alpha) {
            value = -self.negamax(ply, depth, node.window.flipped(), false)?;
        }
        Ok(value)
    }

    /// Takes a move's value into account; whether it refutes the last move.
    pub fn take_value(&mut self, node: &mut Node, mv: Move, value: Value) -> bool {
        if value <= node.best {
            return false;
        }
        node.best = value;
        if value <= node.window.alpha {
            return false;
        }
        node.best_move = mv;
        if node.pv {
            self.set_pv(node.ply, mv);
        }
        if value >= node.window.beta {
            return true;
        }
        node.window.alpha = value;
        false
    }

    fn note_tried(&self, node: &mut Node, mv: Move) {
        if mv != node.best_move {
            let list = if self.pos.is_capture(mv) {
                &mut node.tried_captures
            } else {
                &mut node.tried_quiets
            };
            list.push(mv);
        }
    }

    // ---- After the moves ----

    /// The value of the node; what was learnt goes into table and histories.
    fn conclude(&mut self, node: &mut Node) -> Value {
        if node.count == 0 {
            // Without a move (mate and stalemate alike) the game is lost.
            return if node.excluded.is_null() {
                mated_in(node.ply)
            } else {
                node.window.alpha
            };
        }
        if node.best >= node.window.beta && !node.best_move.is_null() {
            self.reward(node);
            if node.ply > 0 {
                self.frame_mut(node.ply - 1).cutoffs += 1;
            }
        }
        node.best = node.best.max(node.floor).min(node.ceiling);
        if node.excluded.is_null() {
            self.learn_correction(node);
            self.store(node, node.depth);
        }
        node.best
    }

    /// Rewards the best move, punishes those tried before it.
    fn reward(&mut self, node: &Node) {
        let p = self.params();
        let (bonus, malus) = (history_bonus(p, node.depth), history_malus(p, node.depth));
        let best = node.best_move;
        if self.pos.is_capture(best) {
            self.update_capture(best, bonus);
        } else {
            self.remember_refutation(node.ply, best);
            self.update_quiet(node.ply, best, bonus);
            for &mv in &node.tried_quiets {
                self.update_quiet(node.ply, mv, malus);
            }
        }
        for &mv in &node.tried_captures {
            self.update_capture(mv, malus);
        }
    }

    fn remember_refutation(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.frame_mut(ply).killers;
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        if let Some(earlier) = self.mover_before(ply, 1) {
            self.histories.set_counter(earlier, mv);
        }
    }

    fn update_quiet(&mut self, ply: usize, mv: Move, bonus: i32) {
        let mover = self.piece_to(mv);
        self.histories
            .update_quiet(self.pos.side_to_move(), mv, bonus);
        for back in super::history::CONTINUATIONS {
            if let Some(earlier) = self.mover_before(ply, back) {
                self.histories.update_continuation(earlier, mover, bonus);
            }
        }
    }

    fn update_capture(&mut self, mv: Move, bonus: i32) {
        if let Some(victim) = self.pos.piece_on(mv.to()) {
            self.histories
                .update_capture(self.piece_to(mv), victim.kind(), bonus);
        }
    }

    /// Learns how far the static evaluation was off, when a quiet best move
    /// (or none) shows it.
    fn learn_correction(&mut self, node: &Node) {
        let noisy = !node.best_move.is_null() && self.pos.is_capture(node.best_move);
        let eval = self.frame(node.ply).eval.unwrap_or(0);
        let silent = node.best >= node.window.beta && node.best <= eval
            || node.best_move.is_null() && node.best >= eval;
        if node.in_check || noisy || silent || is_decisive(node.best) {
            return;
        }
        let error = (node.best - eval) * node.depth / 8;
        let (side, key) = (self.pos.side_to_move(), self.correction_key());
        self.histories.update_correction(side, key, error);
    }

    /// Stores the node in the table. Values that depend on the path (rule
    /// wins) stay out; the move is kept.
    pub fn store(&self, node: &Node, depth: i32) {
        let bound = Window {
            alpha: node.first_alpha,
            ..node.window
        }
        .bound(node.best);
        let path_dependent = is_rule(node.best) || node.is_bounded();
        self.shared.table.store(
            self.pos.key(),
            node.ply,
            Entry {
                mv: node.best_move,
                value: if path_dependent { 0 } else { node.best },
                eval: node.raw_eval,
                depth: if path_dependent {
                    EVAL_ONLY_DEPTH
                } else {
                    depth
                },
                bound: (!path_dependent).then_some(bound),
                pv: node.was_pv,
            },
        );
    }

    /// Stores nothing but the static evaluation.
    pub fn store_eval(&self, node: &Node) {
        let entry = Entry {
            mv: Move::NULL,
            value: 0,
            eval: node.raw_eval,
            depth: EVAL_ONLY_DEPTH,
            bound: None,
            pv: node.was_pv,
        };
        self.shared.table.store(self.pos.key(), node.ply, entry);
    }
}

/// What the singular search says about a move.
enum Extension {
    /// Search it deeper by so many plies.
    Plies(i32),
    /// Other moves refute the last one too.
    Cutoff(Value),
}

const _: () = assert!(
    HISTORY_MAX * 4 * PLY > 0,
    "reductions by history must not overflow"
);
