//! What is typed, line by line.

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::collections::VecDeque;
use std::io;

/// Where the lines of the players come from.
pub trait Lines {
    /// The next line after a prompt, `None` when there is no more or the
    /// player wants to leave.
    ///
    /// # Errors
    /// When it cannot be read.
    fn next(&mut self, prompt: &str) -> io::Result<Option<String>>;
}

/// A line editor on the terminal; plain lines where standard input is none.
#[derive(Debug)]
pub struct Keyboard(DefaultEditor);

impl Keyboard {
    /// The editor.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn new() -> io::Result<Self> {
        DefaultEditor::new().map(Self).map_err(as_io)
    }
}

impl Lines for Keyboard {
    fn next(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self.0.readline(prompt) {
            Ok(line) => {
                // A line that cannot be remembered can still be played.
                let _ = self.0.add_history_entry(line.trim());
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            // A line in another encoding is one that nobody understands.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Ok(Some(char::REPLACEMENT_CHARACTER.to_string()))
            }
            Err(error) => Err(as_io(error)),
        }
    }
}

fn as_io(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Lines that are known beforehand.
impl Lines for VecDeque<String> {
    fn next(&mut self, _: &str) -> io::Result<Option<String>> {
        Ok(self.pop_front())
    }
}
