//! A record as PGN.

use crate::board::{Color, Position, START_FEN};
use crate::notation::Notation;
use crate::record::{NodeId, Record};
use std::io::{self, Write};

/// Lines of moves are broken at this width (comments at their own lines).
const LINE_WIDTH: usize = 80;
/// Tags that open the list, in this order; the first three and the players
/// are written even when empty.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "Red", "Black", "Result"];

/// Writes one game as PGN: the usual tags first, `FEN` when the game does not
/// start at the start position, `Format` when the moves are not Chinese.
/// Variations stand in round brackets, comments in braces.
///
/// # Errors
/// When `out` cannot be written.
pub fn write(out: &mut dyn Write, record: &Record, notation: Notation) -> io::Result<()> {
    write_tags(out, record, notation)?;
    writeln!(out)?;
    let text = MoveText::of(record, notation);
    writeln!(out, "{text}\n")
}

fn write_tags(out: &mut dyn Write, record: &Record, notation: Notation) -> io::Result<()> {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value = value.replace(['\r', '\n'], " ");
        writeln!(out, "[{name} \"{value}\"]")
    };
    tag("Game", "Chinese Chess")?;
    for name in ROSTER {
        let default = if name == "Result" { "*" } else { "" };
        match record.tags.get(name) {
            _ if name == "Result" => tag(name, record.result().text())?,
            value => tag(name, value.unwrap_or(default))?,
        }
    }
    let written = |name: &str| {
        let known = ["Game", "FEN", "SetUp", "Format"];
        ROSTER
            .iter()
            .chain(&known)
            .any(|n| n.eq_ignore_ascii_case(name))
    };
    for (name, value) in record.tags.iter().filter(|(name, _)| !written(name)) {
        tag(&name.replace(char::is_whitespace, "_"), value)?;
    }
    let fen = record.start().to_string();
    if fen != START_FEN {
        tag("FEN", &fen)?;
    }
    match format_name(notation) {
        Some(format) => tag("Format", format),
        None => Ok(()),
    }
}

const fn format_name(notation: Notation) -> Option<&'static str> {
    match notation {
        Notation::Iccs | Notation::IccsLong => Some("ICCS"),
        Notation::Wxf => Some("WXF"),
        Notation::Chinese | Notation::ChineseTraditional => None,
        Notation::Algebraic => Some("Algebraic"),
        Notation::Russian => Some("Russian"),
        Notation::WinBoard => Some("SAN"),
    }
}

/// What is left to write, the next thing last.
enum Task {
    /// A move before which this is the position; `alone` inside a variation,
    /// where its siblings are written elsewhere; `numbered` when its number
    /// must be repeated.
    Move {
        id: NodeId,
        pos: Box<Position>,
        alone: bool,
        numbered: bool,
    },
    Text(&'static str),
}

struct MoveText<'a> {
    record: &'a Record,
    notation: Notation,
    out: String,
    column: usize,
    tasks: Vec<Task>,
}

impl<'a> MoveText<'a> {
    fn of(record: &'a Record, notation: Notation) -> String {
        let mut text = Self {
            record,
            notation,
            out: String::new(),
            column: 0,
            tasks: Vec::new(),
        };
        text.comment(NodeId::ROOT);
        text.next(NodeId::ROOT, record.start().clone(), true);
        while let Some(task) = text.tasks.pop() {
            match task {
                Task::Text(word) => text.word(word),
                Task::Move {
                    id,
                    pos,
                    alone,
                    numbered,
                } => text.write_move(id, *pos, alone, numbered),
            }
        }
        text.word(record.result().text());
        text.out
    }

    /// Puts the main move behind a node on the list.
    fn next(&mut self, id: NodeId, pos: Position, numbered: bool) {
        if let Some(&next) = self.record.children(id).first() {
            self.tasks.push(Task::Move {
                id: next,
                pos: Box::new(pos),
                alone: false,
                numbered,
            });
        }
    }

    fn write_move(&mut self, id: NodeId, pos: Position, alone: bool, numbered: bool) {
        let node = self.record.node(id);
        let number = pos.fullmove_number();
        let text = self.notation.write(&pos, node.mv);
        match pos.side_to_move() {
            Color::Red => self.word(&format!("{number}. {text}")),
            Color::Black if numbered => self.word(&format!("{number}... {text}")),
            Color::Black => self.word(&text),
        }
        for glyph in &node.glyphs {
            self.word(&format!("${glyph}"));
        }
        self.comment(id);
        let parent = self.record.parent(id);
        let siblings = &self.record.children(parent)[1..];
        let interrupted = !node.comment.is_empty() || !alone && !siblings.is_empty();
        self.next(id, pos.after(node.mv), interrupted);
        for &sibling in siblings.iter().rev().filter(|_| !alone) {
            self.tasks.push(Task::Text(")"));
            self.tasks.push(Task::Move {
                id: sibling,
                pos: Box::new(pos.clone()),
                alone: true,
                numbered: true,
            });
            self.tasks.push(Task::Text("("));
        }
    }

    fn comment(&mut self, id: NodeId) {
        let comment = &self.record.node(id).comment;
        if !comment.is_empty() {
            let text = comment.replace('{', "｛").replace('}', "｝");
            self.word(&format!("{{{text}}}"));
        }
    }

    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > LINE_WIDTH {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column = match word.rfind('\n') {
            Some(i) => word[i + 1..].chars().count(),
            None => self.column + width,
        };
    }
}
