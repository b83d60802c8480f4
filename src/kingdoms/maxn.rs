//! Max^n: every player chooses what is best for himself.
//!
//! A node's value is a vector, one number per team; the seat to move picks the
//! child with the greatest number of its own team (Luckhardt and Irani 1986).
//! The numbers add up to at most one and none is negative, so that shallow
//! pruning is sound: what the mover is sure of is out of reach for the player
//! before him (Korf 1991). Deeper pruning is not sound in max^n.
//!
//! With some ninety moves a turn a full round of seven cannot be searched
//! whole. Each seat therefore first looks at the positions right after its
//! moves, as a player does who thinks no further, and only the best few by
//! that look are followed up ([`Widths`]). Whoever thinks no further is seen
//! through by this.
//!
//! Not everybody plays so well. A root move is therefore tried in two worlds:
//! one in which the others are careful, as above, and one in which they just
//! take the best piece in reach and see nothing coming. Its value is the mean
//! of both by the trust put in the others: what costs little against the
//! careful and wins much against the careless is worth trying.

use super::control::{Control, Interrupted};
use super::evaluate::{Values, evaluate, final_values};
use super::order::Ranked;
use super::player::greedy_capture;
use super::table::{Bound, Entry, Table};
use super::{Move, Position, SEATS};
use std::collections::HashMap;

/// How many moves are followed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widths {
    /// At the root.
    pub root: usize,
    /// At later turns of the root player's team.
    pub own: usize,
    /// At the turns of all others.
    pub others: usize,
    /// How much the others are trusted to play well, in per cent; for the rest
    /// they are taken to be greedy.
    pub trust: u32,
}

impl Widths {
    /// All moves of everybody.
    pub const ALL: Self = Self {
        root: usize::MAX,
        own: usize::MAX,
        others: usize::MAX,
        trust: 100,
    };
}

/// A win is worth less the later it comes.
const DELAY: f32 = 1e-3;
/// The numbers of a vector add up to at most this.
const SUM: f32 = 1.0;
/// Positions whose best moves are remembered.
const MOST_PLANS: usize = 1 << 16;

/// The moves of a position to follow up, the best by a look first.
type Plan = Box<[Move]>;

/// Tells the root players apart: what is followed up depends on them.
const TEAM_SALT: u64 = 0x9e37_79b9_7f4a_7c15;

/// Tells the worlds apart.
const GREEDY_SALT: u64 = 0x5bd1_e995_9d1b_899f;

/// What max^n remembers from search to search.
pub(super) struct Memory {
    table: Table<Values>,
    plans: HashMap<u64, Plan>,
}

impl Memory {
    /// An empty memory with a table of about this many MiB.
    pub(super) fn new(mib: usize) -> Self {
        Self {
            table: Table::new(mib),
            plans: HashMap::new(),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.plans.clear();
    }

    /// How full it is, per mille.
    pub(super) fn fullness(&self) -> u32 {
        self.table.fullness()
    }

    /// The best move known of a position, for the searches of a team.
    pub(super) fn best(&self, position: &Position, team: usize) -> Option<Move> {
        self.table.get(key(position, team))?.best
    }

    fn keep(&mut self, key: u64, plan: Plan) {
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        self.plans.insert(key, plan);
    }
}

fn key(position: &Position, team: usize) -> u64 {
    position.key() ^ (team as u64 + 1).wrapping_mul(TEAM_SALT)
}

/// What the other players are taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum World {
    /// They look ahead one move, and choose what is best for them.
    Careful,
    /// They take the best piece they can and see nothing else coming.
    Greedy,
}

/// A max^n search in progress.
pub(super) struct MaxN<'a, 'b> {
    pub(super) control: &'a mut Control<'b>,
    pub(super) memory: &'a mut Memory,
    pub(super) widths: Widths,
    /// The root player's team, as an index.
    pub(super) team: usize,
    pub(super) world: World,
}

/// The best of some children.
struct Best {
    values: Values,
    m: Option<Move>,
}

impl Best {
    const NONE: Self = Self {
        values: [-1.0; SEATS],
        m: None,
    };
}

/// What limits a node: the team that chose it and what that team is sure of
/// elsewhere.
type Rival = Option<(usize, f32)>;

impl MaxN<'_, '_> {
    fn key(&self, position: &Position) -> u64 {
        match self.world {
            World::Careful => key(position, self.team),
            World::Greedy => key(position, self.team) ^ GREEDY_SALT,
        }
    }

    /// Searches the root moves, all of them at depth 1 and the first few
    /// after that; they are put in order, the best one first.
    pub(super) fn root(
        &mut self,
        position: &Position,
        moves: &mut [Ranked],
        depth: u32,
    ) -> Result<Values, Interrupted> {
        let me = self.team;
        let width = if depth == 1 {
            moves.len()
        } else {
            self.widths.root.min(moves.len())
        };
        let mut best = [-1.0; SEATS];
        let mut shares = Vec::with_capacity(width);
        for i in 0..width {
            let child = position.after(moves[i].m);
            let values = self.blend(&child, depth - 1, best[me])?;
            shares.push((values[me], moves[i]));
            if values[me] > best[me] {
                best = values;
                moves[..=i].rotate_right(1);
            }
        }
        shares.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (place, (_, ranked)) in moves.iter_mut().zip(shares) {
            *place = ranked;
        }
        Ok(best)
    }

    /// The value of a position after a root move, both worlds weighed.
    fn blend(&mut self, child: &Position, depth: u32, sure: f32) -> Result<Values, Interrupted> {
        let trust = self.widths.trust as f32 / 100.0;
        if depth == 0 || trust >= 1.0 {
            return self.node(child, depth, 1, Some((self.team, sure)));
        }
        let careful = self.node(child, depth, 1, None)?;
        self.world = World::Greedy;
        let greedy = self.node(child, depth, 1, None);
        self.world = World::Careful;
        let greedy = greedy?;
        Ok(std::array::from_fn(|t| {
            trust * careful[t] + (1.0 - trust) * greedy[t]
        }))
    }

    /// The value of a position.
    fn node(
        &mut self,
        position: &Position,
        depth: u32,
        ply: u32,
        rival: Rival,
    ) -> Result<Values, Interrupted> {
        self.control.count_node()?;
        if let Some(values) = ended(position, ply) {
            return Ok(values);
        }
        if depth == 0 {
            return Ok(evaluate(position));
        }
        let known = self.memory.table.get(self.key(position));
        if let Some(entry) = known
            && entry.bound == Bound::Exact
            && entry.depth == depth
        {
            return Ok(entry.value);
        }
        self.children(position, depth, ply, rival)
    }

    fn children(
        &mut self,
        position: &Position,
        depth: u32,
        ply: u32,
        rival: Rival,
    ) -> Result<Values, Interrupted> {
        let me = mover(position);
        if self.world == World::Greedy && me != self.team {
            let next = match greedy_capture(position) {
                Some(m) => position.after(m),
                None => position.pass(),
            };
            return self.node(&next, depth - 1, ply + 1, None);
        }
        let limit = rival.filter(|r| r.0 != me).map_or(SUM, |r| SUM - r.1);
        if depth == 1 {
            let (best, _) = self.look(position, ply)?;
            return Ok(self.store(position, depth, Bound::Exact, best));
        }
        let mut best = Best::NONE;
        let mut bound = Bound::Exact;
        for m in self.plan(position, ply)? {
            let child = position.after(m);
            let values = self.node(&child, depth - 1, ply + 1, Some((me, best.values[me])))?;
            if values[me] > best.values[me] {
                best = Best { values, m: Some(m) };
                if values[me] >= limit {
                    bound = Bound::None;
                    break;
                }
            }
        }
        Ok(self.store(position, depth, bound, best))
    }

    /// The moves to follow up, in order.
    fn plan(&mut self, position: &Position, ply: u32) -> Result<Plan, Interrupted> {
        match self.memory.plans.get(&self.key(position)) {
            Some(plan) => Ok(plan.clone()),
            None => Ok(self.look(position, ply)?.1),
        }
    }

    /// Looks at the positions after all moves; the best one for the mover, and
    /// the moves to follow up, which are remembered.
    fn look(&mut self, position: &Position, ply: u32) -> Result<(Best, Plan), Interrupted> {
        let me = mover(position);
        let mut looks = Vec::new();
        for m in position.legal_moves() {
            self.control.count_node()?;
            let child = position.after(m);
            let values = ended(&child, ply + 1).unwrap_or_else(|| evaluate(&child));
            looks.push((m, values));
        }
        looks.sort_by(|a, b| b.1[me].total_cmp(&a.1[me]).then(a.0.cmp(&b.0)));
        let width = match me == self.team {
            true => self.widths.own,
            false => self.widths.others,
        };
        let plan: Plan = looks.iter().take(width).map(|l| l.0).collect();
        let best = looks
            .first()
            .map_or(Best::NONE, |&(m, values)| Best { values, m: Some(m) });
        self.memory.keep(self.key(position), plan.clone());
        Ok((best, plan))
    }

    fn store(&mut self, position: &Position, depth: u32, bound: Bound, best: Best) -> Values {
        self.memory.table.put(Entry {
            key: self.key(position),
            best: best.m,
            value: best.values,
            depth,
            bound,
        });
        best.values
    }
}

/// The team to move, as an index.
fn mover(position: &Position) -> usize {
    position.team(position.turn) as usize - 1
}

/// The values of a finished game, `None` while it goes on.
fn ended(position: &Position, ply: u32) -> Option<Values> {
    let outcome = position.outcome()?;
    let share = SUM - DELAY * ply as f32;
    Some(final_values(position, outcome).map(|v| v * share))
}
