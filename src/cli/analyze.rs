//! `chuhe analyze`: many positions, one after another or side by side.

use super::files::{Found, files_to_read};
use super::{Failure, parse, parse_seconds, stop_on_signal};
use crate::analysis::pool::{Work, in_order};
use crate::analysis::{
    Examiner, Finding, Input, InputError, Layout, Order, Output, OutputError, OutputFormat,
    PlyRange, Reading, Task, is_stream,
};
use crate::clock::{Limits, Stop};
use crate::notation::Notation;
use crate::record::Charset;
use crate::rules::RuleSet;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The largest table, in MB.
const MOST_HASH_MB: i64 = 1 << 20;
/// How long after a signal a search may take to end where another thread
/// waits for standard input.
const PATIENCE: Duration = Duration::from_millis(500);
/// The most lines of a position.
const MOST_LINES: i64 = 256;

/// Examines positions and the positions of games: evaluation, best lines,
/// what the rules say.
///
/// The greatest number of a first position: programs that read JSON tell
/// whole numbers apart up to 2^53.
const MOST_INDEX: u64 = 1 << 53;

/// Lists of FEN or EPD lines, games in every format that is read, and folders
/// of them. The output is in the order of the input and, unless time limits
/// the search, always the same but for the time taken.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders, - for standard input
    #[arg(default_value = "-")]
    input: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    /// Lines of each position
    #[arg(long, alias = "lines", value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=MOST_LINES))]
    multipv: u32,
    /// Keep what was learnt from one position to the next; results then
    /// depend on the order and on --jobs
    #[arg(long)]
    keep_table: bool,
    /// Which positions of games: all, last, or by moves before them (12, 12-60)
    #[arg(long, value_name = "RANGE", value_parser = parse_plies, default_value = "all")]
    plies: PlyRange,
    /// Encoding of the input: auto, utf-8, gb18030, big5, cp1258 ...
    #[arg(long, default_value = "auto", value_parser = parse::<Charset>)]
    encoding: Charset,
    /// The number of the first position
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=MOST_INDEX))]
    index_from: u64,
    /// jsonl, csv or text [default: by the name of the output, or text]
    #[arg(long, value_name = "FORM")]
    format: Option<OutputFormat>,
    /// Notations of moves besides ICCS, such as wxf,chinese
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = parse::<Notation>)]
    notation: Vec<Notation>,
    /// Leave out time_ms and nps, which differ from run to run
    #[arg(long)]
    no_timing: bool,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on from what is in the output
    #[arg(long, requires = "output")]
    resume: bool,
}

/// How long and by which rules to search.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Nodes of each position [default: 100000 unless there is another limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds for each position
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    movetime: Option<Duration>,
    /// Positions at the same time, each with an engine of its own
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(super::THREADS))]
    jobs: u16,
    /// Table of each engine in MB [default: 1 to 16, by the nodes]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=MOST_HASH_MB))]
    hash: Option<u32>,
    /// Rules of repetition
    #[arg(long, value_name = "NAME", default_value = "asian", value_parser = parse::<RuleSet>)]
    rules: RuleSet,
}

impl SearchArgs {
    pub(super) fn jobs(&self) -> usize {
        usize::from(self.jobs)
    }

    /// The order for one line of each position.
    pub(super) fn order(&self) -> Order {
        let default = Order::default();
        let unlimited = self.depth.is_none() && self.movetime.is_none();
        Order {
            limits: Limits {
                nodes: self.nodes.or(default.limits.nodes.filter(|_| unlimited)),
                depth: self.depth,
                movetime: self.movetime,
                ..Limits::default()
            },
            hash_mb: self.hash.map(|mb| mb as usize),
            rules: self.rules,
            ..default
        }
    }
}

fn parse_plies(text: &str) -> Result<PlyRange, String> {
    match text {
        "all" => Ok(PlyRange::default()),
        text => text.parse(),
    }
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, when the work was interrupted, or
/// when there were lines that are no positions.
pub fn run(args: &Args) -> Result<(), Failure> {
    let plan = Plan::new(args)?;
    let stop = stop_on_signal(plan.reads_stream().then_some(PATIENCE))?;
    let (total, mut tasks) = (plan.count()?, plan.tasks(true));
    let (mut output, mut done) = plan.output(&mut tasks)?;
    let bar = progress_bar(total, done.records);
    let mut deliver = |made: Made| -> Result<(), OutputError> {
        let made = made.map_err(OutputError::Input)?;
        output.write(&made.record)?;
        done.records += 1;
        done.bad_lines += u64::from(made.is_bad);
        bar.inc(1);
        Ok(())
    };
    let worker = || plan.worker(&stop);
    let abort = || stop.stop();
    let finished = in_order(tasks, args.search.jobs(), &worker, &abort, &mut deliver);
    bar.finish_and_clear();
    match finished {
        Err(error) if error.is_closed_pipe() => Ok(()),
        Err(error) => Err(error.into()),
        Ok(false) => Err(plan.interrupted()),
        Ok(true) => judge_whole(&done),
    }
}

/// What to say of work that was done to its end.
fn judge_whole(done: &Done) -> Result<(), Failure> {
    if done.records == 0 {
        log::warn!("no position in the input");
    }
    match done.bad_lines {
        0 => Ok(()),
        1 => Err("1 line is no position; its record says why".into()),
        more => Err(format!("{more} lines are no positions; their records say why").into()),
    }
}

/// What is in the output.
#[derive(Default)]
struct Done {
    records: u64,
    /// Those of lines that are no position.
    bad_lines: u64,
}

impl Done {
    fn count(&mut self, task: &Task) {
        self.records += 1;
        self.bad_lines += u64::from(task.subject.is_err());
    }
}

/// What comes of a task.
struct Record {
    record: String,
    /// The line of the task was no position.
    is_bad: bool,
}

type Made = Result<Record, InputError>;

/// The arguments made sense of.
struct Plan<'a> {
    args: &'a Args,
    files: Vec<PathBuf>,
    order: Order,
    layout: Layout,
}

impl<'a> Plan<'a> {
    fn new(args: &'a Args) -> Result<Self, Failure> {
        let written: Vec<&Path> = args.output.as_deref().into_iter().collect();
        let found = files_to_read(&args.input, &written)?.into_iter();
        let to_read = |file: &Found| file.is_named || has_positions(&file.path, args.encoding);
        let by_name = args.output.as_deref().and_then(format_of);
        let format = args.format.or(by_name).unwrap_or_default();
        Ok(Self {
            args,
            files: found.filter(to_read).map(|file| file.path).collect(),
            order: Order {
                lines: args.multipv as usize,
                keep_table: args.keep_table,
                ..args.search.order()
            },
            layout: Layout {
                format,
                notations: args.notation.clone(),
                timing: !args.no_timing,
            },
        })
    }

    fn tasks(&self, warn: bool) -> Input {
        let reading = Reading {
            plies: self.args.plies,
            charset: self.args.encoding,
            warn,
        };
        Input::from_files(self.files.clone(), reading).numbered_from(self.args.index_from)
    }

    fn reads_stream(&self) -> bool {
        self.files.iter().any(|file| is_stream(file))
    }

    /// The number of tasks, unknown where the input can be read only once.
    fn count(&self) -> Result<Option<u64>, InputError> {
        if self.reads_stream() {
            return Ok(None);
        }
        let mut count = 0;
        for task in self.tasks(false) {
            task?;
            count += 1;
        }
        Ok(Some(count))
    }

    /// Where the records go, and what is there already.
    fn output(&self, tasks: &mut Input) -> Result<(Output, Done), OutputError> {
        let (layout, order) = (&self.layout, &self.order);
        let mut done = Done::default();
        let output = match &self.args.output {
            None => Output::stdout(layout, order)?,
            Some(path) if self.args.resume => {
                Output::resume(path, layout, order, tasks, &mut |task| done.count(task))?
            }
            Some(path) => Output::create(path, layout, order)?,
        };
        Ok((output, done))
    }

    fn worker(&self, stop: &Arc<Stop>) -> Work<'static, Result<Task, InputError>, Made> {
        let (order, layout) = (self.order.clone(), self.layout.clone());
        let mut examiner = Examiner::new(&order);
        let stop = stop.clone();
        Box::new(move |task| {
            let task = match task {
                Ok(task) => task,
                Err(error) => return Some(Err(error)),
            };
            let game = task.subject.as_ref().ok();
            let finding: Option<Finding> = match game {
                Some(game) => Some(examiner.examine(game, &stop)?),
                None => None,
            };
            Some(Ok(Record {
                record: layout.record(&task, &order, finding.as_ref()),
                is_bad: finding.is_none(),
            }))
        })
    }

    fn interrupted(&self) -> Failure {
        match &self.args.output {
            Some(path) => format!("interrupted; --resume goes on from {}", path.display()).into(),
            None => "interrupted".into(),
        }
    }
}

/// Whether a file that was found in a folder is one to read; others are named
/// in the log.
fn has_positions(file: &Path, charset: Charset) -> bool {
    let reading = Reading {
        charset,
        warn: false,
        ..Reading::default()
    };
    match Input::from_files(vec![file.to_owned()], reading).next() {
        Some(Err(error @ InputError::Content(..))) => {
            log::warn!("passed over: {error}");
            false
        }
        _ => true,
    }
}

/// The form of output that the name of a file tells.
fn format_of(path: &Path) -> Option<OutputFormat> {
    match path.extension()?.to_str()? {
        "jsonl" | "json" | "ndjson" => Some(OutputFormat::JsonLines),
        "csv" => Some(OutputFormat::Csv),
        "txt" => Some(OutputFormat::Text),
        _ => None,
    }
}

fn progress_bar(total: Option<u64>, done: u64) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:30} {pos}/{len} positions [{elapsed_precise} <{eta_precise}] {per_sec}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{pos} positions [{elapsed_precise}] {per_sec}",
        ),
    };
    let style = ProgressStyle::with_template(template);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.with_position(done).with_elapsed(Duration::ZERO)
}
