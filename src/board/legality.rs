//! Questions about one move: may it be played, does it check, what key follows.

use super::attacks::{
    advisor_attacks, between, bishop_attacks, cannon_moves, cross, diagonal_steps, king_attacks,
    knight_attackers, knight_attacks, knight_ring, pawn_attackers, pawn_attacks, rook_attacks,
};
use super::zobrist::{piece_key, side_key};
use super::{Bitboard, Color, Move, PieceKind, Position, Square};

impl Position {
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
            PieceKind::Cannon => cannon_moves(from, occupied),
            PieceKind::Pawn => pawn_attacks(piece.color(), from),
        };
        reach - self.color(piece.color())
    }

    /// Whether the piece on the start square is the mover's and goes to the
    /// target square; its king may be left in check.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (us, from, to) = (self.side_to_move(), mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        if piece.color() != us || self.color(us).contains(to) {
            return false;
        }
        let occupied = self.occupied();
        match piece.kind() {
            PieceKind::King => king_attacks(from).contains(to),
            PieceKind::Advisor => advisor_attacks(from).contains(to),
            PieceKind::Bishop => bishop_attacks(from, occupied).contains(to),
            PieceKind::Knight => knight_attacks(from, occupied).contains(to),
            PieceKind::Pawn => pawn_attacks(us, from).contains(to),
            PieceKind::Rook => reaches(from, to, occupied, 0),
            PieceKind::Cannon => reaches(from, to, occupied, usize::from(occupied.contains(to))),
        }
    }

    /// Whether `mv` is a legal move; any two squares may be asked.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv)
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (us, from, to) = (self.side_to_move(), mv.from(), mv.to());
        let king = self.king(!us);
        if !may_check(king, from, to) {
            return false;
        }
        let occupied = (self.occupied() - from.into()) | to.into();
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let is_direct = match piece.kind() {
            PieceKind::Rook => reaches(to, king, occupied, 0),
            PieceKind::Cannon => reaches(to, king, occupied, 1),
            PieceKind::Knight => knight_attackers(king, occupied).contains(to),
            PieceKind::Pawn => pawn_attackers(us, king).contains(to),
            _ => false,
        };
        is_direct || self.uncovers_check(us, king, mv, occupied)
    }

    /// Whether a piece other than the mover attacks `king` once `mv` has left
    /// the squares of `occupied` filled. Kings never face each other after a
    /// legal move.
    #[inline(always)]
    fn uncovers_check(&self, us: Color, king: Square, mv: Move, occupied: Bitboard) -> bool {
        let lines = cross(king);
        let (from, to) = (mv.from(), mv.to());
        let others = self.color(us) - from.into();
        if lines.contains(from) || lines.contains(to) {
            let rooks = self.kind(PieceKind::Rook);
            let sliders = (rooks | self.kind(PieceKind::Cannon)) & others & lines;
            let screens = |slider| usize::from(!rooks.contains(slider));
            if sliders
                .into_iter()
                .any(|slider| reaches(slider, king, occupied, screens(slider)))
            {
                return true;
            }
        }
        diagonal_steps(king).contains(from)
            && (self.kind(PieceKind::Knight) & others & knight_attackers(king, occupied)).any()
    }

    /// The key after a legal move, to prefetch what is stored under it.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key() ^ side_key(Color::Black);
        if let Some(piece) = self.piece_on(from) {
            key ^= piece_key(piece, from) ^ piece_key(piece, to);
        }
        if let Some(captured) = self.piece_on(to) {
            key ^= piece_key(captured, to);
        }
        key
    }
}

/// Whether any move between these squares can give check to a king on `king`:
/// it ends on one of the king's lines or a knight's move away, or begins on a
/// line or on a knight's leg.
#[inline(always)]
fn may_check(king: Square, from: Square, to: Square) -> bool {
    let lines = cross(king);
    (lines | knight_ring(king)).contains(to) || (lines | diagonal_steps(king)).contains(from)
}

/// Whether `from` and `to` are on one line with so many pieces between.
#[inline(always)]
fn reaches(from: Square, to: Square, occupied: Bitboard, pieces: usize) -> bool {
    cross(from).contains(to) && (between(from, to) & occupied).len() == pieces
}
