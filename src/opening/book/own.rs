//! Books in the format of this program.
//!
//! All numbers are little-endian. A header of 16 bytes: the eight bytes
//! `ChuheBk1`, the number of entries (u32), the CRC-32 of all that follows
//! (u32). Then the entries of 18 bytes, sorted by key and move: key (u64, see
//! [`crate::opening::position_key`]), move as the keyed position has it (u16,
//! see `Move::code`), weight (u16), games won, drawn and lost by the side
//! that moves (u16 each).

use super::{BookError, BookMove};
use crate::board::{Move, Position};
use crate::opening::key::{is_symmetric, position_key, turned};

const MAGIC: &[u8; 8] = b"ChuheBk1";
const HEADER: usize = 16;
const ENTRY: usize = 18;

/// An entry of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opening) struct Entry {
    pub(in crate::opening) key: u64,
    /// As the keyed position has it.
    pub(in crate::opening) mv: Move,
    pub(in crate::opening) weight: u16,
    pub(in crate::opening) results: [u16; 3],
}

/// A book in the format of this program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnBook {
    entries: Vec<Entry>,
}

impl OwnBook {
    pub(in crate::opening) fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_unstable();
        Self { entries }
    }

    pub(super) fn is_own(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(BookError::Damaged)?;
        let count = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        let checksum = u32::from_le_bytes([header[12], header[13], header[14], header[15]]);
        if body.len() / ENTRY != count as usize || crc32fast::hash(body) != checksum {
            return Err(BookError::Damaged);
        }
        let entries = body.chunks_exact(ENTRY).map(Entry::from_bytes);
        let entries = entries.collect::<Option<Vec<_>>>();
        Ok(Self::new(entries.ok_or(BookError::Damaged)?))
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body: Vec<u8> = self.entries.iter().flat_map(|e| e.to_bytes()).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no move.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn moves(&self, pos: &Position) -> Vec<BookMove> {
        let (key, mirrored) = position_key(pos);
        let start = self.entries.partition_point(|entry| entry.key < key);
        let run = self.entries[start..]
            .iter()
            .take_while(|entry| entry.key == key);
        let twins = is_symmetric(pos);
        let mut moves = Vec::new();
        for entry in run {
            let mv = turned(entry.mv, mirrored);
            let found = BookMove {
                mv,
                weight: entry.weight.into(),
                results: entry.results.map(u32::from),
            };
            moves.push(found);
            if twins && mv.mirrored() != mv {
                moves.push(BookMove {
                    mv: mv.mirrored(),
                    ..found
                });
            }
        }
        moves
    }
}

impl Entry {
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Some(Self {
            key: u64::from_le_bytes(bytes[..8].try_into().ok()?),
            mv: Move::from_code(short(8))?,
            weight: short(10),
            results: [short(12), short(14), short(16)],
        })
    }

    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.key.to_le_bytes().to_vec();
        let [won, drawn, lost] = self.results;
        for short in [self.mv.code(), self.weight, won, drawn, lost] {
            bytes.extend(short.to_le_bytes());
        }
        bytes
    }
}
