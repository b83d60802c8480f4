//! The rules of the UCCI computer league: repetition in the simple terms that
//! programs of the time could agree on.

use super::chase::Names;
use super::cycle::{Cycle, CyclePly, heavier};
use super::threats::{can_be_chased, reaching};
use crate::board::{Bitboard, Color, PieceKind, Position, Square};

/// The side at fault: (1) the only one that checks with every move; (2) the
/// only one that chases one and the same piece with every move, if the other
/// does not check throughout either; (3) otherwise nobody.
pub(super) fn at_fault(cycle: &Cycle) -> Option<Color> {
    let checks = Color::ALL.map(|side| cycle.checks_always(side));
    if checks != [false, false] {
        return heavier(cycle, |_, side| checks[side.index()]);
    }
    heavier(cycle, |cycle, side| chased_always(cycle, side).any())
}

/// The pieces, named by where they began, that every move of `side` chases.
fn chased_always(cycle: &Cycle, side: Color) -> Bitboard {
    let mut names = Names::new();
    let mut always = Bitboard::ALL;
    for ply in cycle.plies() {
        names.follow(ply.mv);
        if ply.before.side_to_move() == side {
            always &= victims(&ply).into_iter().map(|sq| names.of(sq)).collect();
        }
    }
    always
}

/// The pieces that the moved piece chases. A checking move is no chase.
pub(super) fn victims(ply: &CyclePly) -> Bitboard {
    let (pos, from) = (ply.after, ply.mv.to());
    if pos.in_check() {
        return Bitboard::EMPTY;
    }
    let reached = pos.destinations(from) & pos.color(pos.side_to_move());
    reached
        .into_iter()
        .filter(|&to| is_chase(pos, from, to))
        .collect()
}

fn is_chase(pos: &Position, from: Square, to: Square) -> bool {
    use PieceKind::{Cannon, Knight, Pawn, Rook};
    let kind = |sq| pos.piece_on(sq).map(|piece| piece.kind());
    let (Some(attacker), Some(victim)) = (kind(from), kind(to)) else {
        return false;
    };
    match (attacker, victim) {
        (Knight | Cannon, Rook) => true,
        (Knight, Cannon | Pawn) | (Cannon, Knight | Pawn) | (Rook, Knight | Cannon | Pawn) => {
            can_be_chased(pos, to) && !protected(pos, from, to)
        }
        _ => false,
    }
}

/// Whether anything could take back; bonds to the king do not count here.
fn protected(pos: &Position, attacker: Square, victim: Square) -> bool {
    let owner = pos.side_to_move();
    reaching(pos, owner, victim, pos.occupied() - attacker.into()).any()
}
