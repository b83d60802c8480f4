//! Where each piece goes on a given occupancy.
//!
//! These are the plain definitions of the rules of movement.

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

const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

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

/// The palace that holds `sq`, empty outside both.
fn palace_of(sq: Square) -> Bitboard {
    PALACE
        .into_iter()
        .find(|p| p.contains(sq))
        .unwrap_or(Bitboard::EMPTY)
}

/// Steps by `deltas` that stay on the board.
fn steps(sq: Square, deltas: &[(i32, i32)]) -> Bitboard {
    deltas
        .iter()
        .filter_map(|&(df, dr)| sq.offset(df, dr))
        .collect()
}

/// King: one step along a line inside the palace.
pub fn king_attacks(sq: Square) -> Bitboard {
    steps(sq, &ORTHOGONAL) & palace_of(sq)
}

/// Advisor: one step along a diagonal inside the palace.
pub fn advisor_attacks(sq: Square) -> Bitboard {
    steps(sq, &DIAGONAL) & palace_of(sq)
}

/// Bishop: two steps along a diagonal, the first (the eye) empty, never over
/// the river.
pub fn bishop_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let reach = |&(df, dr): &(i32, i32)| {
        let eye = sq.offset(df, dr)?;
        let to = eye.offset(df, dr)?;
        (!occupied.contains(eye) && (to.rank() < 5) == (sq.rank() < 5)).then_some(to)
    };
    DIAGONAL.iter().filter_map(reach).collect()
}

/// Knight: one step along a line to the leg, which must be empty, then one
/// outward along a diagonal.
pub fn knight_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for (df, dr) in ORTHOGONAL {
        let Some(leg) = sq.offset(df, dr) else {
            continue;
        };
        if !occupied.contains(leg) {
            set |= steps(leg, &[(df + dr, dr + df), (df - dr, dr - df)]);
        }
    }
    set
}

/// The squares from which a knight attacks `sq` (the legs stand beside the
/// knight, so this is not [`knight_attacks`]).
pub fn knight_attackers(sq: Square, occupied: Bitboard) -> Bitboard {
    knight_attacks(sq, Bitboard::EMPTY)
        .into_iter()
        .filter(|&from| knight_attacks(from, occupied).contains(sq))
        .collect()
}

/// Walks the four lines from `sq`; calls `visit(square, pieces passed)` for
/// each square until it answers `false`.
fn walk(sq: Square, occupied: Bitboard, mut visit: impl FnMut(Square, usize) -> bool) {
    for (df, dr) in ORTHOGONAL {
        let (mut at, mut passed) = (sq, 0);
        while let Some(next) = at.offset(df, dr) {
            if !visit(next, passed) {
                break;
            }
            passed += usize::from(occupied.contains(next));
            at = next;
        }
    }
}

/// Rook: along the lines up to and including the first piece.
pub fn rook_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    walk(sq, occupied, |to, passed| {
        if passed == 0 {
            set |= Bitboard::of(to);
        }
        passed == 0
    });
    set
}

/// Cannon, captures only: the second piece on each line, over one screen.
/// Its quiet moves are `rook_attacks(sq, occupied) - occupied`.
pub fn cannon_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    walk(sq, occupied, |to, passed| {
        if passed == 1 && occupied.contains(to) {
            set |= Bitboard::of(to);
        }
        passed <= 1
    });
    set
}

/// Pawn: one step forward, also sideways once over the river.
pub fn pawn_attacks(color: Color, sq: Square) -> Bitboard {
    let forward = if color == Color::Red { 1 } else { -1 };
    let all = [(0, forward), (-1, 0), (1, 0)];
    steps(
        sq,
        if sq.relative_rank(color) >= 5 {
            &all
        } else {
            &all[..1]
        },
    )
}

/// The squares from which a pawn of `color` attacks `sq`.
pub fn pawn_attackers(color: Color, sq: Square) -> Bitboard {
    steps(sq, &[(0, 1), (0, -1), (1, 0), (-1, 0)])
        .into_iter()
        .filter(|&from| pawn_attacks(color, from).contains(sq))
        .collect()
}

/// The squares strictly between two squares of one line, else none.
pub fn between(a: Square, b: Square) -> Bitboard {
    let step = |from: usize, to: usize| (to as i32 - from as i32).signum();
    let (df, dr) = (step(a.file(), b.file()), step(a.rank(), b.rank()));
    let mut set = Bitboard::EMPTY;
    if df != 0 && dr != 0 {
        return set;
    }
    let mut at = a;
    while let Some(next) = at.offset(df, dr).filter(|&next| next != b && at != b) {
        set |= Bitboard::of(next);
        at = next;
    }
    set
}
