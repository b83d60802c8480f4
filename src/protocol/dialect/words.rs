//! Words of a line.

use crate::board::Move;

/// The rest of a line, taken word by word.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    rest: &'a str,
}

/// A space, a tab or a carriage return.
fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

impl<'a> Words<'a> {
    pub fn new(line: &'a str) -> Self {
        Self {
            rest: line.trim_matches(is_blank),
        }
    }

    /// All that is left, without blanks at the ends.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, not taken.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.split_ascii_whitespace().next()
    }

    /// Takes the next word if `read` makes something of it.
    pub fn accept<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let value = read(self.peek()?)?;
        self.next();
        Some(value)
    }

    /// Takes moves as long as there are any.
    pub fn moves(&mut self) -> Vec<Move> {
        std::iter::from_fn(|| self.accept(read_move)).collect()
    }

    /// Takes words until `stop` is met, which is taken too, or the end.
    pub fn until(&mut self, stop: &str) -> Vec<&'a str> {
        self.take_while(|word| *word != stop).collect()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start_matches(is_blank);
        Some(word)
    }
}

/// A move in ICCS, `h2e2` or `H2-E2`.
pub fn read_move(word: &str) -> Option<Move> {
    let joined = match word.as_bytes() {
        [_, _, b'-', _, _] => &word.replace('-', ""),
        _ => word,
    };
    joined.parse().ok()
}

/// A whole number; one too large to hold is the largest there is.
pub fn read_number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let limit = if word.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(word.parse().unwrap_or(limit))
}

/// Words joined by single spaces.
pub fn join<T: ToString>(words: &[T]) -> String {
    let words: Vec<String> = words.iter().map(T::to_string).collect();
    words.join(" ")
}
