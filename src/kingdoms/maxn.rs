//! Max^n: every player chooses what is best for himself.
//!
//! A node's value is a vector, one number per team; the seat to move picks the
//! child with the greatest number of its own team (Luckhardt and Irani 1986).
//! The numbers add up to at most one and none is negative, so that shallow
//! pruning is sound: what the mover is sure of is out of reach for the player
//! before him (Korf 1991). Deeper pruning is not sound in max^n.
//!
//! With some ninety moves a turn a full round of seven cannot be searched
//! whole. Beyond the first plies only the most promising moves of the order
//! are tried ([`Widths`]).

use super::control::{Control, Interrupted};
use super::evaluate::{Values, evaluate, final_values};
use super::order::{History, Ranked, Which, rank_moves, sort};
use super::table::{Bound, Entry, Table};
use super::{Move, Position, SEATS};

/// How many moves are tried at a ply of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widths {
    /// Plies at which all moves are tried.
    pub full_plies: u32,
    /// Moves tried at later plies.
    pub later: usize,
}

/// A win is worth less the later it comes.
const DELAY: f32 = 1e-3;
/// The numbers of a vector add up to at most this.
const SUM: f32 = 1.0;

/// A max^n search in progress.
pub(super) struct MaxN<'a, 'b> {
    pub(super) control: &'a mut Control<'b>,
    pub(super) table: &'a mut Table<Values>,
    pub(super) history: &'a mut History,
    pub(super) widths: Widths,
}

/// The best of some children.
struct Best {
    values: Values,
    m: Option<Move>,
}

impl MaxN<'_, '_> {
    /// Searches the root moves; the best one is moved to the front.
    pub(super) fn root(
        &mut self,
        position: &Position,
        moves: &mut [Ranked],
        depth: u32,
    ) -> Result<Values, Interrupted> {
        let me = position.team(position.turn) as usize - 1;
        let mut best = [-1.0; SEATS];
        for i in 0..moves.len() {
            let child = position.after(moves[i].m);
            let rival = Some((me, best[me]));
            let values = self.node(&child, depth - 1, 1, rival)?;
            if values[me] > best[me] {
                best = values;
                moves[..=i].rotate_right(1);
            }
        }
        Ok(best)
    }

    /// The value of a position; `rival` is the team that chose it and what
    /// that team is sure of elsewhere.
    fn node(
        &mut self,
        position: &Position,
        depth: u32,
        ply: u32,
        rival: Option<(usize, f32)>,
    ) -> Result<Values, Interrupted> {
        self.control.count_node()?;
        if let Some(outcome) = position.outcome() {
            let share = SUM - DELAY * ply as f32;
            return Ok(final_values(position, outcome).map(|v| v * share));
        }
        if depth == 0 {
            return Ok(evaluate(position));
        }
        let known = self.table.get(position.key()).copied();
        if let Some(entry) = known
            && entry.bound == Bound::Exact
            && entry.depth == depth
        {
            return Ok(entry.value);
        }
        self.children(position, depth, ply, rival, known.and_then(|e| e.best))
    }

    fn children(
        &mut self,
        position: &Position,
        depth: u32,
        ply: u32,
        rival: Option<(usize, f32)>,
        first: Option<Move>,
    ) -> Result<Values, Interrupted> {
        let me = position.team(position.turn) as usize - 1;
        let limit = rival.filter(|r| r.0 != me).map_or(SUM, |r| SUM - r.1);
        let mut best = Best {
            values: [-1.0; SEATS],
            m: None,
        };
        let mut bound = Bound::Exact;
        for ranked in self.moves(position, ply, first) {
            let child = position.after(ranked.m);
            let values = self.node(&child, depth - 1, ply + 1, Some((me, best.values[me])))?;
            if values[me] > best.values[me] {
                best = Best {
                    values,
                    m: Some(ranked.m),
                };
                if values[me] >= limit {
                    bound = Bound::None;
                    break;
                }
            }
        }
        self.store(position, depth, bound, &best);
        Ok(best.values)
    }

    /// The moves to try, in order.
    fn moves(&self, position: &Position, ply: u32, first: Option<Move>) -> Vec<Ranked> {
        let mut moves = Vec::with_capacity(128);
        let seat = position.turn;
        rank_moves(position, seat, Which::All, self.history, &mut moves);
        sort(&mut moves, first);
        if ply >= self.widths.full_plies {
            moves.truncate(self.widths.later);
        }
        moves
    }

    fn store(&mut self, position: &Position, depth: u32, bound: Bound, best: &Best) {
        if let Some(m) = best.m
            && position.piece(m.to).is_none()
        {
            self.history.reward(position, m, depth);
        }
        self.table.put(Entry {
            key: position.key(),
            best: best.m,
            value: best.values,
            depth,
            bound,
        });
    }
}
