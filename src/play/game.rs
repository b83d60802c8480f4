//! What both games answer to the talk at the table.

use super::screen::Screen;
use crate::clock::Stop;
use std::fmt;

/// Who is to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A person.
    Person,
    /// The engine.
    Engine,
    /// Nobody: the game is over.
    Over,
}

/// Why something is not done, in words for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// What is said in answer, in words for the person.
pub type Answer = Result<String, Refusal>;

/// A game at the board.
pub trait Game {
    /// What the person should know at the start: who plays what, by which
    /// rules.
    fn introduction(&self) -> String;
    /// How moves are written, for the help.
    fn how_to_move(&self) -> String;
    /// The board and whose turn it is; `marks` are squares to point at.
    fn picture(&self, screen: &Screen) -> String;
    /// What stands before the place where a person types.
    fn prompt(&self) -> String;
    /// Who is to act.
    fn turn(&self) -> Turn;
    /// Whether a person plays at all.
    fn has_person(&self) -> bool;
    /// Moves played.
    fn plies(&self) -> usize;
    /// How the game has ended and why, `None` while it goes on.
    fn ending(&self) -> Option<String>;
    /// Plays a move as it was typed.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn play(&mut self, text: &str) -> Answer;
    /// Lets the engine move, now.
    ///
    /// # Errors
    /// When there is nothing to play.
    fn think(&mut self, stop: &Stop) -> Answer;
    /// What the engine would play.
    ///
    /// # Errors
    /// When there is nothing to play.
    fn hint(&mut self, stop: &Stop) -> Answer;
    /// Takes back the last move of a person and all after it.
    ///
    /// # Errors
    /// When there is none.
    fn undo(&mut self) -> Answer;
    /// The legal moves, of the piece on a square or of all.
    ///
    /// # Errors
    /// When there is no such square or no piece that can move.
    fn moves(&self, square: Option<&str>, screen: &Screen) -> Answer;
    /// How it stands.
    fn evaluation(&mut self, stop: &Stop) -> String;
    /// Turns the board round; whether it can be.
    fn flip(&mut self) -> bool;
    /// The person to move gives up.
    ///
    /// # Errors
    /// When no person plays, or the game is over.
    fn resign(&mut self) -> Answer;
    /// Begins another game between the same.
    fn restart(&mut self);
    /// The game as a record that [`Game::restore`] reads.
    fn record(&self) -> String;
    /// Puts the game of a record on the board; also who plays and how, where
    /// the record says so.
    ///
    /// # Errors
    /// When it is no record of this game. The game is unchanged then.
    fn restore(&mut self, bytes: &[u8]) -> Answer;
}

/// The first game of a file; says so where there are more.
pub(super) fn first_of<T>(games: Vec<T>) -> Option<T> {
    if games.len() > 1 {
        log::warn!("there are {} games in it: the first is taken", games.len());
    }
    games.into_iter().next()
}
