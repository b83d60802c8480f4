//! The helpers of the first search thread. They live as long as the engine, so
//! that a search need not start a thread, and each keeps its histories.
//!
//! All of them read one order; who comes late to it does the latest only.

use super::history::Histories;
use super::worker::{Shared, Worker};
use bytemuck::allocation::try_zeroed_vec;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Memory of a search in a helper: stack, variations, accumulators (2^20 bytes).
const SEARCH_BYTES: usize = 1 << 20;
/// Memory of a helper that has learnt much: its histories take 8 of it.
const HELPER_BYTES: usize = 12 * SEARCH_BYTES;

/// What the helpers shall do.
#[derive(Default)]
struct Order {
    /// Counts the orders, so that each is obeyed once.
    number: u64,
    /// The last order to forget everything.
    forget: u64,
    /// The search to take part in.
    search: Option<Arc<Shared>>,
    /// Helpers of a higher number leave.
    size: usize,
    /// Helpers that search now.
    searching: usize,
}

#[derive(Default)]
struct Board {
    order: Mutex<Order>,
    changed: Condvar,
    /// The last helper has come to rest.
    resting: Condvar,
}

/// Threads that help to search, numbered from 1.
#[derive(Default)]
pub struct Crew {
    board: Arc<Board>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// The number of helpers.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Brings their number to `size`, or as near to it as the system allows.
    pub fn resize(&mut self, size: usize) {
        self.shrink(size);
        if self.len() == size {
            return;
        }
        let size = size.min(self.len() + affordable());
        while self.len() < size {
            if let Err(reason) = self.add() {
                log::warn!("no more than {} search threads: {reason}", self.len() + 1);
                break;
            }
        }
        while !has_room_to_search(self.len()) && self.len() > 0 {
            self.shrink(self.len() / 2);
        }
    }

    fn shrink(&mut self, size: usize) {
        self.board.change(|order| order.size = size);
        for gone in self.threads.drain(size.min(self.threads.len())..) {
            let _ = gone.join();
        }
    }

    /// Adds a helper, or says why there can be no more.
    fn add(&mut self) -> Result<(), String> {
        let histories = Histories::new().ok_or("no memory")?;
        let (board, id) = (Arc::clone(&self.board), self.len() + 1);
        let seen = board.change(|order| {
            order.size = id;
            order.number
        });
        let helper = thread::Builder::new().name(format!("search-{id}"));
        let thread = helper
            .spawn(move || board.serve(id, seen, histories))
            .map_err(|error| error.to_string())?;
        self.threads.push(thread);
        Ok(())
    }

    /// Starts a search in all helpers, without waiting for any of them.
    pub fn start(&self, search: &Arc<Shared>) {
        if !self.threads.is_empty() {
            self.board
                .give_order(|order| order.search = Some(Arc::clone(search)));
        }
    }

    /// Ends the search; helpers stop at their next look at it.
    pub fn end(&self) {
        self.board.change(Order::end_search);
    }

    /// Waits until no helper searches any more.
    pub fn wait(&self) {
        let order = self.board.lock();
        let rest = self.board.resting.wait_while(order, |o| o.searching > 0);
        drop(rest);
    }

    /// Has all helpers forget what they have learnt, before their next search.
    pub fn forget(&self) {
        self.board.give_order(|order| order.forget = order.number);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.end();
        self.resize(0);
    }
}

impl std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew").field("size", &self.len()).finish()
    }
}

impl Order {
    fn end_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.done.store(true, Relaxed);
        }
    }
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Order> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Order) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    fn give_order(&self, change: impl FnOnce(&mut Order)) {
        self.change(|order| {
            order.number += 1;
            change(order);
        });
    }

    /// The life of a helper that has seen the orders up to `seen`.
    fn serve(&self, id: usize, mut seen: u64, histories: Histories) {
        let mut learnt = Some(histories);
        while let Some((forgets, search)) = self.next_order(id, &mut seen) {
            if forgets {
                learnt = None;
            }
            let Some(search) = search else { continue };
            if !search.is_over() {
                learnt = help(&search, id, learnt);
            }
            drop(search);
            self.come_to_rest();
        }
    }

    /// Waits for an order: whether to forget, and what to search. `None` is to
    /// leave.
    fn next_order(&self, id: usize, seen: &mut u64) -> Option<(bool, Option<Arc<Shared>>)> {
        let idle = |order: &mut Order| order.number == *seen && id <= order.size;
        let waited = self.changed.wait_while(self.lock(), idle);
        let mut order = waited.unwrap_or_else(PoisonError::into_inner);
        if id > order.size {
            return None;
        }
        let forgets = order.forget > *seen;
        *seen = order.number;
        order.searching += usize::from(order.search.is_some());
        Some((forgets, order.search.clone()))
    }

    fn come_to_rest(&self) {
        let mut order = self.lock();
        order.searching -= 1;
        if order.searching == 0 {
            self.resting.notify_all();
        }
    }
}

/// Takes part in a search as helper `id`, with what was learnt before, and
/// returns what is known afterwards. Without memory it stays out.
fn help(search: &Shared, id: usize, learnt: Option<Histories>) -> Option<Histories> {
    let mut histories = learnt.or_else(Histories::new)?;
    let searched = catch_unwind(AssertUnwindSafe(|| {
        Worker::new(search, id, &mut histories).iterate(&mut |_| {}, &|| {});
    }));
    if searched.is_err() {
        log::error!("search thread {id} failed");
    }
    searched.is_ok().then_some(histories)
}

/// Helpers for which the machine has memory.
fn affordable() -> usize {
    crate::platform::available_memory().map_or(usize::MAX, |bytes| bytes / HELPER_BYTES)
}

/// Whether so many helpers could be given what a search needs besides the
/// histories, within the limits of this process.
fn has_room_to_search(helpers: usize) -> bool {
    try_zeroed_vec::<u8>(helpers * SEARCH_BYTES).is_ok()
}
