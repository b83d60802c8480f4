//! The transposition table: results of positions met before.

use super::Move;

/// How a stored value is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The value itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
    /// The value says nothing, only the move is of use.
    None,
}

/// One stored result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<V> {
    pub(super) key: u64,
    pub(super) best: Option<Move>,
    pub(super) value: V,
    pub(super) depth: u32,
    pub(super) bound: Bound,
}

/// A table of results, one per slot; the newest one stays, except that a
/// shallower search of the same position does not displace a deeper one.
pub(super) struct Table<V> {
    slots: Vec<Option<Entry<V>>>,
}

const MIB: usize = 1 << 20;

impl<V: Copy> Table<V> {
    /// A table of about this many MiB.
    pub(super) fn new(mib: usize) -> Self {
        let slot = size_of::<Option<Entry<V>>>();
        let slots = (mib.max(1) * MIB / slot).next_power_of_two() / 2;
        Self {
            slots: vec![None; slots],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.slots.fill(None);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry<V>> {
        let slot = self.slots[self.index(key)].as_ref();
        slot.filter(|e| e.key == key)
    }

    /// Stores a result.
    #[inline]
    pub(super) fn put(&mut self, entry: Entry<V>) {
        let index = self.index(entry.key);
        let slot = &mut self.slots[index];
        let deeper = |old: &Entry<V>| old.key == entry.key && old.depth > entry.depth;
        if !slot.as_ref().is_some_and(deeper) {
            *slot = Some(entry);
        }
    }

    /// How full it is, per mille, judged by its first slots.
    pub(super) fn fullness(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().filter(|s| s.is_some()).count();
        (used * 1000 / sample.len()) as u32
    }
}
