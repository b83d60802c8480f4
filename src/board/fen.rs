//! Positions as text (Forsyth-Edwards notation).

use super::{Bitboard, Color, FILES, Piece, PieceKind, Position, RANKS, Square};
use std::fmt;
use std::str::FromStr;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenError(pub String);

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FenError {}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or_else(|| FenError("empty text".into()))?;
        let side = match fields.next() {
            None | Some("w" | "r") => Color::Red,
            Some("b") => Color::Black,
            Some(other) => return Err(FenError(format!("side to move `{other}`"))),
        };
        let counters: Vec<u16> = fields.filter_map(|f| f.parse().ok()).collect();
        let halfmove = counters.first().copied().unwrap_or(0);
        let fullmove = counters.get(1).copied().unwrap_or(1);
        let mut pos = Self::empty(side, halfmove, fullmove);
        for (row, rank) in board.split('/').zip((0..RANKS).rev()) {
            let mut file = 0;
            for c in row.chars() {
                if let Some(skip) = c.to_digit(10) {
                    file += skip as usize;
                    continue;
                }
                let piece = Piece::from_letter(c)
                    .ok_or_else(|| FenError(format!("unknown letter `{c}`")))?;
                if file >= FILES {
                    return Err(FenError("row too long".into()));
                }
                pos.put(piece, Square::at(file, rank));
                file += 1;
            }
        }
        for color in Color::ALL {
            if pos.pieces(color, PieceKind::King).len() != 1 {
                return Err(FenError(format!("not exactly one king of {color:?}")));
            }
        }
        pos.refresh_checkers();
        if pos.attackers_of_king(!side) != Bitboard::EMPTY {
            return Err(FenError(
                "the king of the side not to move can be taken".into(),
            ));
        }
        Ok(pos)
    }
}

/// The canonical FEN of six fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            let mut gap = 0;
            for file in 0..FILES {
                match self.piece_on(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            write!(f, "{gap}")?;
                        }
                        gap = 0;
                        write!(f, "{piece}")?;
                    }
                }
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        let side = if self.side_to_move() == Color::Red {
            'w'
        } else {
            'b'
        };
        write!(
            f,
            " {side} - - {} {}",
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }
}
