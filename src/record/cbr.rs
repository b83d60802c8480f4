//! CBR, the records of CCBridge, and CBL, its libraries of them.

use super::bytes::{Cursor, RawNode, TreeBuilder};
use super::setup::{Board, start_position};
use super::{GameResult, Problem, ProblemKind, ReadGame, Record};
use crate::board::{Color, FILES, Piece, PieceKind, RANKS, SQUARES, Square};

/// First bytes of a record and of a library.
const RECORD_MAGIC: &[u8] = b"CCBridge Record";
const LIBRARY_MAGIC: &[u8] = b"CCBridgeLibrary";
const AT_VERSION: usize = 19;

/// Where the parts of a record are, by version of the header.
struct Layout {
    /// Tag, offset, size in bytes.
    texts: &'static [(&'static str, usize, usize)],
    result: usize,
    side: usize,
    board: usize,
    tree: usize,
    /// The square of a byte.
    square: fn(u8) -> Option<Square>,
}

const VERSION_1: Layout = Layout {
    texts: &[
        ("Title", 52, 128),
        ("Source", 436, 64),
        ("Event", 564, 64),
        ("Round", 628, 64),
        ("Date", 756, 64),
        ("Site", 820, 64),
        ("TimeControl", 884, 64),
        ("Red", 948, 64),
        ("RedTeam", 1012, 64),
        ("RedElo", 1140, 64),
        ("Black", 1172, 64),
        ("BlackTeam", 1236, 64),
        ("BlackElo", 1364, 64),
        ("Annotator", 1396, 64),
        ("Author", 1524, 64),
    ],
    result: 1820,
    side: 1856,
    board: 1864,
    tree: 1958,
    square: |byte| from_top(usize::from(byte >> 4), usize::from(byte & 15)),
};

const VERSION_2: Layout = Layout {
    texts: &[
        ("Title", 180, 128),
        ("Source", 564, 64),
        ("Event", 692, 64),
        ("Round", 756, 64),
        ("Date", 884, 64),
        ("Site", 948, 64),
        ("TimeControl", 1012, 64),
        ("Red", 1076, 64),
        ("RedTeam", 1140, 64),
        ("RedElo", 1268, 32),
        ("Black", 1300, 64),
        ("BlackTeam", 1364, 64),
        ("BlackElo", 1492, 32),
        ("Annotator", 1652, 64),
        ("Author", 1780, 64),
    ],
    result: 2076,
    side: 2112,
    board: 2120,
    tree: 2214,
    square: |byte| from_top(usize::from(byte) % FILES, usize::from(byte) / FILES),
};

/// Flags of a node. Unlike elsewhere the end is flagged, not the next move.
const LINE_ENDS: u8 = 0x01;
const HAS_SIBLING: u8 = 0x02;
const HAS_COMMENT: u8 = 0x04;

/// Kinds by the low digit of a board byte, from 1; the high one is 1 for Red
/// and 2 for Black.
const KINDS: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// Library: the index follows a fixed header; records lie in blocks.
const AT_CAPACITY: usize = 60;
const AT_INDEX: usize = 66_624;
const ENTRY: usize = 276;
const BLOCK: usize = 4096;

pub(super) fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD_MAGIC)
}

pub(super) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(LIBRARY_MAGIC)
}

/// Reads a record.
pub(super) fn read(bytes: &[u8]) -> Result<ReadGame, Problem> {
    let layout = match bytes.get(AT_VERSION) {
        Some(1) => &VERSION_1,
        _ => &VERSION_2,
    };
    if bytes.len() < layout.tree {
        let kind = ProblemKind::Truncated("the header");
        return Err(Problem::at_offset(bytes.len(), kind));
    }
    let mut game = read_tree(bytes, layout);
    for (name, at, size) in layout.texts {
        game.record
            .tags
            .set_filled(name, &text(&bytes[*at..*at + *size]));
    }
    let result = GameResult::from_code(u32::from(bytes[layout.result]));
    game.record.tags.set("Result", result.text());
    if !matches!(bytes[AT_VERSION], 1 | 2) {
        let kind = ProblemKind::UnknownVersion(bytes[AT_VERSION]);
        game.problems
            .insert(0, Problem::at_offset(AT_VERSION, kind));
    }
    Ok(game)
}

fn read_tree(bytes: &[u8], layout: &Layout) -> ReadGame {
    let mut cursor = Cursor::new(bytes, layout.tree);
    let truncated = |at| Problem::at_offset(at, ProblemKind::Truncated("the moves"));
    let mut read = || node(&mut cursor, layout).ok_or(truncated(cursor.at));
    let (root, first) = match read() {
        Ok(root) if root.next => (root, Some(read())),
        Ok(root) => (root, None),
        Err(problem) => return failed(problem),
    };
    let first_from = match &first {
        Some(Ok(node)) => node.squares.map(|(from, _)| from),
        _ => None,
    };
    let stated = match bytes[layout.side] {
        1 => Some(Color::Red),
        2 => Some(Color::Black),
        _ => None,
    };
    match start_position(&board(bytes, layout), first_from, stated) {
        Ok(start) => {
            let mut builder = TreeBuilder::new(start, &root.comment);
            if let Some(first) = first {
                let mut first = Some(first);
                builder.fill(|| first.take().unwrap_or_else(&mut read));
            }
            builder.finish()
        }
        Err(kind) => failed(Problem::at_offset(layout.board, kind)),
    }
}

fn failed(problem: Problem) -> ReadGame {
    ReadGame {
        record: Record::default(),
        problems: vec![problem],
    }
}

fn node(cursor: &mut Cursor, layout: &Layout) -> Option<RawNode> {
    let offset = cursor.at;
    let [flags, _, from, to] = *cursor.take(4)? else {
        return None;
    };
    let comment = if flags & HAS_COMMENT != 0 {
        let length = cursor.u32()?;
        text(cursor.take(length as usize)?)
    } else {
        String::new()
    };
    Some(RawNode {
        offset,
        squares: (layout.square)(from).zip((layout.square)(to)),
        next: flags & LINE_ENDS == 0,
        sibling: flags & HAS_SIBLING != 0,
        comment,
    })
}

fn board(bytes: &[u8], layout: &Layout) -> Board {
    let mut board = [None; SQUARES];
    for (i, byte) in bytes[layout.board..layout.board + SQUARES]
        .iter()
        .enumerate()
    {
        if let Some(sq) = from_top(i % FILES, i / FILES) {
            board[sq.index()] = piece(*byte);
        }
    }
    board
}

fn piece(byte: u8) -> Option<Piece> {
    let color = match byte >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = KINDS.get(usize::from(byte & 15).checked_sub(1)?)?;
    Some(Piece::new(color, *kind))
}

/// The square of a file and a row from the top.
pub(super) fn from_top(file: usize, row: usize) -> Option<Square> {
    (file < FILES && row < RANKS).then(|| Square::at(file, RANKS - 1 - row))
}

/// UTF-16LE up to the first zero unit; what follows is garbage.
fn text(bytes: &[u8]) -> String {
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    String::from_utf16_lossy(&units)
}

/// Reads all records of a library.
pub(super) fn read_library(bytes: &[u8]) -> Vec<ReadGame> {
    let mut starts = indexed_records(bytes);
    if starts.is_empty() {
        starts = found_records(bytes);
    }
    let end = |i: usize| starts.get(i + 1).copied().unwrap_or(bytes.len());
    let games = starts.iter().enumerate();
    games
        .map(|(i, &start)| {
            let piece = &bytes[start..end(i).max(start)];
            let mut game = read(piece).unwrap_or_else(failed);
            for problem in &mut game.problems {
                if let super::Place::Offset(at) = &mut problem.place {
                    *at += start;
                }
            }
            game
        })
        .collect()
}

/// Offsets of the records that the index names.
fn indexed_records(bytes: &[u8]) -> Vec<usize> {
    let number = |at: usize| Cursor::new(bytes, at).u32().unwrap_or(0) as usize;
    let capacity = number(AT_CAPACITY).min(bytes.len() / ENTRY);
    let blocks = AT_INDEX + ENTRY * capacity;
    let entries = (0..capacity).map(|i| AT_INDEX + ENTRY * i);
    let used = entries.filter(|entry| number(*entry) != 0);
    let mut starts: Vec<usize> = used
        .filter_map(|entry| number(entry + 4).checked_mul(BLOCK)?.checked_add(blocks))
        .filter(|start| bytes.get(*start..).is_some_and(is_record))
        .collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// For a damaged index: records at whole blocks from the first one on.
fn found_records(bytes: &[u8]) -> Vec<usize> {
    let magic = RECORD_MAGIC.len();
    let Some(first) = bytes.windows(magic).position(|w| w == RECORD_MAGIC) else {
        return Vec::new();
    };
    let starts = (first..bytes.len()).step_by(BLOCK);
    starts.filter(|start| is_record(&bytes[*start..])).collect()
}
