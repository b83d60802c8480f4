//! Writing XQF of version 1.0, which every program reads.

use super::{
    AT_KIND, AT_RESULT, AT_SIDE, AT_SLOTS, AT_VERSION, FROM_SHIFT, HEADER, MAGIC, NEWEST_PLAIN,
    STRINGS, TO_SHIFT,
};
use crate::board::{Color, Piece, Position, RANKS, Square};
use crate::record::charset::encode;
use crate::record::setup::slots_of;
use crate::record::{NodeId, Record};
use encoding_rs::Encoding;
use std::fmt;

/// The byte of a piece that is not on the board.
const ABSENT: u8 = 0xFF;
/// Kinds of record: a widely copied converter takes kinds 0 and 1 for games
/// from the usual start and ignores the board.
const KIND_GAME: u8 = 0;
const KIND_MIDDLE_GAME: u8 = 2;
const HAS_NEXT: u8 = 0xF0;
const HAS_SIBLING: u8 = 0x0F;
/// First bytes of the root, which has no move.
const ROOT: [u8; 2] = [0x18, 0x20];
/// The longest title, though readers accept twice that.
const MAX_TITLE: usize = 64;

/// Why a record cannot be written as XQF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteError {
    /// The format has a place for the usual number of each piece only.
    TooMany(Piece),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::TooMany(piece) = self;
        write!(f, "XQF has no place for so many pieces `{piece}`")
    }
}

impl std::error::Error for WriteError {}

/// A record as a file of version 1.0 with its variations and comments.
/// Characters outside `encoding` (usually GBK) become question marks.
///
/// # Errors
/// When the start position has more of a piece than a set of pieces has.
///
/// ```
/// use chuhe::record::{Charset, NodeId, Record, xqf};
///
/// let mut record = Record::default();
/// record.play(NodeId::ROOT, "h2e2".parse()?)?;
/// let bytes = xqf::write(&record, encoding_rs::GBK)?;
/// let (game, _) = xqf::read(&bytes, Charset::Auto)?;
/// assert!(game.record.same_tree(&record));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(record: &Record, encoding: &'static Encoding) -> Result<Vec<u8>, WriteError> {
    let mut file = header(record, encoding)?;
    let flags = if record.is_empty() { 0 } else { HAS_NEXT };
    file.extend([ROOT[0], ROOT[1], flags, ABSENT]);
    push_comment(&mut file, &record.node(NodeId::ROOT).comment, encoding);
    let mut stack: Vec<NodeId> = record
        .children(NodeId::ROOT)
        .iter()
        .rev()
        .copied()
        .collect();
    while let Some(id) = stack.pop() {
        push_node(&mut file, record, id, encoding);
        stack.extend(record.children(id).iter().rev());
    }
    Ok(file)
}

fn header(record: &Record, encoding: &'static Encoding) -> Result<Vec<u8>, WriteError> {
    let start = record.start();
    let mut header = vec![0; HEADER];
    header[..2].copy_from_slice(&MAGIC);
    header[AT_VERSION] = NEWEST_PLAIN;
    for (i, sq) in slots_of(start)
        .map_err(WriteError::TooMany)?
        .iter()
        .enumerate()
    {
        header[AT_SLOTS + i] = sq.map_or(ABSENT, byte);
    }
    header[AT_SIDE] = u8::from(start.side_to_move() == Color::Black);
    header[AT_RESULT] = record.result().code();
    header[AT_KIND] = if start.key() == Position::startpos().key() {
        KIND_GAME
    } else {
        KIND_MIDDLE_GAME
    };
    for (name, at, size) in STRINGS {
        let text = record.tags.get(name).unwrap_or_default();
        let bytes = cut(text, size.min(MAX_TITLE) - 1, encoding);
        header[at] = bytes.len() as u8;
        header[at + 1..=at + bytes.len()].copy_from_slice(&bytes);
    }
    Ok(header)
}

/// As many whole characters as fit into `size` bytes.
fn cut(text: &str, size: usize, encoding: &'static Encoding) -> Vec<u8> {
    let mut out = Vec::new();
    for c in text.chars() {
        let bytes = encode(encoding, c.encode_utf8(&mut [0; 4]));
        if out.len() + bytes.len() > size {
            break;
        }
        out.extend(bytes);
    }
    out
}

fn push_node(file: &mut Vec<u8>, record: &Record, id: NodeId, encoding: &'static Encoding) {
    let node = record.node(id);
    let next = if record.children(id).is_empty() {
        0
    } else {
        HAS_NEXT
    };
    let last = record.children(record.parent(id)).last() == Some(&id);
    let sibling = if last { 0 } else { HAS_SIBLING };
    let (from, to) = (byte(node.mv.from()), byte(node.mv.to()));
    file.extend([from + FROM_SHIFT, to + TO_SHIFT, next | sibling, 0]);
    push_comment(file, &node.comment, encoding);
}

fn push_comment(file: &mut Vec<u8>, comment: &str, encoding: &'static Encoding) {
    let bytes = encode(encoding, &comment.replace('\n', "\r\n"));
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(bytes);
}

/// `10 * file + rank`.
fn byte(sq: Square) -> u8 {
    (sq.file() * RANKS + sq.rank()) as u8
}
