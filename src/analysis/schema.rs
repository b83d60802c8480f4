//! The objects that stand for findings in JSON. The guide's chapter
//! "Analysing from scripts" describes them; a change of meaning raises
//! [`VERSION`].

use super::examine::{Finding, LineEnd, Order};
use super::input::Task;
use super::wording::{Language, ruling_text};
use crate::board::{Color, Move, Position};
use crate::notation::Notation;
use crate::rules::{ClassifiedMove, Game, Ruling};
use crate::search::{Line, Score};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the format.
pub const VERSION: u32 = 1;

/// `red` or `black`.
pub const fn side_name(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}

/// What is known of a position before it is examined.
#[derive(Debug, Serialize)]
pub struct HeadJson<'a> {
    version: u32,
    index: u64,
    source: &'a str,
    game: Option<usize>,
    ply: Option<usize>,
    id: Option<&'a str>,
    fen: Option<String>,
    side: Option<&'static str>,
    played: Option<String>,
    order: OrderJson,
}

/// What was asked for.
#[derive(Debug, Serialize)]
pub struct OrderJson {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime_ms: Option<u64>,
    lines: usize,
    hash_mb: usize,
    rules: &'static str,
    keep_table: bool,
}

impl OrderJson {
    /// The object of an order.
    pub fn new(order: &Order) -> Self {
        let millis =
            |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            depth: order.limits.depth,
            nodes: order.limits.nodes,
            movetime_ms: order.limits.movetime.map(millis),
            lines: order.lines,
            hash_mb: order.table_megabytes(),
            rules: order.rules.name(),
            keep_table: order.keep_table,
        }
    }
}

impl<'a> HeadJson<'a> {
    /// The head of a task's record.
    pub fn new(task: &'a Task, order: &Order) -> Self {
        let pos = task.subject.as_ref().ok().map(Game::position);
        Self {
            version: VERSION,
            index: task.index,
            source: &task.source,
            game: task.game,
            ply: task.ply,
            id: task.id.as_deref(),
            fen: pos.map(Position::to_string),
            side: pos.map(|pos| side_name(pos.side_to_move())),
            played: task.played.map(|mv| mv.to_string()),
            order: OrderJson::new(order),
        }
    }
}

/// What was found out.
#[derive(Debug, Serialize)]
pub struct BodyJson {
    ruling: Option<RulingJson>,
    best: Option<String>,
    lines: Vec<LineJson>,
    depth: u32,
    nodes: u64,
    #[serde(flatten)]
    timing: Option<TimingJson>,
}

/// What differs from run to run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TimingJson {
    /// Milliseconds.
    pub time_ms: u64,
    /// Nodes per second.
    pub nps: u64,
}

impl TimingJson {
    /// The time of a finding.
    pub fn of(finding: &Finding) -> Self {
        let seconds = finding.time.as_secs_f64();
        let nps = finding.nodes as f64 / seconds.max(f64::MIN_POSITIVE);
        Self {
            time_ms: u64::try_from(finding.time.as_millis()).unwrap_or(u64::MAX),
            nps: if finding.nodes == 0 { 0 } else { nps as u64 },
        }
    }
}

impl BodyJson {
    /// The rest of a record: the lines in ICCS and in `notations`, the time
    /// only when it is wanted.
    pub fn new(game: &Game, finding: &Finding, notations: &[Notation], timing: bool) -> Self {
        let pos = game.position();
        let pairs = finding.lines.iter().zip(&finding.ends);
        Self {
            ruling: finding.ruling.as_ref().map(RulingJson::new),
            best: finding.lines.first().map(|line| line.pv[0].to_string()),
            lines: pairs
                .map(|(line, end)| LineJson::new(pos, line, end.as_ref(), notations))
                .collect(),
            depth: finding.lines.first().map_or(0, |line| line.depth),
            nodes: finding.nodes,
            timing: timing.then(|| TimingJson::of(finding)),
        }
    }
}

#[derive(Debug, Serialize)]
struct LineJson {
    rank: usize,
    r#move: String,
    score: ScoreJson,
    wdl: [u16; 3],
    depth: u32,
    seldepth: u32,
    pv: BTreeMap<&'static str, Vec<String>>,
    ends: Option<EndJson>,
}

impl LineJson {
    fn new(pos: &Position, line: &Line, end: Option<&LineEnd>, notations: &[Notation]) -> Self {
        Self {
            rank: line.multipv,
            r#move: line.pv[0].to_string(),
            score: ScoreJson::new(line.score),
            wdl: line.wdl,
            depth: line.depth,
            seldepth: line.seldepth,
            pv: in_notations(pos, &line.pv, notations),
            ends: end.map(EndJson::new),
        }
    }
}

/// A line of play in ICCS and the notations asked for, by their names.
pub fn in_notations(
    pos: &Position,
    line: &[Move],
    notations: &[Notation],
) -> BTreeMap<&'static str, Vec<String>> {
    let all = std::iter::once(&Notation::Iccs).chain(notations);
    all.map(|notation| (notation.name(), texts(pos, line, *notation)))
        .collect()
}

/// The moves of a line from a position as texts.
pub fn texts(pos: &Position, line: &[Move], notation: Notation) -> Vec<String> {
    let mut pos = pos.clone();
    let mut write = |mv: &Move| {
        let text = notation.write(&pos, *mv);
        pos.make(*mv);
        text
    };
    line.iter().map(&mut write).collect()
}

/// A score: centipawns, or moves to a mate, negative for the side that is
/// mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ScoreJson {
    /// Centipawns.
    pub cp: Option<i32>,
    /// Moves to the mate.
    pub mate: Option<i32>,
}

impl ScoreJson {
    /// The score of the side that `score` is of.
    pub fn new(score: Score) -> Self {
        let moves = |plies: u32| plies.div_ceil(2) as i32;
        let (cp, mate) = match score {
            Score::Cp(cp) => (Some(cp), None),
            Score::MateIn(plies) => (None, Some(moves(plies))),
            Score::MatedIn(plies) => (None, Some(-moves(plies))),
        };
        Self { cp, mate }
    }
}

/// How a line ends.
#[derive(Debug, Serialize)]
pub struct EndJson {
    after: usize,
    #[serde(flatten)]
    ruling: RulingJson,
}

impl EndJson {
    /// The object for an end.
    pub fn new(end: &LineEnd) -> Self {
        Self {
            after: end.after,
            ruling: RulingJson::new(&end.ruling),
        }
    }
}

/// A ruling.
#[derive(Debug, Serialize)]
pub struct RulingJson {
    result: &'static str,
    ground: &'static str,
    rule: ArticleJson,
    text: String,
    text_chinese: String,
    moves: Vec<ClassifiedJson>,
}

#[derive(Debug, Serialize)]
struct ArticleJson {
    number: &'static str,
    name: &'static str,
}

#[derive(Debug, Serialize)]
struct ClassifiedJson {
    ply: usize,
    side: &'static str,
    r#move: String,
    class: &'static str,
}

impl RulingJson {
    /// The object for a ruling; the moves are those of the repetition.
    pub fn new(ruling: &Ruling) -> Self {
        Self {
            result: ruling.outcome.name(),
            ground: ruling.ground.name(),
            rule: ArticleJson {
                number: ruling.article.number,
                name: ruling.article.name,
            },
            text: ruling_text(ruling, Language::English),
            text_chinese: ruling_text(ruling, Language::Chinese),
            moves: ruling.moves.iter().map(ClassifiedJson::new).collect(),
        }
    }
}

impl ClassifiedJson {
    fn new(mv: &ClassifiedMove) -> Self {
        Self {
            ply: mv.ply,
            side: side_name(mv.side),
            r#move: mv.mv.to_string(),
            class: mv.class.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let mate = |score| ScoreJson::new(score).mate;
        assert_eq!(mate(Score::MateIn(1)), Some(1));
        assert_eq!(mate(Score::MateIn(5)), Some(3));
        assert_eq!(mate(Score::MatedIn(4)), Some(-2));
        assert_eq!(mate(Score::MatedIn(0)), Some(0));
        assert_eq!(ScoreJson::new(Score::Cp(-7)).cp, Some(-7));
    }
}
