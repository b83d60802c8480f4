//! What a *game* is: history, repetition, draw rules and the result.

mod game;
pub mod repetition;
mod ruleset;

pub use game::{Game, GameError};
pub use ruleset::{RuleSet, RuleSetError};
