//! How long an engine may think about its moves.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How time is given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeControl {
    /// A clock for the game.
    Clock {
        /// Time at the start, and again after every `moves` moves.
        base: Duration,
        /// Time gained after each move.
        increment: Duration,
        /// Moves to the next `base`; `None` when the time is for the game.
        moves: Option<u32>,
    },
    /// So much for each move.
    PerMove(Duration),
}

/// The limits of an engine; all that are given hold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Budget {
    /// Time.
    pub time: Option<TimeControl>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move in plies.
    pub depth: Option<u32>,
}

impl Budget {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the same position gives the same move again (for one thread):
    /// no time is involved.
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none()
    }
}

/// `3+0.03`, `nodes=8000`, `10+0.1 depth=12`.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.time.map(|time| time.to_string()),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// `40/60+0.6`, seconds; `movetime=2`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PerMove(time) => write!(f, "movetime={}", time.as_secs_f64()),
            Self::Clock {
                base,
                increment,
                moves,
            } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
        }
    }
}

/// A text that is no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeError {
    text: String,
    expected: &'static str,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected {}", self.text, self.expected)
    }
}

impl std::error::Error for TimeError {}

/// A positive number of seconds.
///
/// # Errors
/// When it is none, or too large to be meant.
pub fn seconds(text: &str) -> Result<Duration, TimeError> {
    const LONGEST: f64 = 1e7;
    match text.trim().parse::<f64>() {
        Ok(n) if n > 0.0 && n < LONGEST => Ok(Duration::from_secs_f64(n)),
        _ => Err(TimeError {
            text: text.to_owned(),
            expected: "a number of seconds above 0",
        }),
    }
}

/// `[moves/]base[+increment]`, seconds; the base may be `minutes:seconds`.
impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let fail = |_| TimeError {
            text: text.to_owned(),
            expected: "a time control in seconds such as 3+0.03, 40/60 or 5:00+3",
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves), rest),
            None => (None, text),
        };
        let moves = moves.map(|m| m.trim().parse::<u32>().ok().filter(|&m| m > 0));
        let (base, increment) = rest.split_once('+').unwrap_or((rest, ""));
        let increment = match increment.trim() {
            "" | "0" | "0.0" => Duration::ZERO,
            other => seconds(other).map_err(fail)?,
        };
        let clock = Self::Clock {
            base: minutes_and_seconds(base).map_err(fail)?,
            increment,
            moves: moves.flatten(),
        };
        match moves {
            Some(None) => Err(fail(TimeError {
                text: String::new(),
                expected: "",
            })),
            _ => Ok(clock),
        }
    }
}

fn minutes_and_seconds(text: &str) -> Result<Duration, TimeError> {
    const SECONDS_PER_MINUTE: f64 = 60.0;
    let Some((minutes, rest)) = text.split_once(':') else {
        return seconds(text);
    };
    let minutes = seconds(minutes)?.mul_f64(SECONDS_PER_MINUTE);
    match rest.trim_matches('0') {
        "" => Ok(minutes),
        _ => Ok(minutes + seconds(rest)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_round_trip() {
        for text in ["3+0.03", "60", "40/60+0.6", "0.5+0.01"] {
            let tc: TimeControl = text.parse().unwrap();
            assert_eq!(tc.to_string(), text);
        }
        let tc: TimeControl = "5:30+3".parse().unwrap();
        assert_eq!(tc.to_string(), "330+3");
        assert_eq!("2:00".parse::<TimeControl>().unwrap().to_string(), "120");
        for bad in [
            "", "x", "0+1", "-3", "3+x", "0/3", "x/3", "3+-1", "1e99", "nan",
        ] {
            let error = bad.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains(bad) && error.contains("3+0.03"), "{error}");
        }
    }

    #[test]
    fn budgets_as_text() {
        let budget = Budget {
            time: Some(TimeControl::PerMove(Duration::from_millis(1500))),
            nodes: Some(8000),
            depth: None,
        };
        assert_eq!(budget.to_string(), "movetime=1.5 nodes=8000");
        assert!(!budget.is_deterministic() && Budget::default().is_empty());
    }
}
