//! A start position and the moves played from it.

use super::cycle::Cycle;
use super::king_attackers_after;
use crate::board::{Move, PieceKind, Position};
use std::fmt;
use std::ops::Range;

/// A game: every position from the start to the present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// Why a move is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegality {
    /// No piece of the side to move goes that way.
    Geometry,
    /// The kings would face each other on an open file.
    FacingKings,
    /// The own king could be taken.
    SelfCheck,
}

impl Illegality {
    /// Why `mv` is illegal on `pos`, `None` when it is legal.
    pub fn of(pos: &Position, mv: Move) -> Option<Self> {
        if pos.is_legal(mv) {
            return None;
        }
        if !pos.is_pseudo_legal(mv) {
            return Some(Self::Geometry);
        }
        let kings_only = king_attackers_after(pos, mv) - pos.kind(PieceKind::King);
        Some(if kings_only.is_empty() {
            Self::FacingKings
        } else {
            Self::SelfCheck
        })
    }

    /// `illegal_geometry` and so on, as in files of cases.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Geometry => "illegal_geometry",
            Self::FacingKings => "illegal_facing_kings",
            Self::SelfCheck => "illegal_self_check",
        }
    }
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Geometry => "no piece of the side to move goes that way",
            Self::FacingKings => "the kings would face each other",
            Self::SelfCheck => "the own king could be taken",
        })
    }
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
    /// Why.
    pub reason: Illegality,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "illegal move `{}` (number {}) in {}: {}",
            self.mv, self.ply, self.fen, self.reason
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
        if let Some(reason) = Illegality::of(pos, mv) {
            return Err(GameError {
                reason,
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

    /// Plies from the last earlier occurrence of the present position to now,
    /// `None` when it has not occurred since the last capture.
    pub fn period(&self) -> Option<usize> {
        let key = self.position().key();
        for back in 1..=self.moves.len() {
            let at = self.moves.len() - back;
            if self.positions[at].is_capture(self.moves[at]) {
                return None;
            }
            if self.positions[at].key() == key {
                return Some(back);
            }
        }
        None
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
