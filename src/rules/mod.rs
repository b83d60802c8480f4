//! What a *game* is: history, repetition, draw rules and the result.

mod game;

pub use game::{Game, GameError};
