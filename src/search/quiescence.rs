//! Quiescence search: captures (and all evasions of check) until the
//! position is quiet enough for the evaluation. Its first ply tries quiet checks
//! too, since an attack on the king may not need to take anything.

use super::node::{Node, Window};
use super::picker::Picker;
use super::report::Bound;
use super::score::{MATE_BOUND, MAX_PLY, Value, is_decisive, mated_in};
use super::table::{CHECKS_DEPTH, Entry, QUIESCENCE_DEPTH};
use super::worker::{Interrupted, Worker};
use crate::board::{Move, exchange_value};

/// Captures must win at least this by exchanges.
const SEE_THRESHOLD: Value = 0;
/// Evasions tried after the first that does not lose; captures aside.
const MAX_QUIET_EVASIONS: usize = 2;

impl Worker<'_> {
    /// The value of the position once captures are played out.
    pub fn quiescence(&mut self, ply: usize, window: Window) -> Result<Value, Interrupted> {
        self.quiesce(ply, window, CHECKS_DEPTH)
    }

    /// The same at `depth`, [`CHECKS_DEPTH`] or [`QUIESCENCE_DEPTH`].
    fn quiesce(&mut self, ply: usize, window: Window, depth: i32) -> Result<Value, Interrupted> {
        self.count_node()?;
        self.pv.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        let (alpha, beta) = match self.adjudicate(ply, window.alpha, window.beta) {
            Err(value) => return Ok(value),
            Ok(bounds) => bounds,
        };
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        let mut node = Node::new(ply, depth, Window { alpha, beta }, false);
        if let Some(value) = self.quiescence_table(&mut node) {
            return Ok(value);
        }
        if let Some(value) = self.stand_pat(&mut node) {
            return Ok(value);
        }
        self.quiescence_moves(&mut node)?;
        if node.count == 0 && node.in_check {
            return Ok(mated_in(ply));
        }
        self.store(&node, depth);
        Ok(node.best)
    }

    fn quiescence_table(&mut self, node: &mut Node) -> Option<Value> {
        node.in_check = self.pos.in_check();
        node.entry = self.shared.table.probe(self.table_key(), node.ply);
        let entry = node.entry?;
        node.was_pv |= entry.pv;
        if node.pv {
            None
        } else {
            cutoff(&entry, node.window, node.depth)
        }
    }

    /// Sets the evaluation; the value if it already refutes the last move.
    fn stand_pat(&mut self, node: &mut Node) -> Option<Value> {
        if node.in_check {
            return None;
        }
        self.set_eval(node);
        node.best = node.eval;
        if node.best >= node.window.beta {
            if node.entry.is_none() {
                self.store_eval(node);
            }
            return Some(node.best);
        }
        node.window.alpha = node.window.alpha.max(node.best);
        None
    }

    fn quiescence_moves(&mut self, node: &mut Node) -> Result<(), Interrupted> {
        let known = node.table_move();
        let mut picker = match node.depth {
            _ if node.in_check => Picker::new(known, [Move::NULL; 3], SEE_THRESHOLD),
            CHECKS_DEPTH => Picker::captures_and_checks(known, SEE_THRESHOLD),
            _ => Picker::captures(known, SEE_THRESHOLD),
        };
        let futility = node.best + self.params().qs_futility;
        while let Some(mv) = picker.next(self) {
            if self.skip_in_quiescence(node, &mut picker, mv, futility) {
                continue;
            }
            node.count += 1;
            let undo = self.make(node.ply, mv);
            let value = self.quiesce(node.ply + 1, node.window.flipped(), QUIESCENCE_DEPTH);
            self.unmake(mv, undo);
            if self.take_value(node, mv, -value?) {
                break;
            }
        }
        Ok(())
    }

    /// Whether `mv` takes the piece that moved last.
    fn retakes(&self, ply: usize, mv: Move) -> bool {
        ply > 0 && self.frame(ply - 1).mv.to() == mv.to()
    }

    /// Whether a move is left out; only while the side does not stand to be
    /// mated.
    fn skip_in_quiescence(
        &self,
        node: &mut Node,
        picker: &mut Picker,
        mv: Move,
        futility: Value,
    ) -> bool {
        if node.best <= -MATE_BOUND {
            return false;
        }
        let Some(victim) = self.pos.piece_on(mv.to()) else {
            let late = node.in_check && node.count > MAX_QUIET_EVASIONS;
            if late {
                picker.skip_quiets();
            }
            return late;
        };
        if node.in_check {
            return false;
        }
        if node.count >= self.params().qs_captures as usize && !self.retakes(node.ply, mv) {
            return true;
        }
        if picker.is_at_bad_captures() {
            return true;
        }
        let hope = futility + exchange_value(victim.kind());
        if hope <= node.window.alpha && !is_decisive(hope) && !self.pos.gives_check(mv) {
            node.best = node.best.max(hope);
            return true;
        }
        false
    }
}

/// The value of a table entry that settles a null window, if it does.
pub fn cutoff(entry: &Entry, window: Window, depth: i32) -> Option<Value> {
    let settles = entry.depth >= depth
        && match entry.bound? {
            Bound::Exact => true,
            Bound::Lower => entry.value >= window.beta,
            Bound::Upper => entry.value <= window.alpha,
        };
    settles.then_some(entry.value)
}
