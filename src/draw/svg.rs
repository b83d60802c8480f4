//! A board as SVG.

use crate::board::{Color, FILES, Move, Piece, PieceKind, Position, RANKS, Square};
use std::fmt::Write;

/// The side of a square.
pub const CELL: usize = 50;
/// The space around the board.
pub const MARGIN: usize = 44;
/// Radius of a piece.
pub const PIECE: usize = 22;
/// Width of the picture.
pub const WIDTH: usize = MARGIN * 2 + CELL * (FILES - 1);
/// Height of the picture.
pub const HEIGHT: usize = MARGIN * 2 + CELL * (RANKS - 1);

/// The letters on the pieces of a side, in the order of [`PieceKind`].
pub const CHARACTERS: [[char; 7]; 2] = [
    ['帅', '仕', '相', '马', '车', '炮', '兵'],
    ['将', '士', '象', '马', '车', '炮', '卒'],
];

/// Where a square is in the picture, Red being below.
pub const fn centre(square: Square) -> (usize, usize) {
    (
        MARGIN + CELL * square.file(),
        MARGIN + CELL * (RANKS - 1 - square.rank()),
    )
}

/// The board with the pieces of a position and the last move marked.
pub fn position(pos: &Position, last: Option<Move>) -> String {
    let mut inside = String::new();
    for square in last
        .map_or([None; 2], |mv| [Some(mv.from()), Some(mv.to())])
        .into_iter()
        .flatten()
    {
        let (x, y) = centre(square);
        let _ = write!(
            inside,
            "<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>",
            PIECE + 3
        );
    }
    for square in pos.occupied() {
        if let Some(piece) = pos.piece_on(square) {
            inside += &drawn(piece, square);
        }
    }
    board(&inside)
}

/// An empty board with more SVG on top of it.
pub fn board(inside: &str) -> String {
    let mut out = format!(
        "<svg class=\"board\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" xmlns=\"http://www.w3.org/2000/svg\">"
    );
    let _ = write!(
        out,
        "<rect class=\"wood\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/><path class=\"lines\" d=\"{}\"/>",
        lines()
    );
    for (file, letter) in ('a'..='i').enumerate() {
        let x = MARGIN + CELL * file;
        let _ = write!(
            out,
            "<text class=\"rim\" x=\"{x}\" y=\"{}\">{letter}</text>",
            HEIGHT - 6
        );
    }
    for rank in 0..RANKS {
        let y = MARGIN + CELL * (RANKS - 1 - rank);
        let _ = write!(
            out,
            "<text class=\"rim\" x=\"9\" y=\"{}\">{rank}</text>",
            y + 4
        );
    }
    out + "<g class=\"pieces\">" + inside + "</g></svg>"
}

fn drawn(piece: Piece, square: Square) -> String {
    let (x, y) = centre(square);
    let side = match piece.color() {
        Color::Red => "red",
        Color::Black => "black",
    };
    format!(
        "<g class=\"{side}\" transform=\"translate({x} {y})\"><circle r=\"{PIECE}\"/><text>{}</text></g>",
        character(piece.color(), piece.kind())
    )
}

/// The letter on a piece.
pub const fn character(color: Color, kind: PieceKind) -> char {
    CHARACTERS[color.index()][kind.index()]
}

/// The lines of the board as an SVG path: the river is crossed at the edges
/// only, each palace has its diagonals.
pub(super) fn lines() -> String {
    let (left, right) = (MARGIN, MARGIN + CELL * (FILES - 1));
    let (top, bottom) = (MARGIN, MARGIN + CELL * (RANKS - 1));
    let river = [top + CELL * 4, top + CELL * 5];
    let mut path = String::new();
    for rank in 0..RANKS {
        let y = top + CELL * rank;
        let _ = write!(path, "M{left} {y}H{right}");
    }
    for file in 0..FILES {
        let x = left + CELL * file;
        if file == 0 || file == FILES - 1 {
            let _ = write!(path, "M{x} {top}V{bottom}");
        } else {
            let _ = write!(path, "M{x} {top}V{}M{x} {}V{bottom}", river[0], river[1]);
        }
    }
    let palace = left + CELL * 3;
    for y in [top, bottom - CELL * 2] {
        let size = CELL * 2;
        let _ = write!(path, "M{palace} {y}l{size} {size}m0 -{size}l-{size} {size}");
    }
    path
}

/// The style sheet of boards.
pub const STYLE: &str = "\
.board { width: 100%; max-width: 30rem; }
.wood { fill: #f2d7a0; }
.lines { stroke: #5c3d1e; stroke-width: 1.2; fill: none; }
.rim { font: 11px sans-serif; fill: #5c3d1e; text-anchor: middle; }
.pieces circle { fill: #fff7e6; stroke: #5c3d1e; stroke-width: 1.5; }
.pieces circle.mark { fill: none; stroke: #2b6cb0; stroke-width: 3; }
.pieces text { font: 28px 'Noto Serif CJK SC', 'Songti SC', SimSun, serif; text-anchor: middle; dominant-baseline: central; }
.red text { fill: #b3261e; }
.black text { fill: #1b1b1b; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_drawn_on_its_square() {
        let start = Position::startpos();
        let svg = position(&start, Some("h2e2".parse().unwrap()));
        assert_eq!(svg.matches("class=\"red\"").count(), 16);
        assert_eq!(svg.matches("class=\"black\"").count(), 16);
        assert_eq!(svg.matches("class=\"mark\"").count(), 2);
        // The red king on e0: the fifth file, the lowest rank.
        assert!(svg.contains("translate(244 494)\"><circle r=\"22\"/><text>帅"));
        assert_eq!((WIDTH, HEIGHT), (488, 538));
    }
}
