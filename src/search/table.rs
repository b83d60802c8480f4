//! The transposition table: what was found out about positions seen before.
//!
//! Lock-free: threads read and write 64-bit words with relaxed atomics. A
//! cluster holds three entries of one data word each and one word with three
//! 21-bit signatures; a signature may meet another entry's data when two
//! threads write at once, so moves are checked before they are played.

use super::report::Bound;
use super::score::{Value, from_table, to_table};
use crate::board::Move;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

const ENTRIES: usize = 3;
const SIGNATURE_BITS: u32 = 21;
const SIGNATURE_MASK: u64 = (1 << SIGNATURE_BITS) - 1;
const BYTES_PER_MB: usize = 1 << 20;
/// Alignment that lets the system use large pages.
const ALIGNMENT: usize = 2 << 20;
/// What every allocator gives. Asked for more, it may have to write zeros into
/// all of a table instead of taking untouched pages of the system.
const PLAIN_ALIGNMENT: usize = 16;
/// From so many clusters on (64 MB) a table is large.
const LARGE_TABLE: usize = (64 << 20) / size_of::<Cluster>();
/// A table of so many bytes is asked for without a look at what is free ...
const MODEST: usize = 64 << 20;
/// ... and a larger one leaves this part of it to others.
const KEPT_BACK: usize = 16;
const GENERATIONS: u8 = 32;
/// Depths are stored with this added, so that quiescence fits.
const DEPTH_OFFSET: i32 = 8;
/// Value of a bound in depth when an entry must give way.
const AGE_WEIGHT: i32 = 4;
const HASHFULL_SAMPLE: usize = 334;

/// The depth under which quiescence stores where it has tried checks ...
pub const CHECKS_DEPTH: i32 = -1;
/// ... and where it has tried captures only.
pub const QUIESCENCE_DEPTH: i32 = -2;
/// The depth of entries that carry nothing but a static evaluation.
pub const EVAL_ONLY_DEPTH: i32 = -6;

/// What is stored about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or [`Move::NULL`].
    pub mv: Move,
    /// The value, mates counted from the root of the present search.
    pub value: Value,
    /// The static evaluation before corrections.
    pub eval: Value,
    /// The depth of the value.
    pub depth: i32,
    /// How to read the value; `None` when there is none.
    pub bound: Option<Bound>,
    /// Whether it was ever part of a principal variation.
    pub pv: bool,
}

// Layout of a data word, from the lowest bit: move 14, pv 1, bound 2,
// generation 5, depth 8, value 16, eval 16; two bits are free.
const PV_SHIFT: u32 = 14;
const BOUND_SHIFT: u32 = 15;
const GENERATION_SHIFT: u32 = 17;
const DEPTH_SHIFT: u32 = 22;
const VALUE_SHIFT: u32 = 30;
const EVAL_SHIFT: u32 = 46;

const fn bound_code(bound: Option<Bound>) -> u64 {
    match bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    }
}

const fn bound_of(code: u64) -> Option<Bound> {
    match code & 3 {
        1 => Some(Bound::Upper),
        2 => Some(Bound::Lower),
        3 => Some(Bound::Exact),
        _ => None,
    }
}

const fn data_depth(data: u64) -> i32 {
    (data >> DEPTH_SHIFT) as u8 as i32 - DEPTH_OFFSET
}

const fn data_generation(data: u64) -> u8 {
    (data >> GENERATION_SHIFT) as u8 % GENERATIONS
}

const fn with_generation(data: u64, generation: u8) -> u64 {
    let mask = (GENERATIONS as u64 - 1) << GENERATION_SHIFT;
    data & !mask | (generation as u64) << GENERATION_SHIFT
}

impl Entry {
    fn pack(&self, ply: usize, generation: u8) -> u64 {
        u64::from(self.mv.code())
            | u64::from(self.pv) << PV_SHIFT
            | bound_code(self.bound) << BOUND_SHIFT
            | u64::from(generation) << GENERATION_SHIFT
            | ((self.depth + DEPTH_OFFSET) as u8 as u64) << DEPTH_SHIFT
            | (to_table(self.value, ply) as i16 as u16 as u64) << VALUE_SHIFT
            | (self.eval as i16 as u16 as u64) << EVAL_SHIFT
    }

    fn unpack(data: u64, ply: usize) -> Self {
        Self {
            mv: Move::from_code(data as u16 & ((1 << PV_SHIFT) - 1)).unwrap_or(Move::NULL),
            value: from_table((data >> VALUE_SHIFT) as i16 as Value, ply),
            eval: (data >> EVAL_SHIFT) as i16 as Value,
            depth: data_depth(data),
            bound: bound_of(data >> BOUND_SHIFT),
            pv: data >> PV_SHIFT & 1 != 0,
        }
    }
}

#[repr(C, align(32))]
struct Cluster {
    data: [AtomicU64; ENTRIES],
    signatures: AtomicU64,
}

fn signature_of(word: u64, slot: usize) -> u64 {
    word >> (slot as u32 * SIGNATURE_BITS) & SIGNATURE_MASK
}

fn with_signature(word: u64, slot: usize, signature: u64) -> u64 {
    let shift = slot as u32 * SIGNATURE_BITS;
    word & !(SIGNATURE_MASK << shift) | signature << shift
}

/// The table; shared by all threads of a search.
pub struct Table {
    memory: NonNull<u8>,
    clusters: NonNull<Cluster>,
    len: usize,
    generation: AtomicU8,
}

// SAFETY: the clusters are owned by the table and reached only through atomics.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Table {
    /// An empty table of `megabytes` (2^20 bytes, 1 or more), or of the
    /// largest size for which there is memory.
    pub fn new(megabytes: usize) -> Self {
        let wanted = affordable(megabytes.max(1).saturating_mul(BYTES_PER_MB));
        let mut len = (wanted / size_of::<Cluster>()).max(1);
        loop {
            if let Some((memory, clusters)) = Self::allocate(len) {
                return Self {
                    memory,
                    clusters,
                    len,
                    generation: AtomicU8::new(0),
                };
            }
            assert!(len > 1, "no memory for the smallest table");
            len /= 2;
        }
    }

    /// Room for the clusters wherever the aligned part may begin.
    fn layout(len: usize) -> Option<Layout> {
        let bytes = len.checked_mul(size_of::<Cluster>())?;
        Layout::from_size_align(bytes.checked_add(ALIGNMENT)?, PLAIN_ALIGNMENT).ok()
    }

    /// The memory, and where the clusters begin in it.
    fn allocate(len: usize) -> Option<(NonNull<u8>, NonNull<Cluster>)> {
        let layout = Self::layout(len)?;
        // SAFETY: the layout is not empty, and zero is a valid `Cluster`.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = memory.as_ptr().align_offset(ALIGNMENT);
        // SAFETY: an offset less than the alignment, which the layout has to
        // spare.
        let clusters = unsafe { memory.add(offset) };
        crate::platform::advise_large_pages(clusters, layout.size() - ALIGNMENT);
        Some((memory, clusters.cast()))
    }

    fn clusters(&self) -> &[Cluster] {
        // SAFETY: `len` clusters were allocated and are alive.
        unsafe { std::slice::from_raw_parts(self.clusters.as_ptr(), self.len) }
    }

    /// The size in MB (2^20 bytes).
    pub fn megabytes(&self) -> usize {
        self.len * size_of::<Cluster>() / BYTES_PER_MB
    }

    /// Forgets everything. Several threads clear a large table. Memory that was
    /// never written is only read, for which the system takes none.
    pub fn clear(&self) {
        self.generation.store(0, Relaxed);
        if self.len < LARGE_TABLE {
            return self.clusters().iter().for_each(Cluster::clear);
        }
        let threads = crate::platform::processors();
        std::thread::scope(|scope| {
            for part in self.clusters().chunks(self.len.div_ceil(threads)) {
                scope.spawn(move || part.iter().for_each(Cluster::clear));
            }
        });
    }

    /// Starts a new search: older entries give way first.
    pub fn age(&self) {
        self.generation
            .store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.len as u128) >> 64) as usize
    }

    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters()[self.index(key)]
    }

    /// Brings the cluster of `key` into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: prefetching has no effect but on the cache.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position of `key`, seen `ply` plies from the root.
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let cluster = self.cluster(key);
        let signatures = cluster.signatures.load(Relaxed);
        let slot = (0..ENTRIES).find(|&i| signature_of(signatures, i) == key & SIGNATURE_MASK)?;
        let data = cluster.data[slot].load(Relaxed);
        (data != 0).then(|| Entry::unpack(data, ply))
    }

    /// Stores what was found, in place of what is worth least. A known move
    /// is kept when the new entry has none; a much deeper value of the same
    /// position is kept.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation.load(Relaxed);
        let signatures = cluster.signatures.load(Relaxed);
        let signature = key & SIGNATURE_MASK;
        let (slot, old) = cluster.slot_for(signatures, signature, generation);
        if signature_of(signatures, slot) == signature && old != 0 {
            if entry.mv.is_null() {
                entry.mv = Entry::unpack(old, ply).mv;
            }
            let keeps =
                entry.bound != Some(Bound::Exact) && entry.depth + AGE_WEIGHT <= data_depth(old);
            if keeps {
                cluster.data[slot].store(with_generation(old, generation), Relaxed);
                return;
            }
        }
        cluster.data[slot].store(entry.pack(ply, generation), Relaxed);
        cluster
            .signatures
            .store(with_signature(signatures, slot, signature), Relaxed);
    }

    /// How many entries of a sample belong to the present search, per mille.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters()[..self.len.min(HASHFULL_SAMPLE)];
        let used = |cluster: &Cluster| {
            cluster
                .data
                .iter()
                .map(|word| word.load(Relaxed))
                .filter(|&data| data != 0 && data_generation(data) == generation)
                .count()
        };
        let full: usize = sample.iter().map(used).sum();
        (full * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// The bytes that a table of so many may really take.
fn affordable(wanted: usize) -> usize {
    if wanted <= MODEST {
        return wanted;
    }
    let available = crate::platform::available_memory().unwrap_or(usize::MAX);
    wanted.min((available - available / KEPT_BACK).max(MODEST))
}

impl Cluster {
    /// Writes only where there is something to clear.
    fn clear(&self) {
        let words = || self.data.iter().chain([&self.signatures]);
        if words().fold(0, |all, word| all | word.load(Relaxed)) != 0 {
            words().for_each(|word| word.store(0, Relaxed));
        }
    }

    /// The slot for a signature: its own, an empty one, or the one that is
    /// worth least; with the data there.
    fn slot_for(&self, signatures: u64, signature: u64, generation: u8) -> (usize, u64) {
        let mut best = (0, 0);
        let mut least = i32::MAX;
        for slot in 0..ENTRIES {
            let data = self.data[slot].load(Relaxed);
            if data == 0 || signature_of(signatures, slot) == signature {
                return (slot, data);
            }
            let age = (generation + GENERATIONS - data_generation(data)) % GENERATIONS;
            let worth = data_depth(data) - AGE_WEIGHT * i32::from(age);
            if worth < least {
                (best, least) = ((slot, data), worth);
            }
        }
        best
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: allocated with this layout by `allocate`.
            unsafe { dealloc(self.memory.as_ptr(), layout) };
        }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("megabytes", &self.megabytes())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, value: Value) -> Entry {
        let mv = "h2e2".parse().unwrap();
        Entry {
            mv,
            value,
            eval: -7,
            depth,
            bound: Some(Bound::Lower),
            pv: true,
        }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = Table::new(1);
        for (i, value) in [0, -350, 29_990, -29_000].into_iter().enumerate() {
            let key = 0x1234_5678_9abc_def0 ^ (i as u64) << 50 ^ i as u64;
            table.store(key, 3, entry(i as i32 - 1, value));
            assert_eq!(table.probe(key, 3), Some(entry(i as i32 - 1, value)));
        }
        table.clear();
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 3), None);
    }

    #[test]
    fn a_large_table_is_cleared_in_all_its_parts() {
        let table = Table::new(300);
        let keys = || (0..64).map(|i: u64| (i << 58) | (i + 1));
        keys().for_each(|key| table.store(key, 0, entry(3, 1)));
        assert!(keys().all(|key| table.probe(key, 0).is_some()));
        table.clear();
        assert!(keys().all(|key| table.probe(key, 0).is_none()));
        keys().for_each(|key| table.store(key, 0, entry(3, 1)));
        assert!(keys().all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn no_more_memory_is_asked_for_than_there_is() {
        assert_eq!(affordable(1 << 20), 1 << 20);
        if let Some(available) = crate::platform::available_memory() {
            assert!(affordable(usize::MAX) < available.max(MODEST + 1));
        }
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let table = Table::new(1);
        let keys = [1, 2, 3, 4];
        table.store(keys[0], 0, entry(9, 1));
        table.store(keys[1], 0, entry(2, 2));
        table.store(keys[2], 0, entry(9, 3));
        table.store(keys[3], 0, entry(5, 4));
        assert_eq!(table.probe(keys[1], 0), None);
        assert_eq!(table.probe(keys[3], 0).map(|e| e.value), Some(4));
    }

    #[test]
    fn a_known_move_survives_a_moveless_entry() {
        let table = Table::new(1);
        table.store(7, 0, entry(3, 10));
        table.store(
            7,
            0,
            Entry {
                mv: Move::NULL,
                ..entry(4, 20)
            },
        );
        assert_eq!(table.probe(7, 0).unwrap().mv, entry(0, 0).mv);
    }
}
