//! The command line: arguments in, one function per subcommand.

mod analyze;
mod annotate;
mod bench;
mod book;
mod convert;
mod datagen;
mod diagram;
mod eval;
mod export_net;
mod files;
mod games;
mod matches;
mod openings;
mod perft;
mod play;
mod protocol;
mod rules;
mod train;
mod trial;
mod tune;

use crate::board::Position;
use crate::clock::Stop;
use crate::eval::nnue::Network;
use crate::platform::files::{cut, open_to_go_on, whole_lines};
use crate::search::MOST_THREADS;
use clap::{CommandFactory, Parser, Subcommand};
use log::LevelFilter;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

/// Exit code when the arguments make no sense, the same as clap's.
const USAGE: u8 = 2;
/// Exit code when the work failed.
const FAILED: u8 = 1;

/// Why a command failed, in words for the user.
type Failure = Box<dyn std::error::Error>;

/// Arguments that make no sense.
#[derive(Debug)]
struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Refuses the first of these options that is given, for this reason.
fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), Usage> {
    match options.iter().find(|option| option.1) {
        Some((name, _)) => Err(Usage(format!("{name}: {why}"))),
        None => Ok(()),
    }
}

const AFTER_HELP: &str = "\
Without a subcommand the program speaks UCI or UCCI on standard input and
output, as a graphical user interface expects. Any other arguments are run as
commands of these protocols:
  chuhe \"go depth 10\"
  chuhe \"position startpos moves h2e2\" d";

/// The version of the program, and its net.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} (net {})",
        env!("CARGO_PKG_VERSION"),
        Network::embedded()
    )
});

/// A xiangqi (Chinese chess) engine that speaks UCI and UCCI.
#[derive(Debug, Parser)]
#[command(name = "chuhe", version = VERSION.as_str(), after_help = AFTER_HELP, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// Log to standard error: -v what is done, -vv every line too, -vvv all
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,

    /// Log to this file instead, every line in and out by default
    #[arg(long, value_name = "FILE", global = true)]
    log_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Args),
    Perft(perft::Args),
    Eval(eval::Args),
    Rules(rules::Args),
    Convert(convert::Args),
    #[command(alias = "analyse")]
    Analyze(Box<analyze::Args>),
    Annotate(Box<annotate::Args>),
    Diagram(Box<diagram::Args>),
    Book(book::Args),
    Datagen(datagen::Args),
    Match(Box<matches::Args>),
    Openings(openings::Args),
    Play(play::Args),
    #[command(hide = true, name = matches::GUARD)]
    GuardEngines,
    Train(train::Args),
    ExportNet(export_net::Args),
    Trial(trial::Args),
    Tune(tune::Args),
    /// Commands of UCI and UCCI
    #[command(external_subcommand)]
    Protocol(Vec<String>),
}

/// The names of the subcommands that users may give.
fn subcommands() -> Vec<String> {
    let all = Arguments::command();
    let shown = all.get_subcommands().filter(|c| !c.is_hide_set());
    shown.map(|c| c.get_name().to_owned()).collect()
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = start_log(&arguments).and_then(|()| obey(arguments.command));
    match concluded(result) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "error: {failure}");
            ExitCode::from(if failure.is::<Usage>() { USAGE } else { FAILED })
        }
    }
}

fn obey(command: Option<Command>) -> Result<(), Failure> {
    match command {
        None => protocol::run(),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Annotate(args)) => annotate::run(&args),
        Some(Command::Diagram(args)) => diagram::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Match(args)) => matches::run(*args),
        Some(Command::Openings(args)) => openings::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::GuardEngines) => matches::guard(),
        Some(Command::ExportNet(args)) => export_net::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Trial(args)) => trial::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Protocol(words)) => protocol::run_words(&words),
    }
}

/// Starts the log. The protocols have none unless it is asked for, since many
/// user interfaces never read standard error; other work tells what it does.
fn start_log(arguments: &Arguments) -> Result<(), Failure> {
    let speaks = matches!(arguments.command, None | Some(Command::Protocol(_)));
    let level = match (arguments.verbose, &arguments.log_file) {
        (0, None) if speaks => return Ok(()),
        (0, None) | (1, _) => LevelFilter::Info,
        (0 | 2, _) => LevelFilter::Debug,
        _ => LevelFilter::Trace,
    };
    let mut log = env_logger::Builder::new();
    log.filter_level(level);
    if let Some(path) = &arguments.log_file {
        let file = File::options().append(true).create(true).open(path);
        let head = format!("chuhe {}, a new log\n", env!("CARGO_PKG_VERSION"));
        let begun = file.and_then(|mut file| file.write_all(head.as_bytes()).map(|()| file));
        let file = begun.map_err(|error| in_file(path, &error))?;
        log.target(env_logger::Target::Pipe(Box::new(file)));
        log.format_timestamp_millis();
    } else {
        log.format_timestamp(None);
    }
    log.init();
    Ok(())
}

/// The position of a FEN given in one argument or field by field; the start
/// position for none.
fn position(fen: &[String]) -> Result<Position, Failure> {
    if fen.is_empty() {
        return Ok(Position::startpos());
    }
    let fen = fen.join(" ");
    let pos = fen.parse();
    Ok(pos.map_err(|error| Usage(format!("{error} in `{fen}`")))?)
}

/// What a name on the command line stands for.
fn parse<T: FromStr>(text: &str) -> Result<T, String>
where
    T::Err: fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// A time in seconds, above 0.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0);
    let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    time.ok_or_else(|| format!("`{text}`: expected a number of seconds such as 0.5"))
}

/// A flag that the first signal sets; the second one ends the program, and so
/// does the time `patience` after the first where work may wait for input.
fn stop_on_signal(patience: Option<Duration>) -> Result<Arc<Stop>, Failure> {
    const KILLED_BY_INTERRUPT: i32 = 130;
    let stop = Arc::new(Stop::default());
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.is_stopped() {
            std::process::exit(KILLED_BY_INTERRUPT);
        }
        flag.stop();
        if let Some(patience) = patience {
            std::thread::sleep(patience);
            std::process::exit(i32::from(FAILED));
        }
    })?;
    Ok(stop)
}

/// A file of lines that work adds to, at its end, and the lines after the first
/// that are in it already. The first one is `head`, by which it is known again;
/// `mark` is how every file of the kind begins. A last line that was not written
/// to its end is removed.
fn go_on(path: &Path, mark: &str, head: &str) -> Result<(File, Vec<String>), Failure> {
    let fail = |error: io::Error| in_file(path, &error);
    let mut file = open_to_go_on(path).map_err(fail)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(fail)?;
    text.truncate(whole_lines(text.as_bytes(), mark).map_err(fail)?);
    let mut lines = text.lines().map(str::to_owned);
    match lines.next() {
        Some(found) if found != head => {
            let what = format!("was made as `{found}`, expected `{head}`");
            return Err(in_file(path, &what));
        }
        Some(_) => cut(&mut file, text.len() as u64).map_err(fail)?,
        None => {
            cut(&mut file, 0).map_err(fail)?;
            file.write_all(format!("{head}\n").as_bytes())
                .map_err(fail)?;
        }
    }
    Ok((file, lines.collect()))
}

/// Fails when work was interrupted by a signal, with `what` becomes of it.
fn unless_interrupted(stop: &Stop, what: &str) -> Result<(), Failure> {
    match stop.is_stopped() {
        true => Err(format!("interrupted; {what}").into()),
        false => Ok(()),
    }
}

/// Why standard output could not be written, where that is so.
static OUTPUT_FAULT: OnceLock<String> = OnceLock::new();

/// Writes to standard output. A reader that has gone away is no failure;
/// another fault is told in the end.
fn print(text: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written.or_else(unless_broken) {
        let _ = OUTPUT_FAULT.set(error.to_string());
    }
}

/// A reader of the output that has gone away is no failure.
fn unless_broken(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

/// The end of a command: nothing is left to do when nobody reads the output,
/// and output that could not be written is a failure.
fn concluded(result: Result<(), Failure>) -> Result<(), Failure> {
    if let Err(failure) = result {
        return match failure.downcast::<io::Error>() {
            Ok(error) => Ok(unless_broken(*error)?),
            Err(other) => Err(other),
        };
    }
    match OUTPUT_FAULT.get() {
        Some(fault) => Err(format!("standard output: {fault}").into()),
        None => Ok(()),
    }
}

/// A fault in words that name its file.
fn in_file(path: &Path, fault: &dyn fmt::Display) -> Failure {
    format!("{}: {fault}", path.display()).into()
}

/// A number of games that can be played.
fn games_asked(text: &str) -> Result<usize, String> {
    /// More than anybody plays.
    const MOST: usize = 10_000_000;
    at_most(text, MOST)
}

/// Numbers of threads that may be started, the same as in the protocols.
const THREADS: RangeInclusive<i64> = 1..=MOST_THREADS as i64;

/// A number of threads that may be started.
fn threads_asked(text: &str) -> Result<usize, String> {
    at_most(text, usize::from(MOST_THREADS))
}

fn at_most(text: &str, most: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| format!("expected a number up to {most}"))
}

/// Writes a whole file.
fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| in_file(path, &error))
}

/// Sees to it that an input file named on the command line is there; `-` is
/// standard input.
fn check_input(path: &Path) -> Result<(), Usage> {
    if path == Path::new("-") {
        return Ok(());
    }
    let named = |fault: &dyn fmt::Display| Usage(format!("{}: {fault}", path.display()));
    let about = path.metadata().map_err(|error| named(&error))?;
    if about.is_dir() {
        return Err(named(&"a folder, expected a file"));
    }
    if about.is_file() {
        File::open(path).map_err(|error| named(&error))?;
    }
    Ok(())
}

/// Gives way to whatever else the machine has to do.
fn be_nice() {
    crate::platform::be_nice();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_may_come_in_pieces() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let fen = Position::startpos().to_string();
        assert_eq!(position(&words(&fen)).ok(), Some(Position::startpos()));
        assert_eq!(position(&[fen]).ok(), Some(Position::startpos()));
        assert!(position(&words("xyz w")).unwrap_err().is::<Usage>());
    }
}
