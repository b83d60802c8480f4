//! `chuhe trial`: does a net, or a setting of the search, play better?

use super::{Failure, go_on, in_file};
use crate::arena::stats::{Estimate, Outcome};
use crate::eval::nnue::Network;
use crate::search::{Params, Settings};
use crate::training::material::{MATERIAL, material};
use crate::training::selfplay::Conduct;
use crate::training::trial::{Evaluation, Pair, Player, Score, Trial};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The name that stands for the hand-made evaluation.
pub(super) const CLASSICAL: &str = "classical";
/// The name that stands for the net in the program.
pub(super) const EMBEDDED: &str = "embedded";

/// Plays a net, or another setting of the search, against another at a fixed
/// number of nodes per move.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The net to try: a file, `embedded`, `classical` or `material`
    net: String,
    /// Its opponent: a file, `embedded`, `classical` or `material`
    #[arg(long, default_value = EMBEDDED)]
    against: String,
    /// A parameter of the search of the net to try, as `lmr_base=900`; any
    /// number of them
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<Setting>,
    /// The same for its opponent
    #[arg(long = "set-against", value_name = "NAME=VALUE", value_parser = setting)]
    set_against: Vec<Setting>,
    /// Games, two for each opening
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Keep the games played in this file; the same command goes on where it
    /// stopped
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    ground: Ground,
}

/// On what games are played.
#[derive(Debug, clap::Args)]
pub(super) struct Ground {
    /// Threads, each playing games of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(super::THREADS))]
    threads: u16,
    /// Seed of all that is drawn by lot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Table of each engine in MB
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
}

impl Ground {
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// So many games in pairs, at so many nodes per move.
    pub(super) fn trial(&self, games: u64, nodes: u64) -> Trial {
        Trial {
            pairs: games.div_ceil(2),
            nodes,
            threads: usize::from(self.threads),
            seed: self.seed,
            settings: Settings {
                hash_mb: usize::from(self.hash),
                ..Settings::default()
            },
            conduct: Conduct::default(),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When a net cannot be read, or the state cannot be used or written.
pub fn run(args: &Args) -> Result<(), Failure> {
    let players = [
        player(&args.net, &args.set)?,
        player(&args.against, &args.set_against)?,
    ];
    let [first, second] = players.each_ref().map(name);
    let title = format!("{first} against {second}, {} nodes", args.nodes);
    let trial = args.ground.trial(args.games, args.nodes);
    let mut state = State::open(args, &title)?;
    state.pairs.retain(|pair| pair.number < trial.pairs);
    let bar = bar(2 * trial.pairs);
    let stop = super::stop_on_signal(None)?;
    let score = trial.run(&players, &state.pairs, &stop, &|pair, score| {
        bar.set_position(score.games.games());
        bar.set_message(summary(score));
        if !state.add(pair) {
            stop.stop();
        }
    });
    bar.finish_and_clear();
    super::print(&format!("{title}: {}\n", summary(score)));
    if let Some(fault) = state.fault.into_inner() {
        return Err(fault.into());
    }
    super::unless_interrupted(
        &stop,
        match args.state {
            Some(_) => "the same command goes on",
            None => "these are the games played so far; with --state they could be gone on from",
        },
    )
}

fn bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games ({eta} left), {msg}");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// How a file of games played begins.
const MARK: &str = "# chuhe trial";

/// The pairs played before, and the file for those to come.
#[derive(Default)]
struct State {
    pairs: Vec<Pair>,
    file: Option<(PathBuf, Mutex<File>)>,
    /// Why the file could not be written.
    fault: OnceLock<String>,
}

impl State {
    /// What the file asked for holds, where one is.
    fn open(args: &Args, title: &str) -> Result<Self, Failure> {
        let Some(path) = &args.state else {
            return Ok(Self::default());
        };
        let Ground { seed, hash, .. } = args.ground;
        let head = format!("{MARK}: {title}, --seed {seed} --hash {hash}");
        let (file, lines) = go_on(path, MARK, &head)?;
        let pairs = lines
            .iter()
            .map(|line| pair_of(line))
            .collect::<Option<_>>();
        let wrong = || {
            in_file(
                path,
                &"expected lines such as `12 Win Draw` after the first",
            )
        };
        Ok(Self {
            pairs: pairs.ok_or_else(wrong)?,
            file: Some((path.clone(), Mutex::new(file))),
            fault: OnceLock::new(),
        })
    }

    /// Writes a pair down; whether that was possible.
    fn add(&self, pair: &Pair) -> bool {
        let Some((path, file)) = &self.file else {
            return true;
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(line_of(pair).as_bytes());
        let written = written.map_err(|error| format!("`{}`: {error}", path.display()));
        written.map_err(|fault| self.fault.set(fault)).is_ok()
    }
}

fn line_of(pair: &Pair) -> String {
    let [first, second] = pair.outcomes;
    format!("{} {first:?} {second:?}\n", pair.number)
}

fn pair_of(line: &str) -> Option<Pair> {
    let mut words = line.split(' ');
    let number = words.next()?.parse().ok()?;
    let all = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let mut outcome = || {
        let word = words.next()?;
        all.into_iter()
            .find(|outcome| format!("{outcome:?}") == word)
    };
    let outcomes = [outcome()?, outcome()?];
    words.next().is_none().then_some(Pair { number, outcomes })
}

/// A parameter of the search and its value.
type Setting = (&'static str, i32);

/// Reads `NAME=VALUE`.
fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form NAME=VALUE"))?;
    let info = super::tune::parameter(name)?;
    let range = info.min..=info.max;
    match value.parse() {
        Ok(value) if range.contains(&value) => Ok((info.name, value)),
        _ => Err(format!(
            "`{value}` is not a number from {} to {}",
            info.min, info.max
        )),
    }
}

fn player(net: &str, settings: &[Setting]) -> Result<Player, Failure> {
    let mut params = Params::default();
    for &(name, value) in settings {
        if let Some(param) = params.get_mut(name) {
            *param = value;
        }
    }
    Ok(Player {
        evaluation: evaluation(net)?,
        params,
    })
}

/// The evaluation of a name on the command line.
///
/// # Errors
/// When it is a file that is no net.
pub(super) fn evaluation(text: &str) -> Result<Evaluation, Failure> {
    match text {
        CLASSICAL => Ok(None),
        EMBEDDED => Ok(Some(Network::embedded())),
        MATERIAL => Ok(Some(material())),
        path => Ok(Some(network(Path::new(path))?)),
    }
}

/// The net of a file named on the command line.
///
/// # Errors
/// When the file is not there or is no net.
pub(super) fn network(path: &Path) -> Result<Arc<Network>, Failure> {
    super::check_input(path)?;
    Ok(Arc::new(Network::load(path)?))
}

/// The net of a file, or the one in the program.
///
/// # Errors
/// As those of [`network`].
pub(super) fn network_or_own(path: Option<&Path>) -> Result<Arc<Network>, Failure> {
    path.map_or_else(|| Ok(Network::embedded()), network)
}

fn name(player: &Player) -> String {
    let mut name = player
        .evaluation
        .as_ref()
        .map_or_else(|| CLASSICAL.to_owned(), |net| net.to_string());
    for info in Params::TABLE {
        let used = player.params.get(info.name);
        if let Some(used) = used.filter(|&used| used != info.default) {
            name += &format!(" {}={used}", info.name);
        }
    }
    name
}

fn summary(score: Score) -> String {
    let Some(estimate) = Estimate::of(score.pairs, score.games) else {
        return "no games".to_owned();
    };
    format!(
        "{} ({:.1} %), Elo {:+.0} [{:+.0}, {:+.0}], pairs {:?}",
        score.games,
        100.0 * estimate.score,
        estimate.elo.value,
        estimate.elo.low,
        estimate.elo.high,
        score.pairs.0
    )
}
