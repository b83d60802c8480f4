//! DhtmlXQ: the text of dpxq.com, in pages of HTML and posts of forums.

use super::bytes::tidy;
use super::cbf::unescape;
use super::cbr::from_top;
use super::problem::note;
use super::setup::{SLOTS, board_of_slots, parse_start, start_position, with_mover};
use super::{GameResult, MAX_NODES, MAX_PLIES, NodeId, Problem, ProblemKind, ReadGame, Record};
use crate::board::{Move, Position, Square};
use std::collections::BTreeMap;

/// Every item starts and ends with this.
const ITEM: &str = "[DhtmlXQ_";
const ITEM_END: &str = "[/DhtmlXQ_";
/// Ends of blocks; a text without them is one block.
const BLOCK_ENDS: [&str; 2] = ["[/DhtmlXQ]", "[/DhtmlXQiFrame]"];

/// Items, with our tags.
const TAGS: [(&str, &str); 16] = [
    ("title", "Title"),
    ("event", "Event"),
    ("group", "Group"),
    ("round", "Round"),
    ("table", "Table"),
    ("date", "Date"),
    ("place", "Site"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("ecco", "ECCO"),
    ("open", "Opening"),
    ("remark", "Annotator"),
    ("author", "Author"),
];
/// Item of the variations: line, ply and own number follow.
const VARIATION: &str = "move_";
const COMMENT: &str = "comment";

pub(super) fn is_dhtmlxq(text: &str) -> bool {
    text.contains("[DhtmlXQ")
}

/// Reads all blocks of a text.
pub(super) fn read(text: &str) -> Vec<ReadGame> {
    let mut games = Vec::new();
    let (mut rest, mut line) = (text, 1);
    loop {
        let ends = BLOCK_ENDS
            .iter()
            .filter_map(|e| rest.find(e).map(|i| i + e.len()));
        let end = ends.min();
        let block = &rest[..end.unwrap_or(rest.len())];
        if block.contains(ITEM) {
            let above = block.find(ITEM).map_or("", |i| &block[..i]);
            let first_line = line + above.matches('\n').count();
            games.push(Block::of(block, first_line).read());
        }
        line += block.matches('\n').count();
        match end {
            Some(end) => rest = &rest[end..],
            None => return games,
        }
    }
}

/// The items of a block.
struct Block {
    items: BTreeMap<String, String>,
    line: usize,
    problems: Vec<Problem>,
}

/// A line of moves in the tree: its nodes by ply, those of the parent before
/// it included.
type Nodes = Vec<NodeId>;

/// A variation: line, the line it leaves, the ply it replaces, its squares.
struct Branch<'a> {
    name: &'a str,
    own: usize,
    parent: usize,
    ply: usize,
    digits: &'a str,
}

impl Block {
    fn of(text: &str, line: usize) -> Self {
        let mut items = BTreeMap::new();
        for piece in text.split(ITEM).skip(1) {
            let Some((name, value)) = piece.split_once(']') else {
                continue;
            };
            let end = value.find(ITEM_END).unwrap_or(value.len());
            let value = unescape(&value[..end]).replace("||", "\n");
            items.insert(name.to_ascii_lowercase(), value);
        }
        Self {
            items,
            line,
            problems: Vec::new(),
        }
    }

    fn item(&self, name: &str) -> &str {
        self.items.get(name).map_or("", |value| value.trim())
    }

    fn problem(&mut self, kind: ProblemKind) {
        note(&mut self.problems, Problem::at_line(self.line, kind));
    }

    fn read(mut self) -> ReadGame {
        let main = squares(self.item("movelist"));
        let first = main.first().copied().flatten().map(|(from, _)| from);
        let mut record = match self.start(first) {
            Ok(start) => {
                let mut record = Record::new(start);
                self.lines(&mut record, &main);
                record
            }
            Err(kind) => {
                self.problem(kind);
                Record::default()
            }
        };
        for (item, tag) in TAGS {
            record.tags.set_filled(tag, self.item(item));
        }
        record
            .tags
            .set("Result", result(self.item("result")).text());
        ReadGame {
            record,
            problems: self.problems,
        }
    }

    fn start(&self, first: Option<Square>) -> Result<Position, ProblemKind> {
        let (fen, board) = (self.item("fen"), self.item("binit"));
        if !fen.is_empty() || board.is_empty() {
            let text = fen.to_owned();
            let start =
                parse_start(fen).map_err(|reason| ProblemKind::BadStart { text, reason })?;
            return Ok(with_mover(start, first));
        }
        let mut slots = [None; SLOTS];
        for (slot, pair) in slots.iter_mut().zip(board.as_bytes().chunks_exact(2)) {
            *slot = square(pair);
        }
        start_position(&board_of_slots(&slots), first, None)
    }

    fn lines(&mut self, record: &mut Record, main: &[Option<(Square, Square)>]) {
        let mut lines: BTreeMap<usize, Nodes> = BTreeMap::new();
        let nodes = self.play(record, vec![NodeId::ROOT], main);
        lines.insert(0, nodes);
        let items = self.items.clone();
        let mut branches: Vec<Branch> = items.iter().filter_map(branch).collect();
        // Parents may be numbered higher than children and come later.
        while !branches.is_empty() {
            let before = branches.len();
            branches.retain(|branch| !self.grow(record, &mut lines, branch));
            if branches.len() == before {
                break;
            }
        }
        for lost in branches {
            self.problem(ProblemKind::LostVariation(lost.name.to_owned()));
        }
        for (name, text) in &items {
            if let Some(node) = commented(name, &lines) {
                record.node_mut(node).comment = tidy(text);
            }
        }
    }

    /// Adds a variation if the line it leaves is there already.
    fn grow(
        &mut self,
        record: &mut Record,
        lines: &mut BTreeMap<usize, Nodes>,
        branch: &Branch,
    ) -> bool {
        let Some(parent) = lines.get(&branch.parent) else {
            return false;
        };
        if branch.ply == 0 || branch.ply > parent.len() {
            // The line it leaves breaks off before; the moves are lost.
            self.problem(ProblemKind::LostVariation(branch.name.to_owned()));
            return true;
        }
        let stem = parent[..branch.ply].to_vec();
        let nodes = self.play(record, stem, &squares(branch.digits));
        lines.insert(branch.own, nodes);
        true
    }

    /// Plays moves behind the last of `nodes`.
    fn play(
        &mut self,
        record: &mut Record,
        mut nodes: Nodes,
        moves: &[Option<(Square, Square)>],
    ) -> Nodes {
        let mut last = nodes.last().copied().unwrap_or(NodeId::ROOT);
        let mut pos = record.position(last);
        for step in moves {
            let ply = nodes.len();
            let mv = step.filter(|(a, b)| a != b).map(|(a, b)| Move::new(a, b));
            if ply > MAX_PLIES || record.len() >= MAX_NODES {
                self.problem(ProblemKind::TooLarge("the tree of moves"));
                break;
            }
            let Some(mv) = mv.filter(|mv| pos.is_legal(*mv)) else {
                let fen = pos.to_string();
                self.problem(ProblemKind::IllegalMove { ply, mv, fen });
                break;
            };
            last = record.add(last, mv);
            pos.make(mv);
            nodes.push(last);
        }
        nodes
    }
}

/// `move_p_s_i`.
fn branch<'a>((name, digits): (&'a String, &'a String)) -> Option<Branch<'a>> {
    let mut numbers = name
        .strip_prefix(VARIATION)?
        .split('_')
        .map(|n| n.parse().ok());
    Some(Branch {
        name,
        parent: numbers.next()??,
        ply: numbers.next()??,
        own: numbers.next()??,
        digits,
    })
}

/// The node that `commentK` (main line) or `commentI_K` speaks of.
fn commented(name: &str, lines: &BTreeMap<usize, Nodes>) -> Option<NodeId> {
    let numbers = name.strip_prefix(COMMENT)?;
    let (line, ply) = numbers.split_once('_').unwrap_or(("0", numbers));
    let ply: usize = ply.parse().ok()?;
    lines.get(&line.parse().ok()?)?.get(ply).copied()
}

/// Four digits a move: file and row from the top, twice.
fn squares(digits: &str) -> Vec<Option<(Square, Square)>> {
    let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).collect();
    let moves = digits.chunks_exact(4);
    moves
        .map(|m| square(&m[..2]).zip(square(&m[2..])))
        .collect()
}

fn square(pair: &[u8]) -> Option<Square> {
    let digit = |c: u8| char::from(c).to_digit(10).map(|d| d as usize);
    from_top(digit(pair[0])?, digit(pair[1])?)
}

fn result(text: &str) -> GameResult {
    match text {
        "W" | "w" => GameResult::RedWins,
        "L" | "l" => GameResult::BlackWins,
        "D" | "d" => GameResult::Draw,
        words => GameResult::recognise(words).unwrap_or_default(),
    }
}
