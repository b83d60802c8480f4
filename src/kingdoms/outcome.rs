//! How a game ends.

use super::options::MAX_PLAYER;
use std::fmt;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A player was credited with enough conquests.
    Kingdoms,
    /// A player took enough pieces.
    Captures,
    /// One player, or team, was left.
    Last,
    /// The quiet limit was reached; the most captures won.
    Quiet,
    /// Nobody could move; the most captures won.
    NoMoves,
    /// The position line says that the game is over, but not how.
    Given,
}

impl Ending {
    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kingdoms => "kingdoms",
            Self::Captures => "captures",
            Self::Last => "last",
            Self::Quiet => "quiet",
            Self::NoMoves => "nomoves",
            Self::Given => "given",
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winners as a bit mask, bit `p` for player `p`.
    pub(super) winners: u8,
    /// Why it ended.
    pub by: Ending,
}

impl Outcome {
    /// Whether this player is among the winners.
    pub fn is_winner(&self, player: u8) -> bool {
        self.winners >> player & 1 != 0
    }

    /// The winners, in the order of their numbers; several share the win.
    pub fn winners(&self) -> impl Iterator<Item = u8> {
        let outcome = *self;
        (1..=MAX_PLAYER).filter(move |&p| outcome.is_winner(p))
    }
}

impl fmt::Display for Outcome {
    /// `player 3 wins by captures`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = self.winners().map(|p| p.to_string()).collect();
        match names.len() {
            0 => write!(f, "over"),
            1 => write!(f, "player {} wins by {}", names[0], self.by.name()),
            _ => write!(f, "players {} win by {}", names.join(", "), self.by.name()),
        }
    }
}
