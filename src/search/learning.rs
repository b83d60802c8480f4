//! What is kept of a node that was searched: its value, the histories of its
//! moves, the error of its evaluation, its entry in the table.

use super::history::{CONTINUATIONS, PieceTo};
use super::node::{Node, Window};
use super::pruning::{history_bonus, history_malus};
use super::score::{Value, is_decisive, is_rule, mated_in};
use super::structure::STRUCTURES;
use super::table::{EVAL_ONLY_DEPTH, Entry};
use super::worker::Worker;
use crate::board::Move;

/// An error found at this depth counts whole.
const CORRECTION_DEPTH: i32 = 8;
/// Corrections are kept in this many parts of a point.
const CORRECTION_SCALE: i32 = 512;
/// A move is early in the order up to this number.
const EARLY_MOVES: usize = 2;

impl Worker<'_> {
    /// The value of the node; what was learnt goes into table and histories.
    pub fn conclude(&mut self, node: &mut Node) -> Value {
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
            self.punish_last_move(node);
            if node.ply > 0 {
                self.frame_mut(node.ply - 1).cutoffs += 1;
            }
        } else if node.best_move.is_null() && node.excluded.is_null() {
            let bonus = history_bonus(self.params(), node.depth);
            self.update_last_move(node.ply, bonus * self.params().fail_low_bonus / 100);
        }
        node.best = soften(node.best, node.window.beta, node.depth);
        node.best = node.best.max(node.floor).min(node.ceiling);
        if node.excluded.is_null() {
            self.learn_correction(node);
            self.store(node, node.depth);
        }
        node.best
    }

    /// Rewards the best move, punishes those tried before it.
    pub fn reward(&mut self, node: &Node) {
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
        self.histories
            .update_pawn(self.structure().pawns, mover, bonus);
        self.update_continuations(ply, mover, bonus);
    }

    fn update_continuations(&mut self, ply: usize, mover: PieceTo, bonus: i32) {
        for back in CONTINUATIONS {
            if let Some(earlier) = self.mover_before(ply, back) {
                self.histories.update_continuation(earlier, mover, bonus);
            }
        }
    }

    /// Rewards (or punishes) the move that led to `ply`, if it was quiet.
    pub fn update_last_move(&mut self, ply: usize, bonus: i32) {
        if let Some(mover) = self.update_last_squares(ply, bonus / 2) {
            self.update_continuations(ply - 1, mover, bonus);
        }
    }

    /// Rewards (or punishes) the squares of the move that led to `ply`, if it
    /// was quiet, and names its mover.
    pub fn update_last_squares(&mut self, ply: usize, bonus: i32) -> Option<PieceTo> {
        let last = *self.frame(ply.checked_sub(1)?);
        let mover = last.mover.filter(|_| last.quiet)?;
        let side = !self.pos.side_to_move();
        self.histories.update_quiet(side, last.mv, bonus);
        Some(mover)
    }

    /// Punishes a quiet move that came first and was refuted.
    fn punish_last_move(&mut self, node: &Node) {
        let early = node.ply > 0 && self.frame(node.ply - 1).count <= EARLY_MOVES;
        if early {
            let p = self.params();
            let malus = history_malus(p, node.depth) * p.refuted_malus / 100;
            self.update_last_move(node.ply, malus);
        }
    }

    /// What the histories say the evaluation is wrong by.
    pub fn correction(&self, ply: usize) -> Value {
        let p = self.params();
        let side = self.pos.side_to_move();
        let keys = self.structure().kinds(side);
        let weights = p.correction_weights();
        let by_structure: i32 = (0..STRUCTURES)
            .map(|kind| self.histories.correction(kind, side, keys[kind]) * weights[kind])
            .sum();
        let by_moves = self.last_two(ply).map_or(0, |(earlier, last)| {
            self.histories.continuation_correction(earlier, last) * p.correction_moves
        });
        (by_structure + by_moves) / CORRECTION_SCALE
    }

    /// The moves of both sides that led to `ply`.
    fn last_two(&self, ply: usize) -> Option<(PieceTo, PieceTo)> {
        Some((self.mover_before(ply, 2)?, self.mover_before(ply, 1)?))
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
        let error = (node.best - eval) * node.depth / CORRECTION_DEPTH;
        let side = self.pos.side_to_move();
        for (kind, key) in self.structure().kinds(side).into_iter().enumerate() {
            self.histories.update_correction(kind, side, key, error);
        }
        if let Some((earlier, last)) = self.last_two(node.ply) {
            self.histories
                .update_continuation_correction(earlier, last, error);
        }
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
            self.table_key(),
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
        self.shared.table.store(self.table_key(), node.ply, entry);
    }
}

/// A value above beta drawn towards it: the more so, the less deep it was
/// searched.
fn soften(value: Value, beta: Value, depth: i32) -> Value {
    if value <= beta || is_decisive(value) || is_decisive(beta) || depth < 1 {
        return value;
    }
    (value * depth + beta) / (depth + 1)
}
