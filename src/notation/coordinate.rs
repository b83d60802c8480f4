//! Moves as two squares: ICCS (ranks 0 to 9), algebraic (ranks 1 to 10) and
//! the Russian long form.

use super::{Hit, Notation};
use crate::board::{FILES, Move, PieceKind, Position, RANKS, Square};

/// The Russian letters by kind of piece; the pawn has none.
const RUSSIAN: [&str; 7] = ["Кр", "Т", "С", "К", "Л", "П", ""];
/// Latin letters that look like Russian ones of the same use.
const LOOKALIKES: [(char, char); 5] = [('K', 'К'), ('T', 'Т'), ('C', 'С'), ('p', 'р'), ('P', 'П')];
/// Russian letters that look like files.
const FILE_LOOKALIKES: [(char, char); 3] = [('а', 'a'), ('с', 'c'), ('е', 'e')];
const SEPARATORS: [char; 3] = ['-', ':', 'x'];
const CHECK_SIGNS: [char; 2] = ['+', '#'];

/// `H2-E2`.
pub(super) fn write_iccs_long(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// `h3e3`.
pub(super) fn write_algebraic(mv: Move) -> String {
    algebraic_square(mv.from()) + &algebraic_square(mv.to())
}

/// `Пh3-e3`, `Лa1:a4+`.
pub(super) fn write_russian(pos: &Position, mv: Move) -> Option<String> {
    let piece = pos.piece_on(mv.from())?;
    let sign = if pos.is_capture(mv) { ':' } else { '-' };
    let check = if pos.after(mv).in_check() { "+" } else { "" };
    Some(format!(
        "{}{}{sign}{}{check}",
        RUSSIAN[piece.kind().index()],
        algebraic_square(mv.from()),
        algebraic_square(mv.to()),
    ))
}

fn algebraic_square(sq: Square) -> String {
    format!("{}{}", (b'a' + sq.file() as u8) as char, sq.rank() + 1)
}

/// A text of two squares; the meaning of the rank numbers is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coordinates {
    /// The kind that a Russian letter names, if there is one.
    kind: Option<PieceKind>,
    /// Whether the text has marks of the Russian form.
    russian: bool,
    from: (usize, usize),
    to: (usize, usize),
}

impl Coordinates {
    /// Reads the shape `[letter] file rank [sign] file rank [+]`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::parse_squares(None, text).or_else(|| {
            let (kind, rest) = russian_kind(text)?;
            Self::parse_squares(Some(kind), rest)
        })
    }

    fn parse_squares(kind: Option<PieceKind>, text: &str) -> Option<Self> {
        let (from, rest) = square(text)?;
        let second = rest.strip_prefix(SEPARATORS).unwrap_or(rest);
        let (to, end) = square(second)?;
        let only_checks = end.trim_end_matches(CHECK_SIGNS).is_empty();
        // `E5e7` is no pair of squares but an elephant in WinBoard's form.
        let upper = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
        (only_checks && upper(text) == upper(second)).then_some(Self {
            kind,
            russian: kind.is_some() || rest.starts_with(':'),
            from,
            to,
        })
    }

    /// The legal moves that it may be. Ranks 0 to 9 come before ranks 1 to 10
    /// except in the Russian form, which counts from 1.
    pub(super) fn hits(&self, pos: &Position) -> Vec<Hit> {
        let readings = if self.russian {
            vec![(1, Notation::Russian)]
        } else {
            vec![
                (0, Notation::Iccs),
                (1, Notation::Algebraic),
                (1, Notation::Russian),
            ]
        };
        let found = readings.into_iter().zip(0..);
        found
            .filter_map(|((first_rank, notation), level)| {
                let mv = self.with_first_rank(first_rank)?;
                let fits = pos.is_legal(mv) && self.kind_fits(pos, mv, notation);
                fits.then_some(Hit {
                    level,
                    mv,
                    notation,
                })
            })
            .collect()
    }

    /// Whether the ranks can only be meant from 1 on.
    pub(super) fn counts_from_one(&self) -> bool {
        self.russian || self.from.1 == RANKS || self.to.1 == RANKS
    }

    fn with_first_rank(&self, first_rank: usize) -> Option<Move> {
        let at = |(file, rank): (usize, usize)| {
            let rank = rank.checked_sub(first_rank)?;
            (rank < RANKS).then(|| Square::at(file, rank))
        };
        let (from, to) = (at(self.from)?, at(self.to)?);
        (from != to).then(|| Move::new(from, to))
    }

    /// Whether a letter, if there is one, names the piece that moves. The
    /// Russian form has none for pawns only.
    fn kind_fits(&self, pos: &Position, mv: Move, notation: Notation) -> bool {
        let moving = pos.piece_on(mv.from()).map(|piece| piece.kind());
        let named = match notation {
            Notation::Russian => self.kind.or(Some(PieceKind::Pawn)),
            _ => self.kind,
        };
        named.is_none() || named == moving
    }
}

/// The kind of a leading Russian letter, and the rest of the text.
fn russian_kind(text: &str) -> Option<(PieceKind, &str)> {
    let head: String = text.chars().take(2).map(russian_letter).collect();
    let kind = PieceKind::ALL
        .into_iter()
        .filter(|kind| *kind != PieceKind::Pawn)
        .find(|kind| head.starts_with(RUSSIAN[kind.index()]))?;
    let letters = RUSSIAN[kind.index()].chars().count();
    let (end, _) = text.char_indices().nth(letters)?;
    Some((kind, &text[end..]))
}

fn russian_letter(c: char) -> char {
    LOOKALIKES
        .iter()
        .find(|(latin, _)| *latin == c)
        .map_or(c, |&(_, russian)| russian)
}

/// A file letter and a rank number (0 to 10) at the start of a text, and the
/// rest.
fn square(text: &str) -> Option<((usize, usize), &str)> {
    let mut chars = text.chars();
    let letter = chars.next()?;
    let letter = FILE_LOOKALIKES
        .iter()
        .find(|(russian, _)| *russian == letter)
        .map_or(letter, |&(_, latin)| latin)
        .to_ascii_lowercase();
    let file = (letter as usize)
        .checked_sub('a' as usize)
        .filter(|f| *f < FILES)?;
    let rest = chars.as_str();
    if let Some(rest) = rest.strip_prefix("10") {
        return Some(((file, RANKS), rest));
    }
    let digit = rest.chars().next()?.to_digit(10)? as usize;
    Some(((file, digit), &rest[1..]))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn the_forms_of_the_founding_documents() {
        let pos = Position::startpos();
        let cannon: Move = "h2e2".parse().unwrap();
        for text in [
            "h2e2", "H2-E2", "h2-e2", "h3e3", "Пh3-e3", "Пh3-e3+", "пh3-e3",
        ] {
            let expected = (text != "пh3-e3").then_some(cannon);
            assert_eq!(read(&pos, text).ok().map(|hit| hit.0), expected, "{text}");
        }
        assert!(read(&pos, "Лh3-e3").is_err(), "no rook stands there");
    }

    #[test]
    fn captures_and_checks_are_marked() {
        let pos: Position = "3k5/9/9/9/9/9/p8/9/9/R3K4 w - - 0 1".parse().unwrap();
        let take: Move = "a0a3".parse().unwrap();
        assert_eq!(Notation::Russian.write(&pos, take), "Лa1:a4");
        assert_eq!(read(&pos, "Лa1:a4").unwrap(), (take, Notation::Russian));
        let check: Move = "a0d0".parse().unwrap();
        assert_eq!(Notation::Russian.write(&pos, check), "Лa1-d1+");
    }

    #[test]
    fn rank_ten_is_read() {
        let pos: Position = "4k4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1".parse().unwrap();
        let (mv, notation) = read(&pos, "a1a10").unwrap();
        assert_eq!(
            (mv.to_string().as_str(), notation),
            ("a0a9", Notation::Algebraic)
        );
    }
}
