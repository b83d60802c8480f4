//! Pieces of one kind on one file, and the systems that tell them apart.
//!
//! For pawns at least six systems are in use. Competition practice numbers
//! all pawns of all files that hold two or more, from the mover's right to
//! the left and on each file from front to rear; two of them are front and
//! rear, three front, middle and rear, more are numbered. It is the system we
//! write and the one that wins when a text fits several.

use super::relative::{Origin, Place, file_number};
use crate::board::{Bitboard, Color, PieceKind, Position, Square};

/// How well a name fits: as competition practice has it,
const PRACTICE: u8 = 0;
/// by another system in common use,
const OTHER_SYSTEM: u8 = 1;
/// or by a rule that few follow.
const RARE_SYSTEM: u8 = 2;

/// Where a piece stands among others of its kind and side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    kind: PieceKind,
    /// The number of its file.
    file: usize,
    /// How many stand on its file.
    pub(super) on_file: usize,
    /// How many of them stand before it.
    before: usize,
    /// How many stand on all files that hold two or more.
    pub(super) crowd: usize,
    /// How many of those come before it in the order of practice.
    pub(super) index: usize,
}

impl Standing {
    /// The standing of the piece on `sq`, which is of this kind and side.
    pub(super) fn of(pos: &Position, color: Color, kind: PieceKind, sq: Square) -> Self {
        let own = pos.pieces(color, kind);
        let here = own & Bitboard::file(sq.file());
        let in_front = |other: &Square| other.relative_rank(color) > sq.relative_rank(color);
        let before = here.into_iter().filter(in_front).count();
        let crowded = (0..9).map(|f| own & Bitboard::file(f)).filter(|b| b.many());
        let (mut crowd, mut right) = (0, 0);
        for pieces in crowded {
            let count = pieces.into_iter().count();
            crowd += count;
            let file = pieces.first().map_or(0, |s| file_number(s, color));
            right += if file < file_number(sq, color) {
                count
            } else {
                0
            };
        }
        Self {
            kind,
            file: file_number(sq, color),
            on_file: here.into_iter().count(),
            before,
            crowd,
            index: right + before,
        }
    }

    /// The number of its file.
    pub(super) fn file(&self) -> usize {
        self.file
    }

    /// Whether practice names it by place or number instead of by file.
    pub(super) fn is_tandem(&self) -> bool {
        let by_file = matches!(self.kind, PieceKind::Advisor | PieceKind::Bishop);
        self.on_file > 1 && !by_file
    }

    /// Whether all crowded pieces stand on one file.
    pub(super) fn one_crowd(&self) -> bool {
        self.crowd == self.on_file
    }

    /// The name by place in competition practice, for those that have one.
    pub(super) fn practice_place(&self) -> Option<Place> {
        match self.kind {
            PieceKind::Pawn if self.crowd > 3 => None,
            PieceKind::Pawn => place_of(self.index, self.crowd),
            _ => place_of(self.before, self.on_file),
        }
    }

    /// How well `origin` names it, `None` when it does not. In texts of `signs`
    /// (WXF) other systems than practice have front and rear for pairs only.
    pub(super) fn level(&self, origin: Origin, signs: bool) -> Option<u8> {
        if let Origin::File(file) = origin {
            let level = if self.is_tandem() {
                OTHER_SYSTEM
            } else {
                PRACTICE
            };
            return (file == self.file).then_some(level);
        }
        if self.on_file < 2 {
            return None;
        }
        match origin {
            Origin::File(_) => None,
            Origin::Place(place) => self.place_level(place, signs),
            Origin::Index(number) => self.index_level(number - 1),
            Origin::IndexOnFile(number, file) => {
                (file == self.file && number == self.before + 1).then_some(OTHER_SYSTEM)
            }
            Origin::PlaceOnFile(place, file) => (file == self.file
                && place_of(self.before, self.on_file) == Some(place))
            .then_some(OTHER_SYSTEM),
            Origin::Double(place) => self.double_level(place),
        }
    }

    fn place_level(&self, place: Place, signs: bool) -> Option<u8> {
        if self.practice_place() == Some(place) {
            return Some(PRACTICE);
        }
        if self.kind != PieceKind::Pawn {
            return None;
        }
        if place_of(self.before, self.on_file) == Some(place) {
            let pairs_only = signs && self.on_file > 2;
            return Some(if pairs_only {
                RARE_SYSTEM
            } else {
                OTHER_SYSTEM
            });
        }
        (self.leads_as(place) || self.inner_place() == Some(place)).then_some(RARE_SYSTEM)
    }

    /// One reader takes front, middle and rear for numbers 1 to 3.
    fn leads_as(&self, place: Place) -> bool {
        self.crowd > 3 && self.index == place as usize
    }

    /// Front and rear of the inner ones of four or five, the outer ones being
    /// `++` and `--` (federation rules of 1997).
    fn inner_place(&self) -> Option<Place> {
        let inner = self
            .on_file
            .checked_sub(2)
            .filter(|n| *n > 1 && self.one_crowd())?;
        place_of(self.before.checked_sub(1).filter(|i| *i < inner)?, inner)
    }

    fn index_level(&self, index: usize) -> Option<u8> {
        if index == self.index {
            Some(PRACTICE)
        } else {
            (index == self.before).then_some(OTHER_SYSTEM)
        }
    }

    fn double_level(&self, place: Place) -> Option<u8> {
        let outer = self.one_crowd() && self.on_file > 3 && place != Place::Middle;
        (outer && place_of(self.before, self.on_file) == Some(place)).then_some(OTHER_SYSTEM)
    }
}

/// Front, middle or rear of `count`.
fn place_of(index: usize, count: usize) -> Option<Place> {
    match index {
        0 => Some(Place::Front),
        _ if index + 1 == count => Some(Place::Rear),
        _ if count % 2 == 1 && index == count / 2 => Some(Place::Middle),
        _ => None,
    }
}
