//! Moves of one kind made in a row, and the pieces that made them: what the
//! rule sets with allowances count.

use crate::board::{Bitboard, Move, Square};
use arrayvec::ArrayVec;

/// Moves allowed for each piece that takes part.
const ALLOWED_PER_PIECE: u16 = 6;
/// More pieces than this make no difference.
const PIECES_COUNTED: usize = 3;
/// Victims followed at the same time; one move rarely attacks more than two.
const VICTIMS: usize = 8;

/// A number of consecutive moves and the different pieces behind them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Streak {
    count: u16,
    /// Where the pieces stand; `None` for one that has been taken.
    pieces: ArrayVec<Option<Square>, PIECES_COUNTED>,
}

impl Streak {
    /// How many moves.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// How many different pieces, three at most.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// How many moves are allowed: 6 with one piece, 12 with two, 18 with
    /// more.
    pub fn allowance(&self) -> u16 {
        ALLOWED_PER_PIECE * self.pieces.len() as u16
    }

    /// Whether the next such move would be one too many.
    pub fn used_up(&self) -> bool {
        self.count > 0 && self.count >= self.allowance()
    }

    /// Whether the last move was one too many.
    pub fn exceeded(&self) -> bool {
        self.count > self.allowance()
    }

    /// The streak in one number.
    pub(super) fn code(&self) -> u16 {
        self.count * (PIECES_COUNTED as u16 + 1) + self.pieces.len() as u16
    }

    /// Another move, by the pieces on the squares `by`.
    pub(super) fn add(&mut self, by: Bitboard) {
        self.count = self.count.saturating_add(1);
        for sq in by {
            if !self.pieces.contains(&Some(sq)) && !self.pieces.is_full() {
                self.pieces.push(Some(sq));
            }
        }
    }

    /// Notes a move of either side, so that pieces keep their identity.
    pub(super) fn follow(&mut self, mv: Move) {
        for piece in &mut self.pieces {
            *piece = piece.and_then(|sq| moved(sq, mv));
        }
    }
}

/// Where the piece of `sq` is after `mv`, `None` if it has been taken.
fn moved(sq: Square, mv: Move) -> Option<Square> {
    if sq == mv.from() {
        Some(mv.to())
    } else {
        (sq != mv.to()).then_some(sq)
    }
}

/// The streaks against single victims: where each stands, and who attacks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pursuits(ArrayVec<(Square, Streak), VICTIMS>);

impl Pursuits {
    /// The streaks, one for each victim.
    pub fn streaks(&self) -> impl Iterator<Item = &Streak> {
        self.0.iter().map(|(_, streak)| streak)
    }

    /// Another move of the pursuing side, with its (attacker, victim) pairs.
    /// Victims it leaves alone are forgotten.
    pub fn add(&mut self, attacks: &[(Square, Square)]) {
        let earlier = std::mem::take(self);
        let victims: Bitboard = attacks.iter().map(|&(_, victim)| victim).collect();
        for victim in victims.into_iter().take(VICTIMS) {
            let known = earlier.0.iter().find(|(sq, _)| *sq == victim);
            let mut streak = known.map_or_else(Streak::default, |(_, streak)| streak.clone());
            streak.add(attackers_of(victim, attacks));
            self.0.push((victim, streak));
        }
    }

    /// Notes a move of either side.
    pub fn follow(&mut self, mv: Move) {
        self.0.retain(|(victim, _)| moved(*victim, mv).is_some());
        for (victim, streak) in &mut self.0 {
            *victim = moved(*victim, mv).unwrap_or(*victim);
            streak.follow(mv);
        }
    }
}

fn attackers_of(victim: Square, attacks: &[(Square, Square)]) -> Bitboard {
    let mine = attacks.iter().filter(|&&(_, v)| v == victim);
    mine.map(|&(attacker, _)| attacker).collect()
}
