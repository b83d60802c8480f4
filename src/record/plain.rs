//! Texts without tags: moves, with a FEN before them or not, and lists of
//! FEN or EPD lines.

use super::pgn::read_game_from;
use super::{Problem, ProblemKind, ReadGame, Record};
use crate::board::{Position, RANKS};

/// The tag that keeps the operations of an EPD line.
const OPERATIONS: &str = "EPD";

/// Reads a text of one or several games or positions; each line that starts
/// with a FEN starts another one.
pub(super) fn read(text: &str) -> Vec<ReadGame> {
    let pieces = split(text);
    pieces
        .into_iter()
        .map(|(line, piece)| match split_fen(piece) {
            Some((fen, rest)) => read_from(fen, rest, line),
            None => read_game_from(piece, line, None),
        })
        .collect()
}

/// Whether some line of the text starts with a FEN.
pub(super) fn has_position(text: &str) -> bool {
    text.lines().any(|line| split_fen(line).is_some())
}

/// Whether no piece of the text has moves.
pub(super) fn is_list_of_positions(text: &str) -> bool {
    let pieces = split(text);
    let position = |piece: &str| split_fen(piece).is_some_and(|(_, rest)| has_no_moves(rest));
    !pieces.is_empty() && pieces.iter().all(|(_, piece)| position(piece))
}

/// Pieces that each start with a FEN, with the numbers of their first lines.
fn split(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let (mut start, mut first_line) = (0, 1);
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let begins = split_fen(line).is_some();
        let comment = line.trim_start().starts_with('#');
        if begins && !text[start..at].trim().is_empty() {
            pieces.push((first_line, &text[start..at]));
        }
        if begins || comment {
            (start, first_line) = (at, number + 1);
        }
        at += line.len();
        if comment {
            (start, first_line) = (at, number + 2);
        }
    }
    if !text[start..].trim().is_empty() {
        pieces.push((first_line, &text[start..]));
    }
    pieces
}

/// The FEN at the start of a text, and the rest.
fn split_fen(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let word_end = |from: usize| {
        let rest = &text[from..];
        from + rest
            .find(|c: char| c.is_whitespace() || c == ',' || c == ';')
            .unwrap_or(rest.len())
    };
    let board = &text[..word_end(0)];
    if board.matches('/').count() != RANKS - 1 || !board.is_ascii() {
        return None;
    }
    let mut end = board.len();
    for field in 0..5 {
        let rest = &text[end..];
        let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let next = &text[end + gap..word_end(end + gap)];
        if gap == 0 || !is_fen_field(field, next) {
            break;
        }
        end += gap + next.len();
    }
    Some((&text[..end], &text[end..]))
}

/// Whether a word may be this field behind the board: side, two dashes, two
/// numbers, any of them left out.
fn is_fen_field(field: usize, word: &str) -> bool {
    match field {
        0 => matches!(word, "w" | "b" | "r" | "W" | "B" | "R"),
        _ => word == "-" || (!word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())),
    }
}

fn has_no_moves(rest: &str) -> bool {
    let rest = rest.trim_start();
    let first = rest.split_whitespace().next().unwrap_or_default();
    rest.is_empty() || rest.starts_with(';') || is_operation(first)
}

/// An EPD operation code such as `bm` or `id`.
fn is_operation(word: &str) -> bool {
    let letters = word
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    letters
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && !crate::notation::is_move_text(word)
}

fn read_from(fen: &str, rest: &str, line: usize) -> ReadGame {
    let start = match super::setup::parse_start(fen) {
        Ok(start) => start,
        Err(reason) => {
            let text = fen.to_owned();
            let kind = ProblemKind::BadStart { text, reason };
            return ReadGame {
                record: Record::default(),
                problems: vec![Problem::at_line(line, kind)],
            };
        }
    };
    if has_no_moves(rest) {
        return position_only(start, rest);
    }
    read_game_from(rest, line, Some(start))
}

fn position_only(start: Position, operations: &str) -> ReadGame {
    let mut record = Record::new(start);
    let operations = operations.trim().trim_start_matches(';');
    record.tags.set_filled(OPERATIONS, operations);
    ReadGame {
        record,
        problems: Vec::new(),
    }
}
