//! When one search ends: depth, nodes, time, or a word from outside.

use crate::clock::{Limits, Stop, less_overhead};
use std::time::{Duration, Instant};

/// The search was told to end; what it has in hand is unfinished.
#[derive(Debug)]
pub(super) struct Interrupted;

/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 128;
/// A clock without moves to go is planned for this many moves.
const MOVES_AHEAD: u32 = 30;
/// Share of the increment that is spent at once, and of the time left that
/// one move may take at most, in per cent.
const INCREMENT_SHARE: u32 = 80;
const LARGEST_SHARE: u32 = 25;
/// No new iteration is begun after this share of the time, in per cent.
const LAST_START: u32 = 60;
/// Every move of a clock has this much.
const LEAST_TIME: Duration = Duration::from_millis(1);
/// Iterations go no deeper than this.
pub(super) const MAX_DEPTH: u32 = 64;

/// The limits of one search and what it has used of them.
pub(super) struct Control<'a> {
    start: Instant,
    /// Time for this move; `None` when only something else ends the search.
    time: Option<Duration>,
    /// No iteration begins after this: where the time is a plan, one that
    /// will hardly end in time need not begin.
    last_start: Option<Duration>,
    node_limit: u64,
    pub(super) max_depth: u32,
    stop: &'a Stop,
    pub(super) nodes: u64,
}

impl<'a> Control<'a> {
    /// `overhead` of the time is lost on the way to the other end.
    pub(super) fn new(limits: &Limits, overhead: Duration, stop: &'a Stop) -> Self {
        let planned = limits
            .clock
            .map(|c| plan(c.left, c.increment, c.moves_to_go, overhead));
        let fixed = limits.movetime.map(|time| less_overhead(time, overhead));
        let time = [fixed, planned].into_iter().flatten().min();
        Self {
            start: Instant::now(),
            time,
            last_start: planned.map(|t| t * LAST_START / 100),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            max_depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            stop,
            nodes: 0,
        }
    }

    /// Counts a node.
    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Interrupted> {
        self.nodes += 1;
        if self.nodes > self.node_limit {
            return Err(Interrupted);
        }
        if self.nodes.is_multiple_of(CHECK_EVERY) && self.is_over() {
            return Err(Interrupted);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.time.is_some_and(|t| self.elapsed() >= t)
    }

    /// Whether another iteration may begin.
    pub(super) fn may_go_on(&self) -> bool {
        let late = self.last_start.is_some_and(|t| self.elapsed() >= t);
        !late && !self.is_over()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// The time for one move of a clock.
fn plan(
    left: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    overhead: Duration,
) -> Duration {
    let moves = moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
    let share = left / moves + increment * INCREMENT_SHARE / 100;
    let most = match moves {
        1 => left,
        _ => left * LARGEST_SHARE / 100,
    };
    share.min(most).saturating_sub(overhead).max(LEAST_TIME)
}
