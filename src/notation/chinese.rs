//! Writing Chinese: 炮二平五, 马８进７, 前车退二.
//!
//! Red's digits are Chinese and Black's full-width; pawns are numbered with
//! Chinese digits on both sides.

use super::relative::{Direction, Place, Step};
use super::tandem::Standing;
use crate::board::{Color, Move, Piece, PieceKind, Position};

/// The characters of one script.
pub(super) struct Script {
    /// Red's pieces, then Black's, by kind.
    pieces: [[char; 7]; 2],
    forward: char,
    rear: char,
}

/// Characters of the mainland.
pub(super) const SIMPLIFIED: Script = Script {
    pieces: [
        ['帅', '仕', '相', '马', '车', '炮', '兵'],
        ['将', '士', '象', '马', '车', '炮', '卒'],
    ],
    forward: '进',
    rear: '后',
};

/// Characters of Taiwan and Hong Kong, as printed on the pieces.
pub(super) const TRADITIONAL: Script = Script {
    pieces: [
        ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
        ['將', '士', '象', '馬', '車', '砲', '卒'],
    ],
    forward: '進',
    rear: '後',
};

const FRONT: char = '前';
const MIDDLE: char = '中';
const BACK: char = '退';
const SIDEWAYS: char = '平';
const DIGITS: [[char; 9]; 2] = [
    ['一', '二', '三', '四', '五', '六', '七', '八', '九'],
    ['１', '２', '３', '４', '５', '６', '７', '８', '９'],
];

/// The text of a move of a piece.
pub(super) fn write(pos: &Position, mv: Move, script: &Script) -> Option<String> {
    let piece = pos.piece_on(mv.from())?;
    let standing = Standing::of(pos, piece.color(), piece.kind(), mv.from());
    let step = Step::of(piece.kind(), piece.color(), mv);
    let direction = match step.direction {
        Direction::Forward => script.forward,
        Direction::Back => BACK,
        Direction::Sideways => SIDEWAYS,
    };
    let mut text = who(piece, &standing, script);
    text.push(direction);
    text.push(digit(piece.color(), step.number));
    Some(text)
}

fn who(piece: Piece, standing: &Standing, script: &Script) -> String {
    let name = script.pieces[piece.color().index()][piece.kind().index()];
    let before = match standing.practice_place() {
        _ if !standing.is_tandem() => None,
        Some(Place::Front) => Some(FRONT),
        Some(Place::Middle) => Some(MIDDLE),
        Some(Place::Rear) => Some(script.rear),
        None if piece.kind() == PieceKind::Pawn => Some(digit(Color::Red, standing.index + 1)),
        None => None,
    };
    match before {
        Some(place) => [place, name].iter().collect(),
        None => [name, digit(piece.color(), standing.file())]
            .iter()
            .collect(),
    }
}

/// A digit from 1 to 9 as `color` writes it.
fn digit(color: Color, number: usize) -> char {
    DIGITS[color.index()][number.clamp(1, 9) - 1]
}
