//! What the session needs of a search engine.

use crate::clock::{Limits, Stop};
use crate::rules::Game;
use crate::search::{Engine, Memory, Outcome, Report, Settings};
use std::time::Instant;

/// A search engine. [`Engine`] is the one in use; tests have others.
pub trait Thinker: Send + 'static {
    /// Changes the settings.
    fn configure(&mut self, settings: Settings);

    /// The size of the table in MB.
    fn table_megabytes(&self) -> usize;

    /// Forgets all it has learnt.
    fn clear(&mut self);

    /// The table, to look into while a search runs.
    fn memory(&self) -> Memory;

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

    fn memory(&self) -> Memory {
        Self::memory(self).clone()
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
