//! What the safety of the king asks of a move.
//!
//! After each move the position notes who gives check and which pieces of the
//! side to move are bound by an attack that they keep from being a check. Most
//! positions have neither: then every move of the other pieces is legal as it
//! is. Otherwise [`Position::safe_targets`] gives the squares on which a piece
//! may land, so that no move need be tried out.

use super::attacks::{between, cross, knight_attackers, knight_leg, knight_ring, pawn_attackers};
use super::lines::{FILE_TABLE, RANK_TABLE};
use super::{Bitboard, Color, Move, PieceKind, Position, Square};

/// The attacks on the king of the side to move.
// Aligned to be copied in one piece: a load that spans two recent stores waits
// for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Danger {
    /// The pieces that give check, a king over an open file among them.
    pub checkers: Bitboard,
    /// Pieces of the side to move that must not move freely: the one piece
    /// before a rook, one of two before a cannon, the screen of a cannon that
    /// gives check, the leg of a knight. The king's own square is among them
    /// where no piece may move freely: in check, or before a cannon with
    /// nothing between.
    pub bound: Bitboard,
}

impl Danger {
    /// No attack.
    pub const NONE: Self = Self {
        checkers: Bitboard::EMPTY,
        bound: Bitboard::EMPTY,
    };
}

impl Position {
    /// The pieces of `color` that could be in line with a king on `sq`: rooks,
    /// cannons and the other king on its lines.
    #[inline(always)]
    fn line_pieces(&self, color: Color, sq: Square) -> Bitboard {
        (self.kind(PieceKind::Rook) | self.kind(PieceKind::Cannon) | self.kind(PieceKind::King))
            & self.color(color)
            & cross(sq)
    }

    #[inline(always)]
    fn knights_near(&self, color: Color, sq: Square) -> Bitboard {
        self.pieces(color, PieceKind::Knight) & knight_ring(sq)
    }

    #[inline(always)]
    fn pawns_at(&self, color: Color, sq: Square) -> Bitboard {
        self.pieces(color, PieceKind::Pawn) & pawn_attackers(color, sq)
    }

    /// The attacks on the king of `us`.
    #[inline(always)]
    pub(super) fn danger(&self, us: Color) -> Danger {
        let king = self.king(us);
        let near = self.pawns_at(!us, king) | self.knights_near(!us, king);
        let (file, rank) = (king.file(), king.rank());
        let (along_rank, along_file) = (self.lines.rank(us, rank), self.lines.file(us, file));
        let rank_view = RANK_TABLE.view[file][along_rank.rank_state()];
        let file_view = FILE_TABLE.view[rank][along_file.file_state()];
        if near.is_empty() && !along_rank.endangers(rank_view) && !along_file.endangers(file_view) {
            return Danger::NONE;
        }
        self.find_danger(us)
    }

    /// The attacks on the king of `us`, of which there may be some.
    #[inline(never)]
    fn find_danger(&self, us: Color) -> Danger {
        let king = self.king(us);
        let mut danger = Danger {
            checkers: self.pawns_at(!us, king),
            ..Danger::NONE
        };
        for from in self.line_pieces(!us, king) {
            self.add_line_piece(us, from, &mut danger);
        }
        for from in self.knights_near(!us, king) {
            self.add_knight(us, from, &mut danger);
        }
        if danger.checkers.any() {
            danger.bound |= king.into();
        }
        danger
    }

    #[inline(always)]
    fn add_line_piece(&self, us: Color, from: Square, danger: &mut Danger) {
        let span = between(self.king(us), from);
        let inside = span & self.occupied();
        let is_cannon = self.kind(PieceKind::Cannon).contains(from);
        match (inside.len(), is_cannon) {
            (0, false) => danger.checkers |= from.into(),
            (0, true) if span.any() => danger.bound |= self.king(us).into(),
            (1, true) => {
                danger.checkers |= from.into();
                danger.bound |= inside & self.color(us);
            }
            (1, false) | (2, true) => danger.bound |= inside & self.color(us),
            _ => {}
        }
    }

    #[inline(always)]
    fn add_knight(&self, us: Color, from: Square, danger: &mut Danger) {
        let leg = knight_leg(from, self.king(us));
        if (leg & self.occupied()).is_empty() {
            danger.checkers |= from.into();
        }
        danger.bound |= leg & self.color(us);
    }

    /// Where the piece on `from`, not the king, may land without leaving its
    /// king attacked. With the king's own square for `from`: where a piece
    /// that is not bound may land.
    pub(super) fn safe_targets(&self, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let king = self.king(us);
        let mut safe = Bitboard::ALL;
        for attacker in self.line_pieces(!us, king) {
            safe &= self.safe_from_line(king, attacker, from);
        }
        for knight in self.knights_near(!us, king) {
            let leg = knight_leg(knight, king);
            if leg.contains(from) {
                safe &= knight.into();
            } else if (leg & self.occupied()).is_empty() {
                safe &= leg | knight.into();
            }
        }
        for pawn in self.pawns_at(!us, king) {
            safe &= pawn.into();
        }
        safe
    }

    /// Where the piece on `from` may land for the attacker on a line of the
    /// king. One must know whether the piece itself `stands` between.
    fn safe_from_line(&self, king: Square, attacker: Square, from: Square) -> Bitboard {
        let span = between(king, attacker);
        let inside = span & self.occupied();
        let stands = inside.contains(from);
        let closed = (span - inside) | attacker.into();
        let is_cannon = self.kind(PieceKind::Cannon).contains(attacker);
        match (inside.len(), is_cannon) {
            // Block or capture; the one piece between stays between.
            (0, false) => closed,
            (1, false) if stands => closed,
            // No piece may become the first screen.
            (0, true) => !span,
            // The screen itself leaves the line, or takes the cannon. Others
            // add a second screen or take the cannon: to take an enemy screen
            // only puts another one there.
            (1, true) if stands => !span,
            (1, true) => closed,
            // One of two screens keeps both: it may take the cannon, not the
            // other screen.
            (2, true) if stands => closed,
            _ => Bitboard::ALL,
        }
    }

    /// Whether the king of `us`, the side to move, may step to `to`, a square
    /// of its own way of moving.
    #[inline(always)]
    pub(super) fn king_may_step(&self, us: Color, to: Square) -> bool {
        let king = self.king(us);
        let (file, rank) = (to.file(), to.rank());
        let (mut along_rank, mut along_file) =
            (self.lines.rank(us, rank), self.lines.file(us, file));
        // The king has left the line it steps along.
        if rank == king.rank() {
            along_rank = along_rank.without(king.file());
        } else {
            along_file = along_file.without(king.rank());
        }
        let rank_view = RANK_TABLE.view[file][along_rank.rank_state()];
        let file_view = FILE_TABLE.view[rank][along_file.file_state()];
        !along_rank.attacks(rank_view)
            && !along_file.attacks(file_view)
            && self.pawns_at(!us, to).is_empty()
            && !self.knights_reach(!us, to)
    }

    /// Whether a knight of `color` attacks `sq`.
    #[inline(always)]
    fn knights_reach(&self, color: Color, sq: Square) -> bool {
        let near = self.knights_near(color, sq);
        near.any() && (near & knight_attackers(sq, self.occupied())).any()
    }

    /// Whether no piece may move freely: the side to move is in check, or a
    /// cannon without a screen stands before its king.
    #[inline(always)]
    pub(super) fn is_restricted(&self) -> bool {
        self.danger.bound.contains(self.king(self.side_to_move()))
    }

    /// Whether a move of the right kind for its piece leaves the mover's king
    /// safe.
    #[inline(always)]
    pub(super) fn leaves_king_safe(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if from == self.king(self.side_to_move()) {
            return self.king_may_step(self.side_to_move(), to);
        }
        let bound = self.danger.bound;
        let is_free = bound.is_empty() || !(bound.contains(from) || self.is_restricted());
        is_free || self.safe_targets(from).contains(to)
    }
}
