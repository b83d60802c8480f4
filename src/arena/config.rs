//! A match as it was ordered.

use super::arbiter::Arbiter;
use super::limit::Budget;
use super::opening::Opening;
use super::player::Patience;
use super::schedule::{Fixture, Format, meetings, schedule};
use super::spec::EngineSpec;
use super::stats::Sprt;
use crate::notation::Notation;
use crate::platform::processes;
use serde_json::{Value, json};
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// All that a match needs to know.
#[derive(Debug, Clone)]
pub struct MatchConfig {
    /// The engines, two or more.
    pub engines: Vec<EngineSpec>,
    /// The limits of engines that have none of their own.
    pub budget: Budget,
    /// Who meets whom.
    pub format: Format,
    /// Games of each meeting in a cycle.
    pub games: usize,
    /// How often everybody meets.
    pub cycles: usize,
    /// Games at the same time.
    pub concurrency: usize,
    /// Share the cores out to the games.
    pub pin: bool,
    /// Where games begin, in order; never empty.
    pub openings: Vec<Opening>,
    /// Who judges.
    pub arbiter: Arbiter,
    /// Both engines think on the other's time too.
    pub ponder: bool,
    /// Clocks count CPU time.
    pub cpu_clock: bool,
    /// How long to wait for an engine.
    pub patience: Patience,
    /// End the match when this test has decided.
    pub sprt: Option<Sprt>,
    /// End the match after so many faults.
    pub max_faults: Option<usize>,
    /// The name of the event in the PGN.
    pub event: String,
    /// Where to write what.
    pub files: Files,
}

/// The files of a match; what is `None` is not written.
#[derive(Debug, Clone)]
pub struct Files {
    /// The log of the games, which a match goes on from.
    pub log: Option<PathBuf>,
    /// Go on from the log.
    pub resume: bool,
    /// The games as PGN.
    pub pgn: Option<PathBuf>,
    /// How the PGN writes moves.
    pub notation: Notation,
    /// The page for a browser.
    pub html: Option<PathBuf>,
    /// The summary as JSON.
    pub summary: Option<PathBuf>,
    /// The reports of faults.
    pub faults: Option<PathBuf>,
}

/// Why a match cannot be played as ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    /// Fewer than two engines.
    TooFewEngines(usize),
    /// Two engines have the same name.
    SameName(String),
    /// An engine has no limit.
    NoLimit(String),
    /// A number must be above 0.
    Zero(&'static str),
    /// A test with more than two engines.
    SprtOfMany(usize),
    /// `--resume` without a log.
    ResumeWithoutLog,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewEngines(n) => write!(f, "expected two engines or more, found {n}"),
            Self::SameName(name) => write!(
                f,
                "two engines are called `{name}`: expected different names (name=...)"
            ),
            Self::NoLimit(name) => write!(
                f,
                "`{name}` has no limit: expected --tc, --movetime, --nodes or --depth"
            ),
            Self::Zero(what) => write!(f, "{what}: expected a number above 0, found 0"),
            Self::SprtOfMany(n) => write!(f, "--sprt: expected two engines, found {n}"),
            Self::ResumeWithoutLog => {
                f.write_str("--resume: expected --json FILE, the log to go on from")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl MatchConfig {
    /// Finds what is wrong with the order.
    ///
    /// # Errors
    /// The first thing found.
    pub fn check(&self) -> Result<(), ConfigError> {
        let engines = self.engines.len();
        if engines < 2 {
            return Err(ConfigError::TooFewEngines(engines));
        }
        for (i, engine) in self.engines.iter().enumerate() {
            if self.engines[..i]
                .iter()
                .any(|other| other.name == engine.name)
            {
                return Err(ConfigError::SameName(engine.name.clone()));
            }
            if self.budget_of(i).is_empty() {
                return Err(ConfigError::NoLimit(engine.name.clone()));
            }
        }
        let numbers = [
            ("--games", self.games),
            ("--cycles", self.cycles),
            ("--concurrency", self.concurrency),
        ];
        if let Some((what, _)) = numbers.iter().find(|(_, n)| *n == 0) {
            return Err(ConfigError::Zero(what));
        }
        if self.sprt.is_some() && engines > 2 {
            return Err(ConfigError::SprtOfMany(engines));
        }
        if self.files.resume && self.files.log.is_none() {
            return Err(ConfigError::ResumeWithoutLog);
        }
        Ok(())
    }

    /// An engine's limits.
    pub fn budget_of(&self, engine: usize) -> Budget {
        let own = self.engines[engine].budget;
        if own.is_empty() { self.budget } else { own }
    }

    /// All games in the order of play.
    pub fn fixtures(&self) -> Vec<Fixture> {
        schedule(self.format, self.engines.len(), self.games, self.cycles)
    }

    /// The opening of a game. Every meeting has the same ones.
    pub fn opening(&self, fixture: Fixture) -> &Opening {
        &self.openings[fixture.pair() % self.openings.len()]
    }

    /// Threads that the busiest game keeps busy at a time.
    fn threads_of_game(&self) -> usize {
        let threads = |i: usize| self.engines[i].threads();
        let of_meeting = |&(a, b): &(usize, usize)| match self.ponder {
            true => threads(a) + threads(b),
            false => threads(a).max(threads(b)),
        };
        let meetings = meetings(self.format, self.engines.len());
        meetings.iter().map(of_meeting).max().unwrap_or(1)
    }

    /// What the user should know before it begins.
    pub fn warnings(&self) -> Vec<String> {
        let pairs = (self.games * self.cycles).div_ceil(2);
        let openings = self.openings.len();
        let budgets = (0..self.engines.len()).map(|i| self.budget_of(i));
        let mut warnings = Vec::new();
        if pairs > openings {
            let again = if budgets.clone().all(|b| b.is_deterministic()) {
                "the limits are the same every time, so whole games will repeat and the error \
                 bars will be too small"
            } else {
                "similar games will make the error bars too small"
            };
            warnings.push(format!(
                "{pairs} pairs of games but {openings} opening(s): {again}"
            ));
        }
        if !self.games.is_multiple_of(2) {
            warnings.push(format!(
                "{} games per meeting leave half a pair",
                self.games
            ));
        }
        let (cores, threads) = (
            processes::cores().len(),
            self.concurrency * self.threads_of_game(),
        );
        if threads > cores {
            warnings.push(format!(
                "{} game(s) at a time keep {threads} threads busy on {cores} core(s): engines will \
                 wait for each other",
                self.concurrency
            ));
        }
        warnings
    }

    /// The cores of one worker; empty for all. The cores are dealt out evenly
    /// as long as every game can have as many as it keeps busy.
    pub fn cores_of(&self, worker: usize) -> Vec<usize> {
        let cores = processes::cores();
        let share = cores.len() / self.concurrency.max(1);
        if !self.pin || self.concurrency < 2 || share < self.threads_of_game() {
            return Vec::new();
        }
        cores[worker * share..(worker + 1) * share].to_vec()
    }

    /// The settings that decide what the games are like: a match can only go
    /// on with the same. How many games there are is not among them.
    pub fn settings(&self) -> Value {
        let engine = |(i, spec): (usize, &EngineSpec)| {
            json!({
                "name": spec.name, "command": spec.command, "dir": spec.dir,
                "ranks": spec.first_rank, "options": spec.options,
                "limit": self.budget_of(i).to_string(), "restart": spec.restart,
                "histmax": spec.history_max,
            })
        };
        json!({
            "engines": self.engines.iter().enumerate().map(engine).collect::<Vec<_>>(),
            "format": self.format.to_string(),
            "openings": { "count": self.openings.len(), "hash": format!("{:016x}", self.openings_hash()) },
            "rules": self.arbiter.rules.name(),
            "draws": format!("{:?}", self.arbiter.draws),
            "adjudication": format!("{:?} {:?}", self.arbiter.win, self.arbiter.draw),
            "ponder": self.ponder,
            "clock": if self.cpu_clock { "cpu" } else { "wall" },
        })
    }

    fn openings_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for opening in &self.openings {
            opening.start.to_string().hash(&mut hasher);
            opening.moves.hash(&mut hasher);
        }
        hasher.finish()
    }
}
