//! Pieces, named by their FEN letters.

use super::Color;
use std::fmt;

/// The seven kinds of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// King or general (帅 将), `K`.
    King,
    /// Advisor or guard (仕 士), `A`.
    Advisor,
    /// Bishop, elephant or minister (相 象), `B`.
    Bishop,
    /// Knight or horse (马), `N`.
    Knight,
    /// Rook or chariot (车), `R`.
    Rook,
    /// Cannon (炮), `C`.
    Cannon,
    /// Pawn or soldier (兵 卒), `P`.
    Pawn,
}

impl PieceKind {
    /// All kinds in the order of their indices.
    pub const ALL: [Self; 7] = [
        Self::King,
        Self::Advisor,
        Self::Bishop,
        Self::Knight,
        Self::Rook,
        Self::Cannon,
        Self::Pawn,
    ];

    /// 0 (King) to 6 (Pawn).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case FEN letter.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// The kind of a FEN letter in either case; a horse may be N or H, an
    /// elephant B or E.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Self::King,
            'A' => Self::Advisor,
            'B' | 'E' => Self::Bishop,
            'N' | 'H' => Self::Knight,
            'R' => Self::Rook,
            'C' => Self::Cannon,
            'P' => Self::Pawn,
            _ => return None,
        })
    }
}

/// A piece of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Piece {
    RedKing, RedAdvisor, RedBishop, RedKnight, RedRook, RedCannon, RedPawn,
    BlackKing, BlackAdvisor, BlackBishop, BlackKnight, BlackRook, BlackCannon, BlackPawn,
}

impl Piece {
    /// Number of different pieces.
    pub const COUNT: usize = 14;

    /// All pieces in the order of their indices.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::RedKing, Self::RedAdvisor, Self::RedBishop, Self::RedKnight,
        Self::RedRook, Self::RedCannon, Self::RedPawn,
        Self::BlackKing, Self::BlackAdvisor, Self::BlackBishop, Self::BlackKnight,
        Self::BlackRook, Self::BlackCannon, Self::BlackPawn,
    ];

    /// The piece of this side and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self::ALL[color.index() * 7 + kind.index()]
    }

    /// `color * 7 + kind`, 0 to 13.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that owns it.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if (self as u8) < 7 {
            Color::Red
        } else {
            Color::Black
        }
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        static KINDS: [PieceKind; Piece::COUNT] = {
            let mut kinds = [PieceKind::King; Piece::COUNT];
            let mut i = 0;
            while i < Piece::COUNT {
                kinds[i] = PieceKind::ALL[i % 7];
                i += 1;
            }
            kinds
        };
        KINDS[self as usize]
    }

    /// The FEN letter: upper case for Red.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::Red => self.kind().letter(),
            Color::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() {
            Color::Red
        } else {
            Color::Black
        };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Self::new(color, kind)),
            None => None,
        }
    }

    /// The same kind of the other side.
    pub const fn flipped(self) -> Self {
        Self::new(self.color().opponent(), self.kind())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_indices_round_trip() {
        for (i, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), i);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
            assert_eq!(piece.flipped().flipped(), piece);
        }
        assert_eq!(Piece::from_letter('h'), Some(Piece::BlackKnight));
        assert_eq!(Piece::from_letter('E'), Some(Piece::RedBishop));
        assert_eq!(Piece::from_letter('x'), None);
    }
}
