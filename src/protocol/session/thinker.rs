//! What the session needs of a search engine.

use crate::clock::{Limits, Stop};
use crate::eval::nnue::Network;
use crate::rules::Game;
use crate::search::{Engine, Memory, Outcome, Report, Settings};
use std::sync::Arc;
use std::time::Instant;

/// What others may look at while an engine works.
#[derive(Debug, Clone)]
pub struct Insight {
    /// The table.
    pub memory: Memory,
    /// The net that judges positions.
    pub network: Arc<Network>,
}

/// A search engine. [`Engine`] is the one in use; tests have others.
pub trait Thinker: Send + 'static {
    /// Changes the settings.
    fn configure(&mut self, settings: Settings);

    /// The size of the table in MB.
    fn table_megabytes(&self) -> usize;

    /// Search threads in use.
    fn threads(&self) -> usize;

    /// Forgets all it has learnt.
    fn clear(&mut self);

    /// What may be looked at while a search runs.
    fn insight(&self) -> Insight;

    /// Changes the net and forgets what the old one led to believe.
    fn set_network(&mut self, network: Arc<Network>);

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

    fn threads(&self) -> usize {
        Self::threads(self)
    }

    fn clear(&mut self) {
        Self::clear(self);
    }

    fn insight(&self) -> Insight {
        Insight {
            memory: self.memory().clone(),
            network: self.network().map_or_else(Network::embedded, Arc::clone),
        }
    }

    fn set_network(&mut self, network: Arc<Network>) {
        Self::set_network(self, Some(network));
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
