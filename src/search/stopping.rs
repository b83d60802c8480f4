//! When a search ends by itself: the mate is found, or the time well spent.

use super::root::RootMove;
use super::score::{INFINITE, MATE, MAX_PLY, Value, is_mate};
use super::worker::Worker;
use crate::board::Move;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Depths beyond a proven mate after which there is no point in going on.
const MATE_PROOF_DEPTHS: u32 = 6;
/// A forced move takes this part of the normal time.
const FORCED_MOVE_SHARE: f64 = 0.1;
/// Share of the normal time while the best move has just changed.
const UNSTABLE_SHARE: f64 = 1.25;
/// A best move that took all nodes stops at this excess over its share ...
const EFFORT_BASE: f64 = 1.6;
/// ... within these bounds.
const EFFORT_RANGE: (f64, f64) = (0.7, 1.3);
/// Most depths with the same best move that save time.
const STABLE_DEPTHS: u32 = 8;
/// How often a thread that has nothing left to find out looks up.
const IDLE_SLEEP: Duration = Duration::from_millis(1);

/// How the search has gone so far, for the clock.
#[derive(Debug, Default)]
pub struct Course {
    best: Option<Move>,
    /// Depths since the best move changed.
    stable: u32,
    last_value: Value,
}

impl Worker<'_> {
    /// Whether the search may end after a finished depth.
    pub fn is_enough(&self, course: &mut Course) -> bool {
        let Some(best) = self.root_moves.first() else {
            return true;
        };
        course.note(best);
        self.is_asked_mate_settled(best) || self.is_settled(best) || self.is_time_up(best, course)
    }

    pub fn has_asked_mate(&self, best: &RootMove) -> bool {
        let within = |moves| best.value >= MATE - plies_of_mate(moves) as Value;
        let wanted = self.shared.limits.mate.is_some_and(within);
        wanted && is_mate(self.proven(best))
    }

    /// Whether the mate asked for is found, and where it is shorter than asked
    /// is hardly to be shortened further.
    fn is_asked_mate_settled(&self, best: &RootMove) -> bool {
        let longest = self.shared.limits.mate.map(plies_of_mate);
        let is_longest = longest.is_some_and(|longest| plies_to_mate(best) >= longest);
        self.has_asked_mate(best) && (is_longest || is_searched_beyond_mate(best))
    }

    /// Whether a mate is proven beyond doubt, or nothing was asked that more
    /// depth could answer.
    fn is_settled(&self, best: &RootMove) -> bool {
        let limits = &self.shared.limits;
        is_mate(self.proven(best))
            && is_searched_beyond_mate(best)
            && self.line_count() == 1
            && limits.depth.is_none()
            && limits.mate.is_none()
            && limits.nodes.is_none()
    }

    fn is_time_up(&self, best: &RootMove, course: &Course) -> bool {
        let Some(budget) = self
            .shared
            .budget
            .filter(|b| !b.fixed && !self.is_untimed())
        else {
            return false;
        };
        let p = self.params();
        let forced = if self.root_moves.len() == 1 {
            FORCED_MOVE_SHARE
        } else {
            1.0
        };
        let stable = f64::from(course.stable.min(STABLE_DEPTHS));
        let stability = UNSTABLE_SHARE - stable * f64::from(p.time_stability) / 100.0;
        let drop = f64::from((course.last_value - best.value).clamp(0, p.time_score_drop));
        let alarm = 1.0 + drop / f64::from(p.time_score_drop);
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let effort = (EFFORT_BASE - share).clamp(EFFORT_RANGE.0, EFFORT_RANGE.1);
        let wanted = budget
            .optimum
            .mul_f64(forced * stability * alarm * effort)
            .min(budget.maximum);
        self.time_used() >= wanted
    }

    /// With nothing left to find out, waits as long as the user wants.
    pub fn wait_if_asked(&self) {
        while self.is_untimed() && !self.shared.stop.is_stopped() {
            std::thread::sleep(IDLE_SLEEP);
        }
        self.shared.done.store(true, Relaxed);
    }
}

impl Course {
    fn note(&mut self, best: &RootMove) {
        self.stable = if self.best == Some(best.mv) {
            self.stable + 1
        } else {
            0
        };
        self.best = Some(best.mv);
        self.last_value = if best.previous == -INFINITE {
            best.value
        } else {
            best.previous
        };
    }
}

/// Plies of a mate in so many moves.
pub fn plies_of_mate(moves: u32) -> u32 {
    let plies = moves.saturating_mul(2).saturating_sub(1);
    plies.min(MAX_PLY as u32)
}

/// Plies to the mate that a move is worth.
fn plies_to_mate(best: &RootMove) -> u32 {
    (MATE - best.value.abs()).max(0) as u32
}

/// Whether the search has gone so far beyond that mate that a shorter one, or a
/// defence, would hardly be found.
fn is_searched_beyond_mate(best: &RootMove) -> bool {
    best.depth >= plies_to_mate(best) + MATE_PROOF_DEPTHS
}
