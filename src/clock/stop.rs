//! The flags that the protocol sets while a search runs.

use std::sync::atomic::{AtomicBool, Ordering};

/// Shared between the search threads and whoever may end the search.
#[derive(Debug, Default)]
pub struct Stop {
    stopped: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Stop {
    /// Asks the search to end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    /// Whether the search shall end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Tells a pondering search that the expected move was played.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Release);
    }

    /// Whether the expected move was played.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Acquire)
    }

    /// Clears both flags, before a search.
    pub fn reset(&self) {
        self.stopped.store(false, Ordering::Release);
        self.ponder_hit.store(false, Ordering::Release);
    }
}
