//! Why a game ended.

use crate::board::Color;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The named reasons, the same in the PGN tag `Termination`, the log and the
/// summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The side to move is in check and has no move: it loses.
    Mate,
    /// The side to move is not in check and has no move: it loses.
    Stalemate,
    /// A repetition that the rule set lets one side lose.
    Perpetual,
    /// A repetition that is a draw.
    Repetition,
    /// Too many plies without a capture: a draw.
    NoCapture,
    /// The game has reached its greatest length: a draw.
    Length,
    /// Nobody has a rook, horse, cannon or pawn: a draw.
    InsufficientMaterial,
    /// Another draw that the rule set gives by itself.
    AutomaticDraw,
    /// An engine gave up.
    Resignation,
    /// Both engines agreed to a draw.
    Agreement,
    /// Both engines' scores agree that it is won.
    AdjudicatedWin,
    /// Both engines' scores agree that it is level.
    AdjudicatedDraw,
    /// The engine overstepped its time.
    TimeForfeit,
    /// The engine cannot be started, or leaves before it is ready.
    StartFailure,
    /// The engine runs but does not introduce itself in time.
    StartHang,
    /// The engine's process ended.
    Crash,
    /// The engine closed its output but runs on.
    ClosedPipe,
    /// The engine does not read its input or does not answer.
    Hang,
    /// The engine does not answer `stop`.
    StopHang,
    /// The engine writes without end.
    Flood,
    /// What stands after `bestmove` is no move.
    Garbage,
    /// The move is not legal.
    IllegalMove,
    /// The engine answered twice.
    TwoBestmoves,
    /// The engine says that it has no move, but it has.
    NoMove,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 24] = [
        Self::Mate,
        Self::Stalemate,
        Self::Perpetual,
        Self::Repetition,
        Self::NoCapture,
        Self::Length,
        Self::InsufficientMaterial,
        Self::AutomaticDraw,
        Self::Resignation,
        Self::Agreement,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::TimeForfeit,
        Self::StartFailure,
        Self::StartHang,
        Self::Crash,
        Self::ClosedPipe,
        Self::Hang,
        Self::StopHang,
        Self::Flood,
        Self::Garbage,
        Self::IllegalMove,
        Self::TwoBestmoves,
        Self::NoMove,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Perpetual => "perpetual",
            Self::Repetition => "repetition",
            Self::NoCapture => "no-capture",
            Self::Length => "length",
            Self::InsufficientMaterial => "insufficient-material",
            Self::AutomaticDraw => "automatic-draw",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::AdjudicatedWin => "adjudicated-win",
            Self::AdjudicatedDraw => "adjudicated-draw",
            Self::TimeForfeit => "time-forfeit",
            Self::StartFailure => "start-failure",
            Self::StartHang => "start-hang",
            Self::Crash => "crash",
            Self::ClosedPipe => "closed-pipe",
            Self::Hang => "hang",
            Self::StopHang => "stop-hang",
            Self::Flood => "flood",
            Self::Garbage => "garbage",
            Self::IllegalMove => "illegal-move",
            Self::TwoBestmoves => "two-bestmoves",
            Self::NoMove => "no-move",
        }
    }

    /// Whether an engine misbehaved. Losing on time is no fault in this
    /// sense: a slow engine is not a broken one.
    pub const fn is_fault(self) -> bool {
        self as usize >= Self::StartFailure as usize
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// Who won, `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
    /// What else there is to say.
    pub detail: String,
}

impl Finish {
    /// A draw.
    pub fn draw(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
            detail: String::new(),
        }
    }

    /// A loss for `side`.
    pub fn loss(side: Color, reason: Reason) -> Self {
        Self {
            winner: Some(!side),
            reason,
            detail: String::new(),
        }
    }

    /// The same with words about it.
    pub fn with_detail(self, detail: impl Into<String>) -> Self {
        Self {
            detail: detail.into(),
            ..self
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::Red) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_log() {
        for (i, reason) in Reason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, i);
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{reason}\""));
        }
        assert!(Reason::NoMove.is_fault() && !Reason::TimeForfeit.is_fault());
    }
}
