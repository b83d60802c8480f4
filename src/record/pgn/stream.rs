//! Games from a PGN file of any size, one at a time, in constant memory.

use super::read::read_game;
use crate::record::ReadGame;
use crate::record::charset::{Charset, Decoding, detect};
use encoding_rs::Encoding;
use std::io::{self, Read};

/// Bytes read at once, and the most that the detector sees.
const BLOCK: usize = 1 << 16;
/// The longest text taken as one game; more is cut there.
const MAX_GAME_TEXT: usize = 1 << 21;

/// An iterator over the games of a PGN file.
///
/// ```
/// use chuhe::record::pgn;
///
/// let text = "[Red \"A\"]\n1. 炮二平五 马８进７ 1-0\n[Red \"B\"]\n1. C2=5 *\n";
/// let games: Vec<_> = pgn::Reader::new(text.as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[0].record.main_line().len(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Reader<R> {
    lines: Lines<R>,
    /// The line that starts the next game.
    held: Option<(usize, String)>,
}

impl<R: Read> Reader<R> {
    /// A reader that finds out the encoding by itself.
    pub fn new(input: R) -> Self {
        Self::with_charset(input, Charset::Auto)
    }

    /// A reader for a known encoding.
    pub fn with_charset(input: R, charset: Charset) -> Self {
        Self {
            lines: Lines::new(input, charset),
            held: None,
        }
    }

    /// The encoding of the file, known after the first game; a file of plain
    /// ASCII counts as UTF-8.
    pub fn encoding(&self) -> &'static Encoding {
        self.lines.encoding.unwrap_or(encoding_rs::UTF_8)
    }

    /// The text of the next game with the number of its first line.
    fn next_text(&mut self) -> io::Result<Option<(usize, String)>> {
        let mut state = GameState::default();
        let (first, mut text) = self.held.take().unwrap_or_default();
        let mut first_line = first;
        state.see(&text);
        while let Some((number, line)) = self.lines.next_line()? {
            if state.starts_new_game(&line) || text.len() + line.len() > MAX_GAME_TEXT {
                self.held = Some((number, line));
                return Ok(Some((first_line, text)));
            }
            if first_line == 0 {
                first_line = number;
            }
            state.see(&line);
            text.push_str(&line);
            text.push('\n');
        }
        Ok((!text.trim().is_empty()).then_some((first_line, text)))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_text().transpose()?;
        Some(next.map(|(line, text)| read_game(&text, line)))
    }
}

/// Where in a game the lines read so far end.
#[derive(Default)]
struct GameState {
    moves_seen: bool,
    in_comment: bool,
}

impl GameState {
    fn see(&mut self, line: &str) {
        let line = line.trim();
        let header = is_tag_line(line) && !self.in_comment;
        if line.is_empty() || header {
            return;
        }
        self.moves_seen = true;
        for c in line.chars() {
            match c {
                '{' => self.in_comment = true,
                '}' => self.in_comment = false,
                _ => {}
            }
        }
    }

    /// Whether a line is the first tag behind moves. Inside a comment only a
    /// complete tag counts, for then the comment lacks its end.
    fn starts_new_game(&self, line: &str) -> bool {
        let line = line.trim();
        let complete = line.ends_with("\"]") || line.ends_with("']");
        self.moves_seen && is_tag_line(line) && (complete || !self.in_comment)
    }
}

/// `[Name "value...`.
fn is_tag_line(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('[') else {
        return false;
    };
    let name_end = inside.find(char::is_whitespace).unwrap_or(inside.len());
    let (name, value) = inside.split_at(name_end);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && name.chars().all(is_name)
        && value.trim_start().starts_with(['"', '\'', '“', '”', ']'])
}

/// Lines of a text of an encoding that shows in its first byte beyond ASCII.
struct Lines<R> {
    input: R,
    charset: Charset,
    encoding: Option<&'static Encoding>,
    decoding: Option<Decoding>,
    text: String,
    /// Where in `text` the next line starts.
    at: usize,
    number: usize,
    ended: bool,
}

impl<R: Read> Lines<R> {
    fn new(input: R, charset: Charset) -> Self {
        Self {
            input,
            charset,
            encoding: None,
            decoding: None,
            text: String::new(),
            at: 0,
            number: 0,
            ended: false,
        }
    }

    fn next_line(&mut self) -> io::Result<Option<(usize, String)>> {
        loop {
            let rest = &self.text[self.at..];
            if let Some(end) = rest.find('\n') {
                let line = rest[..end].trim_end_matches('\r').to_owned();
                self.at += end + 1;
                self.number += 1;
                return Ok(Some((self.number, line)));
            }
            if self.ended || rest.len() > MAX_GAME_TEXT {
                return Ok(self.last_line());
            }
            self.fill()?;
        }
    }

    fn last_line(&mut self) -> Option<(usize, String)> {
        let line = self.text.split_off(self.at);
        self.text.clear();
        self.at = 0;
        self.number += 1;
        (!line.is_empty()).then_some((self.number, line))
    }

    /// Reads and decodes one more block.
    fn fill(&mut self) -> io::Result<()> {
        let mut block = Vec::with_capacity(BLOCK);
        self.input
            .by_ref()
            .take(BLOCK as u64)
            .read_to_end(&mut block)?;
        self.ended = block.len() < BLOCK;
        self.text.drain(..self.at);
        self.at = 0;
        let mark = self.choose_encoding(&block);
        match &mut self.decoding {
            Some(decoding) => decoding.push(&block[mark..], self.ended, &mut self.text),
            None => self.text.push_str(&String::from_utf8_lossy(&block)),
        }
        Ok(())
    }

    /// Decides on the encoding at the first block that is not ASCII; returns
    /// the length of its byte order mark.
    fn choose_encoding(&mut self, block: &[u8]) -> usize {
        let plain = block.is_ascii() && !block.contains(&0);
        let known = matches!(self.charset, Charset::Known(_));
        if self.decoding.is_some() || plain && !known {
            return 0;
        }
        let (found, mark) = detect(block);
        let (encoding, mark) = match self.charset {
            Charset::Known(encoding) if encoding == found => (encoding, mark),
            Charset::Known(encoding) => (encoding, 0),
            Charset::Auto => (found, mark),
        };
        self.encoding = Some(encoding);
        self.decoding = Some(Decoding::new(encoding));
        mark
    }
}
