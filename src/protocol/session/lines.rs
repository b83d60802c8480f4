//! Lines from a stream of bytes that may hold anything.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is kept; the rest of a longer one is dropped.
pub const MAX_LINE: usize = 1 << 20;

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text, what is not UTF-8 replaced.
    pub text: String,
    /// Whether a part was dropped.
    pub cut: bool,
}

/// Reads lines. The last one needs no line end.
#[derive(Debug)]
pub struct Lines<R> {
    input: BufReader<R>,
}

impl<R: Read> Lines<R> {
    /// Lines of `input`.
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::new(input),
        }
    }

    /// The next line, `None` at the end of input. An error of the stream is
    /// its end.
    fn read(&mut self) -> Option<Line> {
        let (mut bytes, mut cut, mut any) = (Vec::new(), false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) | Ok([]) => break,
                Ok(chunk) => chunk,
            };
            any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = MAX_LINE - bytes.len();
            cut |= part.len() > room;
            bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(chunk.len(), |at| at + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        any.then(|| Line {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            cut,
        })
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        self.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<String> {
        Lines::new(bytes).map(|line| line.text).collect()
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(texts(b"uci\nquit"), ["uci", "quit"]);
        assert_eq!(texts(b"uci\n\n"), ["uci", ""]);
        assert!(texts(b"").is_empty());
    }

    #[test]
    fn bytes_that_are_no_text_do_not_end_the_stream() {
        let lines = texts(b"a\xff\0b\r\nisready\n");
        assert_eq!(lines, ["a\u{fffd}\0b\r", "isready"]);
    }

    #[test]
    fn a_line_too_long_is_cut_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nisready\n");
        let lines: Vec<Line> = Lines::new(&bytes[..]).collect();
        assert_eq!((lines[0].text.len(), lines[0].cut), (MAX_LINE, true));
        assert_eq!((lines[1].text.as_str(), lines[1].cut), ("isready", false));
    }
}
