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
//! Whoever looks ahead a round is not: of the moves of such players a look
//! foretells one in twelve. More than a round is therefore not searched by
//! adding plies on such ground, but by better replies: a search of two rounds is
//! a line of one round in which each of the others finds his move by a search of
//! a round of his own; one of three, a line of two rounds of such moves.
//!
//! Not everybody plays so well. A root move is therefore tried in two worlds:
//! one in which the others are careful, as above, and one in which they just
//! take the best piece in reach and see nothing coming. Its value is the mean
//! of both by the trust put in the others: what costs little against the
//! careful and wins much against the careless is worth trying.

use super::best_reply::log_odds;
use super::control::{Control, Interrupted};
use super::engine::playing;
use super::evaluate::{Values, evaluate, final_values};
use super::order::Ranked;
use super::player::greedy_capture;
use super::scan::Survey;
use super::table::{Bound, Entry, Table};
use super::{Move, Position, SEATS, Seat};
use std::collections::HashMap;

/// How many moves are followed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widths {
    /// At the root.
    pub root: usize,
    /// At the root where the others' replies are foreseen.
    pub deep: usize,
    /// At later turns of the root player's team.
    pub own: usize,
    /// At the turns of all others.
    pub others: usize,
    /// How much the others are trusted to play well, in per cent; for the rest
    /// they are taken to be greedy.
    pub trust: u32,
    /// Among how many moves, besides those foreseen before, the others' choice
    /// is foreseen in searches of two rounds and more; 0 to go on with looks.
    pub foresee: usize,
}

impl Widths {
    /// Whether the others' replies are foreseen by searches of their own, in a
    /// search of this depth where a round has so many plies.
    pub(super) fn foresees(&self, round: u32, depth: u32) -> bool {
        self.foresee > 0 && depth > 2 * round
    }

    /// All moves of everybody.
    pub const ALL: Self = Self {
        root: usize::MAX,
        deep: usize::MAX,
        own: usize::MAX,
        others: usize::MAX,
        trust: 100,
        foresee: 0,
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

/// Tells the moves foreseen from the moves to follow up.
const FORESEEN_SALT: u64 = 0x2545_f491_4f6c_dd1d;

/// Tells values with foreseen replies from those without.
const FORESEEING_SALT: u64 = 0x9216_d5d9_8979_fb1b;

/// What max^n remembers from search to search.
pub(super) struct Memory {
    table: Table<Values>,
    plans: HashMap<u64, Plan>,
    /// What each seat was foreseen to play after other root moves.
    foreseen: [Vec<Move>; SEATS],
}

impl Memory {
    /// An empty memory with a table of about this many MiB.
    pub(super) fn new(mib: usize) -> Self {
        Self {
            table: Table::new(mib),
            plans: HashMap::new(),
            foreseen: std::array::from_fn(|_| Vec::new()),
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

    /// The best move known of a position, for the searches of a team that
    /// foresee the others' replies or do not.
    pub(super) fn best(&self, position: &Position, team: usize, foreseeing: bool) -> Option<Move> {
        let salt = if foreseeing { FORESEEING_SALT } else { 0 };
        self.table.get(key(position, team) ^ salt)?.best
    }

    fn note_foreseen(&mut self, seat: Seat, plan: &[Move]) {
        let foreseen = &mut self.foreseen[seat.index()];
        for &m in plan {
            if !foreseen.contains(&m) {
                foreseen.push(m);
            }
        }
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
    /// Whether the others' replies are foreseen by searches of their own.
    pub(super) foreseeing: bool,
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
        let key = key(position, self.team);
        match self.world {
            World::Careful if self.foreseeing => key ^ FORESEEING_SALT,
            World::Careful => key,
            World::Greedy => key ^ GREEDY_SALT,
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
        let round = playing(position);
        self.foreseeing = self.widths.foresees(round, depth);
        let depth = match self.foreseeing {
            true => depth - round,
            false => depth,
        };
        let width = match depth {
            1 => moves.len(),
            _ if self.foreseeing => self.widths.deep.min(moves.len()),
            _ => self.widths.root.min(moves.len()),
        };
        if self.foreseeing {
            self.memory.foreseen.iter_mut().for_each(Vec::clear);
        }
        let mut best = [-1.0; SEATS];
        let mut shares = Vec::with_capacity(width);
        for i in 0..width {
            let child = position.after(moves[i].m);
            let values = self.blend(&child, depth - 1, best[me])?;
            shares.push((values[me], moves[i]));
            if values[me] > best[me] {
                best = values;
                moves[i].rank = log_odds(best[me]);
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
        let plan = match self.foreseeing && me != self.team {
            true => self.foresee(position, ply)?,
            false => self.plan(position, ply)?,
        };
        for m in plan {
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

    /// What the mover plays if he searches a round, as a plan of one move.
    ///
    /// After the first root move he has the choice that he would have at the
    /// root; after the others, of what he was foreseen to play before and of
    /// the best few by a look.
    fn foresee(&mut self, position: &Position, ply: u32) -> Result<Plan, Interrupted> {
        let key = position.key() ^ FORESEEN_SALT;
        if let Some(plan) = self.memory.plans.get(&key) {
            return Ok(plan.clone());
        }
        let seat = position.turn;
        let foreseen = self.memory.foreseen[seat.index()].clone();
        let width = match foreseen.is_empty() {
            true => self.widths.root,
            false => self.widths.foresee,
        };
        let mut other = MaxN {
            control: &mut *self.control,
            memory: &mut *self.memory,
            widths: self.widths,
            team: mover(position),
            world: World::Careful,
            foreseeing: false,
        };
        let looks = other.look_at_all(position, ply)?;
        let places = looks.iter().map(|look| look.0).enumerate();
        let chances = places.filter(|(place, m)| *place < width || foreseen.contains(m));
        let mut moves: Vec<Ranked> = chances.map(|(_, m)| Ranked::plain(seat, m)).collect();
        other.root(position, &mut moves, 1 + playing(position))?;
        let plan: Plan = moves.iter().take(1).map(|r| r.m).collect();
        self.memory.note_foreseen(seat, &plan);
        self.memory.keep(key, plan.clone());
        Ok(plan)
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
        let looks = self.look_at_all(position, ply)?;
        let width = match mover(position) == self.team {
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

    /// All moves with the values right after them, the best one for the mover
    /// first.
    fn look_at_all(
        &mut self,
        position: &Position,
        ply: u32,
    ) -> Result<Vec<(Move, Values)>, Interrupted> {
        let me = mover(position);
        let survey = Survey::of(position);
        let mut looks = Vec::new();
        for m in position.legal_moves() {
            self.control.count_node()?;
            let child = position.after(m);
            let values = ended(&child, ply + 1).unwrap_or_else(|| survey.evaluate(&child, m));
            looks.push((m, values));
        }
        looks.sort_by(|a, b| b.1[me].total_cmp(&a.1[me]).then(a.0.cmp(&b.0)));
        Ok(looks)
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
