//! What a `go` command asks for.

use crate::board::Move;
use std::time::Duration;

/// The clock of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time gained after each move.
    pub increment: Duration,
    /// Moves to the next time control, `None` when the time is for the rest
    /// of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search; all that are given hold together, the first one
/// reached ends it. None at all means until stopped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The clock of the other side, where the sender gave it.
    pub opponent_clock: Option<Clock>,
    /// Stop when a mate in at most so many moves is proven.
    pub mate: Option<u32>,
    /// Go on until stopped, even when nothing is left to find out.
    pub infinite: bool,
    /// Think on the opponent's time: the clock starts at the ponder hit.
    pub ponder: bool,
    /// The only root moves to consider, `None` for all.
    pub search_moves: Option<Vec<Move>>,
    /// Root moves not to consider.
    pub ban_moves: Vec<Move>,
}

impl Limits {
    /// The mate looked for, where nothing else ends the search.
    pub fn mate_alone(&self) -> Option<u32> {
        self.mate.filter(|_| !self.is_bounded() && !self.infinite)
    }

    /// Whether there is a limit that ends the search.
    pub fn is_limited(&self) -> bool {
        self.is_bounded() || self.mate.is_some()
    }

    fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
    }
}
