//! Many games on several threads, into one file.

use super::games::{Block, BlockError, GameRecord, GameWriter, Present, Source};
use super::selfplay::{Conduct, play_game};
use super::trial::Evaluation;
use crate::clock::Stop;
use crate::search::{Engine, Settings};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Games that a thread collects before it writes them.
const GAMES_PER_BLOCK: usize = 32;

/// Odd constant of Steele's SplitMix64, to spread seeds.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// What to play and how much of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Threads, each with an engine of its own.
    pub threads: usize,
    /// Stop when the file holds so many scored positions.
    pub positions: u64,
    /// The run's seed; each game's seed follows from it and the game's number.
    pub seed: u64,
    /// The engines' settings.
    pub settings: Settings,
    /// How games are played.
    pub conduct: Conduct,
    /// The net in use.
    pub evaluation: Evaluation,
}

impl Job {
    fn source(&self) -> Source {
        Source {
            net: self.evaluation.as_ref().map_or(0, |net| net.hash()),
            engine: crc32fast::hash(env!("CARGO_PKG_VERSION").as_bytes()),
            nodes: self.conduct.soft_nodes as u32,
            seed: self.seed,
        }
    }
}

/// The seed of game `number` of a run.
pub fn game_seed(run: u64, number: u64) -> u64 {
    run.wrapping_add(number.wrapping_add(1).wrapping_mul(SPREAD))
}

/// Adds games to the file at `path` until it holds enough positions, calling
/// `progress` with what it holds after each game. The file may be there
/// already; then the run goes on with the next game. When `stop` is set, it
/// ends with the games in hand.
///
/// # Errors
/// When the file cannot be read or written.
pub fn generate(
    job: &Job,
    path: &Path,
    stop: &Stop,
    progress: &(dyn Fn(Present) + Sync),
) -> Result<Present, BlockError> {
    let (writer, present) = GameWriter::open(path)?;
    progress(present);
    let run = Run {
        job,
        stop,
        progress,
        next_game: AtomicU64::new(present.games),
        games: AtomicU64::new(present.games),
        positions: AtomicU64::new(present.positions),
        writer: Mutex::new(writer),
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..job.threads)
            .map(|_| scope.spawn(|| run.work()))
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })?;
    Ok(Present {
        dropped: present.dropped,
        ..run.present()
    })
}

struct Run<'a> {
    job: &'a Job,
    stop: &'a Stop,
    progress: &'a (dyn Fn(Present) + Sync),
    next_game: AtomicU64,
    games: AtomicU64,
    positions: AtomicU64,
    writer: Mutex<GameWriter>,
}

impl Run<'_> {
    fn present(&self) -> Present {
        Present {
            games: self.games.load(Relaxed),
            positions: self.positions.load(Relaxed),
            dropped: 0,
        }
    }

    fn work(&self) -> Result<(), BlockError> {
        let mut engine = Engine::new(self.job.settings.clone());
        engine.set_network(self.job.evaluation.clone());
        let mut games = Vec::new();
        while self.positions.load(Relaxed) < self.job.positions && !self.stop.is_stopped() {
            let number = self.next_game.fetch_add(1, Relaxed);
            let seed = game_seed(self.job.seed, number);
            let game = play_game(&mut engine, &self.job.conduct, seed);
            self.games.fetch_add(1, Relaxed);
            self.positions.fetch_add(game.plies.len() as u64, Relaxed);
            (self.progress)(self.present());
            games.push(game);
            if games.len() >= GAMES_PER_BLOCK {
                self.write(std::mem::take(&mut games))?;
            }
        }
        self.write(games)
    }

    fn write(&self, games: Vec<GameRecord>) -> Result<(), BlockError> {
        if games.is_empty() {
            return Ok(());
        }
        let block = Block {
            source: self.job.source(),
            games,
        };
        let mut writer = self
            .writer
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(writer.append(&block)?)
    }
}
