//! A solver of endings with few pieces: every position of a material balance
//! is listed, and from the lost ones the winning and losing distances are
//! worked backwards (retrograde analysis, Thompson 1986). Repetition plays no
//! part: a position is won only if the win can be forced, and drawn otherwise,
//! a perpetual check included.

use chuhe::board::{Color, Move, Piece, PieceKind, Position, Square};

/// No index of a position.
const NONE: u32 = u32::MAX;
/// Points that a piece can be on, and one place for "taken".
const TAKEN: usize = 90;

/// What perfect play brings the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It mates or stalemates in so many plies.
    Win(u16),
    /// It is mated or stalemated in so many plies.
    Loss(u16),
    /// Neither can be forced.
    Draw,
}

/// All positions of a material balance and of what is left of it after
/// captures, with their fates.
pub struct Ending {
    pieces: Vec<Piece>,
    /// Of each piece the points it can be on.
    points: Vec<Vec<usize>>,
    /// By index; `None` where the position is not legal.
    fates: Vec<Option<Fate>>,
}

/// Where each piece stands, and the side to move.
type Placing = (Vec<usize>, Color);

impl Ending {
    /// Solves an ending, named by its pieces in FEN letters, as `KRkaa`.
    pub fn solve(name: &str) -> Self {
        let pieces: Vec<Piece> = name
            .chars()
            .map(|c| Piece::from_letter(c).unwrap())
            .collect();
        let points = pieces.iter().map(|&piece| points_of(piece)).collect();
        let mut ending = Self {
            pieces,
            points,
            fates: Vec::new(),
        };
        let moves = ending.moves();
        ending.work_backwards(&moves);
        ending
    }

    /// How many indices there are.
    pub fn len(&self) -> usize {
        self.points.iter().map(Vec::len).product::<usize>() * 2
    }

    /// The fate at an index, `None` where the position is not legal.
    pub fn fate(&self, index: usize) -> Option<Fate> {
        self.fates[index]
    }

    /// The position at an index, where it is legal.
    pub fn position(&self, index: usize) -> Option<Position> {
        let (squares, side) = self.placing(index);
        let mut board = [None; TAKEN];
        for (&square, &piece) in squares.iter().zip(&self.pieces) {
            if square != TAKEN && board[square].replace(piece).is_some() {
                return None;
            }
        }
        let rank = |rank: usize| -> String {
            let piece = |file| board[rank * 9 + file];
            (0..9)
                .map(|file| piece(file).map_or("1".into(), |p: Piece| p.to_string()))
                .collect()
        };
        let ranks: Vec<String> = (0..10).rev().map(rank).collect();
        let side = if side == Color::Red { "w" } else { "b" };
        format!("{} {side}", ranks.join("/")).parse().ok()
    }

    /// The index of a position of this ending.
    pub fn index(&self, pos: &Position) -> usize {
        let mut free: Vec<Square> = pos.occupied().into_iter().collect();
        let squares = self.pieces.iter().map(|&piece| {
            let found = free.iter().position(|&sq| pos.piece_on(sq) == Some(piece));
            found.map_or(TAKEN, |i| free.swap_remove(i).index())
        });
        let squares: Vec<usize> = squares.collect();
        self.index_of(&squares, pos.side_to_move())
    }

    fn placing(&self, mut index: usize) -> Placing {
        let side = if index.is_multiple_of(2) {
            Color::Red
        } else {
            Color::Black
        };
        index /= 2;
        let squares = self.points.iter().map(|points| {
            let square = points[index % points.len()];
            index /= points.len();
            square
        });
        (squares.collect(), side)
    }

    fn index_of(&self, squares: &[usize], side: Color) -> usize {
        let digits = self.points.iter().zip(squares).rev();
        let index = digits.fold(0, |index, (points, square)| {
            index * points.len() + points.binary_search(square).unwrap()
        });
        index * 2 + side.index()
    }

    /// The position after a move, by the pieces that move and are taken.
    fn after(&self, squares: &[usize], side: Color, mv: Move) -> usize {
        let moved = |&square: &usize| match square {
            from if from == mv.from().index() => mv.to().index(),
            to if to == mv.to().index() => TAKEN,
            other => other,
        };
        let squares: Vec<usize> = squares.iter().map(moved).collect();
        self.index_of(&squares, side.opponent())
    }

    /// Of each position those that one move leads to; `None` if not legal.
    fn moves(&self) -> Vec<Option<Vec<u32>>> {
        let moves = |index| {
            let pos = self.position(index)?;
            let (squares, side) = self.placing(index);
            let after = |&mv: &Move| self.after(&squares, side, mv) as u32;
            Some(pos.legal_moves().iter().map(after).collect())
        };
        (0..self.len()).map(moves).collect()
    }

    fn work_backwards(&mut self, moves: &[Option<Vec<u32>>]) {
        let before = reversed(moves);
        let mut open: Vec<u32> = moves
            .iter()
            .map(|m| m.as_ref().map_or(0, |m| m.len() as u32))
            .collect();
        self.fates = moves
            .iter()
            .map(|m| m.as_ref().map(|_| Fate::Draw))
            .collect();
        let lost = |index: &usize| moves[*index].as_ref().is_some_and(Vec::is_empty);
        let mut last: Vec<usize> = (0..moves.len()).filter(lost).collect();
        last.iter()
            .for_each(|&index| self.fates[index] = Some(Fate::Loss(0)));
        for plies in 1.. {
            if last.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for index in last {
                let is_loss = matches!(self.fates[index], Some(Fate::Loss(_)));
                for &index in before.of(index) {
                    let index = index as usize;
                    open[index] -= 1;
                    let decided = is_loss || open[index] == 0;
                    if decided && self.fates[index] == Some(Fate::Draw) {
                        let fate = if is_loss { Fate::Win } else { Fate::Loss };
                        self.fates[index] = Some(fate(plies));
                        next.push(index);
                    }
                }
            }
            last = next;
        }
    }
}

/// The moves backwards: of each position those that lead to it.
struct Before {
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Before {
    fn of(&self, index: usize) -> &[u32] {
        &self.indices[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

fn reversed(moves: &[Option<Vec<u32>>]) -> Before {
    let all = || {
        moves
            .iter()
            .enumerate()
            .flat_map(|(from, to)| to.iter().flatten().map(move |&to| (from, to as usize)))
    };
    let mut starts = vec![0; moves.len() + 1];
    all().for_each(|(_, to)| starts[to + 1] += 1);
    (0..moves.len()).for_each(|i| starts[i + 1] += starts[i]);
    let mut free = starts.clone();
    let mut indices = vec![NONE; starts[moves.len()] as usize];
    for (from, to) in all() {
        indices[free[to] as usize] = from as u32;
        free[to] += 1;
    }
    Before { starts, indices }
}

/// The points that a piece can be on, in order, "taken" at the end.
fn points_of(piece: Piece) -> Vec<usize> {
    let can_be_on = |sq: &Square| {
        let (file, rank) = (sq.file(), sq.relative_rank(piece.color()));
        let palace = (3..6).contains(&file) && rank < 3;
        match piece.kind() {
            PieceKind::King => palace,
            PieceKind::Advisor => palace && (file + rank) % 2 == 1,
            PieceKind::Bishop => {
                rank < 5 && rank % 2 == 0 && file % 2 == 0 && (file + rank) % 4 == 2
            }
            PieceKind::Pawn => rank > 4 || (rank > 2 && file % 2 == 0),
            _ => true,
        }
    };
    let taken = (piece.kind() != PieceKind::King).then_some(TAKEN);
    Square::all()
        .filter(can_be_on)
        .map(Square::index)
        .chain(taken)
        .collect()
}
