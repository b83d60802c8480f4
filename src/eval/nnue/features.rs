//! The inputs of the net: one per piece and square, seen from each side.
//!
//! The engine and the trainer share these functions, so they cannot disagree.

use crate::board::{Color, FILES, Piece, Position, RANKS, SQUARES, Square};

/// Inputs of one view: own and other pieces of seven kinds on 90 squares.
pub const INPUTS: usize = Piece::COUNT * SQUARES;

/// Most pieces that a position can have.
pub const MAX_PIECES: usize = 32;

/// Sets of output weights, chosen by the number of pieces.
pub const BUCKETS: usize = 8;

/// Pieces per bucket.
const PIECES_PER_BUCKET: usize = 4;

/// The two kings, which never leave the board.
const KINGS: usize = 2;

/// Pieces of one colour in the order of [`Piece::index`].
const KINDS: usize = Piece::COUNT / 2;

/// The same piece as an input of the other side's view: colours exchanged,
/// ranks counted from the other back rank, files kept.
pub const SWAPPED: [u16; INPUTS] = table(true);

/// The left-right mirror image of an input.
pub const MIRRORED: [u16; INPUTS] = table(false);

const fn table(swap: bool) -> [u16; INPUTS] {
    let mut table = [0; INPUTS];
    let mut input = 0;
    while input < INPUTS {
        let (piece, sq) = (input / SQUARES, input % SQUARES);
        let (file, rank) = (sq % FILES, sq / FILES);
        table[input] = if swap {
            let other = (piece + KINDS) % Piece::COUNT;
            other * SQUARES + (RANKS - 1 - rank) * FILES + file
        } else {
            piece * SQUARES + rank * FILES + (FILES - 1 - file)
        } as u16;
        input += 1;
    }
    table
}

/// The input that `piece` on `sq` sets in the view of `view`, 0 to
/// [`INPUTS`] - 1: own pieces first, squares counted from the own left corner
/// of the board as Red would see it.
#[inline(always)]
pub const fn input(view: Color, piece: Piece, sq: Square) -> usize {
    let red = piece.index() * SQUARES + sq.index();
    match view {
        Color::Red => red,
        Color::Black => SWAPPED[red] as usize,
    }
}

/// The inputs that `pos` sets in the view of `view`, in the order of squares.
pub fn inputs(view: Color, pos: &Position) -> impl Iterator<Item = u16> + '_ {
    pos.occupied()
        .into_iter()
        .filter_map(move |sq| Some(input(view, pos.piece_on(sq)?, sq) as u16))
}

/// The set of output weights for so many pieces.
#[inline(always)]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(KINGS) / PIECES_PER_BUCKET;
    if bucket < BUCKETS {
        bucket
    } else {
        BUCKETS - 1
    }
}
