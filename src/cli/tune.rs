//! `chuhe tune`: better numbers for the search by many games.

use super::trial::Ground;
use super::{Failure, Usage, in_file, stop_on_signal};
use crate::platform::files;
use crate::search::{ParamInfo, Params};
use crate::training::trial::Player;
use crate::training::tune::{DEFAULT_GAIN, Tuned, Tuning, tune};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;

/// Pairs of games after which the state is written.
const SAVE_EVERY: u64 = 10;

/// Tunes parameters of the search (SPSA): two settings a little apart play a
/// pair of games, and the parameters move towards the winner's. The state is
/// kept in a file; the same command goes on where it stopped.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The parameters, by their names in the table; all if left out
    #[arg(value_parser = parameter)]
    params: Vec<ParamInfo>,
    /// The file that keeps the state: pairs played, nodes and seed, then `name value`
    #[arg(long, default_value = "tune.txt")]
    state: PathBuf,
    /// Games in all, two for each step
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 8000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How far a won pair moves a parameter at the end, in parts of its
    /// perturbation: the more games, the smaller
    #[arg(long, default_value_t = DEFAULT_GAIN, value_parser = gain)]
    gain: f64,
    #[command(flatten)]
    ground: Ground,
    /// Print the table of parameters with their ranges and stop
    #[arg(long)]
    list: bool,
}

fn gain(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|g: &f64| *g > 0.0 && *g <= 1.0);
    number.ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

/// The parameter of this name.
///
/// # Errors
/// When there is none.
pub(super) fn parameter(name: &str) -> Result<ParamInfo, String> {
    Params::TABLE
        .iter()
        .find(|info| info.name == name)
        .copied()
        .ok_or_else(|| {
            format!("`{name}` is no parameter of the search; `chuhe tune --list` has them")
        })
}

/// Runs the command.
///
/// # Errors
/// When the state cannot be read or written.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.list {
        super::print(&Params::TABLE.iter().map(describe).collect::<String>());
        return Ok(());
    }
    let start = load(args, &chosen(args)?)?;
    // That the state cannot be written is better known before the games.
    save(args, &start)?;
    let stop = stop_on_signal(None)?;
    let trial = args.ground.trial(args.games, args.nodes);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games ({eta} left)");
    let bar = ProgressBar::new(2 * trial.pairs)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let base = Player {
        evaluation: super::trial::evaluation(super::trial::EMBEDDED)?,
        params: Params::default(),
    };
    let end = tune(&trial, &base, start, &stop, &|state| {
        bar.set_position(2 * state.done);
        if state.done.is_multiple_of(SAVE_EVERY)
            && let Err(error) = save(args, state)
        {
            log::error!("{error}");
        }
    });
    bar.finish_and_clear();
    super::print(&report(&end));
    save(args, &end)?;
    super::unless_interrupted(&stop, "the same command goes on")
}

fn describe(info: &ParamInfo) -> String {
    format!(
        "{} = {} ({} to {})\n",
        info.name, info.default, info.min, info.max
    )
}

fn chosen(args: &Args) -> Result<Vec<ParamInfo>, Usage> {
    if args.params.is_empty() {
        return Ok(Params::TABLE.to_vec());
    }
    let twice = |(i, info): &(usize, &ParamInfo)| args.params[..*i].contains(info);
    match args.params.iter().enumerate().find(twice) {
        Some((_, info)) => Err(Usage(format!("`{}` is named twice", info.name))),
        None => Ok(args.params.clone()),
    }
}

fn report(tuning: &Tuning) -> String {
    let line = |p: &Tuned| {
        format!(
            "{} = {:.0} (was {})\n",
            p.info.name, p.value, p.info.default
        )
    };
    let lines: String = tuning.params.iter().map(line).collect();
    format!("{} games\n{lines}", 2 * tuning.done)
}

/// The state in the file, or the start where there is no file.
fn load(args: &Args, params: &[ParamInfo]) -> Result<Tuning, Failure> {
    let mut tuning = Tuning::new(params.iter().copied());
    tuning.gain = args.gain;
    if args.state.try_exists().is_ok_and(|exists| !exists) {
        return Ok(tuning);
    }
    let text = files::check_plain(&args.state).and_then(|()| files::read_text(&args.state));
    for line in text.map_err(|error| in_file(&args.state, &error))?.lines() {
        read_line(args, &mut tuning, line).map_err(|what| in_file(&args.state, &what))?;
    }
    Ok(tuning)
}

fn read_line(args: &Args, tuning: &mut Tuning, line: &str) -> Result<(), String> {
    let wrong = || format!("`{line}` is not `pairs N` or `name value` of a parameter being tuned");
    let (name, value) = line.split_once(' ').ok_or_else(wrong)?;
    let whole = || value.parse::<u64>().map_err(|_| wrong());
    match name {
        "pairs" => tuning.done = whole()?,
        "nodes" => unchanged(name, whole()?, args.nodes)?,
        "seed" => unchanged(name, whole()?, args.ground.seed())?,
        _ => {
            let tuned = tuning.params.iter_mut().find(|p| p.info.name == name);
            let tuned = tuned.ok_or_else(wrong)?;
            let range = f64::from(tuned.info.min)..=f64::from(tuned.info.max);
            let number = value.parse().ok().filter(|number| range.contains(number));
            tuned.value =
                number.ok_or_else(|| format!("`{line}`: expected a number in {range:?}"))?;
        }
    }
    Ok(())
}

/// A run goes on as it was begun.
fn unchanged(what: &str, was: u64, now: u64) -> Result<(), String> {
    match was == now {
        true => Ok(()),
        false => Err(format!("was begun with --{what} {was}, not {now}")),
    }
}

/// Writes the state so that the file is always whole.
fn save(args: &Args, tuning: &Tuning) -> Result<(), Failure> {
    let (nodes, seed) = (args.nodes, args.ground.seed());
    let lines = tuning.params.iter();
    let lines: String = lines
        .map(|p| format!("{} {}\n", p.info.name, p.value))
        .collect();
    let text = format!("pairs {}\nnodes {nodes}\nseed {seed}\n{lines}", tuning.done);
    files::replace(&args.state, text.as_bytes()).map_err(|error| in_file(&args.state, &error))
}
