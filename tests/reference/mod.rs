//! The slow, obvious reference: the rules of movement as one reads them in a
//! book, on an array of pieces, legality by trying the move and looking
//! whether the king could be taken. It shares no code with the engine's
//! generator beyond the names of pieces and squares.

// Each test program uses a part of this module.
#![allow(dead_code)]

use chuhe::board::{Color, Move, Piece, PieceKind, Position, Square};

const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// A board, `board[rank][file]`.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    squares: [[Option<Piece>; 9]; 10],
    side: Color,
}

/// A point as (file, rank), perhaps off the board.
type Point = (i32, i32);

fn square((file, rank): Point) -> Square {
    Square::at(file as usize, rank as usize)
}

impl Board {
    pub fn of(pos: &Position) -> Self {
        let mut squares = [[None; 9]; 10];
        for sq in Square::all() {
            squares[sq.rank()][sq.file()] = pos.piece_on(sq);
        }
        Self {
            squares,
            side: pos.side_to_move(),
        }
    }

    fn on_board((file, rank): Point) -> bool {
        (0..9).contains(&file) && (0..10).contains(&rank)
    }

    fn at(&self, (file, rank): Point) -> Option<Piece> {
        self.squares[rank as usize][file as usize]
    }

    fn is_empty(&self, point: Point) -> bool {
        Self::on_board(point) && self.at(point).is_none()
    }

    fn in_palace(color: Color, (file, rank): Point) -> bool {
        let ranks = if color == Color::Red { 0..3 } else { 7..10 };
        (3..6).contains(&file) && ranks.contains(&rank)
    }

    fn at_home(color: Color, (_, rank): Point) -> bool {
        (rank < 5) == (color == Color::Red)
    }

    /// Where the piece on `from` may go, its king's safety aside.
    pub fn destinations(&self, from: Point) -> Vec<Point> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        let color = piece.color();
        let step = |(df, dr): Point| (from.0 + df, from.1 + dr);
        let mut to: Vec<Point> = match piece.kind() {
            PieceKind::King => LINES
                .map(step)
                .into_iter()
                .filter(|&p| Self::in_palace(color, p))
                .collect(),
            PieceKind::Advisor => DIAGONALS
                .map(step)
                .into_iter()
                .filter(|&p| Self::in_palace(color, p))
                .collect(),
            PieceKind::Bishop => DIAGONALS
                .into_iter()
                .filter(|&d| self.is_empty(step(d)))
                .map(|(df, dr)| step((2 * df, 2 * dr)))
                .filter(|&p| Self::at_home(color, p))
                .collect(),
            PieceKind::Knight => LINES
                .into_iter()
                .filter(|&d| self.is_empty(step(d)))
                .flat_map(|(df, dr)| {
                    [
                        step((2 * df + dr, 2 * dr + df)),
                        step((2 * df - dr, 2 * dr - df)),
                    ]
                })
                .collect(),
            PieceKind::Rook => self.slide(from, false),
            PieceKind::Cannon => self.slide(from, true),
            PieceKind::Pawn => {
                let forward = if color == Color::Red { 1 } else { -1 };
                let mut to = vec![step((0, forward))];
                if !Self::at_home(color, from) {
                    to.extend([step((1, 0)), step((-1, 0))]);
                }
                to
            }
        };
        to.retain(|&p| Self::on_board(p) && self.at(p).is_none_or(|other| other.color() != color));
        to
    }

    fn slide(&self, from: Point, is_cannon: bool) -> Vec<Point> {
        let mut to = Vec::new();
        for (df, dr) in LINES {
            let ray: Vec<Point> = (1..10)
                .map(|n| (from.0 + n * df, from.1 + n * dr))
                .take_while(|&p| Self::on_board(p))
                .collect();
            let pieces: Vec<Point> = ray.iter().copied().filter(|&p| !self.is_empty(p)).collect();
            to.extend(ray.iter().copied().take_while(|&p| self.is_empty(p)));
            to.extend(pieces.get(usize::from(is_cannon)));
        }
        to
    }

    fn points() -> impl Iterator<Item = Point> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    fn king(&self, color: Color) -> Point {
        let king = Some(Piece::new(color, PieceKind::King));
        Self::points()
            .find(|&p| self.at(p) == king)
            .expect("a king")
    }

    /// The pieces that could take the king of `color`, the other king over an
    /// open file included.
    pub fn checkers(&self, color: Color) -> Vec<Square> {
        let king = self.king(color);
        let mut checkers: Vec<Square> = Self::points()
            .filter(|&p| self.at(p).is_some_and(|piece| piece.color() != color))
            .filter(|&p| self.destinations(p).contains(&king))
            .map(square)
            .collect();
        let other = self.king(!color);
        let (low, high) = (king.1.min(other.1), king.1.max(other.1));
        if king.0 == other.0 && (low + 1..high).all(|rank| self.is_empty((king.0, rank))) {
            checkers.push(square(other));
        }
        checkers.sort();
        checkers
    }

    fn after(&self, from: Point, to: Point) -> Self {
        let mut next = self.clone();
        next.squares[to.1 as usize][to.0 as usize] = self.at(from);
        next.squares[from.1 as usize][from.0 as usize] = None;
        next.side = !self.side;
        next
    }

    /// All legal moves, sorted.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Self::points().filter(|&p| self.at(p).is_some_and(|q| q.color() == self.side)) {
            for to in self.destinations(from) {
                if self.after(from, to).checkers(self.side).is_empty() {
                    moves.push(Move::new(square(from), square(to)));
                }
            }
        }
        moves.sort();
        moves
    }

    /// Whether `mv` gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let point = |sq: Square| (sq.file() as i32, sq.rank() as i32);
        !self
            .after(point(mv.from()), point(mv.to()))
            .checkers(!self.side)
            .is_empty()
    }
}
