//! Where each piece goes on a given occupancy.
//!
//! All are look-ups in constant tables; `tests/reference` has the rules in
//! plain words.

use super::lines::{FILE_TABLE, RANK_TABLE, file_line, file_squares, rank_line, rank_squares};
use super::tables::{
    ADVISOR, BETWEEN, BISHOP, CROSS, DIAGONAL_STEP, KING, KNIGHT, KNIGHT_TO, LINE_STEP, PAWN,
    PAWN_TO,
};
use super::{Bitboard, Color, Square};

/// The nine squares of each palace.
pub const PALACE: [Bitboard; 2] = [palace(0), palace(7)];

/// The five points of each side's advisors.
pub const ADVISOR_POINTS: [Bitboard; 2] = [
    points(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]),
    points(&[(3, 9), (5, 9), (4, 8), (3, 7), (5, 7)]),
];

/// The seven points of each side's bishops.
pub const BISHOP_POINTS: [Bitboard; 2] = [
    points(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]),
    points(&[(2, 9), (6, 9), (0, 7), (4, 7), (8, 7), (2, 5), (6, 5)]),
];

const fn palace(first_rank: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < 9 {
        set = set.with(Square::at(3 + i % 3, first_rank + i / 3));
        i += 1;
    }
    set
}

const fn points(files_and_ranks: &[(usize, usize)]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < files_and_ranks.len() {
        set = set.with(Square::at(files_and_ranks[i].0, files_and_ranks[i].1));
        i += 1;
    }
    set
}

/// The bits around a square: bit 10 is the square itself, bit 0 the one below
/// to the left.
#[inline(always)]
const fn around(sq: Square, occupied: Bitboard) -> u32 {
    ((occupied.bits() << 10) >> sq.index()) as u32
}

/// The occupancy of the neighbours on the lines: below, right, left, above.
#[inline(always)]
const fn line_neighbours(sq: Square, occupied: Bitboard) -> usize {
    const NEIGHBOURS: u32 = 1 << 1 | 1 << 11 | 1 << 9 | 1 << 19;
    // Brings bits 1, 11, 9 and 19 to bits 28, 29, 30 and 31.
    const GATHER: u32 = 1 << 27 | 1 << 18 | 1 << 21 | 1 << 12;
    ((around(sq, occupied) & NEIGHBOURS).wrapping_mul(GATHER) >> 28) as usize
}

/// The occupancy of the diagonal neighbours: below and above to the right,
/// below and above to the left.
#[inline(always)]
const fn diagonal_neighbours(sq: Square, occupied: Bitboard) -> usize {
    const NEIGHBOURS: u32 = 1 << 2 | 1 << 20 | 1 | 1 << 18;
    // Brings bits 2, 20, 0 and 18 to bits 28, 29, 30 and 31.
    const GATHER: u32 = 1 << 26 | 1 << 9 | 1 << 30 | 1 << 13;
    ((around(sq, occupied) & NEIGHBOURS).wrapping_mul(GATHER) >> 28) as usize
}

/// King: one step along a line inside the palace.
#[inline(always)]
pub fn king_attacks(sq: Square) -> Bitboard {
    KING[sq.index()]
}

/// Advisor: one step along a diagonal inside the palace.
#[inline(always)]
pub fn advisor_attacks(sq: Square) -> Bitboard {
    ADVISOR[sq.index()]
}

/// Bishop: two steps along a diagonal, the first (the eye) empty, never over
/// the river.
#[inline(always)]
pub fn bishop_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[sq.index()][diagonal_neighbours(sq, occupied)]
}

/// Knight: one step along a line to the leg, which must be empty, then one
/// outward along a diagonal.
#[inline(always)]
pub fn knight_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT[sq.index()][line_neighbours(sq, occupied)]
}

/// The squares from which a knight attacks `sq` (the legs stand beside the
/// knight, so this is not [`knight_attacks`]).
#[inline(always)]
pub fn knight_attackers(sq: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT_TO[sq.index()][diagonal_neighbours(sq, occupied)]
}

/// The leg of a knight on `knight` that attacks `target`.
///
/// The two squares must be a knight's move apart.
#[inline(always)]
pub(super) fn knight_leg(knight: Square, target: Square) -> Bitboard {
    LINE_STEP[knight.index()] & DIAGONAL_STEP[target.index()]
}

/// Rook: along the lines up to and including the first piece.
#[inline(always)]
pub fn rook_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let (file, rank, bits) = (sq.file(), sq.rank(), occupied.bits());
    let along_rank = RANK_TABLE.rook[file][rank_line(bits, rank)];
    let along_file = FILE_TABLE.rook[rank][file_line(bits, file)];
    Bitboard::from_bits(rank_squares(along_rank, rank) | file_squares(along_file, file))
}

/// What rooks and cannons attack from `sq`: [`rook_attacks`] and
/// [`cannon_attacks`] for little more than the price of one.
#[inline(always)]
pub fn line_attacks(sq: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (file, rank, bits) = (sq.file(), sq.rank(), occupied.bits());
    let (rank_state, file_state) = (rank_line(bits, rank), file_line(bits, file));
    let squares = |along_rank, along_file| {
        Bitboard::from_bits(rank_squares(along_rank, rank) | file_squares(along_file, file))
    };
    (
        squares(
            RANK_TABLE.rook[file][rank_state],
            FILE_TABLE.rook[rank][file_state],
        ),
        squares(
            RANK_TABLE.cannon[file][rank_state],
            FILE_TABLE.cannon[rank][file_state],
        ),
    )
}

/// Cannon, captures only: the second piece on each line, over one screen.
/// Its quiet moves are `rook_attacks(sq, occupied) - occupied`.
///
/// ```
/// use chuhe::board::{Bitboard, Square, attacks};
/// let squares = |text: &str| {
///     let parse = |sq: &str| sq.parse::<Square>().unwrap();
///     text.split(' ').map(parse).collect::<Bitboard>()
/// };
/// let occupied = squares("e4 e6 e8 b4 e3");
/// let e4 = Square::at(4, 4);
/// assert_eq!(attacks::cannon_attacks(e4, occupied), squares("e8"));
/// assert_eq!(
///     attacks::rook_attacks(e4, occupied),
///     squares("e3 e5 e6 b4 c4 d4 f4 g4 h4 i4"),
/// );
/// ```
#[inline(always)]
pub fn cannon_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let (file, rank, bits) = (sq.file(), sq.rank(), occupied.bits());
    let along_rank = RANK_TABLE.cannon[file][rank_line(bits, rank)];
    let along_file = FILE_TABLE.cannon[rank][file_line(bits, file)];
    Bitboard::from_bits(rank_squares(along_rank, rank) | file_squares(along_file, file))
}

/// Both ways of a cannon: the empty squares up to the first piece on each
/// line, and the second piece.
#[inline(always)]
pub fn cannon_moves(sq: Square, occupied: Bitboard) -> Bitboard {
    let (file, rank, bits) = (sq.file(), sq.rank(), occupied.bits());
    let along_rank = RANK_TABLE.cannon_moves[file][rank_line(bits, rank)];
    let along_file = FILE_TABLE.cannon_moves[rank][file_line(bits, file)];
    Bitboard::from_bits(rank_squares(along_rank, rank) | file_squares(along_file, file))
}

/// The squares that a cannon commands over one screen, empty ones too.
#[inline(always)]
pub fn over_screens(sq: Square, occupied: Bitboard) -> Bitboard {
    let near = rook_attacks(sq, occupied);
    rook_attacks(sq, occupied - (near & occupied)) - near
}

/// Pawn: one step forward, also sideways once over the river.
#[inline(always)]
pub fn pawn_attacks(color: Color, sq: Square) -> Bitboard {
    PAWN[color.index()][sq.index()]
}

/// The squares from which a pawn of `color` attacks `sq`.
#[inline(always)]
pub fn pawn_attackers(color: Color, sq: Square) -> Bitboard {
    PAWN_TO[color.index()][sq.index()]
}

/// The squares strictly between two squares of one line, else none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The other squares of the rank and the file of `sq`.
#[inline(always)]
pub fn cross(sq: Square) -> Bitboard {
    CROSS[sq.index()]
}

/// The diagonal neighbours of `sq`.
#[inline(always)]
pub fn diagonal_steps(sq: Square) -> Bitboard {
    DIAGONAL_STEP[sq.index()]
}

/// All squares a knight's move away from `sq`, legs not considered.
#[inline(always)]
pub fn knight_ring(sq: Square) -> Bitboard {
    KNIGHT[sq.index()][0]
}
