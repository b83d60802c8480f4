//! Positions to test on.

// Each test program uses a part of this module.
#![allow(dead_code)]

pub mod folder;

use chuhe::board::{Color, Piece, PieceKind, Position, Square};

/// One step of SplitMix64: a small random source, the same in every run.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The positions of a game of random moves, the start included.
pub fn random_game(random: &mut Random, start: Position, plies: usize) -> Vec<Position> {
    let mut positions = vec![start];
    for _ in 0..plies {
        let pos = &positions[positions.len() - 1];
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        positions.push(pos.after(*random.pick(&moves)));
    }
    positions
}

/// A legal position of pieces put at random on points they may stand on:
/// up to `men` on each side beside the king, any number of a kind.
pub fn random_placement(random: &mut Random, men: usize) -> Position {
    loop {
        let mut board = [[None; 9]; 10];
        for color in Color::ALL {
            place(random, &mut board, Piece::new(color, PieceKind::King));
            for _ in 0..random.below(men + 1) {
                let kind = PieceKind::ALL[1 + random.below(6)];
                place(random, &mut board, Piece::new(color, kind));
            }
        }
        let side = ["w", "b"][random.below(2)];
        if let Ok(pos) = format!("{} {side}", board_text(&board)).parse() {
            return pos;
        }
    }
}

type Board = [[Option<Piece>; 9]; 10];

/// Puts `piece` on a random empty point of its own, if one is found.
fn place(random: &mut Random, board: &mut Board, piece: Piece) {
    let points: Vec<Square> = Square::all()
        .filter(|&sq| is_point_of(piece, sq) && board[sq.rank()][sq.file()].is_none())
        .collect();
    if !points.is_empty() {
        let sq = random.pick(&points);
        board[sq.rank()][sq.file()] = Some(piece);
    }
}

fn is_point_of(piece: Piece, sq: Square) -> bool {
    let rank = sq.relative_rank(piece.color());
    let in_palace = (3..6).contains(&sq.file()) && rank < 3;
    match piece.kind() {
        PieceKind::King => in_palace,
        PieceKind::Advisor => in_palace && (sq.file() + rank) % 2 == 1,
        PieceKind::Bishop => {
            let odd = (rank | sq.file()) & 1 == 1;
            rank < 5 && !odd && (sq.file() + rank) % 4 == 2
        }
        _ => true,
    }
}

fn board_text(board: &Board) -> String {
    let letter = |piece: &Option<Piece>| piece.map_or("1".into(), |p| p.to_string());
    let rank = |rank: &[Option<Piece>; 9]| rank.iter().map(letter).collect::<String>();
    board.iter().rev().map(rank).collect::<Vec<_>>().join("/")
}
