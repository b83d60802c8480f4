//! A start position and the moves played from it.

use super::cycle::Cycle;
use crate::board::{Move, Position};
use std::fmt;
use std::ops::Range;

/// A game: every position from the start to the present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// A move that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameError {
    /// The move.
    pub mv: Move,
    /// Its number in the list of moves, from 1.
    pub ply: usize,
    /// The position in which it is illegal.
    pub fen: String,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "illegal move `{}` (number {}) in {}",
            self.mv, self.ply, self.fen
        )
    }
}

impl std::error::Error for GameError {}

impl Game {
    /// A game of no moves.
    pub fn new(start: Position) -> Self {
        Self {
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When it is illegal; the game is unchanged then.
    pub fn play(&mut self, mv: Move) -> Result<(), GameError> {
        let pos = self.position();
        if !pos.is_legal(mv) {
            return Err(GameError {
                mv,
                ply: self.moves.len() + 1,
                fen: pos.to_string(),
            });
        }
        let next = pos.after(mv);
        self.positions.push(next);
        self.moves.push(mv);
        Ok(())
    }

    /// Takes back the last move.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions from the start to now, one more than moves.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves of `span` (plies from 0) and the positions around them.
    pub(super) fn cycle(&self, span: Range<usize>) -> Cycle<'_> {
        Cycle::new(&self.positions[span.start..=span.end], &self.moves[span])
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}
