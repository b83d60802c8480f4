//! Findings as lines of JSON, rows of a table, or text.

use super::examine::{Finding, Order};
use super::input::Task;
use super::schema::{BodyJson, HeadJson, ScoreJson, TimingJson, side_name, texts};
use crate::board::Position;
use crate::notation::Notation;
use crate::rules::Game;
use crate::search::{Line, Score};
use serde_json::json;
use std::fmt::{self, Write};
use std::str::FromStr;

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputFormat {
    /// A JSON object on each line.
    JsonLines,
    /// A table with a row for each position.
    Csv,
    /// For people.
    #[default]
    Text,
}

impl OutputFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::JsonLines, Self::Csv, Self::Text];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Text => "text",
        }
    }

    /// What ends a record.
    pub(super) const fn record_end(self) -> &'static str {
        match self {
            Self::JsonLines | Self::Csv => "\n",
            Self::Text => "\n\n",
        }
    }
}

/// A text that names no form of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFormatError(String);

impl fmt::Display for OutputFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = OutputFormat::ALL.map(OutputFormat::name).join(", ");
        write!(f, "`{}`: expected one of {names}", self.0)
    }
}

impl std::error::Error for OutputFormatError {}

impl FromStr for OutputFormat {
    type Err = OutputFormatError;

    fn from_str(text: &str) -> Result<Self, OutputFormatError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| OutputFormatError(text.to_owned()))
    }
}

/// How findings are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The form.
    pub format: OutputFormat,
    /// Notations of moves besides ICCS; a text has the first one instead.
    pub notations: Vec<Notation>,
    /// Whether to tell the time, which differs from run to run.
    pub timing: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            format: OutputFormat::default(),
            notations: Vec::new(),
            timing: true,
        }
    }
}

impl Layout {
    /// What stands before the first record: the names of the columns of a
    /// table.
    pub fn preamble(&self, order: &Order) -> String {
        if self.format != OutputFormat::Csv {
            return String::new();
        }
        let mut columns: Vec<String> = HEAD_COLUMNS.map(str::to_owned).into();
        for rank in 1..=order.lines {
            let suffix = if rank == 1 {
                String::new()
            } else {
                rank.to_string()
            };
            columns.extend(LINE_COLUMNS.map(|name| format!("{name}{suffix}")));
            let pv = |n: &Notation| format!("pv_{}{suffix}", n.name().replace('-', "_"));
            columns.extend(self.notations.iter().map(pv));
        }
        columns.extend(TAIL_COLUMNS.map(str::to_owned));
        if self.timing {
            columns.extend(TIMING_COLUMNS.map(str::to_owned));
        }
        columns.join(",") + "\n"
    }

    /// The beginning of a record, which is known before the position is
    /// examined.
    pub fn head(&self, task: &Task, order: &Order) -> String {
        match self.format {
            OutputFormat::JsonLines => {
                let head = to_json(&HeadJson::new(task, order));
                head.strip_suffix('}').unwrap_or(&head).to_owned() + ","
            }
            OutputFormat::Csv => csv_head(task, order),
            OutputFormat::Text => text_head(task),
        }
    }

    /// The whole record of a task with its end; without a finding the record
    /// of a task whose line is no position.
    pub fn record(&self, task: &Task, order: &Order, finding: Option<&Finding>) -> String {
        let head = self.head(task, order);
        let body = match (&task.subject, finding) {
            (Ok(game), Some(finding)) => self.body(game, order, finding),
            (Ok(_), None) => self.error("not examined", order),
            (Err(error), _) => self.error(error, order),
        };
        head + &body + self.format.record_end()
    }

    fn body(&self, game: &Game, order: &Order, finding: &Finding) -> String {
        match self.format {
            OutputFormat::JsonLines => {
                let body = BodyJson::new(game, finding, &self.notations, self.timing);
                to_json(&body)[1..].to_owned()
            }
            OutputFormat::Csv => self.csv_body(game.position(), order, finding),
            OutputFormat::Text => self.text_body(game.position(), finding),
        }
    }

    fn error(&self, error: &str, order: &Order) -> String {
        match self.format {
            OutputFormat::JsonLines => to_json(&json!({ "error": error }))[1..].to_owned(),
            OutputFormat::Csv => {
                let columns = LINE_COLUMNS.len() + self.notations.len();
                let timing = if self.timing { TIMING_COLUMNS.len() } else { 0 };
                let gap = ",".repeat(order.lines * columns);
                format!("{}{gap},,{}", csv_field(error), ",".repeat(timing))
            }
            OutputFormat::Text => format!("   {error}"),
        }
    }

    fn csv_body(&self, pos: &Position, order: &Order, finding: &Finding) -> String {
        let ruling = finding.ruling.as_ref().map(|ruling| ruling.summary());
        let mut fields = vec![ruling.unwrap_or_default()];
        for rank in 0..order.lines {
            fields.extend(self.csv_line(pos, finding, rank));
        }
        let depth = finding.lines.first().map_or(0, |line| line.depth);
        fields.extend([depth.to_string(), finding.nodes.to_string()]);
        if self.timing {
            let timing = TimingJson::of(finding);
            fields.extend([timing.time_ms.to_string(), timing.nps.to_string()]);
        }
        let fields: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
        fields.join(",")
    }

    fn csv_line(&self, pos: &Position, finding: &Finding, rank: usize) -> Vec<String> {
        let Some(line) = finding.lines.get(rank) else {
            return vec![String::new(); LINE_COLUMNS.len() + self.notations.len()];
        };
        let score = ScoreJson::new(line.score);
        let number = |n: Option<i32>| n.map_or(String::new(), |n| n.to_string());
        let mut fields = vec![line.pv[0].to_string(), number(score.cp), number(score.mate)];
        fields.extend(line.wdl.map(|chance| chance.to_string()));
        let end = finding.ends[rank].as_ref();
        fields.push(end.map_or(String::new(), |end| end.ruling.summary()));
        let all = std::iter::once(Notation::Iccs).chain(self.notations.iter().copied());
        fields.extend(all.map(|notation| texts(pos, &line.pv, notation).join(" ")));
        fields
    }

    fn text_body(&self, pos: &Position, finding: &Finding) -> String {
        let notation = self.notations.first().copied().unwrap_or(Notation::Iccs);
        let mut text = String::new();
        if let Some(ruling) = &finding.ruling {
            let _ = writeln!(text, "   {}", ruling.summary());
        }
        for (line, end) in finding.lines.iter().zip(&finding.ends) {
            let moves = texts(pos, &line.pv, notation).join(" ");
            let _ = writeln!(text, "{:>4}. {}  {moves}", line.multipv, verdict(line));
            if let Some(end) = end {
                let _ = writeln!(
                    text,
                    "      end, ply {}: {}",
                    end.after,
                    end.ruling.summary()
                );
            }
        }
        let depth = finding.lines.first().map_or(0, |line| line.depth);
        let _ = write!(text, "   depth {depth}, {} nodes", finding.nodes);
        if self.timing {
            let _ = write!(text, ", {} ms", TimingJson::of(finding).time_ms);
        }
        text
    }
}

/// The last one has the ruling, or what is wrong with a line.
const HEAD_COLUMNS: [&str; 10] = [
    "version", "index", "source", "game", "ply", "id", "fen", "played", "order", "ruling",
];
/// These belong to each line, those after the first with its number behind.
const LINE_COLUMNS: [&str; 8] = ["best", "cp", "mate", "win", "draw", "loss", "ends", "pv"];
const TAIL_COLUMNS: [&str; 2] = ["depth", "nodes"];
const TIMING_COLUMNS: [&str; 2] = ["time_ms", "nps"];

fn to_json(value: &impl serde::Serialize) -> String {
    // Strings, numbers and lists of them always have a form in JSON.
    serde_json::to_string(value).unwrap_or_default()
}

/// The score as players read it, and the chances in percent.
fn verdict(line: &Line) -> String {
    let [win, draw, loss] = line.wdl.map(|chance| f64::from(chance) / 10.0);
    format!(
        "{:>7} (win {win:.0} draw {draw:.0} loss {loss:.0})",
        score_text(line.score)
    )
}

/// `+0.35`, `#3` for a mate in three moves, `#-2` for being mated in two.
pub fn score_text(score: Score) -> String {
    match ScoreJson::new(score) {
        ScoreJson { mate: Some(n), .. } => format!("#{n}"),
        ScoreJson { cp, .. } => format!("{:+.2}", f64::from(cp.unwrap_or(0)) / 100.0),
    }
}

fn csv_head(task: &Task, order: &Order) -> String {
    let number = |n: Option<usize>| n.map_or(String::new(), |n| n.to_string());
    let pos = task.subject.as_ref().ok().map(Game::position);
    let fields = [
        super::VERSION.to_string(),
        task.index.to_string(),
        task.source.to_string(),
        number(task.game),
        number(task.ply),
        task.id.clone().unwrap_or_default(),
        pos.map_or(String::new(), Position::to_string),
        task.played.map_or(String::new(), |mv| mv.to_string()),
        order_text(order),
    ];
    fields.map(|field| csv_field(&field)).join(",") + ","
}

fn order_text(order: &Order) -> String {
    let mut text = String::new();
    if let Some(depth) = order.limits.depth {
        let _ = write!(text, "depth={depth} ");
    }
    if let Some(nodes) = order.limits.nodes {
        let _ = write!(text, "nodes={nodes} ");
    }
    if let Some(time) = order.limits.movetime {
        let _ = write!(text, "movetime={}ms ", time.as_millis());
    }
    let _ = write!(
        text,
        "hash={} rules={}",
        order.table_megabytes(),
        order.rules
    );
    if order.keep_table {
        text += " keep-table";
    }
    text
}

/// A field as RFC 4180 has it, line breaks left out so that a row is a line.
fn csv_field(text: &str) -> String {
    let text = text.replace(['\r', '\n'], " ");
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn text_head(task: &Task) -> String {
    let mut text = format!("#{} {}", task.index, task.source.replace(['\r', '\n'], " "));
    if let (Some(game), Some(ply)) = (task.game, task.ply) {
        let _ = write!(text, ", game {game}, ply {ply}");
    }
    if let Some(mv) = task.played {
        let _ = write!(text, ", played {mv}");
    }
    if let Some(id) = task.id.as_deref().filter(|id| !id.is_empty()) {
        let _ = write!(text, ", {id}");
    }
    if let Ok(game) = &task.subject {
        let pos = game.position();
        let side = side_name(pos.side_to_move());
        let _ = write!(text, "\n   {pos} ({side} to move)");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Examiner, Input};
    use crate::clock::{Limits, Stop};

    const LINES: &str = "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w - - id \"a, b\";\n9/9 w\n";

    fn records(format: OutputFormat, lines: usize) -> (String, Vec<String>) {
        let order = Order {
            limits: Limits {
                depth: Some(3),
                ..Limits::default()
            },
            lines,
            ..Order::default()
        };
        let layout = Layout {
            format,
            notations: vec![Notation::Wxf],
            timing: false,
        };
        let mut examiner = Examiner::new(&order);
        let record = |task: Task| {
            let game = task.subject.as_ref().ok();
            let found = game.and_then(|game| examiner.examine(game, &Stop::default()));
            let record = layout.record(&task, &order, found.as_ref());
            assert!(record.starts_with(&layout.head(&task, &order)));
            record
        };
        let tasks = Input::from_text("t", LINES).map(Result::unwrap);
        let records = tasks.map(record).collect();
        (layout.preamble(&order), records)
    }

    #[test]
    fn json_lines_have_what_the_guide_says() {
        let (_, records) = records(OutputFormat::JsonLines, 2);
        let value: serde_json::Value = serde_json::from_str(&records[0]).unwrap();
        assert_eq!(
            (value["version"].as_u64(), value["index"].as_u64()),
            (Some(1), Some(0))
        );
        assert_eq!(value["id"], "a, b");
        assert_eq!(value["lines"].as_array().unwrap().len(), 2);
        assert_eq!(value["lines"][0]["score"]["mate"], 1);
        assert_eq!(value["lines"][0]["ends"]["ground"], "checkmate");
        assert_eq!(value["lines"][0]["pv"]["wxf"].as_array().unwrap().len(), 1);
        assert!(value.get("time_ms").is_none());
        let wrong: serde_json::Value = serde_json::from_str(&records[1]).unwrap();
        assert!(wrong["error"].as_str().unwrap().contains("9/9"));
        assert!(records.iter().all(|r| r.matches('\n').count() == 1));
    }

    #[test]
    fn rows_of_a_table_are_equally_long() {
        for lines in [1, 3] {
            let (preamble, records) = records(OutputFormat::Csv, lines);
            let columns = preamble.matches(',').count();
            // Commas in quotes part no columns: those are the even pieces.
            for record in &records {
                let commas = |part: &str| part.matches(',').count();
                let parting: usize = record.split('"').step_by(2).map(commas).sum();
                assert_eq!(parting, columns, "{record}");
            }
            assert!(records[0].contains("\"a, b\""));
        }
    }

    #[test]
    fn texts_end_with_their_only_blank_line() {
        let (_, records) = records(OutputFormat::Text, 1);
        for record in records {
            assert_eq!(record.matches("\n\n").count(), 1, "{record}");
            assert!(record.ends_with("\n\n"));
        }
    }

    #[test]
    fn scores_are_read_as_players_do() {
        assert_eq!(score_text(Score::Cp(35)), "+0.35");
        assert_eq!(score_text(Score::Cp(-135)), "-1.35");
        assert_eq!(score_text(Score::MatedIn(4)), "#-2");
    }
}
