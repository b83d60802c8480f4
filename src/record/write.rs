//! Writing a record in any format that we write.

use super::{Format, NodeId, Record, cbf, encode, pgn, xqf};
use crate::notation::Notation;
use encoding_rs::{Encoding, GB18030, GBK};
use std::fmt;
use std::io::{self, Write};

/// How a file is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// The notation of moves in texts.
    pub notation: Notation,
    /// The encoding of texts.
    pub encoding: &'static Encoding,
    /// Whether lines of texts end in CR LF.
    pub crlf: bool,
    /// Whether variations are left out.
    pub main_line_only: bool,
    /// Whether comments and glyphs are left out.
    pub no_comments: bool,
}

impl Layout {
    /// The part of a record that is to be written.
    pub fn part_of(&self, record: &Record) -> Record {
        let mut part = if self.main_line_only {
            record.main_line_record()
        } else {
            record.clone()
        };
        if self.no_comments {
            part.remove_comments();
        }
        part
    }
}

/// Why a record was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The format is only read.
    ReadOnly(Format),
    /// The format cannot hold the record.
    Xqf(xqf::WriteError),
    /// The file cannot be written.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadOnly(format) => write!(
                f,
                "{format} is only read: expected pgn, xqf, cbf, json, moves or fen"
            ),
            Self::Xqf(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Format {
    /// Whether several games fit into one file.
    pub const fn holds_many(self) -> bool {
        matches!(self, Self::Pgn | Self::Moves | Self::Fen | Self::Cbl)
    }
}

/// Writes a record. Where a format has texts of its own encoding, that is
/// used: UTF-8 in CBF, and GBK or another legacy encoding in XQF.
///
/// # Errors
/// When the format is only read, cannot hold the record, or `out` fails.
pub fn write(out: &mut dyn Write, record: &Record, layout: &Layout) -> Result<(), WriteError> {
    let record = &layout.part_of(record);
    let mut text = Vec::new();
    match layout.format {
        Format::Xqf => {
            let legacy = [GB18030, encoding_rs::UTF_8].contains(&layout.encoding);
            let encoding = if legacy { GBK } else { layout.encoding };
            let bytes = xqf::write(record, encoding).map_err(WriteError::Xqf)?;
            return Ok(out.write_all(&bytes)?);
        }
        Format::Cbf => return Ok(cbf::write(out, record)?),
        Format::Pgn => pgn::write(&mut text, record, layout.notation)?,
        Format::Moves => write_moves(&mut text, record, layout.notation)?,
        Format::Fen => writeln!(text, "{}", final_fen(record))?,
        Format::Cbr | Format::Cbl | Format::DhtmlXq => {
            return Err(WriteError::ReadOnly(layout.format));
        }
    }
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if layout.crlf {
        text = text.replace('\n', "\r\n");
    }
    Ok(out.write_all(&encode(layout.encoding, &text))?)
}

/// The position at the end of the main line.
fn final_fen(record: &Record) -> String {
    let line = record.continuation(NodeId::ROOT);
    record
        .position(line.last().copied().unwrap_or(NodeId::ROOT))
        .to_string()
}

/// `FEN, move move ..., result` on one line.
fn write_moves(out: &mut dyn Write, record: &Record, notation: Notation) -> io::Result<()> {
    let mut pos = record.start().clone();
    write!(out, "{pos},")?;
    for mv in record.main_line() {
        write!(out, " {}", notation.write(&pos, mv))?;
        pos.make(mv);
    }
    writeln!(out, ", {}", record.result())
}
