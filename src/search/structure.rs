//! What a position is made of: keys that many positions share, so that what is
//! learnt about one of them helps with the others.

use crate::board::{Color, Move, Piece, PieceKind, Position, Square, piece_key};

/// Bits for the number of pieces of a kind; more than 15 only blur the key.
const COUNT_BITS: usize = 4;
/// Spreads the counts over all bits of a key (the golden ratio times 2^64).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The keys of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Structure {
    /// Where the pawns of both sides stand.
    pub pawns: u64,
    /// Where kings, advisors and bishops of both sides stand.
    pub guards: u64,
    /// Where the rooks, knights and cannons of each side stand.
    pub force: [u64; 2],
    /// How many there are of each piece.
    counts: u64,
}

impl Structure {
    /// That of `pos`.
    pub fn of(pos: &Position) -> Self {
        let mut structure = Self::default();
        for sq in pos.occupied() {
            if let Some(piece) = pos.piece_on(sq) {
                structure.toggle(piece, sq);
                structure.counts += count_of(piece);
            }
        }
        structure
    }

    /// After `moved` has made the move `mv` and taken `captured`.
    #[inline]
    pub fn after(mut self, mv: Move, moved: Piece, captured: Option<Piece>) -> Self {
        self.toggle(moved, mv.from());
        self.toggle(moved, mv.to());
        if let Some(captured) = captured {
            self.toggle(captured, mv.to());
            self.counts -= count_of(captured);
        }
        self
    }

    /// A key of who has how much of what.
    #[inline]
    pub fn material(&self) -> u64 {
        self.counts.wrapping_mul(SPREAD) >> 32
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, sq: Square) {
        let key = match piece.kind() {
            PieceKind::Pawn => &mut self.pawns,
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => &mut self.guards,
            PieceKind::Rook | PieceKind::Knight | PieceKind::Cannon => {
                &mut self.force[piece.color().index()]
            }
        };
        *key ^= piece_key(piece, sq);
    }

    /// The keys that corrections of the evaluation go by, for the view of
    /// `side`.
    #[inline]
    pub fn kinds(&self, side: Color) -> [u64; STRUCTURES] {
        let (own, other) = (self.force[side.index()], self.force[(!side).index()]);
        [self.material(), self.pawns, self.guards, own, other]
    }
}

/// Number of keys in [`Structure::kinds`].
pub const STRUCTURES: usize = 5;

const fn count_of(piece: Piece) -> u64 {
    1 << (piece.index() * COUNT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_the_moves_of_a_game() {
        let mut pos = Position::startpos();
        let mut structure = Structure::of(&pos);
        let moves = "h2e2 h9g7 e2e6 d9e8 e6e5 g7e6 b0c2 e6f4";
        for mv in moves.split(' ').map(|m| m.parse::<Move>().unwrap()) {
            let moved = pos.piece_on(mv.from()).unwrap();
            structure = structure.after(mv, moved, pos.piece_on(mv.to()));
            pos.make(mv);
            assert_eq!(structure, Structure::of(&pos), "{mv}");
        }
    }

    #[test]
    fn each_key_looks_at_its_pieces_only() {
        let start = Structure::of(&Position::startpos());
        let after = |mv: &str| Structure::of(&Position::startpos().after(mv.parse().unwrap()));
        let cannon = after("h2e2");
        assert_eq!((start.pawns, start.guards), (cannon.pawns, cannon.guards));
        assert_eq!(start.material(), cannon.material());
        assert_ne!(start.force[0], cannon.force[0]);
        assert_eq!(start.force[1], cannon.force[1]);
        assert_ne!(start.pawns, after("e3e4").pawns);
        assert_ne!(start.guards, after("d0e1").guards);
        assert_ne!(start.material(), after("h2h9").material());
    }
}
