//! The flags that the protocol sets while a search runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared between the search threads and whoever may end the search: clones
/// are one and the same.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    flags: Arc<Flags>,
}

#[derive(Debug, Default)]
struct Flags {
    stopped: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Stop {
    /// Asks the search to end.
    pub fn stop(&self) {
        self.flags.stopped.store(true, Ordering::Release);
    }

    /// Whether the search shall end.
    pub fn is_stopped(&self) -> bool {
        self.flags.stopped.load(Ordering::Acquire)
    }

    /// Tells a pondering search that the expected move was played.
    pub fn ponder_hit(&self) {
        self.flags.ponder_hit.store(true, Ordering::Release);
    }

    /// Whether the expected move was played.
    pub fn is_ponder_hit(&self) -> bool {
        self.flags.ponder_hit.load(Ordering::Acquire)
    }

    /// Clears both flags, before a search.
    pub fn reset(&self) {
        self.flags.stopped.store(false, Ordering::Release);
        self.flags.ponder_hit.store(false, Ordering::Release);
    }
}
