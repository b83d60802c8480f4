//! Positions as text (Forsyth-Edwards notation): first the grammar, then the
//! rules that make a board a position.

use super::attacks::{ADVISOR_POINTS, BISHOP_POINTS, PALACE};
use super::{Bitboard, Color, FILES, FenError, Piece, PieceKind, Position, RANKS, Square};
use std::fmt;
use std::str::FromStr;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

const BYTE_ORDER_MARK: char = '\u{feff}';
const MAX_PIECES: usize = 16;

/// A FEN of one to six fields. The side is `w`, `r` or `b`; a horse may be
/// written N or H, an elephant B or E; the hand `[]` and castling letters of
/// other programs are passed over; missing fields stand for `w - - 0 1`.
///
/// The errors are those of [`FenError`], the first one found.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let pos = Self::from_fen_with_facing_kings(text)?;
        match pos.facing_kings() {
            Some(error) => Err(error),
            None => Ok(pos),
        }
    }
}

impl Position {
    /// Reads a FEN as `parse` does, but lets the kings face each other where
    /// there is a piece left that can win: the side to move is then in check by
    /// the other king. Such positions cannot come up in a game; UCCI programs
    /// play on from them all the same.
    ///
    /// # Errors
    /// Those of `parse`; [`FenError::KingsFacing`] only for kings and guards
    /// alone.
    pub fn from_fen_with_facing_kings(text: &str) -> Result<Self, FenError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut fields = text.split_whitespace().peekable();
        let board = fields.next().ok_or(FenError::Empty)?;
        let side = fields.next().map_or(Ok(Color::Red), parse_side)?;
        for is_unused in [is_castling, is_dash] {
            if let Some(field) = fields.next_if(|f| !starts_like_a_counter(f)) {
                is_unused(field)
                    .then_some(())
                    .ok_or_else(|| FenError::Unused(field.to_owned()))?;
            }
        }
        let halfmove = parse_counter("half-move count", fields.next(), 0)?;
        let fullmove = parse_counter("move number", fields.next(), 1)?.max(1);
        if let Some(rest) = fields.next() {
            return Err(FenError::Trailing(rest.to_owned()));
        }
        let mut pos = Self::empty(side, halfmove, fullmove);
        place_pieces(&mut pos, without_hand(board)?)?;
        pos.validate()?;
        pos.refresh();
        match pos.facing_kings().filter(|_| !pos.has_attacker()) {
            Some(error) => Err(error),
            None => Ok(pos),
        }
    }
}

fn parse_side(field: &str) -> Result<Color, FenError> {
    match field {
        "w" | "W" | "r" | "R" => Ok(Color::Red),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenError::Side(field.to_owned())),
    }
}

fn starts_like_a_counter(field: &str) -> bool {
    field
        .trim_start_matches(['-', '+'])
        .starts_with(|c: char| c.is_ascii_digit())
}

fn is_dash(field: &str) -> bool {
    field == "-"
}

fn is_castling(field: &str) -> bool {
    is_dash(field) || field.chars().all(|c| "KQkq".contains(c))
}

fn parse_counter(name: &'static str, field: Option<&str>, missing: u16) -> Result<u16, FenError> {
    let Some(text) = field else {
        return Ok(missing);
    };
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| FenError::Counter {
            name,
            text: text.to_owned(),
        })
}

/// Cuts off the empty hand that programs for games with drops write.
fn without_hand(board: &str) -> Result<&str, FenError> {
    match board.find('[').map(|at| board.split_at(at)) {
        None => Ok(board),
        Some((board, "[]" | "[-]")) => Ok(board),
        Some((_, hand)) => Err(FenError::Hand(hand.to_owned())),
    }
}

fn place_pieces(pos: &mut Position, board: &str) -> Result<(), FenError> {
    let found = board.split('/').count();
    if found != RANKS {
        return Err(FenError::RankCount {
            board: board.to_owned(),
            found,
        });
    }
    for (text, rank) in board.split('/').zip((0..RANKS).rev()) {
        place_rank(pos, text, rank)?;
    }
    Ok(())
}

fn place_rank(pos: &mut Position, text: &str, rank: usize) -> Result<(), FenError> {
    let mut file = 0;
    for letter in text.chars() {
        match (letter.to_digit(10), Piece::from_letter(letter)) {
            (Some(gap @ 1..), _) => file += gap as usize,
            (_, Some(piece)) => {
                if file < FILES {
                    pos.put(piece, Square::at(file, rank));
                }
                file += 1;
            }
            _ => return Err(FenError::UnknownPiece { rank, letter }),
        }
    }
    if file != FILES {
        return Err(FenError::RankLength {
            rank,
            text: text.to_owned(),
            found: file,
        });
    }
    Ok(())
}

impl Position {
    /// Whether this could be a position of a game or a composed study: one
    /// king each, kings, advisors and bishops on their points, at most 16
    /// pieces a side, the side to move unable to take the king.
    pub(super) fn validate(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            self.validate_numbers(color)?;
            self.validate_points(color)?;
        }
        self.validate_kings()
    }

    fn validate_numbers(&self, color: Color) -> Result<(), FenError> {
        let kings = self.pieces(color, PieceKind::King).len();
        if kings != 1 {
            return Err(FenError::KingCount {
                color,
                found: kings,
            });
        }
        let pieces = self.color(color).len();
        if pieces > MAX_PIECES {
            return Err(FenError::TooManyPieces {
                color,
                found: pieces,
            });
        }
        Ok(())
    }

    fn validate_points(&self, color: Color) -> Result<(), FenError> {
        for (kind, points) in [
            (PieceKind::King, PALACE),
            (PieceKind::Advisor, ADVISOR_POINTS),
            (PieceKind::Bishop, BISHOP_POINTS),
        ] {
            let stray = self.pieces(color, kind) - points[color.index()];
            if let Some(square) = stray.first() {
                let piece = Piece::new(color, kind);
                return Err(FenError::OffItsPoints { piece, square });
            }
        }
        Ok(())
    }

    fn facing_kings(&self) -> Option<FenError> {
        let [red, black] = Color::ALL.map(|color| self.king(color));
        let facing = self.attackers_of_king(Color::Red).contains(black);
        facing.then_some(FenError::KingsFacing { red, black })
    }

    fn has_attacker(&self) -> bool {
        use PieceKind::{Cannon, Knight, Pawn, Rook};
        [Rook, Knight, Cannon, Pawn]
            .iter()
            .any(|&kind| self.kind(kind).any())
    }

    fn validate_kings(&self) -> Result<(), FenError> {
        let waiting = !self.side_to_move();
        let attackers = self.attackers_of_king(waiting) - self.kind(PieceKind::King);
        match attackers.first() {
            Some(attacker) => Err(FenError::KingCapturable {
                king: self.king(waiting),
                attacker,
            }),
            None => Ok(()),
        }
    }
}

/// The canonical FEN of six fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            self.write_rank(rank, f)?;
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        let side = match self.side_to_move() {
            Color::Red => 'w',
            Color::Black => 'b',
        };
        write!(
            f,
            "{side} - - {} {}",
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }
}

impl Position {
    fn write_rank(&self, rank: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = 0;
        for sq in Bitboard::rank(rank) {
            if let Some(piece) = self.piece_on(sq) {
                if gap > 0 {
                    write!(f, "{gap}")?;
                }
                write!(f, "{piece}")?;
                gap = 0;
            } else {
                gap += 1;
            }
        }
        if gap > 0 { write!(f, "{gap}") } else { Ok(()) }
    }
}
