//! How long to think: a budget made of the limits.

use super::Limits;
use std::time::Duration;

/// A sudden death's time is spent as if so many moves were to come: games are
/// decided early, so later moves make do with less.
const EXPECTED_MOVES: f64 = 23.0;
/// The most moves to the control that are planned for.
const PLANNED_MOVES: f64 = 36.0;
/// Share of the increment that a normal move uses.
const INCREMENT_SHARE: f64 = 1.0;
/// A hard move may use so many normal moves' time ...
const MAXIMUM_FACTOR: f64 = 5.0;
/// ... but not more than this share of what is left.
const MAXIMUM_SHARE: f64 = 0.5;
/// Share that the last move before the control may use.
const LAST_MOVE_SHARE: f64 = 0.85;
/// Extra share when the opponent's time will be used too.
const PONDER_BONUS: f64 = 1.25;
/// Kept back for the machine's hesitations, as a share of the time left.
const RESERVE_SHARE: f64 = 0.02;

/// Settings that shape a budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BudgetSettings {
    /// Time lost on each move between engine and clock.
    pub overhead: Duration,
    /// Use of time in percent of normal.
    pub slow_mover: u32,
    /// Whether the opponent's time will be used for thinking.
    pub ponder: bool,
}

/// The time for one move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// A normal move stops about here, sooner or later as its course tells.
    pub optimum: Duration,
    /// Never think longer.
    pub maximum: Duration,
    /// Whether `optimum` is a bound that must not be scaled (a fixed time).
    pub fixed: bool,
}

/// What is left of a fixed time of which `overhead` is lost on the way to the
/// other end: at least half.
pub fn less_overhead(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead.min(time / 2))
}

impl Budget {
    /// The budget of these limits, `None` when time does not matter.
    pub fn new(limits: &Limits, settings: &BudgetSettings) -> Option<Self> {
        let clock = Self::of_clock(limits, settings);
        let fixed = limits.movetime.map(|time| {
            let time = less_overhead(time, settings.overhead);
            Self {
                optimum: time,
                maximum: time,
                fixed: true,
            }
        });
        match (clock, fixed) {
            (Some(a), Some(b)) => Some(if a.maximum < b.maximum { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    fn of_clock(limits: &Limits, settings: &BudgetSettings) -> Option<Self> {
        let clock = limits.clock?;
        let left = clock.left.as_secs_f64();
        let overhead = settings.overhead.as_secs_f64();
        let safe = (left * (1.0 - RESERVE_SHARE) - overhead).max(0.0);
        let moves = clock
            .moves_to_go
            .map_or(EXPECTED_MOVES, |n| f64::from(n.max(1)).min(PLANNED_MOVES));
        let slow_mover = f64::from(settings.slow_mover) / 100.0;
        let bonus = if settings.ponder { PONDER_BONUS } else { 1.0 };
        let gained = (clock.increment.as_secs_f64() - overhead).max(0.0) * INCREMENT_SHARE;
        let share = if moves <= 1.0 {
            LAST_MOVE_SHARE
        } else {
            MAXIMUM_SHARE
        };
        let optimum = (safe / moves + gained) * slow_mover * bonus;
        let maximum = (optimum * MAXIMUM_FACTOR).min(safe * share);
        Some(Self {
            optimum: Duration::from_secs_f64(optimum.min(maximum)),
            maximum: Duration::from_secs_f64(maximum),
            fixed: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    const SETTINGS: BudgetSettings = BudgetSettings {
        overhead: Duration::from_millis(10),
        slow_mover: 100,
        ponder: false,
    };

    fn budget(left: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Budget::new(
            &Limits {
                clock: Some(clock),
                ..Limits::default()
            },
            &SETTINGS,
        )
        .unwrap()
    }

    #[test]
    fn no_budget_reaches_the_end_of_the_clock() {
        for left in [0, 1, 5, 20, 100, 3_000, 600_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let b = budget(left, increment, moves);
                    assert!(b.optimum <= b.maximum);
                    let spare = Duration::from_millis(left).saturating_sub(b.maximum);
                    assert!(spare >= Duration::from_millis(10).min(Duration::from_millis(left)));
                }
            }
        }
    }

    #[test]
    fn more_time_means_longer_thought() {
        assert!(budget(6_000, 0, None).optimum > budget(3_000, 0, None).optimum);
        assert!(budget(3_000, 100, None).optimum > budget(3_000, 0, None).optimum);
        assert!(budget(3_000, 0, Some(5)).optimum > budget(3_000, 0, None).optimum);
    }

    #[test]
    fn the_shorter_of_two_limits_counts() {
        let limits = Limits {
            movetime: Some(Duration::from_millis(50)),
            clock: Some(Clock {
                left: Duration::from_secs(100),
                ..Clock::default()
            }),
            ..Limits::default()
        };
        let b = Budget::new(&limits, &SETTINGS).unwrap();
        assert!(b.fixed && b.maximum <= Duration::from_millis(50));
    }
}
