//! A book of either kind.

pub(super) mod own;

use super::eleeye::EleeyeBook;
use crate::board::{Move, Position};
use crate::platform::files::check_plain;
use own::OwnBook;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// The file of the book in the program.
const EMBEDDED_FILE: &[u8] = include_bytes!("../embedded.book");

/// What names the book in the program where a file could be named.
pub const EMBEDDED_NAME: &str = "<embedded>";

/// A move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position asked for.
    pub mv: Move,
    /// How often it is to be chosen, in proportion to the others.
    pub weight: u32,
    /// Games counted: won, drawn and lost by the side that moves; zero where
    /// the book does not keep them.
    pub results: [u32; 3],
}

/// How to choose among the moves of a book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Choice {
    /// At random in proportion to the weights.
    #[default]
    Weighted,
    /// The one of the greatest weight.
    Best,
}

/// An opening book.
#[derive(Debug, Clone, PartialEq)]
pub enum Book {
    /// One in the format of this program.
    Own(OwnBook),
    /// ElephantEye's `BOOK.DAT`.
    Eleeye(EleeyeBook),
}

/// Why a book cannot be used.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read.
    Io(std::io::Error),
    /// It is an SQLite file (`.obk` and its like), which we do not read.
    Obk,
    /// It is neither our format nor `BOOK.DAT`.
    UnknownFormat,
    /// Its contents do not match its checksum, or it breaks off.
    Damaged,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Obk => f.write_str("an .obk book, which is not read: its key table is not free"),
            Self::UnknownFormat => {
                f.write_str("no opening book: expected a Chuhe book or ElephantEye's BOOK.DAT")
            }
            Self::Damaged => f.write_str("the book is damaged or breaks off"),
        }
    }
}

impl std::error::Error for BookError {}

impl From<std::io::Error> for BookError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// A book without moves.
impl Default for Book {
    fn default() -> Self {
        Self::Own(OwnBook::default())
    }
}

const SQLITE_MAGIC: &[u8] = b"SQLite format 3";

impl Book {
    /// The book in the program, made from our own analysis and games.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: OnceLock<Book> = OnceLock::new();
        EMBEDDED.get_or_init(|| Self::from_bytes(EMBEDDED_FILE).unwrap_or_default())
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// When it cannot be read or is no book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        check_plain(path)?;
        Self::from_bytes(&std::fs::read(path)?)
    }

    /// Reads a book from the bytes of its file.
    ///
    /// # Errors
    /// When it is no book or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        if bytes.starts_with(SQLITE_MAGIC) {
            return Err(BookError::Obk);
        }
        if OwnBook::is_own(bytes) {
            return OwnBook::from_bytes(bytes).map(Self::Own);
        }
        EleeyeBook::from_bytes(bytes).map(Self::Eleeye)
    }

    /// The legal moves that the book has for a position, the greatest weight
    /// first.
    pub fn moves(&self, pos: &Position) -> Vec<BookMove> {
        let mut moves = match self {
            Self::Own(book) => book.moves(pos),
            Self::Eleeye(book) => book.moves(pos),
        };
        moves.retain(|entry| pos.is_legal(entry.mv));
        moves.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        moves.dedup_by_key(|entry| entry.mv);
        moves
    }

    /// Chooses a move; `random` is any number, used for weighted choice.
    pub fn choose(&self, pos: &Position, choice: Choice, random: u64) -> Option<Move> {
        let moves = self.moves(pos);
        let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
        if choice == Choice::Best || total == 0 {
            return moves.first().map(|entry| entry.mv);
        }
        let mut left = random % total;
        let chosen = moves.iter().find(|entry| {
            let here = u64::from(entry.weight);
            let found = left < here;
            left = left.saturating_sub(here);
            found
        });
        chosen.map(|entry| entry.mv)
    }

    /// The number of moves in the whole book.
    pub fn len(&self) -> usize {
        match self {
            Self::Own(book) => book.len(),
            Self::Eleeye(book) => book.len(),
        }
    }

    /// Whether it has no move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
