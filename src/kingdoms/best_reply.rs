//! Best-reply search: the root player against the one opponent whose reply
//! hurts most.
//!
//! The turns between two moves of the root player are drawn together into one
//! ply, at which a single opponent moves; this makes two players of seven, and
//! alpha-beta applies (Schadd and Winands 2011). Since an opponent need not be
//! hostile, and moves that are not captures seldom hurt, the opponents may
//! also pass, and near the leaves only captures are tried.

use super::control::{Control, Interrupted};
use super::evaluate::{evaluate, final_values, plays};
use super::order::{History, Ranked, Which, rank_moves, sort};
use super::table::{Bound, Entry, Table};
use super::{Move, Position, Seat};

/// A value for the root player: log odds of winning in hundredths.
pub(super) type Score = i32;

/// Beyond every score.
pub(super) const INFINITE: Score = 1_000_000;
/// A certain win, less one for every ply until then.
pub(super) const WIN: Score = 100_000;
const HUNDREDTHS: f32 = 100.0;
/// Chances are kept this far from zero and one.
const LEAST_CHANCE: f32 = 1e-6;

/// At which remaining depth the opponents' quiet moves are tried too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replies {
    /// Quiet replies are tried when at least so many plies remain.
    pub quiet_from: u32,
}

/// A best-reply search in progress.
pub(super) struct BestReply<'a, 'b> {
    pub(super) control: &'a mut Control<'b>,
    pub(super) table: &'a mut Table<Score>,
    pub(super) history: &'a mut History,
    pub(super) replies: Replies,
    /// The root player's team, as an index.
    pub(super) team: usize,
}

/// Log odds in hundredths.
pub(super) fn log_odds(chance: f32) -> Score {
    let p = chance.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE);
    ((p / (1.0 - p)).ln() * HUNDREDTHS) as Score
}

/// Tells the two kinds of ply and the root players apart in the table.
const REPLY_SALT: u64 = 0x5bd1_e995_9d1b_899f;
const TEAM_SALT: u64 = 0x9e37_79b9_7f4a_7c15;

/// Who moves at a ply.
#[derive(Clone, Copy)]
enum Side {
    /// The root player, one of whose seats is to move.
    Own,
    /// One opponent, or nobody; the seat is the root player's that moved last.
    Others(Seat),
}

impl Side {
    /// Turns a score of the root player into one of this side.
    fn view(self, score: Score) -> Score {
        match self {
            Self::Own => score,
            Self::Others(_) => -score,
        }
    }

    fn salt(self) -> u64 {
        match self {
            Self::Own => 0,
            Self::Others(_) => REPLY_SALT,
        }
    }
}

/// A position to search on: who moves, and how many plies remain.
struct Node {
    position: Position,
    side: Side,
    depth: u32,
}

impl BestReply<'_, '_> {
    /// Searches the root moves; the best one is moved to the front.
    pub(super) fn root(
        &mut self,
        position: &Position,
        moves: &mut [Ranked],
        depth: u32,
    ) -> Result<Score, Interrupted> {
        let root = Node {
            position: *position,
            side: Side::Own,
            depth,
        };
        let mut alpha = -INFINITE;
        for i in 0..moves.len() {
            let child = self.child(&root, &moves[i]);
            let window = Window::new(-INFINITE, -alpha);
            let score = -self.search(&child, 1, window)?;
            if score > alpha {
                alpha = score;
                moves[i].rank = score;
                moves[..=i].rotate_right(1);
            }
        }
        Ok(alpha)
    }

    /// The score of a node as the side that moves there sees it.
    fn search(&mut self, node: &Node, ply: u32, window: Window) -> Result<Score, Interrupted> {
        self.control.count_node()?;
        if let Some(score) = self.leaf(&node.position, node.depth, ply) {
            return Ok(node.side.view(score));
        }
        let key = node.position.key() ^ self.salt() ^ node.side.salt();
        let known = self.table.get(key).copied();
        if let Some(score) = known.and_then(|e| window.answer(&e, node.depth)) {
            return Ok(score);
        }
        let mut best = (self.without_move(node, ply, window)?, None);
        if best.0 < window.beta {
            for ranked in self.moves(node, known.and_then(|e| e.best)) {
                let child = self.child(node, &ranked);
                let score = -self.search(&child, ply + 1, window.turned(best.0))?;
                if score > best.0 {
                    best = (score, Some(ranked.m));
                    if score >= window.beta {
                        self.reward(&node.position, &ranked, node.depth);
                        break;
                    }
                }
            }
        }
        self.store(key, node.depth, window, best);
        Ok(best.0)
    }

    /// What a side has without moving: the opponents may all pass.
    fn without_move(
        &mut self,
        node: &Node,
        ply: u32,
        window: Window,
    ) -> Result<Score, Interrupted> {
        match node.side {
            Side::Own => Ok(-INFINITE),
            Side::Others(seat) => {
                let passed = self.back(node.position, seat, node.depth);
                Ok(-self.search(&passed, ply + 1, window.turned(-INFINITE))?)
            }
        }
    }

    /// The node after a move.
    fn child(&self, node: &Node, ranked: &Ranked) -> Node {
        match node.side {
            Side::Own => Node {
                position: node.position.after(ranked.m),
                side: Side::Others(node.position.turn),
                depth: node.depth - 1,
            },
            Side::Others(seat) => {
                let moved = node.position.with_turn(ranked.seat).after(ranked.m);
                self.back(moved, seat, node.depth)
            }
        }
    }

    /// The root player's next ply after `seat`'s move and the opponents'; it
    /// is the last one when he has no seat left that can move.
    fn back(&self, position: Position, seat: Seat, depth: u32) -> Node {
        let position = self.turn_back(position, seat);
        let is_mine = position.team(position.turn) as usize == self.team + 1;
        Node {
            position,
            side: Side::Own,
            depth: if is_mine { depth - 1 } else { 0 },
        }
    }

    /// Gives the turn to the root player's next seat that can move after
    /// `seat`; leaves it as it is when there is none.
    fn turn_back(&self, position: Position, seat: Seat) -> Position {
        let is_mine = |s: &Seat| {
            position.team(*s) as usize == self.team + 1
                && plays(&position, *s)
                && position.can_move(*s)
        };
        let mut seats = seat.round().skip(1).chain([seat]);
        match seats.find(is_mine) {
            Some(next) if position.outcome().is_none() => position.with_turn(next),
            _ => position,
        }
    }

    /// The score of a position that is not searched further.
    fn leaf(&self, position: &Position, depth: u32, ply: u32) -> Option<Score> {
        if let Some(outcome) = position.outcome() {
            let share = final_values(position, outcome)[self.team];
            let far = WIN - ply as Score;
            return Some(match share {
                0.0 => -far,
                1.0 => far,
                share => log_odds(share),
            });
        }
        (depth == 0).then(|| log_odds(evaluate(position)[self.team]))
    }

    /// The moves to try, in order.
    fn moves(&self, node: &Node, first: Option<Move>) -> Vec<Ranked> {
        let position = &node.position;
        let which = match node.side {
            Side::Others(_) if node.depth < self.replies.quiet_from => Which::Captures,
            _ => Which::All,
        };
        let mut moves = Vec::with_capacity(128);
        for seat in Seat::ALL {
            let moves_here = match node.side {
                Side::Own => seat == position.turn,
                Side::Others(_) => {
                    plays(position, seat) && position.team(seat) as usize != self.team + 1
                }
            };
            if moves_here {
                rank_moves(position, seat, which, self.history, &mut moves);
            }
        }
        sort(&mut moves, first);
        moves
    }

    fn reward(&mut self, position: &Position, ranked: &Ranked, depth: u32) {
        if !ranked.is_capture {
            self.history.reward(position, ranked.m, depth);
        }
    }

    fn salt(&self) -> u64 {
        (self.team as u64 + 1).wrapping_mul(TEAM_SALT)
    }

    fn store(&mut self, key: u64, depth: u32, window: Window, best: (Score, Option<Move>)) {
        let (value, best) = best;
        let bound = match value {
            v if v >= window.beta => Bound::Lower,
            v if v <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.put(Entry {
            key,
            best,
            value,
            depth,
            bound,
        });
    }
}

/// The scores that still matter, both ends excluded.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// The window of the other side, when this one is sure of a score.
    fn turned(self, sure: Score) -> Self {
        Self::new(-self.beta, -self.alpha.max(sure))
    }

    /// The score by a stored result, when that settles the matter. Wins and
    /// losses are searched again, as their distance from the root differs.
    fn answer(self, entry: &Entry<Score>, depth: u32) -> Option<Score> {
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= self.beta,
            Bound::Upper => entry.value <= self.alpha,
            Bound::None => false,
        };
        let far = entry.value.abs() >= WIN - super::control::MAX_DEPTH as Score;
        (settles && !far && entry.depth == depth).then_some(entry.value)
    }
}
