//! The engine as its users see it: settings, and one search at a time.

use super::{Outcome, Report, Score};
use crate::board::Position;
use crate::clock::{Limits, Stop};
use crate::rules::Game;
use std::time::{Duration, Instant};

/// What a user may set.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Size of the table in MB (2^20 bytes), 1 or more.
    pub hash_mb: usize,
    /// Search threads, 1 or more.
    pub threads: usize,
    /// Lines to report, 1 or more.
    pub multi_pv: usize,
    /// Time lost between engine and clock on each move.
    pub move_overhead: Duration,
    /// Use of time in percent of normal.
    pub slow_mover: u32,
    /// Nodes that count as one millisecond, 0 for real time.
    pub nodes_per_ms: u64,
    /// Strength, 0 (weakest) to 20 (full).
    pub skill_level: u32,
    /// Strength as an Elo number instead, where limited.
    pub elo: Option<u32>,
    /// How much to vary the choice of moves: 0 not at all, to 4.
    pub randomness: u32,
    /// The user will ask to ponder, so time may be used more freely.
    pub ponder: bool,
    /// Whether the table is used at all.
    pub use_hash: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            slow_mover: 100,
            nodes_per_ms: 0,
            skill_level: 20,
            elo: None,
            randomness: 0,
            ponder: false,
            use_hash: true,
        }
    }
}

/// What the table knows about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The best move stored.
    pub best: Option<crate::board::Move>,
    /// A lower bound of the value and its depth.
    pub lower: Option<(Score, u32)>,
    /// An upper bound of the value and its depth.
    pub upper: Option<(Score, u32)>,
}

/// A search engine: the settings and the table that outlives one search.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
}

impl Engine {
    /// An engine with an empty table.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. A new table size empties the table; where the
    /// memory is not to be had, the largest size that is takes its place.
    pub fn configure(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Forgets all it has learnt: table and histories.
    pub fn clear(&mut self) {}

    /// What the table knows about `pos`, `None` for nothing.
    pub fn probe(&self, _pos: &Position) -> Option<Probe> {
        None
    }

    /// Thinks about the last position of `game` until a limit is reached or
    /// `stop` is set. Time counts from `started` (when the request was read).
    ///
    /// With `limits.infinite`, or while `limits.ponder` has had no ponder hit,
    /// it does not return before `stop`, except that a position without moves
    /// to choose from returns at once.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _started: Instant,
        _stop: &Stop,
        _on_report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let moves = game.position().legal_moves();
        let allowed = |mv: &crate::board::Move| {
            !limits.ban_moves.contains(mv)
                && (limits.search_moves.is_empty() || limits.search_moves.contains(mv))
        };
        Outcome {
            best: moves.into_iter().find(allowed),
            ponder: None,
            score: Score::Cp(0),
            nodes: 0,
            depth: 0,
        }
    }
}
