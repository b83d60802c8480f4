//! The moves of an inner node: which are tried, how deep, and what a value
//! means for the node.

use super::history::QUIET_HISTORY_MAX;
use super::node::{Node, Window};
use super::picker::{Known, Picker, Refutations};
use super::pruning::{
    futility, history_bonus, history_malus, late_move_count, see_capture_threshold,
    see_quiet_threshold,
};
use super::report::Bound;
use super::score::{MATE_BOUND, Value, is_decisive};
use super::worker::{Interrupted, Worker};
use crate::board::{Move, exchange_value};

/// A ply in the unit of reductions.
pub const PLY: i32 = 1024;

const _: () = assert!(
    QUIET_HISTORY_MAX * PLY > 0,
    "reductions by history must not overflow"
);

/// Cutoffs among the children that make a node look lost.
const MANY_CUTOFFS: u32 = 2;

/// What the singular search says about a move.
enum Extension {
    /// Search it deeper by so many plies.
    Plies(i32),
    /// Other moves refute the last one too.
    Cutoff(Value),
}

impl Worker<'_> {
    pub fn try_moves(&mut self, node: &mut Node) -> Result<(), Interrupted> {
        let threshold = -self.params().see_order_margin;
        let mut picker = Picker::new(node.table_move(), self.refutations(node.ply), threshold);
        while let Some(mv) = picker.next(self) {
            if mv == node.excluded {
                continue;
            }
            node.count += 1;
            let known = picker.known(self, mv);
            if self.skip_move(node, &mut picker, mv, known) {
                continue;
            }
            let extension = match self.extension(node, mv, known.check)? {
                Extension::Cutoff(value) => {
                    node.best = value;
                    return Ok(());
                }
                Extension::Plies(plies) => plies,
            };
            let value = self.search_move(node, mv, known, extension)?;
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
    /// searched that does not lose, and never a quiet check: exchanges know
    /// neither pins nor mates, and attacks on the king are decided by sacrifices.
    fn skip_move(&self, node: &Node, picker: &mut Picker, mv: Move, known: Known) -> bool {
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
                && !known.check;
            return hopeless || !self.pos.see_ge(mv, see_capture_threshold(p, node.depth));
        }
        if node.count >= late_move_count(p, node.depth, node.improving) {
            picker.skip_quiets();
        }
        if known.check {
            return false;
        }
        let stale = reduced <= p.history_prune_depth
            && known.history < -p.history_prune_margin * node.depth;
        stale || futility(p, node, reduced) || !self.pos.see_ge(mv, see_quiet_threshold(p, reduced))
    }

    /// How much deeper a move is searched: the table's move when all others
    /// are clearly worse, and checks in the open.
    fn extension(&mut self, node: &Node, mv: Move, check: bool) -> Result<Extension, Interrupted> {
        let p = self.params();
        let check = Extension::Plies(i32::from(check && self.extends_check(node, mv)));
        let Some(entry) = node.entry.filter(|entry| entry.mv == mv) else {
            return Ok(check);
        };
        let testable = node.depth >= p.singular_depth
            && self.may_extend(node)
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
        node.depth <= self.params().check_depth && self.may_extend(node) && self.pos.see_ge(mv, 0)
    }

    /// Whether extensions have not yet gone far beyond the depth asked for.
    fn may_extend(&self, node: &Node) -> bool {
        let depth = self.completed_depth as i32 + 1;
        (node.ply as i32) * 100 < self.params().extension_reach * depth
    }

    /// Plays a move and searches it: reduced first, then as deep and wide as
    /// its value deserves.
    fn search_move(
        &mut self,
        node: &Node,
        mv: Move,
        known: Known,
        extension: i32,
    ) -> Result<Value, Interrupted> {
        let reduction = self.move_reduction(node, mv, known);
        let undo = self.make(node.ply, mv);
        self.frame_mut(node.ply).count = node.count;
        let value = self.search_child(node, extension, reduction);
        self.unmake(mv, undo);
        value
    }

    /// The late move reduction of a move in 1024ths of a ply, before it is
    /// played.
    fn move_reduction(&self, node: &Node, mv: Move, known: Known) -> i32 {
        let p = self.params();
        if node.depth < 2 || node.count <= 1 + usize::from(node.pv) {
            return 0;
        }
        let quiet = !self.pos.is_capture(mv);
        let table_capture = !node.table_move().is_null() && self.pos.is_capture(node.table_move());
        let killers = self.frame(node.ply).killers;
        let mut reduction = self.reduction(node.depth, node.count);
        reduction -= p.lmr_pv * i32::from(node.was_pv);
        reduction += p.lmr_cut * i32::from(node.cut);
        reduction += p.lmr_improving * i32::from(!node.improving);
        reduction += p.lmr_tt_capture * i32::from(table_capture);
        reduction -= p.lmr_killer * i32::from(killers.contains(&mv));
        reduction += p.lmr_cutoffs * i32::from(self.frame(node.ply).cutoffs > MANY_CUTOFFS);
        reduction -= p.lmr_check * i32::from(known.check);
        reduction -= known.history * PLY / p.lmr_history;
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
            self.frame_mut(node.ply).reduction = depth - reduced;
            let first = self.negamax(ply, reduced, zero, true);
            self.frame_mut(node.ply).reduction = 0;
            value = -first?;
            if value > node.window.alpha && reduced < depth {
                value = self.search_again(node, depth, value)?;
            }
        } else if !node.pv || node.count > 1 {
            value = -self.negamax(ply, depth, zero, !node.cut)?;
        }
        if node.pv && (node.count == 1 || value > node.window.alpha) {
            value = -self.negamax(ply, depth, node.window.flipped(), false)?;
        }
        Ok(value)
    }

    /// Searches a move that was better than expected without its reduction, a
    /// little deeper or less deep as it was much or hardly better.
    fn search_again(
        &mut self,
        node: &Node,
        depth: i32,
        value: Value,
    ) -> Result<Value, Interrupted> {
        let p = self.params();
        let ply = node.ply + 1;
        let deeper = i32::from(value > node.best + p.lmr_deeper_margin)
            - i32::from(value < node.best + p.lmr_shallower_margin);
        let zero = Window::null(node.window.alpha).flipped();
        let value = -self.negamax(ply, depth + deeper, zero, !node.cut)?;
        if self.frame(node.ply).quiet {
            let bonus = if value <= node.window.alpha {
                history_malus(p, depth)
            } else {
                history_bonus(p, depth)
            };
            self.update_last_move(ply, bonus * p.research_bonus / 100);
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
            self.pv.set(node.ply, mv);
        }
        if value >= node.window.beta {
            return true;
        }
        node.window.alpha = value;
        let p = self.params();
        if (p.raise_least_depth..=p.raise_most_depth).contains(&node.depth) && !is_decisive(value) {
            node.depth -= p.raise_reduction;
        }
        false
    }

    pub fn note_tried(&self, node: &mut Node, mv: Move) {
        if mv != node.best_move {
            let list = if self.pos.is_capture(mv) {
                &mut node.tried_captures
            } else {
                &mut node.tried_quiets
            };
            list.push(mv);
        }
    }
}
