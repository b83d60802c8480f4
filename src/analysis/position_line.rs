//! A line with a FEN, followed by the operations of an EPD line or not.

use crate::board::Position;

/// A position as a line of a file has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PositionLine {
    /// The position.
    pub position: Position,
    /// The operand of the operation `id`.
    pub id: Option<String>,
}

/// Whether a line says nothing.
pub(super) fn is_blank(line: &str) -> bool {
    let line = trimmed(line);
    line.is_empty() || line.starts_with('#')
}

/// Whether a line begins with a board and has no moves behind it.
pub(super) fn is_position(line: &str) -> bool {
    let line = trimmed(line);
    let (fen, rest) = split(line);
    let board = fen.split_whitespace().next().unwrap_or_default();
    let first = rest.split_whitespace().next().unwrap_or_default();
    let operation = first.bytes().all(|b| b.is_ascii_alphanumeric())
        && first.starts_with(|c: char| c.is_ascii_lowercase())
        && !crate::notation::is_move_text(first);
    board.contains('/') && (rest.is_empty() || rest.starts_with(';') || operation)
}

/// Whether a text is a list of positions rather than a game: a position, with
/// headings above it or not, and no move on the line after it.
pub(super) fn begins_list(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !is_blank(line)).peekable();
    let is_heading = |line: &&str| !begins_with_move(line) && !first_word(line).contains('/');
    while lines.next_if(is_heading).is_some() {}
    lines.next().is_some_and(is_position) && !lines.next().is_some_and(begins_with_move)
}

/// Whether a move is the first thing on a line, with its number or not.
fn begins_with_move(line: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace();
    crate::notation::is_move_text(first_word(line.trim_start_matches(number)))
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Reads a line; the error says what is wrong with it.
pub(super) fn read(line: &str) -> Result<PositionLine, String> {
    let line = trimmed(line);
    let (fen, rest) = split(line);
    let position = fen.parse();
    let position: Position = position.map_err(|error| format!("{error} in `{line}`"))?;
    Ok(PositionLine {
        position,
        id: id_of(rest),
    })
}

fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The fields of a FEN, and what follows them.
fn split(line: &str) -> (&str, &str) {
    const FIELDS: usize = 6;
    let mut end = 0;
    for field in 0..FIELDS {
        let rest = &line[end..];
        let start = end + rest.len() - rest.trim_start().len();
        let word_end = line[start..].find(|c: char| c.is_whitespace() || ",;".contains(c));
        let word = &line[start..word_end.map_or(line.len(), |at| start + at)];
        if !is_field(field, word) {
            break;
        }
        end = start + word.len();
    }
    (&line[..end], line[end..].trim_start())
}

/// Whether a word may be this field: the board, the side, what other games
/// have, two numbers, any but the first left out. What looks like a field but
/// is a wrong one is left to the reader of FEN to name.
fn is_field(field: usize, word: &str) -> bool {
    match field {
        0 => !word.is_empty(),
        1 => word.len() == 1 && word != "-" && !word.starts_with(|c: char| c.is_ascii_digit()),
        _ => word == "-" || !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// The operand of `id`, its quotation marks removed.
fn id_of(operations: &str) -> Option<String> {
    let operation = |text: &str| {
        let operand = text.trim().strip_prefix("id ")?;
        Some(operand.trim().trim_matches('"').to_owned())
    };
    operations.split(';').find_map(operation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;

    #[test]
    fn fens_and_epds_are_read() {
        let short = START_FEN.split(' ').next().unwrap();
        for line in [
            START_FEN.to_owned(),
            format!("\u{feff}{short}"),
            format!("{short} w"),
            format!("{short} w - - bm h2e2; id \"first, one\";"),
            format!("  {short} w - - 0 1 ; D1 44"),
        ] {
            assert!(is_position(&line), "{line}");
            assert_eq!(read(&line).unwrap().position.to_string(), START_FEN);
        }
        let epd = format!("{short} w - - bm h2e2; id \"first, one\";");
        assert_eq!(read(&epd).unwrap().id.as_deref(), Some("first, one"));
    }

    #[test]
    fn lists_are_told_from_games() {
        let fen = START_FEN;
        for list in ["", "h,e,a,d\n", "# x\n\n"] {
            for next in ["", "9/9 w", "nonsense", fen] {
                let text = format!("{list}{fen}\n{next}\n");
                assert!(begins_list(&text), "{text}");
            }
        }
        for moves in ["h2e2\nh9g7", "1. 炮二平五 马８进７", "C2=5 H8+7"] {
            assert!(
                !begins_list(&format!("Title\n{fen}\n\n{moves}\n")),
                "{moves}"
            );
        }
        for game in ["", "1. C2=5\n", &format!("{fen}, h2e2\n"), "words"] {
            assert!(!begins_list(game), "{game}");
        }
        assert!(!begins_list(&format!("h2e2 h9g7\n{fen}\n")));
    }

    #[test]
    fn other_lines_are_none_and_are_named() {
        for line in [
            "1. C2=5 H8+7",
            "[Event \"x/y\"]",
            "",
            &format!("{START_FEN}, h2e2 h9g7"),
        ] {
            assert!(!is_position(line), "{line}");
        }
        for line in ["9/9 w - - 0 1", "xyz", "3k5/9/9/9/9/9/9/4R4/9/3AKR3 q"] {
            assert!(read(line).unwrap_err().contains(line), "{line}");
        }
        assert!(is_blank("  # note") && is_blank("\r") && !is_blank("x"));
    }
}
