//! What binary formats share: a cursor that never leaves the file, and the
//! walk through a tree of moves stored in preorder.

use super::problem::note;
use super::{MAX_NODES, MAX_PLIES, NodeId, Problem, ProblemKind, ReadGame, Record};
use crate::board::{Move, Position, Square};

/// A place in a file.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The next `count` bytes, `None` past the end.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        let bytes = self.take(4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
}

/// A node as a file has it.
pub(super) struct RawNode {
    /// Offset in the file.
    pub(super) offset: usize,
    /// Its squares, `None` off the board.
    pub(super) squares: Option<(Square, Square)>,
    /// Whether a move behind it follows.
    pub(super) next: bool,
    /// Whether an alternative to it follows.
    pub(super) sibling: bool,
    pub(super) comment: String,
}

/// Builds a record from nodes in preorder. The first node is the root; behind
/// a node with `next` comes its whole subtree, then its sibling.
pub(super) struct TreeBuilder {
    record: Record,
    problems: Vec<Problem>,
    /// The nodes from the root to the parent of the next one; `None` below a
    /// move that could not be played.
    path: Vec<Option<(NodeId, Position)>>,
    /// Lengths of the path at which siblings will follow.
    waiting: Vec<usize>,
}

impl TreeBuilder {
    /// A tree from a start position and the comment on it.
    pub(super) fn new(start: Position, comment: &str) -> Self {
        let mut record = Record::new(start.clone());
        record.node_mut(NodeId::ROOT).comment = tidy(comment);
        Self {
            record,
            problems: Vec::new(),
            path: vec![Some((NodeId::ROOT, start))],
            waiting: Vec::new(),
        }
    }

    /// Reads nodes until the tree is complete or `read` has no more.
    pub(super) fn fill(&mut self, mut read: impl FnMut() -> Result<RawNode, Problem>) {
        for _ in 0..MAX_NODES {
            match read() {
                Ok(node) => {
                    if !self.add(&node) {
                        return;
                    }
                }
                Err(problem) => return note(&mut self.problems, problem),
            }
        }
        self.problem(0, ProblemKind::TooLarge("the tree of moves"));
    }

    /// Adds a node and returns whether another one must follow.
    fn add(&mut self, node: &RawNode) -> bool {
        let here = self.play(node);
        if node.sibling {
            self.waiting.push(self.path.len());
        }
        if node.next {
            self.path.push(here);
            return true;
        }
        let Some(length) = self.waiting.pop() else {
            return false;
        };
        self.path.truncate(length);
        true
    }

    /// Plays a node's move behind the parent.
    fn play(&mut self, node: &RawNode) -> Option<(NodeId, Position)> {
        let ply = self.path.len();
        let (parent, pos) = self.path.last()?.clone()?;
        let mv = node.squares.filter(|(from, to)| from != to);
        let mv = mv.map(|(from, to)| Move::new(from, to));
        if ply > MAX_PLIES {
            self.problem(node.offset, ProblemKind::TooLarge("a line of moves"));
            return None;
        }
        let Some(mv) = mv.filter(|mv| pos.is_legal(*mv)) else {
            let fen = pos.to_string();
            self.problem(node.offset, ProblemKind::IllegalMove { ply, mv, fen });
            return None;
        };
        let id = self.record.add(parent, mv);
        self.record.node_mut(id).comment = tidy(&node.comment);
        Some((id, pos.after(mv)))
    }

    pub(super) fn problem(&mut self, offset: usize, kind: ProblemKind) {
        note(&mut self.problems, Problem::at_offset(offset, kind));
    }

    /// The record and what could not be read.
    pub(super) fn finish(self) -> ReadGame {
        ReadGame {
            record: self.record,
            problems: self.problems,
        }
    }
}

/// A comment with plain line ends and no padding.
pub(super) fn tidy(comment: &str) -> String {
    let text = comment.replace("\r\n", "\n").replace('\r', "\n");
    text.trim_matches(|c: char| c.is_whitespace() || c == '\0')
        .to_owned()
}
