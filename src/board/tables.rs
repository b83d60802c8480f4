//! Constant tables of steps and legs, built from the plain rules of movement
//! at compile time.

use super::attacks::{ADVISOR_POINTS, BISHOP_POINTS, PALACE};
use super::{Bitboard, Color, RANKS, SQUARES, Square};

/// One bit for each of four neighbours of a square.
pub(super) const NEIGHBOUR_STATES: usize = 16;

/// The steps along the lines in the order of `attacks::line_neighbours`.
const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (1, 0), (-1, 0), (0, 1)];
/// The diagonal steps in the order of `attacks::diagonal_neighbours`.
const DIAGONAL: [(i32, i32); 4] = [(1, -1), (1, 1), (-1, -1), (-1, 1)];

/// The neighbours along the lines.
pub(super) static LINE_STEP: BySquare = steps(&ORTHOGONAL, Bitboard::ALL);
/// The diagonal neighbours.
pub(super) static DIAGONAL_STEP: BySquare = steps(&DIAGONAL, Bitboard::ALL);

const PALACES: Bitboard = PALACE[0].union(PALACE[1]);

/// A set for each square.
pub(super) type BySquare = [Bitboard; SQUARES];
/// A set for each square and each state of four of its neighbours.
pub(super) type ByNeighbours = [[Bitboard; NEIGHBOUR_STATES]; SQUARES];

/// King: the steps inside the palace.
pub(super) static KING: BySquare = steps(&ORTHOGONAL, PALACES);
/// Advisor: the steps inside the palace.
pub(super) static ADVISOR: BySquare = steps(&DIAGONAL, PALACES);
/// Bishop, by the occupancy of the diagonal neighbours (its eyes).
pub(super) static BISHOP: ByNeighbours = bishop();
/// Knight, by the occupancy of the neighbours on the lines (its legs).
pub(super) static KNIGHT: ByNeighbours = knight();
/// From where a knight attacks the square, by the occupancy of the diagonal
/// neighbours (the legs of such knights).
pub(super) static KNIGHT_TO: ByNeighbours = knight_to();
/// Pawn of each side.
pub(super) static PAWN: [BySquare; 2] = [pawn(Color::Red, false), pawn(Color::Black, false)];
/// From where a pawn of each side attacks the square.
pub(super) static PAWN_TO: [BySquare; 2] = [pawn(Color::Red, true), pawn(Color::Black, true)];
/// The other squares of the rank and the file.
pub(super) static CROSS: BySquare = cross();
/// The squares strictly between two squares of a line.
pub(super) static BETWEEN: [BySquare; SQUARES] = between();

/// The points of each side's advisors in its half of the board.
pub(super) const ADVISOR_HOME: [u64; 2] = home(ADVISOR_POINTS);
/// The points of each side's bishops in its half of the board.
pub(super) const BISHOP_HOME: [u64; 2] = home(BISHOP_POINTS);

const fn home(points: [Bitboard; 2]) -> [u64; 2] {
    [
        points[0].bits() as u64,
        (points[1].bits() >> (SQUARES / 2)) as u64,
    ]
}

/// `from` moved by `scale` times the step.
const fn offset(from: Square, (df, dr): (i32, i32), scale: i32) -> Option<Square> {
    from.offset(df * scale, dr * scale)
}

/// The squares as bits, `to` added where it is on the board.
const fn with(set: Bitboard, to: Option<Square>) -> Bitboard {
    match to {
        Some(to) => set.with(to),
        None => set,
    }
}

/// One step inside `area`.
const fn steps(deltas: &[(i32, i32); 4], area: Bitboard) -> BySquare {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut i = 0;
    while i < SQUARES * 4 {
        let from = Square::new(i / 4);
        match offset(from, deltas[i % 4], 1) {
            Some(to) if area.contains(from) && area.contains(to) => {
                table[from.index()] = table[from.index()].with(to);
            }
            _ => {}
        }
        i += 1;
    }
    table
}

const fn bishop() -> ByNeighbours {
    let mut table = [[Bitboard::EMPTY; NEIGHBOUR_STATES]; SQUARES];
    let mut i = 0;
    while i < SQUARES * NEIGHBOUR_STATES {
        let (from, state) = (Square::new(i / NEIGHBOUR_STATES), i % NEIGHBOUR_STATES);
        let mut n = 0;
        while n < 4 {
            match offset(from, DIAGONAL[n], 2) {
                Some(to) if state >> n & 1 == 0 && (from.rank() < 5) == (to.rank() < 5) => {
                    table[from.index()][state] = table[from.index()][state].with(to);
                }
                _ => {}
            }
            n += 1;
        }
        i += 1;
    }
    table
}

/// The two squares a knight reaches over the leg in direction `n`.
const fn over_leg(from: Square, n: usize) -> [Option<Square>; 2] {
    let (df, dr) = ORTHOGONAL[n];
    [
        from.offset(2 * df + dr, 2 * dr + df),
        from.offset(2 * df - dr, 2 * dr - df),
    ]
}

const fn knight() -> ByNeighbours {
    let mut table = [[Bitboard::EMPTY; NEIGHBOUR_STATES]; SQUARES];
    let mut i = 0;
    while i < SQUARES * NEIGHBOUR_STATES {
        let (from, state) = (i / NEIGHBOUR_STATES, i % NEIGHBOUR_STATES);
        let mut n = 0;
        while n < 4 {
            if state >> n & 1 == 0 {
                let [left, right] = over_leg(Square::new(from), n);
                table[from][state] = with(with(table[from][state], left), right);
            }
            n += 1;
        }
        i += 1;
    }
    table
}

/// A knight two steps along one axis and one along the other from the square
/// has its leg on the diagonal neighbour of the square.
const fn knight_to() -> ByNeighbours {
    let mut table = [[Bitboard::EMPTY; NEIGHBOUR_STATES]; SQUARES];
    let mut i = 0;
    while i < SQUARES * NEIGHBOUR_STATES {
        let (to, state) = (i / NEIGHBOUR_STATES, i % NEIGHBOUR_STATES);
        let mut n = 0;
        while n < 4 {
            if state >> n & 1 == 0 {
                let (df, dr) = DIAGONAL[n];
                let tall = Square::new(to).offset(df, 2 * dr);
                let wide = Square::new(to).offset(2 * df, dr);
                table[to][state] = with(with(table[to][state], tall), wide);
            }
            n += 1;
        }
        i += 1;
    }
    table
}

/// Whether a pawn of `color` on `from` may step by `(df, dr)`.
const fn pawn_steps(color: Color, from: Square, (df, dr): (i32, i32)) -> bool {
    let forward = match color {
        Color::Red => 1,
        Color::Black => -1,
    };
    dr == forward || (df != 0 && from.relative_rank(color) >= RANKS / 2)
}

const fn pawn(color: Color, inverse: bool) -> BySquare {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut i = 0;
    while i < SQUARES * 4 {
        let (from, step) = (Square::new(i / 4), ORTHOGONAL[i % 4]);
        if let Some(to) = offset(from, step, 1)
            && pawn_steps(color, from, step)
        {
            let (key, value) = if inverse { (to, from) } else { (from, to) };
            table[key.index()] = table[key.index()].with(value);
        }
        i += 1;
    }
    table
}

const fn cross() -> BySquare {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut i = 0;
    while i < SQUARES {
        let sq = Square::new(i);
        let lines = Bitboard::file(sq.file()).bits() ^ Bitboard::rank(sq.rank()).bits();
        table[i] = Bitboard::from_bits(lines);
        i += 1;
    }
    table
}

const fn between() -> [BySquare; SQUARES] {
    let mut table = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let mut i = 0;
    while i < SQUARES * 4 {
        let (from, step) = (Square::new(i / 4), ORTHOGONAL[i % 4]);
        let mut passed = Bitboard::EMPTY;
        let mut distance = 1;
        while let Some(to) = offset(from, step, distance) {
            table[from.index()][to.index()] = passed;
            passed = passed.with(to);
            distance += 1;
        }
        i += 1;
    }
    table
}
