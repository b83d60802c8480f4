//! Quiet moves that give check, found from the king's side of the board: most
//! positions have none, and asking every move would cost more than it finds.

use super::attacks::{
    between, cross, diagonal_steps, knight_attackers, knight_ring, over_screens, pawn_attackers,
    rook_attacks,
};
use super::{Bitboard, Move, MoveList, PieceKind, Position, Square};

impl Position {
    /// Adds the legal moves that take nothing and give check to `list`.
    pub fn quiet_checks(&self, list: &mut MoveList) {
        let own = self.color(self.side_to_move());
        let king = self.king(!self.side_to_move());
        let uncovering = self.may_uncover(king);
        for from in own & uncovering {
            let targets = self.destinations(from) - self.occupied();
            let moves = targets.into_iter().map(|to| Move::new(from, to));
            let checks = moves.filter(|&mv| self.leaves_king_safe(mv) && self.gives_check(mv));
            list.extend(checks);
        }
        let screens = self.screens_wanted(king);
        let free = own - uncovering - self.king(self.side_to_move()).into();
        for kind in PieceKind::ALL {
            let targets = (self.checking_squares(kind, king) | screens) - self.occupied();
            if targets.is_empty() {
                continue;
            }
            for from in self.kind(kind) & free {
                let reached = (self.destinations(from) & targets).into_iter();
                let moves = reached.map(|to| Move::new(from, to));
                list.extend(moves.filter(|&mv| self.leaves_king_safe(mv)));
            }
        }
    }

    /// The squares that a piece of the mover may leave and so uncover a check.
    fn may_uncover(&self, king: Square) -> Bitboard {
        let own = self.color(self.side_to_move());
        let sliders = self.kind(PieceKind::Rook) | self.kind(PieceKind::Cannon);
        let mut squares = Bitboard::EMPTY;
        if (own & sliders & cross(king)).any() {
            squares |= cross(king);
        }
        if (own & self.kind(PieceKind::Knight) & knight_ring(king)).any() {
            squares |= diagonal_steps(king);
        }
        squares
    }

    /// The squares between `king` and a cannon of the mover that lacks a screen.
    fn screens_wanted(&self, king: Square) -> Bitboard {
        let own = self.color(self.side_to_move());
        let cannons = (self.kind(PieceKind::Cannon) & own & cross(king)).into_iter();
        let gaps = cannons.map(|cannon| between(cannon, king));
        gaps.filter(|gap| (*gap & self.occupied()).is_empty())
            .fold(Bitboard::EMPTY, |all, gap| all | gap)
    }

    /// The squares from which a piece of `kind` of the mover attacks `king`.
    fn checking_squares(&self, kind: PieceKind, king: Square) -> Bitboard {
        let occupied = self.occupied();
        match kind {
            PieceKind::Rook => rook_attacks(king, occupied),
            PieceKind::Cannon => over_screens(king, occupied),
            PieceKind::Knight => knight_attackers(king, occupied),
            PieceKind::Pawn => pawn_attackers(self.side_to_move(), king),
            _ => Bitboard::EMPTY,
        }
    }
}
