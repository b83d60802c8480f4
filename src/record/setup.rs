//! Start positions of files that store the board square by square.

use super::ProblemKind;
use crate::board::{
    Color, FILES, FenError, Piece, PieceKind, Position, RANKS, SQUARES, START_FEN, Square,
};

/// A board as a file has it, legal or not.
pub(super) type Board = [Option<Piece>; SQUARES];

/// Kinds of the 16 slots of each side in XQF and DhtmlXQ.
const SLOT_KINDS: [PieceKind; 16] = [
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Cannon,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
];

/// Number of slots.
pub(super) const SLOTS: usize = 32;

/// The piece of a slot.
fn slot_piece(slot: usize) -> Piece {
    let color = if slot < SLOTS / 2 {
        Color::Red
    } else {
        Color::Black
    };
    Piece::new(color, SLOT_KINDS[slot % 16])
}

/// The board of 32 slots, an absent piece having no square.
pub(super) fn board_of_slots(slots: &[Option<Square>; SLOTS]) -> Board {
    let mut board = [None; SQUARES];
    for (slot, sq) in slots.iter().enumerate() {
        if let Some(sq) = sq {
            board[sq.index()] = Some(slot_piece(slot));
        }
    }
    board
}

/// The slots of a position; the error is a piece beyond the usual number.
pub(super) fn slots_of(pos: &Position) -> Result<[Option<Square>; SLOTS], Piece> {
    let mut slots = [None; SLOTS];
    for sq in Square::all() {
        let Some(piece) = pos.piece_on(sq) else {
            continue;
        };
        let free = (0..SLOTS).find(|&i| slot_piece(i) == piece && slots[i].is_none());
        slots[free.ok_or(piece)?] = Some(sq);
    }
    Ok(slots)
}

/// Whether both kings stand in their palaces.
pub(super) fn has_both_kings(board: &Board) -> bool {
    let in_palace = |color: Color| {
        let king = Some(Piece::new(color, PieceKind::King));
        let mut palace = Square::all().filter(|sq| PALACE_FILES.contains(&sq.file()));
        palace.any(|sq| sq.relative_rank(color) < PALACE_RANKS && board[sq.index()] == king)
    };
    in_palace(Color::Red) && in_palace(Color::Black)
}

const PALACE_FILES: std::ops::RangeInclusive<usize> = 3..=5;
const PALACE_RANKS: usize = 3;

/// The start position: the side to move is that of the piece that moves
/// first, or `stated` when no piece does.
pub(super) fn start_position(
    board: &Board,
    first_from: Option<Square>,
    stated: Option<Color>,
) -> Result<Position, ProblemKind> {
    let mover = first_from
        .and_then(|sq| board[sq.index()])
        .map(Piece::color);
    let side = mover.or(stated).unwrap_or(Color::Red);
    let rows = board_text(board);
    let of = |side: Color| {
        let letter = if side == Color::Red { 'w' } else { 'b' };
        format!("{rows} {letter} - - 0 1")
    };
    let text = of(side);
    text.parse().or_else(|error: FenError| {
        let other = of(!side).parse().ok().filter(|_| mover.is_none());
        let reason = error.to_string();
        other.ok_or(ProblemKind::BadStart { text, reason })
    })
}

/// The rows of a FEN.
fn board_text(board: &Board) -> String {
    let row = |rank: usize| {
        let mut text = String::new();
        let mut gap = 0;
        for piece in &board[rank * FILES..(rank + 1) * FILES] {
            match piece {
                None => gap += 1,
                Some(piece) => push_gap(&mut text, &mut gap, piece.letter()),
            }
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        text
    };
    let rows: Vec<String> = (0..RANKS).rev().map(row).collect();
    rows.join("/")
}

fn push_gap(text: &mut String, gap: &mut usize, letter: char) {
    if *gap > 0 {
        text.push_str(&gap.to_string());
    }
    *gap = 0;
    text.push(letter);
}

/// A start position whose side to move may be wrong or missing.
pub(super) fn parse_start(fen: &str) -> Result<Position, String> {
    if fen.trim().is_empty() {
        return Ok(Position::startpos());
    }
    fen.trim().parse().or_else(|error: FenError| {
        let board = fen.split_whitespace().next().unwrap_or(START_FEN);
        let black = format!("{board} b - - 0 1");
        black.parse().map_err(|_| error.to_string())
    })
}

/// The same position with the side to move whose piece moves first.
pub(super) fn with_mover(start: Position, first_from: Option<Square>) -> Position {
    let mover = first_from
        .and_then(|sq| start.piece_on(sq))
        .map(Piece::color);
    match mover {
        Some(color) if color != start.side_to_move() => {
            super::resolve::other_side(&start).unwrap_or(start)
        }
        _ => start,
    }
}
