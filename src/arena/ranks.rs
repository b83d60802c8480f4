//! Moves of engines that count the ranks from 1 to 10.

use crate::board::{FILES, RANKS};

/// A line for an engine whose first rank is `first`: every word that is a
/// move on ranks 0 to 9 is rewritten.
pub fn to_engine(line: &str, first: u8) -> String {
    shifted(line, 0, i32::from(first))
}

/// A line from such an engine with its moves on ranks 0 to 9.
pub fn from_engine(line: &str, first: u8) -> String {
    shifted(line, i32::from(first), -i32::from(first))
}

fn shifted(line: &str, first: i32, by: i32) -> String {
    if by == 0 {
        return line.to_owned();
    }
    let word = |word: &str| shifted_move(word, first, by).unwrap_or_else(|| word.to_owned());
    let lines = line.split('\n').map(|line| {
        let words: Vec<String> = line.split(' ').map(word).collect();
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The move with both ranks moved, `None` for any other word.
fn shifted_move(word: &str, first: i32, by: i32) -> Option<String> {
    let (from, rest) = square(word, first)?;
    let (to, rest) = square(rest, first)?;
    let text = |(file, rank): (char, i32)| format!("{file}{}", rank + by);
    rest.is_empty().then(|| text(from) + &text(to))
}

/// A file letter and a rank number at the start of a text, and what follows.
fn square(text: &str, first: i32) -> Option<((char, i32), &str)> {
    let file = text.chars().next().filter(char::is_ascii)?;
    let number = &text[1..];
    let end = number
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(number.len());
    let rank: i32 = number[..end].parse().ok()?;
    let on_board =
        ('a'..='i').take(FILES).any(|f| f == file) && (first..first + RANKS as i32).contains(&rank);
    on_board.then_some(((file, rank), &number[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_change_and_nothing_else_does() {
        let line = "position fen 9/9/4k4 w - - 0 1 moves h2e2 b9c7\ngo nodes 10";
        let theirs = "position fen 9/9/4k4 w - - 0 1 moves h3e3 b10c8\ngo nodes 10";
        assert_eq!(to_engine(line, 1), theirs);
        assert_eq!(from_engine(theirs, 1), line);
        assert_eq!(to_engine(line, 0), line);
        assert_eq!(
            from_engine("bestmove b3b10 ponder a1a2", 1),
            "bestmove b2b9 ponder a0a1"
        );
        for text in [
            "bestmove h0e0",
            "bestmove a11a1",
            "info string e4",
            "bestmove 汉1a1",
            "a3",
        ] {
            assert_eq!(from_engine(text, 1), text);
        }
    }
}
