//! Reading XQF.

use super::keys::Keys;
use super::{
    AT_RESULT, AT_SIDE, AT_SLOTS, AT_VERSION, FROM_SHIFT, HEADER, NEWEST, NEWEST_PLAIN, STRINGS,
    TO_SHIFT, is_xqf,
};
use crate::board::{Color, FILES, RANKS, Square};
use crate::record::bytes::{Cursor, RawNode, TreeBuilder};
use crate::record::charset::{Charset, decode, detect_strings};
use crate::record::setup::{Board, SLOTS, board_of_slots, has_both_kings, start_position};
use crate::record::{GameResult, MAX_NODES, Problem, ProblemKind, ReadGame, Record};
use encoding_rs::Encoding;

/// Flags of a node from version 1.1 on.
const HAS_NEXT: u8 = 0x80;
const HAS_SIBLING: u8 = 0x40;
const HAS_COMMENT: u8 = 0x20;

/// Reads an XQF file and tells the encoding of its texts.
///
/// # Errors
/// When the file is no XQF or breaks off in the header. Problems further on
/// are reported beside what was readable.
pub fn read(bytes: &[u8], charset: Charset) -> Result<(ReadGame, &'static Encoding), Problem> {
    if !is_xqf(bytes) {
        return Err(Problem::at_offset(0, ProblemKind::NoGame));
    }
    if bytes.len() < HEADER {
        let kind = ProblemKind::Truncated("the header");
        return Err(Problem::at_offset(bytes.len(), kind));
    }
    let file = File::new(bytes);
    let nodes = file.nodes();
    let encoding = match charset {
        Charset::Auto => file.detect(&nodes.0),
        Charset::Known(encoding) => encoding,
    };
    Ok((file.read(nodes, encoding), encoding))
}

/// A file with its keys and its body in plain.
struct File<'a> {
    header: &'a [u8],
    version: u8,
    keys: Keys,
    body: Vec<u8>,
}

/// A node whose comment is not decoded yet.
struct Node<'a> {
    offset: usize,
    from: u8,
    to: u8,
    next: bool,
    sibling: bool,
    comment: &'a [u8],
}

impl<'a> File<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let version = bytes[AT_VERSION];
        let keys = if version > NEWEST_PLAIN {
            Keys::of(bytes)
        } else {
            Keys::default()
        };
        Self {
            header: &bytes[..HEADER],
            version,
            body: keys.decode(&bytes[HEADER..], HEADER),
            keys,
        }
    }

    /// All nodes up to the end of the tree, and what stopped the reading
    /// before that.
    fn nodes(&self) -> (Vec<Node<'_>>, Option<Problem>) {
        let mut cursor = Cursor::new(&self.body, 0);
        let mut nodes = Vec::new();
        let mut open = 1_usize;
        while open > 0 {
            let offset = HEADER + cursor.at;
            if nodes.len() > MAX_NODES {
                let kind = ProblemKind::TooLarge("the tree of moves");
                return (nodes, Some(Problem::at_offset(offset, kind)));
            }
            let Some(node) = self.node(&mut cursor) else {
                let kind = ProblemKind::Truncated("the moves");
                return (nodes, Some(Problem::at_offset(offset, kind)));
            };
            // The root has no siblings.
            let siblings = usize::from(node.sibling && !nodes.is_empty());
            open = open - 1 + usize::from(node.next) + siblings;
            nodes.push(node);
        }
        (nodes, None)
    }

    fn node<'b>(&self, cursor: &mut Cursor<'b>) -> Option<Node<'b>> {
        let offset = HEADER + cursor.at;
        let [from, to, flags, _] = *cursor.take(4)? else {
            return None;
        };
        let plain = self.version <= NEWEST_PLAIN;
        let length = if plain || flags & HAS_COMMENT != 0 {
            cursor.u32()?.checked_sub(self.keys.comment)?
        } else {
            0
        };
        Some(Node {
            offset,
            from: from.wrapping_sub(FROM_SHIFT).wrapping_sub(self.keys.from),
            to: to.wrapping_sub(TO_SHIFT).wrapping_sub(self.keys.to),
            next: flags & if plain { 0xF0 } else { HAS_NEXT } != 0,
            sibling: flags & if plain { 0x0F } else { HAS_SIBLING } != 0,
            comment: cursor.take(length as usize)?,
        })
    }

    fn detect(&self, nodes: &[Node]) -> &'static Encoding {
        let strings = STRINGS.iter().map(|(_, at, size)| self.string(*at, *size));
        let comments = nodes.iter().map(|node| node.comment);
        detect_strings(&strings.chain(comments).collect::<Vec<_>>())
    }

    /// A string of a length byte and its text, up to the first zero.
    fn string(&self, at: usize, size: usize) -> &'a [u8] {
        let length = usize::from(self.header[at]).min(size - 1);
        let text = &self.header[at + 1..=at + length];
        let end = text.iter().position(|b| *b == 0);
        &text[..end.unwrap_or(text.len())]
    }

    fn board(&self) -> Board {
        let rotated = self.slots(self.version > NEWEST_PLAIN + 1);
        let board = board_of_slots(&rotated);
        // No file of version 1.1 was at hand to tell whether it rotates.
        if self.version == NEWEST_PLAIN + 1 && !has_both_kings(&board) {
            return board_of_slots(&self.slots(true));
        }
        board
    }

    fn slots(&self, rotated: bool) -> [Option<Square>; SLOTS] {
        let shift = if rotated {
            usize::from(self.keys.piece) + 1
        } else {
            0
        };
        let mut slots = [None; SLOTS];
        for i in 0..SLOTS {
            let byte = self.header[AT_SLOTS + i].wrapping_sub(self.keys.piece);
            slots[(i + shift) % SLOTS] = square(byte);
        }
        slots
    }

    fn read(&self, nodes: (Vec<Node>, Option<Problem>), encoding: &'static Encoding) -> ReadGame {
        let (nodes, stop) = nodes;
        let first = nodes.get(1).and_then(|node| square(node.from));
        let stated = match self.header[AT_SIDE] {
            1 => Some(Color::Black),
            _ => None,
        };
        let comment = nodes
            .first()
            .map_or(String::new(), |n| decode(encoding, n.comment));
        let mut game = match start_position(&self.board(), first, stated) {
            Ok(start) => {
                let mut builder = TreeBuilder::new(start, &comment);
                let mut rest = nodes.iter().skip(1);
                if nodes.len() > 1 {
                    builder.fill(|| rest.next().map(|n| raw(n, encoding)).ok_or_else(end));
                }
                builder.finish()
            }
            Err(kind) => ReadGame {
                record: Record::default(),
                problems: vec![Problem::at_offset(AT_SLOTS, kind)],
            },
        };
        game.problems.retain(|problem| *problem != end());
        game.problems.extend(stop);
        if self.version > NEWEST {
            let kind = ProblemKind::UnknownVersion(self.version);
            game.problems
                .insert(0, Problem::at_offset(AT_VERSION, kind));
        }
        self.tags(&mut game.record, encoding);
        game
    }

    fn tags(&self, record: &mut Record, encoding: &'static Encoding) {
        for (name, at, size) in STRINGS {
            let text = decode(encoding, self.string(at, size));
            record.tags.set_filled(name, &text);
        }
        let result = GameResult::from_code(self.header[AT_RESULT].into());
        record.tags.set("Result", result.text());
    }
}

/// The end of the nodes; where it was too early, `nodes` has said so.
fn end() -> Problem {
    Problem::at_offset(0, ProblemKind::Truncated("the tree"))
}

fn raw(node: &Node, encoding: &'static Encoding) -> RawNode {
    RawNode {
        offset: node.offset,
        squares: square(node.from).zip(square(node.to)),
        next: node.next,
        sibling: node.sibling,
        comment: decode(encoding, node.comment),
    }
}

/// The square `10 * file + rank`.
fn square(byte: u8) -> Option<Square> {
    let (file, rank) = (usize::from(byte) / RANKS, usize::from(byte) % RANKS);
    (file < FILES).then(|| Square::at(file, rank))
}
