//! The dialects: how commands and replies are written as lines, and read.
//!
//! Reading is generous: every form that some program sends is understood in
//! every dialect. Writing is strict. Where a dialect has no word for a part of
//! a value (a seldepth in UCCI, a draw offer in UCI) the part is left out.
//!
//! Sources: the UCCI 3.0 text (xqbase, 2007), the UCI text (Kahlen and
//! Meyer-Kahlen, 2006) and the forms seen from real programs.

mod read_command;
mod read_reply;
mod score;
mod words;
mod write_command;
mod write_reply;

use super::{Command, CommandError, Reply, ReplyError};

/// A way to write commands and replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The Universal Chess Interface as xiangqi engines use it.
    #[default]
    Uci,
    /// UCI of the Cyclone engine: positions without the word `position`, the
    /// red side as `r`.
    Cyclone,
    /// The Universal Chinese Chess Interface 3.0.
    Ucci,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Uci, Self::Cyclone, Self::Ucci];

    /// Whether this is UCCI.
    pub fn is_ucci(self) -> bool {
        self == Self::Ucci
    }

    /// Reads a line from a GUI; `None` when it is blank or a `#` comment.
    ///
    /// # Errors
    /// When the line is no command; the error names the text.
    pub fn read_command(self, line: &str) -> Result<Option<Command>, CommandError> {
        read_command::read(line)
    }

    /// Writes a command as a line without its end.
    pub fn write_command(self, command: &Command) -> String {
        write_command::write(self, command)
    }

    /// Reads a line from an engine. What no dialect knows is [`Reply::Text`].
    ///
    /// # Errors
    /// When the line begins like a reply that decides something (`bestmove`,
    /// `option`) and does not go on like one.
    pub fn read_reply(self, line: &str) -> Result<Reply, ReplyError> {
        read_reply::read(self, line)
    }

    /// Writes a reply as text without the last line end; `None` where the
    /// dialect does not have such a reply.
    pub fn write_reply(self, reply: &Reply) -> Option<String> {
        write_reply::write(self, reply)
    }
}

pub use read_command::split_glued;
pub use words::read_number;
