//! A whole match of the seven kingdoms.

use super::config::SevenConfig;
use super::game::{Aborted, play};
use super::log::SevenGame;
use super::player::SevenPlayer;
use crate::arena::journal::{Journal, JournalError};
use crate::arena::process::Launch;
use crate::kingdoms::{SEATS, Seat};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// What came of a match.
#[derive(Debug, Clone)]
pub struct SevenResult {
    /// The games in the order of their numbers.
    pub games: Vec<SevenGame>,
    /// Whether it was ended from outside.
    pub interrupted: bool,
}

/// Plays a match that [`SevenConfig::check`] has found in order; `watch` is
/// called with the number of games played after each one.
///
/// # Errors
/// When the log cannot be used. The games that were logged are not lost.
pub fn run(
    config: &SevenConfig,
    launch: &Arc<Launch>,
    watch: &(dyn Fn(usize) + Sync),
) -> Result<SevenResult, JournalError> {
    let state = Mutex::new(State::new(config)?);
    watch(lock(&state).games.len());
    std::thread::scope(|scope| {
        for _ in 0..config.concurrency {
            scope.spawn(|| work(config, launch, &state, watch));
        }
    });
    let state = state
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    match state.failure {
        Some(error) => Err(error),
        None => Ok(SevenResult {
            interrupted: state.games.len() < config.games,
            games: state.games.into_values().collect(),
        }),
    }
}

/// The match so far.
struct State {
    queue: VecDeque<usize>,
    games: BTreeMap<usize, SevenGame>,
    journal: Option<Journal<SevenGame>>,
    failure: Option<JournalError>,
}

impl State {
    fn new(config: &SevenConfig) -> Result<Self, JournalError> {
        let (journal, logged) = match &config.log {
            None => (None, Vec::<SevenGame>::new()),
            Some(path) => {
                let (journal, games) = Journal::open(path, &config.settings(), config.resume)?;
                (Some(journal), games)
            }
        };
        let games: BTreeMap<usize, SevenGame> =
            logged.into_iter().map(|game| (game.number, game)).collect();
        Ok(Self {
            queue: (0..config.games)
                .filter(|n| !games.contains_key(n))
                .collect(),
            games,
            journal,
            failure: None,
        })
    }

    /// Takes in a game; false when it could not be written down.
    fn finish(&mut self, game: SevenGame) -> bool {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.append(&game)
        {
            self.failure.get_or_insert(error);
            return false;
        }
        self.games.insert(game.number, game);
        true
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Plays games until there are no more.
fn work(
    config: &SevenConfig,
    launch: &Arc<Launch>,
    state: &Mutex<State>,
    watch: &(dyn Fn(usize) + Sync),
) {
    let mut idle: Vec<Vec<SevenPlayer>> = config.engines.iter().map(|_| Vec::new()).collect();
    while !launch.is_aborted() {
        let Some(number) = lock(state).queue.pop_front() else {
            break;
        };
        let Ok(game) = one_game(config, launch, number, &mut idle) else {
            break;
        };
        let mut state = lock(state);
        if !state.finish(game) {
            launch.abort.store(true, Ordering::Release);
        }
        watch(state.games.len());
    }
    idle.iter_mut().flatten().for_each(SevenPlayer::quit);
}

/// Plays one game with processes that are idle, or new ones.
fn one_game(
    config: &SevenConfig,
    launch: &Arc<Launch>,
    number: usize,
    idle: &mut [Vec<SevenPlayer>],
) -> Result<SevenGame, Aborted> {
    let started = Instant::now();
    let start = config.start(number);
    let engine_at = |seat: Seat| {
        let entrant = config.entrant_at(number, &start, seat);
        entrant.map_or(0, |e| config.entrants[e])
    };
    let mut players: [SevenPlayer; SEATS] = Seat::ALL.map(|seat| {
        let engine = engine_at(seat);
        idle[engine].pop().unwrap_or_else(|| {
            let spec = config.engines[engine].clone();
            SevenPlayer::new(spec, launch.clone(), config.patience)
        })
    });
    let played = play(config, number, &mut players);
    for (seat, player) in Seat::ALL.into_iter().zip(players) {
        idle[engine_at(seat)].push(player);
    }
    Ok(SevenGame::new(config, number, played?, started.elapsed()))
}
