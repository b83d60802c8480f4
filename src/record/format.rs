//! Which format a file has, and reading it whatever it is.

use super::charset::{Charset, decode_text};
use super::{Problem, ProblemKind, ReadGame, cbf, cbr, dhtmlxq, pgn, plain, xqf};
use encoding_rs::{Encoding, UTF_16LE};
use std::fmt;
use std::str::FromStr;

/// A format of game files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable game notation.
    Pgn,
    /// XQStudio.
    Xqf,
    /// A record of CCBridge.
    Cbr,
    /// A library of CCBridge.
    Cbl,
    /// XML of CCBridge.
    Cbf,
    /// The text of dpxq.com, in pages or not.
    DhtmlXq,
    /// Moves without tags, a FEN before them or not.
    Moves,
    /// One FEN or EPD line for each position.
    Fen,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Pgn,
        Self::Xqf,
        Self::Cbr,
        Self::Cbl,
        Self::Cbf,
        Self::DhtmlXq,
        Self::Moves,
        Self::Fen,
    ];

    /// The name on the command line, also the usual extension of its files
    /// (but for `moves`, which are `.txt`).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Xqf => "xqf",
            Self::Cbr => "cbr",
            Self::Cbl => "cbl",
            Self::Cbf => "cbf",
            Self::DhtmlXq => "dhtmlxq",
            Self::Moves => "moves",
            Self::Fen => "fen",
        }
    }

    /// The format of a file by its content.
    pub fn detect(bytes: &[u8]) -> Self {
        if xqf::is_xqf(bytes) {
            return Self::Xqf;
        }
        if cbr::is_record(bytes) {
            return Self::Cbr;
        }
        if cbr::is_library(bytes) {
            return Self::Cbl;
        }
        let (text, _) = decode_text(Charset::Auto, &bytes[..bytes.len().min(SAMPLE)]);
        Self::of_text(&text)
    }

    fn of_text(text: &str) -> Self {
        if cbf::is_cbf(text) {
            Self::Cbf
        } else if dhtmlxq::is_dhtmlxq(text) {
            Self::DhtmlXq
        } else if text.lines().any(|line| line.trim_start().starts_with('[')) {
            Self::Pgn
        } else if plain::is_list_of_positions(text) {
            Self::Fen
        } else {
            Self::Moves
        }
    }
}

/// Bytes of a text that are looked at to find out its format.
const SAMPLE: usize = 1 << 16;

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError(String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Format::ALL.map(Format::name).join(", ");
        write!(f, "`{}` is no format: expected one of {names}", self.0)
    }
}

impl std::error::Error for FormatError {}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let name = text.to_ascii_lowercase();
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| FormatError(text.to_owned()))
    }
}

/// A file as far as it could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedFile {
    /// The format found.
    pub format: Format,
    /// The encoding of its texts.
    pub encoding: &'static Encoding,
    /// Its games, each with what could not be read of it.
    pub games: Vec<ReadGame>,
}

/// Reads a whole file of any format.
///
/// ```
/// use chuhe::record::{Charset, Format, read_file_bytes};
///
/// let file = read_file_bytes("1. 炮二平五 马８进７".as_bytes(), Charset::Auto)?;
/// assert_eq!(file.format, Format::Moves);
/// assert_eq!(file.games[0].record.main_line().len(), 2);
/// # Ok::<(), chuhe::record::Problem>(())
/// ```
///
/// # Errors
/// When nothing in it is a game. Smaller problems are reported with each
/// game.
pub fn read_file_bytes(bytes: &[u8], charset: Charset) -> Result<LoadedFile, Problem> {
    let format = Format::detect(bytes);
    let mut has_position = false;
    let (games, encoding) = match format {
        Format::Xqf => one(xqf::read(bytes, charset)?),
        Format::Pgn => read_pgn(bytes, charset),
        Format::Cbr => (vec![cbr::read(bytes)?], UTF_16LE),
        Format::Cbl => (cbr::read_library(bytes), UTF_16LE),
        Format::Cbf | Format::DhtmlXq | Format::Moves | Format::Fen => {
            let (text, encoding) = decode_text(charset, bytes);
            has_position = plain::has_position(&text);
            let games = match format {
                Format::Cbf => vec![cbf::read(&text)],
                Format::DhtmlXq => dhtmlxq::read(&text),
                _ => plain::read(&text),
            };
            (games, encoding)
        }
    };
    // A result may stand in any text.
    let untold = |(name, _): (&str, &str)| name == "Result";
    let blank = |game: &ReadGame| game.record.is_empty() && game.record.tags.iter().all(untold);
    let nothing = format == Format::Moves && !has_position && games.iter().all(blank);
    if games.is_empty() || nothing {
        let first = games.into_iter().flat_map(|game| game.problems).next();
        let none = Problem::at_line(1, ProblemKind::NoGame);
        return Err(first.unwrap_or(none));
    }
    Ok(LoadedFile {
        format,
        encoding,
        games,
    })
}

fn one((game, encoding): (ReadGame, &'static Encoding)) -> (Vec<ReadGame>, &'static Encoding) {
    (vec![game], encoding)
}

fn read_pgn(bytes: &[u8], charset: Charset) -> (Vec<ReadGame>, &'static Encoding) {
    let mut reader = pgn::Reader::with_charset(bytes, charset);
    // Reading from memory cannot fail.
    let games = reader.by_ref().map_while(Result::ok).collect();
    let encoding = reader.encoding();
    (games, encoding)
}
