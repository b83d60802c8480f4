//! Who could take whom: the facts that checks and chases are made of.
//!
//! The questions are asked about a board and a side, whoever is to move, and
//! answered from the occupancy after the capture: a root may vanish or appear
//! because the attacker has left its square.

use crate::board::attacks::rook_attacks;
use crate::board::{Bitboard, Color, Move, PieceKind, Position, Square};

/// The first rank over the river, counted from the own side.
const RIVER: usize = 5;

/// How a piece is protected against one capture, judged after the capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// Nothing could take back.
    None,
    /// A piece reaches the square but may not take: its king would be exposed.
    False,
    /// A piece could take back legally.
    True,
}

/// A capture that the rules of movement allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Threat {
    /// The attacking piece.
    pub attacker: Square,
    /// The piece it could take.
    pub victim: Square,
    /// Whether the capture leaves the attacker's king safe.
    pub legal: bool,
    /// The protection of the victim.
    pub root: Root,
    /// Whether the victim could take the attacker, a piece of the same kind:
    /// an offer to exchange.
    pub exchange: bool,
    /// Whether protection is no matter: a rook attacked by a lesser piece.
    pub unequal: bool,
}

impl Threat {
    /// Whether this is an attack in the sense of the Asian rules: the capture
    /// is legal, no exchange, and the victim unprotected or worth more.
    pub fn is_attack(&self) -> bool {
        self.legal && !self.exchange && (self.unequal || self.root != Root::True)
    }
}

/// The enemy pieces that could take the king of `side` if it stood on `king`
/// and `occupied` were filled; pieces of `gone` have been taken.
fn king_hunters(
    pos: &Position,
    side: Color,
    king: Square,
    occupied: Bitboard,
    gone: Bitboard,
) -> Bitboard {
    let facing = rook_attacks(king, occupied) & Bitboard::file(king.file());
    let enemy_king = pos.pieces(!side, PieceKind::King);
    ((pos.attackers_to(king, occupied) | facing & enemy_king) & pos.color(!side)) - gone
}

/// The enemy pieces that could take the king of the moved piece's side after
/// `mv`, which need not be legal. Empty when `mv` leaves the king safe.
pub fn king_attackers_after(pos: &Position, mv: Move) -> Bitboard {
    let Some(piece) = pos.piece_on(mv.from()) else {
        return Bitboard::EMPTY;
    };
    let side = piece.color();
    let king = if piece.kind() == PieceKind::King {
        mv.to()
    } else {
        pos.king(side)
    };
    let occupied = (pos.occupied() - mv.from().into()).with(mv.to());
    king_hunters(pos, side, king, occupied, mv.to().into())
}

/// Whether the piece on `from` may take what stands on `to`, its king left
/// safe; the way of moving is taken for granted.
pub(super) fn may_take(pos: &Position, from: Square, to: Square) -> bool {
    king_attackers_after(pos, Move::new(from, to)).is_empty()
}

/// The pieces of `side` that could take on `sq`, with `occupied` filled, by
/// their way of moving.
pub(super) fn reaching(pos: &Position, side: Color, sq: Square, occupied: Bitboard) -> Bitboard {
    (pos.attackers_to(sq, occupied) & pos.color(side)) - sq.into()
}

/// The protection of `victim` after `attacker` has taken it.
pub(super) fn root(pos: &Position, attacker: Square, victim: Square) -> Root {
    let Some(owner) = pos.piece_on(victim).map(|piece| piece.color()) else {
        return Root::None;
    };
    let occupied = pos.occupied() - attacker.into();
    let protectors = reaching(pos, owner, victim, occupied);
    let takes_back = |from: Square| {
        let king = pos.king(owner);
        let king = if from == king { victim } else { king };
        let occupied = occupied - from.into();
        king_hunters(pos, owner, king, occupied, Bitboard::EMPTY).is_empty()
    };
    if protectors.into_iter().any(takes_back) {
        Root::True
    } else if protectors.any() {
        Root::False
    } else {
        Root::None
    }
}

/// Whether the piece on `sq` may be chased: no king and no pawn on its own
/// bank.
pub(super) fn can_be_chased(pos: &Position, sq: Square) -> bool {
    pos.piece_on(sq).is_some_and(|piece| match piece.kind() {
        PieceKind::King => false,
        PieceKind::Pawn => sq.relative_rank(piece.color()) >= RIVER,
        _ => true,
    })
}

/// Whether protection is no matter when `attacker` attacks `victim`: a rook
/// attacked by a horse or cannon. Fairy-Stockfish, Pikafish and the servers
/// say the same of advisors and elephants attacking anything that fights.
fn unequal(attacker: PieceKind, victim: PieceKind) -> bool {
    use PieceKind::{Advisor, Bishop, Cannon, Knight, Rook};
    match attacker {
        Knight | Cannon => victim == Rook,
        Advisor | Bishop => matches!(victim, Rook | Cannon | Knight),
        _ => false,
    }
}

/// All captures of `side` on `pos` that could be a chase: not by king or
/// pawn, not of a king or a pawn on its own bank.
pub(super) fn threats(pos: &Position, side: Color) -> Vec<Threat> {
    let chasers = pos.color(side) - pos.kind(PieceKind::King) - pos.kind(PieceKind::Pawn);
    let victims = |from| pos.destinations(from) & pos.color(!side);
    chasers
        .into_iter()
        .flat_map(|from| victims(from).into_iter().map(move |to| (from, to)))
        .filter(|&(_, to)| can_be_chased(pos, to))
        .map(|(from, to)| threat(pos, from, to))
        .collect()
}

fn threat(pos: &Position, attacker: Square, victim: Square) -> Threat {
    let kind = |sq| pos.piece_on(sq).map(|piece| piece.kind());
    Threat {
        attacker,
        victim,
        legal: may_take(pos, attacker, victim),
        root: root(pos, attacker, victim),
        exchange: kind(attacker) == kind(victim)
            && pos.destinations(victim).contains(attacker)
            && may_take(pos, victim, attacker),
        unequal: matches!((kind(attacker), kind(victim)), (Some(a), Some(v)) if unequal(a, v)),
    }
}

/// Whether `side`, if it were to move on `pos`, could mate at once. The other
/// side's king must not be in check.
pub(super) fn mates_at_once(pos: &Position, side: Color) -> bool {
    let mut turned = pos.clone();
    if pos.side_to_move() != side {
        if pos.in_check() {
            return false;
        }
        turned.make_null();
    }
    let moves = turned.legal_moves();
    moves
        .into_iter()
        .any(|mv| !turned.after(mv).has_legal_move())
}
