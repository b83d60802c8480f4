//! Counts of results.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// The result of a game for one of the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

impl Outcome {
    /// The same game for the other player.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// Half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn half_points(self) -> usize {
        match self {
            Self::Win => 2,
            Self::Draw => 1,
            Self::Loss => 0,
        }
    }
}

/// Wins, draws and losses of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts one more game.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// Number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, a half for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games for the other player.
    pub const fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// `+3 =4 -5`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// Pairs of games with colours reversed, counted by the half points that one
/// player made of four: `[LL, LD, DD or WL, WD, WW]`.
///
/// The two games of a pair share their opening and so are not independent;
/// counting pairs instead of games gives the right variance (M. Van den
/// Bergh, *Normalized Elo*, 2020; used by the Stockfish testing framework).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair.
    pub fn add(&mut self, first: Outcome, second: Outcome) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// Number of pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs for the other player.
    pub fn reversed(self) -> Self {
        let [ll, ld, dd, wd, ww] = self.0;
        Self([ww, wd, dd, ld, ll])
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// `[1, 2, 3, 4, 5]`.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_reversing() {
        let mut wdl = Wdl::default();
        let mut pairs = Pentanomial::default();
        for outcome in [Outcome::Win, Outcome::Win, Outcome::Draw, Outcome::Loss] {
            wdl.add(outcome);
            pairs.add(outcome, Outcome::Draw);
        }
        assert_eq!(wdl.to_string(), "+2 =1 -1");
        assert_eq!(wdl.points(), 2.5);
        assert_eq!(wdl.reversed().to_string(), "+1 =1 -2");
        assert_eq!(pairs, Pentanomial([0, 1, 1, 2, 0]));
        assert_eq!(pairs.reversed(), Pentanomial([0, 2, 1, 1, 0]));
        assert_eq!(pairs.pairs(), wdl.games());
    }
}
