//! `chuhe match`: games between engine programs.

mod kingdoms;

use super::{Failure, Usage, print, write_file};
use crate::arena::arbiter::Arbiter;
use crate::arena::config::{Files, MatchConfig};
use crate::arena::html;
use crate::arena::limit::{Budget, TimeControl, seconds};
use crate::arena::opening::{self, Opening};
use crate::arena::player::Patience;
use crate::arena::process::Launch;
use crate::arena::progress::ProgressLine;
use crate::arena::runner::{self, Ending, MatchResult};
use crate::arena::spec::{EngineSpec, EngineTable};
use crate::arena::stats::{EloModel, Sprt};
use crate::arena::summary::Summary;
use crate::notation::Notation;
use crate::platform::files;
use crate::platform::processes::Guard;
use crate::rules::{DrawRules, RuleSet};
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The hidden subcommand that ends engines when the match is killed.
pub const GUARD: &str = "guard-engines";

const GAMES: usize = 100;
const MAX_FAULTS: usize = 50;
const MAX_PLIES: u16 = 400;
const OPENING_PLIES: usize = 16;
const MARGIN_MS: u64 = 50;

/// Plays matches and tournaments between engines that speak UCI or UCCI.
///
/// An engine is described as KEY=VALUE,... with the keys name, cmd, dir, proto
/// (uci, ucci or auto), ranks (0 or 1, the number of Red's back rank in its
/// moves), option.NAME, tc, movetime, nodes, depth, restart (true: a new
/// process for every game) and histmax. A comma inside a value is written \,
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Args {
    /// xiangqi or sevenkingdoms [default: xiangqi]
    #[arg(long, value_name = "GAME")]
    variant: Option<String>,
    /// An engine; give two or more
    #[arg(long = "engine", value_name = "KEY=VALUE,...")]
    #[serde(skip)]
    engines: Vec<EngineSpec>,
    #[arg(skip)]
    #[serde(rename = "engine")]
    tables: Vec<EngineTable>,
    /// A TOML file with the same settings and `engine` tables; options given
    /// here count more
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// Clock in seconds: [moves/]base[+increment]
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Seconds per move
    #[arg(long, value_name = "S")]
    movetime: Option<f64>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth per move, in plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// round-robin or gauntlet (the first engine against the others)
    #[arg(long, value_name = "FORM")]
    format: Option<String>,
    /// Games per pairing [default: 100]; seven kingdoms: games in all [default: 70]
    #[arg(long, value_name = "N", value_parser = super::games_asked)]
    games: Option<usize>,
    /// How often the whole tournament is played [default: 1]
    #[arg(long, value_name = "N", value_parser = super::games_asked)]
    cycles: Option<usize>,
    /// Games at the same time [default: 1]
    #[arg(long, value_name = "N", value_parser = super::threads_asked)]
    concurrency: Option<usize>,
    /// Do not give each game its own cores
    #[arg(long)]
    no_pin: bool,
    /// Openings: a FEN at the start of each line (EPD), or PGN
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies taken of each game of a PGN of openings [default: 16]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Shuffle the openings
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Seven kingdoms: the engines of the players by name, with commas
    /// [default: all in turn]; they move on by one player from game to game
    #[arg(long, value_name = "NAME,...")]
    seats: Option<String>,
    /// Seven kingdoms: players, 3 to 7 [default: 7]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Seven kingdoms: random moves at the start, the same for one rotation of
    /// the seats, seeded by --shuffle [default: 7]
    #[arg(long, value_name = "N")]
    random_plies: Option<usize>,
    /// Rules of repetition [default: asian]; seven kingdoms: a preset, and
    /// options as in "english fall=remove"
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Plies without a capture that make a draw, every one counted [default:
    /// as the rules have it]
    #[arg(long, value_name = "N")]
    draw_nocapture: Option<u16>,
    /// Plies that make a draw [default: 400]
    #[arg(long, value_name = "N")]
    max_plies: Option<u16>,
    /// Won when both engines agree: centipawns[,plies[,from-ply]]
    #[arg(long, value_name = "SCORE,...")]
    adjudicate_win: Option<String>,
    /// Drawn when both engines agree: centipawns[,plies[,from-ply]]
    #[arg(long, value_name = "SCORE,...")]
    adjudicate_draw: Option<String>,
    /// Let engines think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// What clocks measure: wall, or cpu on a busy machine [default: wall]
    #[arg(long, value_name = "KIND")]
    clock: Option<String>,
    /// Milliseconds that an engine may be over its time [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Seconds to wait for an engine's introduction [default: 20]
    #[arg(long, value_name = "S")]
    start_timeout: Option<f64>,
    /// Seconds to wait after stop [default: 5]
    #[arg(long, value_name = "S")]
    stop_timeout: Option<f64>,
    /// Seconds for a move not limited by time [default: 60]
    #[arg(long, value_name = "S")]
    move_timeout: Option<f64>,
    /// End the match when this test has decided: elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Unit of the test: logistic or normalized [default: logistic]
    #[arg(long, value_name = "UNIT")]
    sprt_model: Option<String>,
    /// End the match after so many faults, 0 for never [default: 50]
    #[arg(long, value_name = "N")]
    max_faults: Option<usize>,
    /// Name of the event [default: the engines' names]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Moves in the PGN: iccs or wxf [default: iccs]
    #[arg(long, value_name = "NAME")]
    notation: Option<String>,
    /// Write each game as a line of JSON; the match goes on from this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the summary as JSON
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Write a page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Append reports of faults [default: match-faults.log]
    #[arg(long, value_name = "FILE")]
    fault_log: Option<PathBuf>,
    /// Go on from the games in the file of --json
    #[arg(long)]
    resume: bool,
}

/// Plays the match.
///
/// # Errors
/// When the order makes no sense, when a file cannot be used, when there were
/// too many faults, or when the match was interrupted.
pub fn run(args: Args) -> Result<(), Failure> {
    let args = args.with_file().map_err(|error| Usage(error.to_string()))?;
    if args.is_seven()? {
        return kingdoms::run(&args);
    }
    args.refuse_seven()?;
    let config = ordered(args).map_err(|error| Usage(error.to_string()))?;
    for warning in config.warnings() {
        log::warn!("{warning}");
    }
    let launch = Arc::new(Launch {
        guard: start_guard(),
        abort: AtomicBool::new(false),
    });
    end_on_signal(&launch)?;
    let names = config
        .engines
        .iter()
        .map(|engine| engine.name.clone())
        .collect();
    let line = ProgressLine::new(config.fixtures().len(), names);
    let result = runner::run(&config, &launch, &line);
    line.clear();
    let result = result?;
    report(&config, &result)?;
    match result.ending {
        Ending::Complete | Ending::Decided(_) => Ok(()),
        Ending::TooManyFaults => Err("the match was ended by too many faults".into()),
        Ending::Interrupted => Err(match &config.files.log {
            Some(log) => format!("interrupted; --resume goes on from {}", log.display()).into(),
            None => "interrupted".into(),
        }),
    }
}

/// The guard's own work.
///
/// # Errors
/// Never.
pub fn guard() -> Result<(), Failure> {
    Guard::serve(std::io::stdin().lock());
    Ok(())
}

fn start_guard() -> Option<Guard> {
    let started = std::env::current_exe().and_then(|program| Guard::start(&program, GUARD));
    started
        .inspect_err(|error| log::warn!("engines may survive a kill of this process: {error}"))
        .ok()
}

/// The first signal ends the match, the second one the program.
fn end_on_signal(launch: &Arc<Launch>) -> Result<(), Failure> {
    const KILLED_BY_INTERRUPT: i32 = 130;
    let launch = launch.clone();
    ctrlc::set_handler(move || {
        if launch.abort.swap(true, Ordering::AcqRel) {
            std::process::exit(KILLED_BY_INTERRUPT);
        }
    })?;
    Ok(())
}

fn report(config: &MatchConfig, result: &MatchResult) -> Result<(), Failure> {
    let summary = Summary::new(config, result);
    print(&summary.to_string());
    if let Some(path) = &config.files.summary {
        write_file(path, serde_json::to_string_pretty(&summary)? + "\n")?;
    }
    if let Some(path) = &config.files.html {
        write_file(path, html::render(config, result))?;
    }
    Ok(())
}

/// The order in full: what was said over defaults.
fn ordered(args: Args) -> Result<MatchConfig, Failure> {
    let mut engines = args.engines.clone();
    if engines.is_empty() {
        engines = args
            .tables
            .iter()
            .map(EngineTable::spec)
            .collect::<Result<_, _>>()?;
    }
    let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
    let config = MatchConfig {
        event: args.event.clone().unwrap_or_else(|| names.join(" v ")),
        budget: args.budget()?,
        format: args.format.as_deref().unwrap_or("round-robin").parse()?,
        games: args.games.unwrap_or(GAMES),
        cycles: args.cycles.unwrap_or(1),
        concurrency: args.concurrency.unwrap_or(1),
        pin: !args.no_pin,
        openings: args.openings()?,
        arbiter: args.arbiter()?,
        ponder: args.ponder,
        cpu_clock: one_of("--clock", args.clock.as_deref(), ["wall", "cpu"])? == 1,
        patience: args.patience()?,
        sprt: args.sprt()?,
        max_faults: Some(args.max_faults.unwrap_or(MAX_FAULTS)).filter(|&most| most > 0),
        files: args.files()?,
        engines,
    };
    config.check()?;
    Ok(config)
}

/// The number of the word among those expected; the first one by default.
fn one_of(option: &str, word: Option<&str>, words: [&str; 2]) -> Result<usize, Failure> {
    let Some(word) = word else {
        return Ok(0);
    };
    let found = words.iter().position(|w| *w == word);
    found.ok_or_else(|| format!("{option} `{word}`: expected {} or {}", words[0], words[1]).into())
}

fn in_seconds(option: &str, value: Option<f64>, default: Duration) -> Result<Duration, Failure> {
    match value {
        None => Ok(default),
        Some(value) => {
            seconds(&value.to_string()).map_err(|error| format!("{option} {error}").into())
        }
    }
}

/// `a.over(b)`: what `a` does not have is taken from `b`.
macro_rules! over {
    ($first:ident, $second:ident, or: [$($or:ident),*], any: [$($any:ident),*], keep: [$($keep:ident),*]) => {
        Args {
            $($or: $first.$or.or($second.$or),)*
            $($any: $first.$any || $second.$any,)*
            $($keep: $first.$keep,)*
            tables: $second.tables,
        }
    };
}

impl Args {
    /// What the configuration file adds.
    fn with_file(self) -> Result<Self, Failure> {
        let Some(path) = &self.config else {
            return Ok(self);
        };
        let name = path.display();
        let text = files::read_text(path).map_err(|error| format!("{name}: {error}"))?;
        let file = toml::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        Ok(self.over(file))
    }

    fn over(self, file: Self) -> Self {
        over!(self, file,
            or: [variant, seats, players, random_plies, tc, movetime, nodes, depth, format, games, cycles, concurrency, openings,
                opening_plies, shuffle, rules, draw_nocapture, max_plies, adjudicate_win,
                adjudicate_draw, clock, margin, start_timeout, stop_timeout, move_timeout, sprt,
                sprt_model, max_faults, event, pgn, notation, json, summary, html, fault_log],
            any: [no_pin, ponder, resume],
            keep: [engines, config])
    }

    fn budget(&self) -> Result<Budget, Failure> {
        let time = match (&self.tc, self.movetime) {
            (Some(_), Some(_)) => return Err("--tc and --movetime: expected one of them".into()),
            (Some(tc), None) => Some(tc.parse().map_err(|error| format!("--tc {error}"))?),
            (None, Some(_)) => {
                let time = in_seconds("--movetime", self.movetime, Duration::ZERO)?;
                Some(TimeControl::PerMove(time))
            }
            (None, None) => None,
        };
        if self.nodes == Some(0) || self.depth == Some(0) {
            return Err("--nodes and --depth: expected a number above 0, found 0".into());
        }
        Ok(Budget {
            time,
            nodes: self.nodes,
            depth: self.depth,
        })
    }

    fn openings(&self) -> Result<Vec<Opening>, Failure> {
        let Some(path) = &self.openings else {
            return Ok(vec![Opening::startpos()]);
        };
        let mut openings = opening::read(path, self.opening_plies.unwrap_or(OPENING_PLIES))?;
        if let Some(seed) = self.shuffle {
            opening::shuffle(&mut openings, seed);
        }
        Ok(openings)
    }

    fn arbiter(&self) -> Result<Arbiter, Failure> {
        let rules = match &self.rules {
            None => RuleSet::default(),
            Some(name) => name.parse().map_err(|error| format!("--rules {error}"))?,
        };
        let mut draws = DrawRules::of(rules);
        if let Some(limit) = self.draw_nocapture {
            (draws.capture_limit, draws.checks_counted) = (Some(limit), None);
        }
        draws.length = match (self.max_plies, draws.length) {
            (None, Some(length)) => Some(length.min(MAX_PLIES)),
            (most, _) => Some(most.unwrap_or(MAX_PLIES)),
        };
        let agreed = |option: &str, text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => text
                .parse()
                .map(Some)
                .map_err(|error| format!("{option} {error}")),
        };
        Ok(Arbiter {
            rules,
            draws,
            win: agreed("--adjudicate-win", &self.adjudicate_win)?,
            draw: agreed("--adjudicate-draw", &self.adjudicate_draw)?,
        })
    }

    fn patience(&self) -> Result<Patience, Failure> {
        let default = Patience::default();
        Ok(Patience {
            start: in_seconds("--start-timeout", self.start_timeout, default.start)?,
            stop: in_seconds("--stop-timeout", self.stop_timeout, default.stop)?,
            think: in_seconds("--move-timeout", self.move_timeout, default.think)?,
            margin: Duration::from_millis(self.margin.unwrap_or(MARGIN_MS)),
        })
    }

    fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let models = ["logistic", "normalized"];
        let model = one_of("--sprt-model", self.sprt_model.as_deref(), models)?;
        let Some(text) = &self.sprt else {
            return Ok(None);
        };
        let test: Sprt = text.parse().map_err(|error| format!("--sprt {error}"))?;
        Ok(Some(Sprt {
            model: [EloModel::Logistic, EloModel::Normalized][model],
            ..test
        }))
    }

    fn files(&self) -> Result<Files, Failure> {
        let notation = one_of("--notation", self.notation.as_deref(), ["iccs", "wxf"])?;
        let faults = self.fault_log.clone();
        Ok(Files {
            log: self.json.clone(),
            resume: self.resume,
            pgn: self.pgn.clone(),
            notation: [Notation::IccsLong, Notation::Wxf][notation],
            html: self.html.clone(),
            summary: self.summary.clone(),
            faults: Some(faults.unwrap_or_else(|| "match-faults.log".into())),
        })
    }
}

#[cfg(test)]
mod tests;
