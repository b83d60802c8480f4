//! The searches that have been asked for and not been answered.

use crate::clock::Stop;
use crate::rules::Game;
use crate::search::Outcome;
use std::collections::VecDeque;
use std::sync::Arc;

/// A search under way or waiting for the engine.
#[derive(Debug)]
pub struct Running {
    /// The game, `None` when there was no valid position.
    pub game: Option<Arc<Game>>,
    /// The flags.
    pub stop: Arc<Stop>,
    /// It was asked to ponder and the expected move has not been played.
    pub pondering: bool,
    /// Its answer waits for `stop` whatever it finds.
    pub infinite: bool,
    /// It has a limit that ends it.
    pub limited: bool,
    /// The opponent has offered a draw.
    pub draw: bool,
    /// The outcome, where it came before it may be told.
    held: Option<Outcome>,
}

impl Running {
    /// A search that begins.
    pub fn new(game: Option<Arc<Game>>, stop: Arc<Stop>) -> Self {
        Self {
            game,
            stop,
            pondering: false,
            infinite: false,
            limited: false,
            draw: false,
            held: None,
        }
    }

    /// Whether the answer must wait. Without a position there is nothing to
    /// wait for.
    fn holds(&self) -> bool {
        (self.pondering || self.infinite) && !self.stop.is_stopped() && self.game.is_some()
    }
}

/// A search with its outcome, to be told.
pub type Answer = (Running, Outcome);

/// The searches, oldest first.
#[derive(Debug, Default)]
pub struct Searches {
    running: VecDeque<Running>,
}

impl Searches {
    /// Adds a search.
    pub fn push(&mut self, search: Running) {
        self.running.push_back(search);
    }

    /// Whether all is answered.
    pub fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Whether every search has been asked to stop.
    pub fn is_stopping(&self) -> bool {
        self.running.iter().all(|search| search.stop.is_stopped())
    }

    /// Whether a search ends only when it is told to.
    pub fn is_endless(&self) -> bool {
        let endless = |s: &Running| s.pondering || s.infinite || !s.limited;
        self.running.iter().any(endless)
    }

    /// Takes the outcome of the oldest search at work; the answer if it may be
    /// told now.
    pub fn finish(&mut self, outcome: Outcome) -> Option<Answer> {
        let at = self.running.iter().position(|s| s.held.is_none())?;
        if self.running[at].holds() {
            self.running[at].held = Some(outcome);
            return None;
        }
        Some((self.running.remove(at)?, outcome))
    }

    /// Stops all searches; the answers that waited for it.
    pub fn stop(&mut self) -> Vec<Answer> {
        for search in &self.running {
            search.stop.stop();
        }
        self.release()
    }

    /// The expected move was played, perhaps with a draw offer; the answer
    /// that waited for it.
    pub fn ponder_hit(&mut self, draw: bool) -> Vec<Answer> {
        if let Some(search) = self.running.iter_mut().rfind(|s| s.pondering) {
            search.pondering = false;
            search.draw |= draw;
            search.stop.ponder_hit();
            if !search.limited && !search.infinite {
                search.stop.stop();
            }
        }
        self.release()
    }

    /// Takes out the searches whose answer need not wait any longer.
    fn release(&mut self) -> Vec<Answer> {
        let (mut answers, mut kept) = (Vec::new(), VecDeque::new());
        for mut search in self.running.drain(..) {
            match search.held.take() {
                Some(outcome) if !search.holds() => answers.push((search, outcome)),
                held => {
                    search.held = held;
                    kept.push_back(search);
                }
            }
        }
        self.running = kept;
        answers
    }
}
