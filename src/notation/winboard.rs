//! The short algebraic form of WinBoard and XBoard, ranks 0 to 9: `Che2`,
//! `Rxa9`, `g5`, `axa3`, `ab3`, `Hf7#`.

use super::{Hit, Notation};
use crate::board::{Move, PieceKind, Position, Square};

/// Letters by kind of piece; the pawn has none.
const LETTERS: [&str; 7] = ["K", "A", "E", "H", "R", "C", ""];
const CHECK_SIGNS: [char; 2] = ['+', '#'];

/// A text taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    kind: PieceKind,
    file: Option<usize>,
    rank: Option<usize>,
    to: Square,
}

impl Pattern {
    /// Reads `[letter][file][rank][x]file rank[+#]`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(CHECK_SIGNS);
        let letter = text.chars().next()?;
        let kind = match PieceKind::from_letter(letter) {
            Some(kind) if letter.is_ascii_uppercase() => kind,
            _ => PieceKind::Pawn,
        };
        let skip = usize::from(letter.is_ascii_uppercase());
        let rest = text.get(skip..)?;
        let split = rest.len().checked_sub(2)?;
        let to = rest.get(split..)?.parse().ok()?;
        let from = rest.get(..split)?.trim_end_matches('x');
        let (file, rank) = hint(from)?;
        Some(Self {
            kind,
            file,
            rank,
            to,
        })
    }

    /// The legal moves that fit. A pawn without a file walks straight on.
    pub(super) fn hits(&self, pos: &Position) -> Vec<Hit> {
        let own = pos.pieces(pos.side_to_move(), self.kind);
        let straight = self.kind == PieceKind::Pawn && self.file.is_none();
        let file = if straight {
            Some(self.to.file())
        } else {
            self.file
        };
        let fits = |from: &Square| {
            file.is_none_or(|f| f == from.file()) && self.rank.is_none_or(|r| r == from.rank())
        };
        let moves = own.into_iter().filter(fits).filter(|from| *from != self.to);
        moves
            .map(|from| Move::new(from, self.to))
            .filter(|mv| pos.is_legal(*mv))
            .map(|mv| Hit {
                level: 0,
                mv,
                notation: Notation::WinBoard,
            })
            .collect()
    }
}

/// File, rank or both, as far as they are given.
fn hint(text: &str) -> Option<(Option<usize>, Option<usize>)> {
    let file = |c: u8| (b'a'..=b'i').contains(&c).then(|| (c - b'a') as usize);
    let rank = |c: u8| c.is_ascii_digit().then(|| (c - b'0') as usize);
    match text.as_bytes() {
        [] => Some((None, None)),
        [c] => match (file(*c), rank(*c)) {
            (None, None) => None,
            hint => Some(hint),
        },
        [f, r] => Some((Some(file(*f)?), Some(rank(*r)?))),
        _ => None,
    }
}

/// The text of a move of a piece, as short as it can be.
pub(super) fn write(pos: &Position, mv: Move) -> Option<String> {
    let kind = pos.piece_on(mv.from())?.kind();
    let capture = pos.is_capture(mv);
    let from = match kind {
        PieceKind::Pawn => pawn_file(mv, capture),
        _ => apart(pos, kind, mv),
    };
    let sign = if capture { "x" } else { "" };
    let letter = LETTERS[kind.index()];
    Some(format!(
        "{letter}{from}{sign}{}{}",
        mv.to(),
        check_sign(pos, mv)
    ))
}

/// A pawn names its file unless it walks straight on without a capture.
fn pawn_file(mv: Move, capture: bool) -> String {
    let straight = mv.from().file() == mv.to().file();
    if straight && !capture {
        return String::new();
    }
    mv.from().to_string()[..1].to_owned()
}

/// File, else rank, else both, to tell a piece from others that can legally
/// make the same move.
fn apart(pos: &Position, kind: PieceKind, mv: Move) -> String {
    let own = pos.pieces(pos.side_to_move(), kind);
    let rivals = own.into_iter().filter(|from| *from != mv.from());
    let others: Vec<Square> = rivals
        .filter(|from| pos.is_legal(Move::new(*from, mv.to())))
        .collect();
    let square = mv.from().to_string();
    if others.is_empty() {
        String::new()
    } else if others.iter().all(|sq| sq.file() != mv.from().file()) {
        square[..1].to_owned()
    } else if others.iter().all(|sq| sq.rank() != mv.from().rank()) {
        square[1..].to_owned()
    } else {
        square
    }
}

fn check_sign(pos: &Position, mv: Move) -> &'static str {
    let next = pos.after(mv);
    match (next.in_check(), next.has_legal_move()) {
        (_, false) => "#",
        (true, true) => "+",
        (false, true) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(fen: &str, mv: &str) -> String {
        let pos: Position = fen.parse().unwrap();
        Notation::WinBoard.write(&pos, mv.parse().unwrap())
    }

    #[test]
    fn twins_are_told_apart_only_when_both_can_go() {
        let rooks = "3k5/9/9/9/9/9/9/R7R/9/4K4 w - - 0 1";
        assert_eq!(text(rooks, "a2e2"), "Rae2");
        assert_eq!(text(rooks, "i2e2"), "Rie2");
        assert_eq!(text(rooks, "i2i5"), "Ri5");
        let advisors = "3k5/9/9/9/9/9/9/9/9/3AKA3 w - - 0 1";
        assert_eq!(text(advisors, "d0e1"), "Ade1");
        assert_eq!(text(advisors, "f0e1"), "Afe1");
        // The other horse's leg is blocked, so no letter is needed.
        let horses = "3k5/9/9/9/9/2N1p1N2/9/9/9/4K4 w - - 0 1";
        assert_eq!(text(horses, "c4d6"), "Hd6");
        let free = "3k5/9/9/9/9/2N3N2/9/9/9/4K4 w - - 0 1";
        assert_eq!(text(free, "c4e5"), "Hce5");
        let blocked = "3k5/9/9/9/9/2N2pN2/9/9/9/4K4 w - - 0 1";
        assert_eq!(text(blocked, "c4e5"), "He5");
    }
}
