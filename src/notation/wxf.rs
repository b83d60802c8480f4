//! Writing WXF: `C2=5`, `H8+7`, `+R-2`.
//!
//! Twins have their sign first (`+R`, `-R`). Pawns follow competition
//! practice: front and rear of two or three by sign, the others of one file
//! by number (`2P`), and on two crowded files by letter (`Pa`), because other
//! systems read a number there differently.

use super::relative::{Direction, Place, Step};
use super::tandem::Standing;
use crate::board::{Move, PieceKind, Position};

/// Letters by kind of piece.
const LETTERS: [char; 7] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];
const ORDINALS: [char; 9] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

/// The text of a move of a piece.
pub(super) fn write(pos: &Position, mv: Move) -> Option<String> {
    let piece = pos.piece_on(mv.from())?;
    let (kind, color) = (piece.kind(), piece.color());
    let standing = Standing::of(pos, color, kind, mv.from());
    let step = Step::of(kind, color, mv);
    let sign = match step.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Sideways => '=',
    };
    Some(format!("{}{sign}{}", who(kind, &standing), step.number))
}

fn who(kind: PieceKind, standing: &Standing) -> String {
    let letter = LETTERS[kind.index()];
    if !standing.is_tandem() {
        return format!("{letter}{}", standing.file());
    }
    match standing.practice_place() {
        Some(Place::Front) => format!("+{letter}"),
        Some(Place::Rear) => format!("-{letter}"),
        _ if kind == PieceKind::Pawn && !standing.one_crowd() => {
            format!("{letter}{}", ORDINALS[standing.index])
        }
        _ if kind == PieceKind::Pawn => format!("{}{letter}", standing.index + 1),
        _ => format!("{letter}{}", standing.file()),
    }
}
