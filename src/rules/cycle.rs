//! The moves between two occurrences of a position.

use super::RuleSet;
use super::chase::level;
use super::{classic, computer};
use crate::board::{Color, Move, Position};

/// The moves from one occurrence of a position to another, and the positions
/// before and after each of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cycle<'a> {
    positions: &'a [Position],
    moves: &'a [Move],
}

/// One move of a cycle.
#[derive(Debug, Clone, Copy)]
pub(super) struct CyclePly<'a> {
    /// The position in which it was made.
    pub before: &'a Position,
    /// The move.
    pub mv: Move,
    /// The position it led to.
    pub after: &'a Position,
}

impl<'a> Cycle<'a> {
    /// A cycle of `moves`; `positions` is one longer.
    pub fn new(positions: &'a [Position], moves: &'a [Move]) -> Self {
        debug_assert_eq!(positions.len(), moves.len() + 1);
        Self { positions, moves }
    }

    /// Its moves in order.
    pub fn plies(&self) -> impl Iterator<Item = CyclePly<'a>> + use<'a> {
        let pairs = self.positions.windows(2).zip(self.moves);
        pairs.map(|(pair, &mv)| CyclePly {
            before: &pair[0],
            mv,
            after: &pair[1],
        })
    }

    /// The moves of one side.
    pub fn plies_of(&self, side: Color) -> impl Iterator<Item = CyclePly<'a>> + use<'a> {
        self.plies()
            .filter(move |ply| ply.before.side_to_move() == side)
    }

    /// Whether every move of `side` gives check.
    pub fn checks_always(&self, side: Color) -> bool {
        self.plies_of(side).all(|ply| ply.after.in_check())
    }
}

/// The side at fault over a cycle, `None` for a draw. Rule sets that do not
/// judge cycles but count moves are given the Asian reading, which is what
/// their counts come to when the cycle goes on.
pub(super) fn at_fault(cycle: &Cycle, rules: RuleSet) -> Option<Color> {
    match rules {
        RuleSet::None | RuleSet::Basic | RuleSet::Sixty => None,
        RuleSet::Simple => heavier(cycle, |cycle, side| cycle.checks_always(side)),
        RuleSet::Computer => computer::at_fault(cycle),
        RuleSet::ClassicPrc => heavier(cycle, classic::level_prc),
        RuleSet::ClassicHk => heavier(cycle, classic::level_hk),
        RuleSet::Asian | RuleSet::Wxf | RuleSet::Cxq | RuleSet::Sky | RuleSet::Chinese => {
            heavier(cycle, level)
        }
    }
}

/// The side of the greater level, `None` when they are equal.
pub(super) fn heavier<L: PartialOrd>(
    cycle: &Cycle,
    level: impl Fn(&Cycle, Color) -> L,
) -> Option<Color> {
    let [red, black] = Color::ALL.map(|side| level(cycle, side));
    if red > black {
        Some(Color::Red)
    } else if black > red {
        Some(Color::Black)
    } else {
        None
    }
}
