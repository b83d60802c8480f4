//! CBF, the XML of CCBridge.

use super::bytes::{RawNode, TreeBuilder};
use super::cbr::from_top;
use super::setup::{parse_start, with_mover};
use super::{GameResult, NodeId, Problem, ProblemKind, ReadGame, Record};
use crate::board::{RANKS, Square};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::io::{self, Write};

/// The root element.
const ROOT: &str = "ChineseChessRecord";
/// Children of `Head`, with our tags; the order is that of the files.
const HEAD: [(&str, &str); 19] = [
    ("Name", "Title"),
    ("From", "Source"),
    ("ContestType", "EventType"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Group"),
    ("Table", "Table"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedRating", "RedElo"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("Creator", "Author"),
    ("ECCO", "ECCO"),
];

pub(super) fn is_cbf(text: &str) -> bool {
    text.contains(&format!("<{ROOT}"))
}

/// A move element.
struct MoveElement {
    line: usize,
    value: String,
    comment: String,
}

/// What the elements hold, in the order of the file.
#[derive(Default)]
struct Document {
    head: Vec<(String, String)>,
    moves: Vec<MoveElement>,
    problems: Vec<Problem>,
}

/// Reads a record; elements that are not known are passed over.
pub(super) fn read(text: &str) -> ReadGame {
    let document = Document::of(text);
    let of = |name: &str| {
        let found = document.head.iter().find(|(n, _)| n == name);
        found.map_or("", |(_, value)| value.trim())
    };
    let mut game = document.game(of("FEN"));
    for (name, tag) in HEAD {
        game.record.tags.set_filled(tag, of(name));
    }
    let result = GameResult::from_code(of("RecordResult").parse().unwrap_or(0));
    game.record.tags.set("Result", result.text());
    game.problems.extend(document.problems);
    game
}

impl Document {
    fn of(text: &str) -> Self {
        let mut document = Self::default();
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        let line = |at: u64| 1 + text[..(at as usize).min(text.len())].matches('\n').count();
        let mut open: Vec<String> = Vec::new();
        loop {
            let at = reader.buffer_position();
            match reader.read_event() {
                Ok(Event::Start(e)) => {
                    document.start(&e, at, &line);
                    open.push(name_of(&e));
                }
                Ok(Event::Empty(e)) => document.start(&e, at, &line),
                Ok(Event::End(_)) => drop(open.pop()),
                Ok(Event::Text(e)) => document.text(&open, &e.xml10_content()),
                Ok(Event::GeneralRef(e)) => document.text(&open, &entity(&e)),
                Ok(Event::CData(e)) => document.text(&open, &e),
                Ok(Event::Eof) => return document,
                Ok(_) => {}
                Err(_) => {
                    let kind = ProblemKind::Truncated("the XML");
                    document.problems.push(Problem::at_line(line(at), kind));
                    return document;
                }
            }
        }
    }

    fn start(&mut self, element: &BytesStart, at: u64, line: &impl Fn(u64) -> usize) {
        if name_of(element) == "Move" {
            let value = element.try_get_attribute("value").ok().flatten();
            let value = value.map(|v| v.value.into_owned());
            self.moves.push(MoveElement {
                line: line(at),
                value: value.unwrap_or_default(),
                comment: String::new(),
            });
        }
    }

    fn text(&mut self, open: &[String], text: &str) {
        match open {
            [.., name] if name == "Move" => {
                if let Some(element) = self.moves.last_mut() {
                    element.comment.push_str(text);
                }
            }
            [.., head, name] if head == "Head" => {
                match self.head.last_mut().filter(|(last, _)| last == name) {
                    Some((_, value)) => value.push_str(text),
                    None => self.head.push((name.clone(), text.to_owned())),
                }
            }
            _ => {}
        }
    }

    fn game(&self, fen: &str) -> ReadGame {
        // The first element may be no move but the comment on the game.
        let is_root = |e: &&MoveElement| squares(&e.value).is_some_and(|(a, b)| a == b);
        let root = self.moves.first().filter(is_root);
        let moves = &self.moves[usize::from(root.is_some())..];
        let start = parse_start(fen).map(|start| {
            let first = moves.first().and_then(|e| squares(&e.value));
            with_mover(start, first.map(|(from, _)| from))
        });
        match start {
            Ok(start) => Self::play(start, root.map_or("", |e| &e.comment), moves),
            Err(reason) => {
                let text = fen.to_owned();
                let kind = ProblemKind::BadStart { text, reason };
                ReadGame {
                    record: Record::default(),
                    problems: vec![Problem::at_line(1, kind)],
                }
            }
        }
    }

    fn play(start: crate::board::Position, comment: &str, moves: &[MoveElement]) -> ReadGame {
        let mut builder = TreeBuilder::new(start, comment);
        let mut rest = moves.iter().enumerate();
        if !moves.is_empty() {
            builder.fill(|| {
                let end = Problem::at_line(1, ProblemKind::Truncated("the moves"));
                let (i, element) = rest.next().ok_or(end)?;
                Ok(RawNode {
                    offset: element.line,
                    squares: squares(&element.value),
                    next: i + 1 < moves.len(),
                    sibling: false,
                    comment: element.comment.clone(),
                })
            });
        }
        let mut game = builder.finish();
        for problem in &mut game.problems {
            if let super::Place::Offset(line) = problem.place {
                problem.place = super::Place::Line(line);
            }
        }
        game
    }
}

fn name_of(element: &BytesStart) -> String {
    element.name().as_ref().to_owned()
}

/// The character of an entity's name.
fn entity(name: &str) -> String {
    let number = name.strip_prefix('#').and_then(|digits| {
        let hex = digits.strip_prefix(['x', 'X']);
        hex.map_or_else(
            || digits.parse().ok(),
            |hex| u32::from_str_radix(hex, 16).ok(),
        )
    });
    match (number.and_then(char::from_u32), name) {
        (Some(c), _) => c.to_string(),
        (None, "lt") => "<".into(),
        (None, "gt") => ">".into(),
        (None, "amp") => "&".into(),
        (None, "quot") => "\"".into(),
        (None, "apos") => "'".into(),
        (None, "nbsp") => " ".into(),
        _ => format!("&{name};"),
    }
}

/// Text with its entities undone, for pages of HTML.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(';').filter(|end| *end <= LONGEST_ENTITY);
        let Some(end) = end else {
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        out.push_str(&entity(&rest[1..end]));
        rest = &rest[end + 1..];
    }
    out + rest
}

/// Characters of the longest entity that is looked for.
const LONGEST_ENTITY: usize = 10;

/// `77-47`: file and row from the top, twice.
fn squares(value: &str) -> Option<(Square, Square)> {
    let digits: Vec<usize> = value
        .chars()
        .filter_map(|c| c.to_digit(10).map(|d| d as usize))
        .collect();
    let [x, row, to_x, to_row] = digits[..] else {
        return None;
    };
    from_top(x, row).zip(from_top(to_x, to_row))
}

/// Writes the main line of a record as CBF; the format has no variations.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn write(out: &mut dyn Write, record: &Record) -> io::Result<()> {
    writeln!(out, "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<{ROOT} Version=\"1.0\">\n <Head>")?;
    let mut head = |name: &str, value: &str| {
        let value = quick_xml::escape::escape(value);
        writeln!(out, "  <{name}>{value}</{name}>")
    };
    for (name, tag) in HEAD {
        head(name, record.tags.get(tag).unwrap_or_default())?;
    }
    head("RecordType", "1")?;
    head("RecordResult", &record.result().code().to_string())?;
    head("FEN", &record.start().to_string())?;
    writeln!(out, " </Head>\n <MoveList>")?;
    let line = record.continuation(NodeId::ROOT);
    let comment = &record.node(NodeId::ROOT).comment;
    writeln!(out, "  <Move value=\"00-00\">{}</Move>", cdata(comment))?;
    for (i, id) in line.iter().enumerate() {
        let node = record.node(*id);
        let end = if i + 1 == line.len() {
            " end=\"1\""
        } else {
            ""
        };
        let (from, to) = (digits(node.mv.from()), digits(node.mv.to()));
        let comment = cdata(&node.comment);
        writeln!(out, "  <Move value=\"{from}-{to}\"{end}>{comment}</Move>")?;
    }
    writeln!(out, " </MoveList>\n</{ROOT}>")
}

fn digits(sq: Square) -> String {
    format!("{}{}", sq.file(), RANKS - 1 - sq.rank())
}

fn cdata(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}
