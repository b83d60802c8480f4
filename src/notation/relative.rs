//! The grammar that WXF and Chinese texts share once their characters are
//! brought to one form: who moves, in which direction, how far.

use super::tandem::Standing;
use super::{Hit, Notation};
use crate::board::{Color, FILES, Move, PieceKind, Position, Square};
use arrayvec::ArrayVec;

/// Where a piece stands among others of its kind on its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Front,
    Middle,
    Rear,
}

/// How a text names the piece that moves. Files are counted from the mover's
/// right, 1 to 9; indices from the front or in the order of the system, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// By its file: `C2`.
    File(usize),
    /// Front, middle or rear: `+R`, `P.`.
    Place(Place),
    /// By number: `Pa`, `1P`, 一兵.
    Index(usize),
    /// By number on a file: `15` is the first on file 5.
    IndexOnFile(usize, usize),
    /// By place on a file: `+7`, `7+`, `77` for the middle.
    PlaceOnFile(Place, usize),
    /// Foremost or rearmost of four or five on a file: `++`, `--`.
    Double(Place),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Sideways,
}

/// Direction and number of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) direction: Direction,
    /// The new file for a sideways or slanting move, else the ranks walked.
    pub(super) number: usize,
}

/// The number of a square's file as `color` counts.
pub(super) fn file_number(sq: Square, color: Color) -> usize {
    match color {
        Color::Red => FILES - sq.file(),
        Color::Black => sq.file() + 1,
    }
}

impl Step {
    /// How a piece of this kind and side moves by `mv`.
    pub(super) fn of(kind: PieceKind, color: Color, mv: Move) -> Self {
        let from = mv.from().relative_rank(color);
        let to = mv.to().relative_rank(color);
        let slants = matches!(
            kind,
            PieceKind::Knight | PieceKind::Bishop | PieceKind::Advisor
        );
        let direction = match to.cmp(&from) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Less => Direction::Back,
            std::cmp::Ordering::Equal => Direction::Sideways,
        };
        let number = if slants || direction == Direction::Sideways {
            file_number(mv.to(), color)
        } else {
            from.abs_diff(to)
        };
        Self { direction, number }
    }
}

/// A text taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spec {
    kind: PieceKind,
    origins: ArrayVec<Origin, 2>,
    step: Step,
}

impl Spec {
    /// Reads four normalised symbols: two for the piece, the direction, the
    /// number. Check and mate signs may follow.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let (first, second) = (chars.next()?, chars.next()?);
        let direction = direction(chars.next()?)?;
        let number = digit(chars.next()?)?;
        if !chars.as_str().trim_end_matches(['+', '#']).is_empty() {
            return None;
        }
        let (kind, origins) = piece_first(first, second)
            .or_else(|| piece_second(first, second))
            .or_else(|| pawn_form(first, second))?;
        let step = Step { direction, number };
        Some(Self {
            kind,
            origins,
            step,
        })
    }

    /// The legal moves that fit.
    pub(super) fn hits(&self, pos: &Position, notation: Notation) -> Vec<Hit> {
        let color = pos.side_to_move();
        let from = pos.pieces(color, self.kind).into_iter();
        let moves = from.flat_map(|from| {
            let to = pos.destinations(from).into_iter();
            to.map(move |to| Move::new(from, to))
        });
        let step = |mv: &Move| Step::of(self.kind, color, *mv) == self.step;
        let signs = notation == Notation::Wxf;
        let fitting = moves.filter(|mv| step(mv) && pos.is_legal(*mv));
        fitting
            .filter_map(|mv| {
                let standing = Standing::of(pos, color, self.kind, mv.from());
                let levels = self.origins.iter();
                let level = levels
                    .filter_map(|origin| standing.level(*origin, signs))
                    .min()?;
                Some(Hit {
                    level,
                    mv,
                    notation,
                })
            })
            .collect()
    }
}

fn one(kind: PieceKind, origin: Origin) -> (PieceKind, ArrayVec<Origin, 2>) {
    (kind, ArrayVec::from_iter([origin]))
}

/// `C2`, `R+`, `Pa`.
fn piece_first(first: char, second: char) -> Option<(PieceKind, ArrayVec<Origin, 2>)> {
    let kind = PieceKind::from_letter(first)?;
    if let Some(file) = digit(second) {
        return Some(one(kind, Origin::File(file)));
    }
    if let Some(place) = place(second) {
        return Some(one(kind, Origin::Place(place)));
    }
    let ordinal = (second.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
    (kind == PieceKind::Pawn && ordinal < 5).then(|| one(kind, Origin::Index(ordinal + 1)))
}

/// `+R`, `1P`.
fn piece_second(first: char, second: char) -> Option<(PieceKind, ArrayVec<Origin, 2>)> {
    let kind = PieceKind::from_letter(second)?;
    if let Some(place) = place(first) {
        return Some(one(kind, Origin::Place(place)));
    }
    let index = digit(first)?;
    (kind == PieceKind::Pawn).then(|| one(kind, Origin::Index(index)))
}

/// `15`, `33`, `+7`, `3+`, `++`: pawns without a letter.
fn pawn_form(first: char, second: char) -> Option<(PieceKind, ArrayVec<Origin, 2>)> {
    let mut origins = ArrayVec::new();
    match (digit(first), digit(second), place(first), place(second)) {
        (Some(index), Some(file), ..) => {
            origins.push(Origin::IndexOnFile(index, file));
            if index == file {
                origins.push(Origin::PlaceOnFile(Place::Middle, file));
            }
        }
        (Some(file), None, None, Some(place)) | (None, Some(file), Some(place), None) => {
            origins.push(Origin::PlaceOnFile(place, file));
        }
        (None, None, Some(place), Some(again)) if place == again => {
            origins.push(Origin::Double(place));
        }
        _ => return None,
    }
    Some((PieceKind::Pawn, origins))
}

fn direction(c: char) -> Option<Direction> {
    Some(match c {
        '+' => Direction::Forward,
        '-' => Direction::Back,
        '=' | '.' => Direction::Sideways,
        _ => return None,
    })
}

fn place(c: char) -> Option<Place> {
    Some(match c {
        '+' => Place::Front,
        '-' => Place::Rear,
        '.' | '*' => Place::Middle,
        _ => return None,
    })
}

fn digit(c: char) -> Option<usize> {
    c.to_digit(10).map(|d| d as usize).filter(|d| *d > 0)
}
