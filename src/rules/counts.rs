//! What rule sets that count moves add to the state of a search.

use super::repetition::Verdict;
use super::{Game, RuleSet, SkyTally, Tally};
use crate::board::{Color, Move, Position};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The counts of a game under rules that count moves whether or not positions
/// repeat. The search carries them from move to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counts {
    /// Those of Club Xiangqi.
    Cxq(Tally),
    /// Those of Tiantian.
    Sky(SkyTally),
}

impl Counts {
    /// The counts at the end of `game`, `None` when the rules count nothing.
    pub fn of(game: &Game, rules: RuleSet) -> Option<Self> {
        let mut counts = match rules {
            RuleSet::Cxq => Self::Cxq(Tally::default()),
            RuleSet::Sky => Self::Sky(SkyTally::default()),
            _ => return None,
        };
        for ply in game.cycle(0..game.moves().len()).plies() {
            counts.play(ply.before, ply.mv, ply.after);
        }
        Some(counts)
    }

    /// Takes note of a move.
    pub fn play(&mut self, before: &Position, mv: Move, after: &Position) {
        match self {
            Self::Cxq(tally) => tally.play(before, mv, after),
            Self::Sky(tally) => tally.play(before, mv, after),
        }
    }

    /// What the last move has brought `side`, `None` when play goes on. Mate
    /// and stalemate come before.
    pub fn verdict(&self, side: Color) -> Option<Verdict> {
        let loser = match self {
            Self::Cxq(tally) => tally.breach()?.loser(),
            Self::Sky(tally) => tally.breach()?.loser(),
        };
        Some(Verdict::of(loser, side))
    }

    /// A number to tell apart, in a table of positions, the same position with
    /// other runs of checks and attacks behind it; 0 where there are none.
    pub fn signature(&self) -> u64 {
        let runs = match self {
            Self::Cxq(tally) => tally.runs(),
            Self::Sky(tally) => tally.runs(),
        };
        if runs == [0; 4] {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        runs.hash(&mut hasher);
        hasher.finish()
    }
}
