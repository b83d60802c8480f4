//! XQF, the files of XQStudio: plain up to version 1.0, keyed from 1.1 on.
//!
//! `read` reads every version, [`write()`] writes version 1.0, which all
//! programs read.

mod keys;
mod read;
mod write;

pub use read::read;
pub use write::{WriteError, write};

/// Length of the header, after which the tree of moves starts.
const HEADER: usize = 0x400;
/// The first two bytes.
const MAGIC: [u8; 2] = *b"XQ";
/// The newest version that is described.
const NEWEST: u8 = 18;
/// The newest version without keys.
const NEWEST_PLAIN: u8 = 10;

const AT_VERSION: usize = 0x02;
const AT_SLOTS: usize = 0x10;
const AT_SIDE: usize = 0x32;
const AT_RESULT: usize = 0x33;
const AT_KIND: usize = 0x40;

/// Strings of the header: tag, offset, size with the length byte. The title
/// may run on into the field behind it.
const STRINGS: [(&str, usize, usize); 11] = [
    ("Title", 0x50, 128),
    ("Event", 0xD0, 64),
    ("Date", 0x110, 16),
    ("Site", 0x120, 16),
    ("Red", 0x130, 16),
    ("Black", 0x140, 16),
    ("TimeControl", 0x150, 64),
    ("RedTime", 0x190, 16),
    ("BlackTime", 0x1A0, 16),
    ("Annotator", 0x1D0, 16),
    ("Author", 0x1E0, 16),
];

/// Added to the squares of a move.
const FROM_SHIFT: u8 = 24;
const TO_SHIFT: u8 = 32;

/// Whether a file is XQF.
pub(super) fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) && bytes.get(AT_VERSION).is_some_and(|v| *v < 0x20)
}
