//! Why a text is no move.

use super::{Notation, normal};
use crate::board::{Move, Position};
use std::fmt;

/// A text that could not be read as one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    /// The offending text.
    pub text: String,
    /// What is wrong with it.
    pub kind: NotationErrorKind,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotationErrorKind {
    /// It has the shape of no notation.
    Syntax,
    /// It names no legal move of the position with this FEN.
    Illegal(String),
    /// It names more than one legal move of the position with this FEN.
    Ambiguous {
        /// The moves it may mean.
        candidates: Vec<Move>,
        /// The position.
        fen: String,
    },
    /// It promotes a pawn (变 兵), an extension of one program that is no part
    /// of the game.
    Promotion,
    /// It is the name of no notation.
    UnknownName,
}

impl NotationError {
    pub(super) fn no_move(pos: &Position, text: &str, is_move_text: bool) -> Self {
        let kind = if normal::is_promotion(text) {
            NotationErrorKind::Promotion
        } else if is_move_text {
            NotationErrorKind::Illegal(pos.to_string())
        } else {
            NotationErrorKind::Syntax
        };
        Self::new(text, kind)
    }

    pub(super) fn ambiguous(pos: &Position, text: &str, candidates: Vec<Move>) -> Self {
        let fen = pos.to_string();
        Self::new(text, NotationErrorKind::Ambiguous { candidates, fen })
    }

    pub(super) fn unknown_name(text: &str) -> Self {
        Self::new(text, NotationErrorKind::UnknownName)
    }

    fn new(text: &str, kind: NotationErrorKind) -> Self {
        Self {
            text: text.to_owned(),
            kind,
        }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match &self.kind {
            NotationErrorKind::Syntax => write!(
                f,
                "`{text}` is no move: expected ICCS (h2e2), WXF (C2=5), Chinese (炮二平五), \
                 algebraic (h3e3), Russian (Пh3-e3) or WinBoard (Che2)"
            ),
            NotationErrorKind::Illegal(fen) => write!(f, "`{text}` is no legal move of {fen}"),
            NotationErrorKind::Ambiguous { candidates, fen } => {
                let list: Vec<String> = candidates.iter().map(Move::to_string).collect();
                write!(f, "`{text}` may be {} in {fen}", list.join(" or "))
            }
            NotationErrorKind::Promotion => {
                write!(f, "`{text}` promotes a pawn, which xiangqi does not know")
            }
            NotationErrorKind::UnknownName => {
                let names = Notation::ALL.map(Notation::name).join(", ");
                write!(f, "`{text}` is no notation: expected one of {names}")
            }
        }
    }
}

impl std::error::Error for NotationError {}
