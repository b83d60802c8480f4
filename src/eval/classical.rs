//! The hand-made evaluation: material and piece-square values, mobility, and
//! the danger around the king, each as a pair of a middle-game and an ending
//! value. Symmetrical by construction: one side's terms, seen from that side,
//! minus the other's.

use crate::board::attacks::{cannon_attacks, knight_attacks, rook_attacks};
use crate::board::{Bitboard, Color, PieceKind, Position, Square};
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A middle-game and an ending value in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair {
    /// With all pieces on the board.
    pub middle: i32,
    /// With few left.
    pub ending: i32,
}

const fn pair(middle: i32, ending: i32) -> Pair {
    Pair { middle, ending }
}

impl Add for Pair {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        pair(self.middle + o.middle, self.ending + o.ending)
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl Sub for Pair {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        pair(self.middle - o.middle, self.ending - o.ending)
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    fn mul(self, n: i32) -> Self {
        pair(self.middle * n, self.ending * n)
    }
}

/// Material by kind, in the order of [`PieceKind::ALL`].
const MATERIAL: [Pair; 7] = [
    pair(0, 0),
    pair(170, 150),
    pair(170, 160),
    pair(400, 450),
    pair(920, 980),
    pair(450, 430),
    pair(70, 110),
];

/// Piece-square values in half-centipawn steps of two, own side at the bottom
/// line; the five columns are files a to e, the others their mirror image.
type HalfBoard = [[i8; 5]; 10];

#[rustfmt::skip]
const PAWN_SQUARES: HalfBoard = [
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [ -4,   0,  -6,   0,   6],
    [  0,   0,   8,   0,  10],
    [ 24,  32,  38,  44,  46],
    [ 32,  44,  54,  62,  66],
    [ 36,  52,  66,  78,  82],
    [ 34,  50,  66,  84,  90],
    [  0,   6,  10,  16,  20],
];
#[rustfmt::skip]
const KNIGHT_SQUARES: HalfBoard = [
    [-16, -18,  -6,  -8, -20],
    [-12,  -4,  -2,  -4, -30],
    [ -4,   0,   8,   6,  -2],
    [ -6,   4,   4,  10,   6],
    [  2,   8,  12,  16,  14],
    [  4,  12,  16,  20,  18],
    [  6,  16,  20,  24,  20],
    [  6,  14,  24,  26,  22],
    [  0,  10,  28,  22,   6],
    [ -8,  -4,   2,   2,  -4],
];
#[rustfmt::skip]
const ROOK_SQUARES: HalfBoard = [
    [-22,  -2,  -4,   8,  -8],
    [-10,   2,  -2,  10, -10],
    [ -8,   2,   0,   8,   0],
    [ -4,   4,   2,  10,   6],
    [  2,   8,   6,  14,  12],
    [  4,  10,   8,  14,  14],
    [  4,   8,   8,  16,  16],
    [  2,  10,   6,  16,  16],
    [  6,  14,  10,  20,  22],
    [  2,   8,   6,  14,  12],
];
#[rustfmt::skip]
const CANNON_SQUARES: HalfBoard = [
    [ -4,   0,   4,   8,   6],
    [  0,   2,   6,   4,   6],
    [  2,   0,   8,   4,  14],
    [  0,   0,   0,   2,   6],
    [ -4,   0,   2,   2,  10],
    [ -2,   0,   2,   2,   8],
    [  0,   0,   2,   2,   6],
    [  2,   4,   2,  -6, -10],
    [  4,   4,   0, -10, -14],
    [ 12,  10,   2, -12, -18],
];
#[rustfmt::skip]
const GUARD_SQUARES: HalfBoard = [
    [  0,   0,   2,   0,   4],
    [  0,   0,   0,   0,   6],
    [ -6,   0,   0,  -8,   8],
    [  0,   0,   0,   0,   0],
    [  0,   0,  -4,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
];
#[rustfmt::skip]
const KING_SQUARES: HalfBoard = [
    [  0,   0,   0,   0,  14],
    [  0,   0,   0, -16, -12],
    [  0,   0,   0, -30, -34],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
];

const SQUARE_TABLES: [&HalfBoard; 7] = [
    &KING_SQUARES,
    &GUARD_SQUARES,
    &GUARD_SQUARES,
    &KNIGHT_SQUARES,
    &ROOK_SQUARES,
    &CANNON_SQUARES,
    &PAWN_SQUARES,
];

const KNIGHT_MOBILITY: Pair = pair(9, 10);
const ROOK_MOBILITY: Pair = pair(4, 4);
const CANNON_MOBILITY: Pair = pair(2, 2);
const TYPICAL_MOBILITY: [i32; 3] = [4, 9, 8];

/// Weights of attacks on the palace by knight, rook, cannon.
const PALACE_ATTACK: [i32; 3] = [5, 6, 4];
/// A cannon that faces the king on an open line.
const HOLLOW_CANNON: i32 = 12;
/// Guards missing make every attack weigh more, in eighths.
const GUARD_SHIELD: i32 = 2;
/// A cannon needs screens: worth less in an empty board, more in a full one.
const BONUS_TO_MOVE: i32 = 12;

/// Pieces count so much towards the middle game.
const PHASE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];
const FULL_PHASE: i32 = 32;

/// One side's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// What the pieces are worth.
    pub material: Pair,
    /// What their squares add.
    pub squares: Pair,
    /// What their freedom to move adds.
    pub mobility: Pair,
    /// What the attack on the enemy king adds.
    pub attack: Pair,
}

impl Terms {
    fn total(&self) -> Pair {
        self.material + self.squares + self.mobility + self.attack
    }
}

/// The evaluation term by term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    /// Red's and Black's terms.
    pub sides: [Terms; 2],
    /// 0 (bare ending) to 32 (all pieces).
    pub phase: i32,
    /// The value for Red, without the bonus for the side to move.
    pub red: i32,
}

fn taper(value: Pair, phase: i32) -> i32 {
    (value.middle * phase + value.ending * (FULL_PHASE - phase)) / FULL_PHASE
}

fn square_value(kind: PieceKind, color: Color, sq: Square) -> i32 {
    let file = sq.file().min(8 - sq.file());
    i32::from(SQUARE_TABLES[kind.index()][sq.relative_rank(color)][file])
}

fn placement(pos: &Position, color: Color, terms: &mut Terms) {
    for kind in PieceKind::ALL {
        for sq in pos.pieces(color, kind) {
            let value = square_value(kind, color, sq);
            terms.material += MATERIAL[kind.index()];
            terms.squares += pair(value, value);
        }
    }
}

/// Mobility and the attacks on the enemy palace, in one pass.
fn activity(pos: &Position, color: Color, terms: &mut Terms) {
    let occupied = pos.occupied();
    let king = pos.king(!color);
    let zone = crate::board::attacks::PALACE[(!color).index()];
    let (mut danger, mut hollow) = (0, 0);
    let mut count = |reach: Bitboard, weight: Pair, index: usize| {
        let free = (reach - pos.color(color)).len() as i32;
        terms.mobility += weight * (free - TYPICAL_MOBILITY[index]);
        danger += PALACE_ATTACK[index] * (reach & zone).len() as i32;
    };
    for sq in pos.pieces(color, PieceKind::Knight) {
        count(knight_attacks(sq, occupied), KNIGHT_MOBILITY, 0);
    }
    for sq in pos.pieces(color, PieceKind::Rook) {
        count(rook_attacks(sq, occupied), ROOK_MOBILITY, 1);
    }
    for sq in pos.pieces(color, PieceKind::Cannon) {
        let lines = rook_attacks(sq, occupied);
        count(
            (lines - occupied) | cannon_attacks(sq, occupied),
            CANNON_MOBILITY,
            2,
        );
        hollow += i32::from(lines.contains(king));
    }
    let guards = pos.kind(PieceKind::Advisor) | pos.kind(PieceKind::Bishop);
    let missing = 4 - ((guards & pos.color(!color)).len() as i32).min(4);
    let danger = danger + HOLLOW_CANNON * hollow;
    let value = danger * (8 + GUARD_SHIELD * missing) / 8;
    terms.attack = pair(value, value / 2);
}

/// The evaluation with all its terms.
pub fn trace(pos: &Position) -> Trace {
    let sides = Color::ALL.map(|color| {
        let mut terms = Terms::default();
        placement(pos, color, &mut terms);
        activity(pos, color, &mut terms);
        terms
    });
    let phase: i32 = PieceKind::ALL
        .iter()
        .map(|&k| PHASE[k.index()] * pos.kind(k).len() as i32)
        .sum();
    let phase = phase.min(FULL_PHASE);
    Trace {
        sides,
        phase,
        red: taper(sides[0].total() - sides[1].total(), phase),
    }
}

/// The value in points for the side to move.
pub fn evaluate(pos: &Position) -> i32 {
    let red = trace(pos).red;
    BONUS_TO_MOVE
        + if pos.side_to_move() == Color::Red {
            red
        } else {
            -red
        }
}

/// A table of the terms of both sides.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<10} {:>8} {:>8} {:>8}",
            "term", "Red", "Black", "Red-Black"
        )?;
        let mut row = |name: &str, term: fn(&Terms) -> Pair| {
            let [red, black] = [0, 1].map(|i| taper(term(&self.sides[i]), self.phase));
            writeln!(f, "{name:<10} {red:>8} {black:>8} {:>8}", red - black)
        };
        row("material", |t| t.material)?;
        row("squares", |t| t.squares)?;
        row("mobility", |t| t.mobility)?;
        row("attack", |t| t.attack)?;
        row("total", Terms::total)?;
        writeln!(
            f,
            "phase {} of {FULL_PHASE}; points, Red's view",
            self.phase
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_is_level() {
        assert_eq!(trace(&Position::startpos()).red, 0);
        assert_eq!(evaluate(&Position::startpos()), BONUS_TO_MOVE);
    }

    #[test]
    fn images_have_the_same_value() {
        let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
        let pos: Position = fen.parse().unwrap();
        assert_eq!(evaluate(&pos), evaluate(&pos.flipped()));
        assert_eq!(evaluate(&pos), evaluate(&pos.mirrored()));
    }

    #[test]
    fn a_rook_more_is_worth_a_rook() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1";
        assert!(evaluate(&fen.parse().unwrap()) < -700);
    }
}
