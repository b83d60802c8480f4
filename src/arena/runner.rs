//! A whole match: workers play the games of the schedule, each game is
//! written down as it ends, and the match ends when it is decided.

use super::config::MatchConfig;
use super::game::{Aborted, Table, play};
use super::journal::{GameRecord, Journal, JournalError};
use super::pgn;
use super::player::Player;
use super::process::Launch;
use super::schedule::Fixture;
use super::standings::Standings;
use super::stats::{Decision, SprtState};
use crate::platform::files::Draft;
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The sequential test has decided.
    Decided(Decision),
    /// There were too many faults.
    TooManyFaults,
    /// It was ended from outside.
    Interrupted,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "complete",
            Self::Decided(Decision::AcceptH1) => "H1 accepted",
            Self::Decided(_) => "H0 accepted",
            Self::TooManyFaults => "too many faults",
            Self::Interrupted => "interrupted",
        })
    }
}

/// What came of a match.
#[derive(Debug, Clone)]
pub struct MatchResult {
    /// The games in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// Their sum.
    pub standings: Standings,
    /// How the engines introduced themselves.
    pub introduced: Vec<Option<String>>,
    /// How many games the schedule has.
    pub planned: usize,
    /// Why it ended.
    pub ending: Ending,
}

/// Why a match could not go on.
#[derive(Debug)]
pub enum MatchError {
    /// The log.
    Journal(JournalError),
    /// Another file.
    Io(PathBuf, io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(error) => error.fmt(f),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<JournalError> for MatchError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// News of a running match.
pub trait Watcher: Sync {
    /// A game has ended, or earlier games were read from the log (`None`).
    fn game(&self, standings: &Standings, last: Option<&GameRecord>, test: Option<SprtState>);
}

/// Plays a match that [`MatchConfig::check`] has found in order.
///
/// # Errors
/// When a file cannot be used. The games that were logged are not lost.
pub fn run(
    config: &MatchConfig,
    launch: &Arc<Launch>,
    watcher: &dyn Watcher,
) -> Result<MatchResult, MatchError> {
    let shared = Shared {
        state: Mutex::new(State::new(config)?),
        config,
        launch,
        watcher,
    };
    shared.lock().look(&shared, None);
    std::thread::scope(|scope| {
        for worker in 0..config.concurrency {
            let shared = &shared;
            scope.spawn(move || Worker::new(shared, worker).run());
        }
    });
    let state = shared
        .state
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    match state.failure {
        Some(error) => Err(error),
        None => Ok(MatchResult {
            games: state.games,
            standings: state.standings,
            introduced: state.introduced,
            planned: config.fixtures().len(),
            ending: state
                .ending
                .unwrap_or(if state.queue.is_empty() && !launch.is_aborted() {
                    Ending::Complete
                } else {
                    Ending::Interrupted
                }),
        }),
    }
}

/// What the workers share.
struct Shared<'a> {
    config: &'a MatchConfig,
    launch: &'a Arc<Launch>,
    watcher: &'a dyn Watcher,
    state: Mutex<State>,
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }
}

/// The match so far.
struct State {
    queue: VecDeque<Fixture>,
    games: Vec<GameRecord>,
    standings: Standings,
    introduced: Vec<Option<String>>,
    journal: Option<Journal>,
    pgn: Option<(PathBuf, File)>,
    ending: Option<Ending>,
    failure: Option<MatchError>,
}

impl State {
    fn new(config: &MatchConfig) -> Result<Self, MatchError> {
        let files = &config.files;
        let (journal, logged) = match &files.log {
            None => (None, Vec::<GameRecord>::new()),
            Some(path) => {
                let (journal, games) = Journal::open(path, &config.settings(), files.resume)?;
                (Some(journal), games)
            }
        };
        let mut done = HashSet::new();
        let games: Vec<GameRecord> = logged
            .into_iter()
            .filter(|game| done.insert(game.fixture()))
            .collect();
        let mut standings = Standings::new(config.engines.len());
        games.iter().for_each(|game| standings.add(game));
        let pgn = files
            .pgn
            .as_ref()
            .map(|path| open_pgn(path, config, &games))
            .transpose()?;
        let fixtures = config.fixtures().into_iter();
        Ok(Self {
            queue: fixtures.filter(|fixture| !done.contains(fixture)).collect(),
            games,
            standings,
            introduced: vec![None; config.engines.len()],
            journal,
            pgn,
            ending: None,
            failure: None,
        })
    }

    /// Takes in a game that has ended.
    fn finish(&mut self, shared: &Shared, record: GameRecord) {
        if let Err(error) = self.write(shared, &record) {
            self.failure.get_or_insert(error);
            shared.launch.abort.store(true, Ordering::Release);
            return;
        }
        self.standings.add(&record);
        self.games.push(record);
        self.look(shared, self.games.last());
    }

    fn write(&mut self, shared: &Shared, record: &GameRecord) -> Result<(), MatchError> {
        if let Some(journal) = &mut self.journal {
            journal.append(record)?;
        }
        let config = shared.config;
        if let Some((path, file)) = &mut self.pgn {
            let text = pgn::text(record, config);
            file.write_all(text.as_bytes())
                .map_err(|error| MatchError::Io(path.clone(), error))?;
        }
        match (&config.files.faults, &record.fault) {
            (Some(path), Some(_)) => append(path, &fault_report(record)),
            _ => Ok(()),
        }
    }

    /// Tells the news and sees whether the match is decided.
    fn look(&self, shared: &Shared, last: Option<&GameRecord>) {
        let pairs = self.standings.between(0, 1).pairs;
        let test = shared.config.sprt.map(|test| test.state(pairs));
        shared.watcher.game(&self.standings, last, test);
    }

    /// Whether the match is decided, and by what.
    fn decided(&self, config: &MatchConfig) -> Option<Ending> {
        let faults = usize::try_from(self.standings.faults()).unwrap_or(usize::MAX);
        if config.max_faults.is_some_and(|most| faults >= most) {
            return Some(Ending::TooManyFaults);
        }
        let test = config.sprt?.state(self.standings.between(0, 1).pairs);
        (test.decision != Decision::Continue).then_some(Ending::Decided(test.decision))
    }
}

/// The PGN of a match is made anew from the log, so that both always have the
/// same games.
fn open_pgn(
    path: &Path,
    config: &MatchConfig,
    games: &[GameRecord],
) -> Result<(PathBuf, File), MatchError> {
    let io_error = |error| MatchError::Io(path.to_owned(), error);
    let exists = path.metadata().is_ok_and(|data| data.len() > 0);
    if exists && !config.files.resume {
        return Err(JournalError::Exists(path.to_owned()).into());
    }
    let mut draft = Draft::create(path).map_err(io_error)?;
    for game in games {
        let text = pgn::text(game, config);
        draft.write_all(text.as_bytes()).map_err(io_error)?;
    }
    let file = draft.finish().map_err(io_error)?;
    Ok((path.to_owned(), file))
}

fn append(path: &Path, text: &str) -> Result<(), MatchError> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| MatchError::Io(path.to_owned(), error))
}

fn fault_report(record: &GameRecord) -> String {
    let Some(fault) = &record.fault else {
        return String::new();
    };
    format!(
        "=== {} {} - {}, game {}: {}: {}: {}\n--- last command\n{}\n--- last lines\n{}\n\n",
        record.date,
        record.red,
        record.black,
        record.number + 1,
        fault.engine,
        record.reason,
        record.detail,
        fault.command,
        fault.lines.join("\n")
    )
}

/// Plays one game after another.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    players: Vec<Option<Player>>,
    cores: Vec<usize>,
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared<'a>, number: usize) -> Self {
        Self {
            shared,
            players: shared.config.engines.iter().map(|_| None).collect(),
            cores: shared.config.cores_of(number),
        }
    }

    fn run(mut self) {
        while let Some(fixture) = self.next() {
            match self.play(fixture) {
                Ok(record) => self.shared.lock().finish(self.shared, record),
                Err(Aborted) => break,
            }
        }
        for player in self.players.iter_mut().flatten() {
            player.quit();
        }
    }

    /// The next game, `None` when the match is over.
    fn next(&self) -> Option<Fixture> {
        let mut state = self.shared.lock();
        if let Some(ending) = state.decided(self.shared.config) {
            state.ending = Some(ending);
            // Games that are still going on can change nothing.
            self.shared.launch.abort.store(true, Ordering::Release);
        }
        if self.shared.launch.is_aborted() {
            return None;
        }
        state.queue.pop_front()
    }

    fn play(&mut self, fixture: Fixture) -> Result<GameRecord, Aborted> {
        let config = self.shared.config;
        let colors = fixture.colors();
        self.dismiss_all_but(colors);
        let [mut red, mut black] = colors.map(|engine| self.take(engine));
        let started = Instant::now();
        let result = play(Table {
            players: [&mut red, &mut black],
            budgets: colors.map(|engine| config.budget_of(engine)),
            opening: config.opening(fixture),
            arbiter: &config.arbiter,
            ponder: config.ponder,
            cpu_clock: config.cpu_clock,
        });
        let mut state = self.shared.lock();
        for (engine, player) in colors.into_iter().zip([red, black]) {
            if let Some(name) = player.introduced_as() {
                state.introduced[engine] = Some(name.to_owned());
            }
            self.players[engine] = Some(player);
        }
        Ok(GameRecord::new(
            config,
            fixture,
            &result?,
            started.elapsed(),
        ))
    }

    fn take(&mut self, engine: usize) -> Player {
        let config = self.shared.config;
        self.players[engine].take().unwrap_or_else(|| {
            let spec = config.engines[engine].clone();
            let launch = self.shared.launch.clone();
            Player::new(spec, launch, config.patience, self.cores.clone()).pondering(config.ponder)
        })
    }

    /// Engines that do not play do not keep their memory.
    fn dismiss_all_but(&mut self, colors: [usize; 2]) {
        for (engine, player) in self.players.iter_mut().enumerate() {
            if let Some(player) = player.as_mut().filter(|_| !colors.contains(&engine)) {
                player.quit();
            }
        }
    }
}
