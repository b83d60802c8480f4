//! What the session needs of a search engine.

use crate::board::Position;
use crate::clock::{Limits, Stop};
use crate::rules::Game;
use crate::search::{Engine, Outcome, Probe, Report, Settings};
use std::time::Instant;

/// A search engine. [`Engine`] is the one in use; tests have others.
pub trait Thinker: Send + 'static {
    /// Changes the settings.
    fn configure(&mut self, settings: Settings);

    /// The size of the table in MB.
    fn table_megabytes(&self) -> usize;

    /// Forgets all it has learnt.
    fn clear(&mut self);

    /// What the table knows about a position.
    fn probe(&self, pos: &Position) -> Option<Probe>;

    /// Thinks; see [`Engine::search`].
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        started: Instant,
        stop: &Stop,
        on_report: &mut dyn FnMut(Report),
    ) -> Outcome;
}

impl Thinker for Engine {
    fn configure(&mut self, settings: Settings) {
        Self::configure(self, settings);
    }

    fn table_megabytes(&self) -> usize {
        Self::table_megabytes(self)
    }

    fn clear(&mut self) {
        Self::clear(self);
    }

    fn probe(&self, pos: &Position) -> Option<Probe> {
        Self::probe(self, pos)
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        started: Instant,
        stop: &Stop,
        on_report: &mut dyn FnMut(Report),
    ) -> Outcome {
        Self::search(self, game, limits, started, stop, on_report)
    }
}
