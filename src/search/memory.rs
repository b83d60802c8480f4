//! The table of an engine, as others may look into it while it searches.

use super::engine::Probe;
use super::report::Bound::{Exact, Lower, Upper};
use super::score::to_score;
use super::table::Table;
use crate::board::Position;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A handle to the table of an engine, whatever size that has at the time.
/// Clones share it.
#[derive(Debug, Clone)]
pub struct Memory {
    table: Arc<Mutex<Arc<Table>>>,
}

impl Memory {
    /// An empty table of `megabytes` (2^20 bytes, 1 or more), or of the
    /// largest size for which there is memory.
    pub fn new(megabytes: usize) -> Self {
        Self {
            table: Arc::new(Mutex::new(Arc::new(Table::new(megabytes)))),
        }
    }

    fn slot(&self) -> MutexGuard<'_, Arc<Table>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table of the present size.
    pub(super) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.slot())
    }

    /// Puts an empty table of another size in place of the old one, which goes
    /// first, so that both need not fit.
    pub(super) fn resize(&self, megabytes: usize) {
        let none = Arc::new(Table::new(1));
        let old = std::mem::replace(&mut *self.slot(), none);
        drop(old);
        let table = Arc::new(Table::new(megabytes));
        *self.slot() = table;
    }

    /// What the table knows about `pos`, `None` for nothing.
    pub fn probe(&self, pos: &Position) -> Option<Probe> {
        // Under the lock, so that no table outlives its replacement.
        let entry = self.slot().probe(pos.key(), 0)?;
        let value = (to_score(entry.value), entry.depth.max(0) as u32);
        Some(Probe {
            best: Some(entry.mv).filter(|&mv| pos.is_legal(mv)),
            lower: matches!(entry.bound, Some(Exact | Lower)).then_some(value),
            upper: matches!(entry.bound, Some(Exact | Upper)).then_some(value),
        })
    }
}
