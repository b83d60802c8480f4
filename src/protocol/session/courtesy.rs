//! When to offer or accept a draw and when to resign.
//!
//! Only in a game that goes on from one search to the next: the position must
//! be the one after our last move and one reply to it. Positions that come out
//! of the blue (analysis, test suites) get neither offers nor resignations,
//! except that a draw is accepted in a bad position.

use crate::board::{Move, Position};
use crate::protocol::Offer;
use crate::search::Score;

/// Resign when the last so many scores ...
const RESIGN_MOVES: usize = 4;
/// ... were below this (a rook and more) ...
const RESIGN_CP: i32 = -750;
/// ... at this depth at least.
const RESIGN_DEPTH: u32 = 8;
/// Offer or accept a draw when the last so many scores ...
const DRAW_MOVES: usize = 8;
/// ... were this close to level ...
const DRAW_CP: i32 = 7;
/// ... after so many moves of ours.
const DRAW_EARLIEST: usize = 40;
/// Moves between two offers.
const DRAW_INTERVAL: usize = 10;
/// Any offer is welcome below this.
const GLAD_OF_DRAW_CP: i32 = -50;

/// What is remembered of a game.
#[derive(Debug, Clone, Default)]
pub struct Courtesy {
    /// The position after our last move.
    after: Option<Position>,
    /// Our scores and their depths, move by move.
    scores: Vec<(Score, u32)>,
    /// When we last offered a draw, as a number of moves.
    offered: Option<usize>,
}

impl Courtesy {
    /// What to say with the move `best` in `pos`, and remember it.
    pub fn decide(
        &mut self,
        pos: &Position,
        best: Move,
        (score, depth): (Score, u32),
        draw_offered: bool,
    ) -> Option<Offer> {
        if !self.goes_on(pos) {
            *self = Self::default();
        }
        self.after = Some(pos.after(best));
        self.scores.push((score, depth));
        if draw_offered && self.accepts() {
            return Some(Offer::Draw);
        }
        if self.resigns() {
            return Some(Offer::Resign);
        }
        self.offers().then(|| {
            self.offered = Some(self.scores.len());
            Offer::Draw
        })
    }

    /// Whether `pos` follows our last move by one reply.
    fn goes_on(&self, pos: &Position) -> bool {
        let replies = |after: &Position| {
            after
                .legal_moves()
                .into_iter()
                .any(|mv| after.after(mv).key() == pos.key())
        };
        self.after.as_ref().is_some_and(replies)
    }

    fn last(&self, count: usize) -> Option<&[(Score, u32)]> {
        let from = self.scores.len().checked_sub(count)?;
        Some(&self.scores[from..])
    }

    fn resigns(&self) -> bool {
        let lost = |&(score, depth): &(Score, u32)| match score {
            Score::Cp(cp) => cp < RESIGN_CP && depth >= RESIGN_DEPTH,
            Score::MatedIn(_) => true,
            Score::MateIn(_) => false,
        };
        self.last(RESIGN_MOVES)
            .is_some_and(|scores| scores.iter().all(lost))
    }

    fn is_level(&self) -> bool {
        let level =
            |(score, _): &(Score, u32)| matches!(score, Score::Cp(cp) if cp.abs() <= DRAW_CP);
        self.scores.len() >= DRAW_EARLIEST
            && self
                .last(DRAW_MOVES)
                .is_some_and(|scores| scores.iter().all(level))
    }

    fn accepts(&self) -> bool {
        let bad = match self.scores.last() {
            Some((Score::Cp(cp), _)) => *cp < GLAD_OF_DRAW_CP,
            Some((Score::MatedIn(_), _)) => true,
            _ => false,
        };
        bad || self.is_level()
    }

    fn offers(&self) -> bool {
        let rested = |offered: usize| self.scores.len() >= offered + DRAW_INTERVAL;
        self.is_level() && self.offered.is_none_or(rested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a game of to and fro with these scores; what was said.
    fn game(scores: impl IntoIterator<Item = Score>, offered: bool) -> Vec<Option<Offer>> {
        let mut courtesy = Courtesy::default();
        let mut pos = Position::startpos();
        let cycle = ["a0a1", "a9a8", "a1a0", "a8a9"].map(|mv| mv.parse::<Move>().unwrap());
        let mut plies = cycle.iter().cycle();
        let mut said = Vec::new();
        for score in scores {
            let best = *plies.next().unwrap();
            said.push(courtesy.decide(&pos, best, (score, 10), offered));
            pos = pos.after(best).after(*plies.next().unwrap());
        }
        said
    }

    #[test]
    fn a_lost_game_is_resigned_after_some_moves() {
        let said = game([Score::Cp(-2000); 6], false);
        assert_eq!(said[..3], [None; 3]);
        assert_eq!(said[3], Some(Offer::Resign));
        let said = game([Score::MatedIn(4); 4], false);
        assert_eq!(said[3], Some(Offer::Resign));
    }

    #[test]
    fn a_position_out_of_the_blue_is_played_on() {
        let mut courtesy = Courtesy::default();
        let pos = Position::startpos();
        let best = "a0a1".parse().unwrap();
        for _ in 0..10 {
            assert_eq!(
                courtesy.decide(&pos, best, (Score::Cp(-5000), 20), false),
                None
            );
        }
    }

    #[test]
    fn a_level_game_is_offered_as_a_draw_late_and_seldom() {
        let said = game([Score::Cp(3); 70], false);
        let offers: Vec<usize> = (0..70).filter(|&i| said[i] == Some(Offer::Draw)).collect();
        assert_eq!(offers, [39, 49, 59, 69]);
    }

    #[test]
    fn an_offer_is_accepted_when_worse_and_declined_when_better() {
        assert_eq!(game([Score::Cp(-200)], true), [Some(Offer::Draw)]);
        for score in [Score::Cp(0), Score::Cp(300), Score::MateIn(5)] {
            assert_eq!(game([score; 5], true), [None; 5]);
        }
    }
}
