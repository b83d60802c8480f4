//! Who plays, how strong, and how that is kept with the game.

use crate::clock::Limits;
use std::fmt;
use std::time::Duration;

/// Seconds that the engine thinks about a move when nothing else is said.
pub const DEFAULT_SECONDS: f64 = 1.0;

/// How strong the engine plays.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Strength {
    /// Time for each move.
    pub time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search.
    pub depth: Option<u32>,
    /// Level, 0 to 20.
    pub skill: Option<u32>,
    /// Elo number.
    pub elo: Option<u32>,
}

impl Strength {
    /// The limits of one search; a second where none are set.
    pub fn limits(&self) -> Limits {
        let none = self.time.is_none() && self.nodes.is_none() && self.depth.is_none();
        let default = none.then(|| Duration::from_secs_f64(DEFAULT_SECONDS));
        Limits {
            movetime: self.time.or(default),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }

    /// Takes in `movetime=2` and the like; false when it is nothing of it.
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        let seconds = || {
            value
                .parse()
                .ok()
                .and_then(|s| Duration::try_from_secs_f64(s).ok())
        };
        match key {
            "movetime" => self.time = seconds(),
            "nodes" => self.nodes = value.parse().ok(),
            "depth" => self.depth = value.parse().ok(),
            "skill" => self.skill = value.parse().ok(),
            "elo" => self.elo = value.parse().ok(),
            _ => return false,
        }
        true
    }
}

/// `movetime=2 skill=5`; empty when nothing is set.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.time.map(|t| format!("movetime={}", t.as_secs_f64())),
            self.nodes.map(|n| format!("nodes={n}")),
            self.depth.map(|n| format!("depth={n}")),
            self.skill.map(|n| format!("skill={n}")),
            self.elo.map(|n| format!("elo={n}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        f.write_str(&words.join(" "))
    }
}

/// `key=value` words, as they are kept with a game.
pub fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_whitespace().filter_map(|w| w.split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_is_kept_as_text() {
        let strength = Strength {
            time: Some(Duration::from_millis(1500)),
            skill: Some(3),
            ..Strength::default()
        };
        let text = strength.to_string();
        assert_eq!(text, "movetime=1.5 skill=3");
        let mut again = Strength::default();
        assert!(pairs(&text).all(|(key, value)| again.set(key, value)));
        assert_eq!(again, strength);
        assert!(!again.set("side", "red"));
        assert_eq!(
            Strength::default().limits().movetime,
            Some(Duration::from_secs(1))
        );
    }
}
