//! Legal moves.

use super::attacks::{
    advisor_attacks, bishop_attacks, cannon_attacks, king_attacks, knight_attacks, pawn_attacks,
    rook_attacks,
};
use super::{Bitboard, Move, MoveList, PieceKind, Position, Square};

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.captures(&mut list);
        self.quiets(&mut list);
        list
    }

    /// Adds the legal captures to `list`.
    pub fn captures(&self, list: &mut MoveList) {
        self.generate(self.color(!self.side_to_move()), list);
    }

    /// Adds the legal moves that take nothing to `list`.
    pub fn quiets(&self, list: &mut MoveList) {
        self.generate(!self.occupied(), list);
    }

    /// Whether there is any legal move; without one the side to move has lost.
    pub fn has_legal_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    fn generate(&self, targets: Bitboard, list: &mut MoveList) {
        for from in self.color(self.side_to_move()) {
            let moves = (self.destinations(from) & targets)
                .into_iter()
                .map(|to| Move::new(from, to));
            list.extend(moves.filter(|&mv| self.leaves_king_safe(mv)));
        }
    }

    /// Where the piece on `from` may go by its way of moving, own pieces
    /// excluded, the safety of the king not considered. Empty for an empty
    /// square.
    pub fn destinations(&self, from: Square) -> Bitboard {
        let Some(piece) = self.piece_on(from) else {
            return Bitboard::EMPTY;
        };
        let occupied = self.occupied();
        let reach = match piece.kind() {
            PieceKind::King => king_attacks(from),
            PieceKind::Advisor => advisor_attacks(from),
            PieceKind::Bishop => bishop_attacks(from, occupied),
            PieceKind::Knight => knight_attacks(from, occupied),
            PieceKind::Rook => rook_attacks(from, occupied),
            PieceKind::Cannon => {
                (rook_attacks(from, occupied) - occupied) | cannon_attacks(from, occupied)
            }
            PieceKind::Pawn => pawn_attacks(piece.color(), from),
        };
        reach - self.color(piece.color())
    }

    /// Whether the piece on the start square is the mover's and goes to the
    /// target square; its king may be left in check.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.color(self.side_to_move()).contains(mv.from())
            && self.destinations(mv.from()).contains(mv.to())
    }

    /// Whether `mv` is a legal move; any two squares may be asked.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv)
    }

    fn leaves_king_safe(&self, mv: Move) -> bool {
        let next = self.after(mv);
        next.attackers_of_king(self.side_to_move()).is_empty()
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check()
    }
}
