//! One game as every file format sees it: tags, a start position and a tree
//! of moves with comments.

use super::{GameResult, Problem, Tags};
use crate::board::{Move, Position};
use crate::rules::{Game, GameError, Illegality};

/// The most moves that a reader keeps of one game, against hostile files.
pub const MAX_NODES: usize = 1_000_000;
/// The most plies that a reader keeps of one line.
pub const MAX_PLIES: usize = 20_000;

/// A move in the tree of a [`Record`], or its root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position, before any move.
    pub const ROOT: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move with what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The move; [`Move::NULL`] at the root.
    pub mv: Move,
    /// What the annotator says after the move; at the root, about the game.
    pub comment: String,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, 3 `!!`, 4 `??`, 5 `!?`,
    /// 6 `?!`.
    pub glyphs: Vec<u8>,
    parent: NodeId,
    children: Vec<NodeId>,
}

/// A line of moves inside a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number of the line that it leaves, 0 being the main line.
    pub parent: usize,
    /// The ply from the start of the game, from 1, that its first move
    /// replaces.
    pub ply: usize,
    /// Its moves to the end.
    pub nodes: Vec<NodeId>,
}

/// A record and what could not be read of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadGame {
    /// All that was readable.
    pub record: Record,
    /// What was not.
    pub problems: Vec<Problem>,
}

/// A game with variations and comments.
///
/// The moves of a record are legal: [`Record::play`] refuses others. Equality
/// compares tags, start and the whole tree.
///
/// ```
/// use chuhe::record::{NodeId, Record};
///
/// let mut record = Record::default();
/// let first = record.play(NodeId::ROOT, "h2e2".parse()?)?;
/// record.play(first, "h9g7".parse()?)?;
/// record.play(first, "b9c7".parse()?)?; // a variation
/// record.node_mut(first).comment = "the central cannon".into();
/// assert_eq!(record.main_line().len(), 2);
/// assert_eq!(record.lines().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Record {
    /// Names and values: players, event, result and so on.
    pub tags: Tags,
    start: Position,
    nodes: Vec<Node>,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Self {
        let root = Node {
            mv: Move::NULL,
            comment: String::new(),
            glyphs: Vec::new(),
            parent: NodeId::ROOT,
            children: Vec::new(),
        };
        Self {
            tags: Tags::default(),
            start,
            nodes: vec![root],
        }
    }

    /// The record of a game's moves.
    pub fn from_game(game: &Game) -> Self {
        let mut record = Self::new(game.positions()[0].clone());
        let mut node = NodeId::ROOT;
        for &mv in game.moves() {
            node = record.add(node, mv);
        }
        record
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node to write comments and glyphs to.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The moves that may follow a node, the main one first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// The node before, the root's being itself.
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.node(id).parent
    }

    /// The number of moves in the whole tree.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a move behind a node: the first one continues the line, others
    /// are variations.
    ///
    /// # Errors
    /// When the move is illegal there.
    pub fn play(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, GameError> {
        let path = self.path(parent);
        let pos = self.position(parent);
        if let Some(reason) = Illegality::of(&pos, mv) {
            return Err(GameError {
                reason,
                mv,
                ply: path.len() + 1,
                fen: pos.to_string(),
            });
        }
        Ok(self.add(parent, mv))
    }

    /// Adds a move that the caller knows to be legal.
    pub(super) fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            mv,
            comment: String::new(),
            glyphs: Vec::new(),
            parent,
            children: Vec::new(),
        });
        self.nodes[parent.index()].children.push(id);
        id
    }

    /// The nodes from the first move to `id`.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut node = id;
        while node != NodeId::ROOT {
            path.push(node);
            node = self.parent(node);
        }
        path.reverse();
        path
    }

    /// The position after the moves to a node.
    pub fn position(&self, id: NodeId) -> Position {
        let mut pos = self.start.clone();
        for node in self.path(id) {
            pos.make(self.node(node).mv);
        }
        pos
    }

    /// The nodes that follow `id` by first children, `id` excluded.
    pub fn continuation(&self, id: NodeId) -> Vec<NodeId> {
        let next = |node: &NodeId| self.children(*node).first().copied();
        std::iter::successors(next(&id), next).collect()
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> Vec<Move> {
        let nodes = self.continuation(NodeId::ROOT);
        nodes.into_iter().map(|id| self.node(id).mv).collect()
    }

    /// The main line as a game, to be judged by a rule set.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for mv in self.main_line() {
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }

    /// All lines: the main line, then the variations, each after the line it
    /// leaves.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line {
            parent: 0,
            ply: 1,
            nodes: self.continuation(NodeId::ROOT),
        }];
        let mut done = 0;
        while done < lines.len() {
            self.add_branches(&mut lines, done);
            done += 1;
        }
        lines
    }

    /// Appends the variations that leave line number `from`. Its first move
    /// has no own ones except in the main line: they belong to its parent.
    fn add_branches(&self, lines: &mut Vec<Line>, from: usize) {
        let Line { ply, nodes, .. } = lines[from].clone();
        let skip = usize::from(from > 0);
        for (i, node) in nodes.iter().enumerate().skip(skip) {
            for &branch in self.children(self.parent(*node)).iter().skip(1) {
                let mut nodes = vec![branch];
                nodes.extend(self.continuation(branch));
                lines.push(Line {
                    parent: from,
                    ply: ply + i,
                    nodes,
                });
            }
        }
    }

    /// The record without variations.
    pub fn main_line_record(&self) -> Self {
        let mut record = Self::new(self.start.clone());
        record.tags = self.tags.clone();
        record.nodes[0].comment.clone_from(&self.nodes[0].comment);
        let mut last = NodeId::ROOT;
        for id in self.continuation(NodeId::ROOT) {
            let Node {
                mv,
                comment,
                glyphs,
                ..
            } = self.node(id).clone();
            last = record.add(last, mv);
            let node = record.node_mut(last);
            (node.comment, node.glyphs) = (comment, glyphs);
        }
        record
    }

    /// Removes all comments and glyphs.
    pub fn remove_comments(&mut self) {
        for node in &mut self.nodes {
            node.comment.clear();
            node.glyphs.clear();
        }
    }

    /// The result stated by the file.
    pub fn result(&self) -> GameResult {
        self.tags
            .get("Result")
            .and_then(GameResult::recognise)
            .unwrap_or_default()
    }

    /// Whether both trees have the same moves, comments and glyphs.
    pub fn same_tree(&self, other: &Self) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((a, b)) = pairs.pop() {
            let (x, y) = (self.node(a), other.node(b));
            let alike = (x.mv, &x.comment, &x.glyphs) == (y.mv, &y.comment, &y.glyphs);
            if !alike || x.children.len() != y.children.len() {
                return false;
            }
            pairs.extend(x.children.iter().copied().zip(y.children.iter().copied()));
        }
        self.start == other.start
    }
}

impl Default for Record {
    /// A record from the start position of the game.
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.tags == other.tags && self.same_tree(other)
    }
}
