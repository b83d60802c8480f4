//! Where the threads meet: the state behind its lock, and the end of it all.

use super::lines::Line;
use super::printer::Printer;
use super::state::State;
use super::thinker::Insight;
use crate::protocol::Reply;
use crate::search::Outcome;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// `isready` waits so long for the engine to take its settings when no search
/// runs; it is answered then in any case.
const READY_PATIENCE: Duration = Duration::from_millis(25);
/// A search that is stopped by the end of the session may say its move
/// within this time.
const LEAVE_PATIENCE: Duration = Duration::from_millis(50);
/// What is left to print may take so long.
const PRINT_PATIENCE: Duration = Duration::from_millis(30);

/// The state, shared by the threads.
#[derive(Debug)]
pub struct Desk {
    state: Mutex<State>,
    changed: Condvar,
    printer: Printer,
}

impl Desk {
    /// A desk with this state.
    pub fn new(state: State, printer: Printer) -> Self {
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            printer,
        }
    }

    /// The output.
    pub fn printer(&self) -> &Printer {
        &self.printer
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and tells who waits for it.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// A line was read, just now.
    pub fn line(&self, line: Line) {
        let read = Instant::now();
        if line.text.trim() == "isready" {
            self.wait(READY_PATIENCE, State::is_settling);
        }
        self.change(|state| state.line(line, read));
    }

    /// There is no more input.
    pub fn end_of_input(&self) {
        self.change(State::end_of_input);
    }

    /// Nobody reads the output any more.
    pub fn output_broken(&self) {
        self.change(State::leave);
    }

    /// There is an engine, or another net in it.
    pub fn engine_changed(&self, insight: Insight) {
        self.change(|state| state.engine_changed(insight));
    }

    /// The engine has finished a search.
    pub fn search_done(&self, outcome: Outcome) {
        self.change(|state| state.search_done(outcome));
    }

    /// The engine has finished another job, with this to say about it.
    pub fn errand_done(&self, said: Option<Reply>) {
        self.change(|state| state.errand_done(said));
    }

    /// The guest has answered.
    pub fn guest_done(&self) {
        self.change(State::catch_up);
    }

    /// Waits while `condition` holds, not longer than `patience`.
    fn wait(&self, patience: Duration, condition: impl Fn(&State) -> bool) {
        let state = self.lock();
        let waited = self
            .changed
            .wait_timeout_while(state, patience, |state| condition(state));
        drop(waited);
    }

    /// Waits for the end of the session.
    pub fn wait_for_end(&self) {
        let leaving = self
            .changed
            .wait_while(self.lock(), |state| !state.is_leaving());
        drop(leaving);
        self.wait(LEAVE_PATIENCE, State::is_thinking);
        self.change(|state| state.say(&Reply::Bye));
        self.printer.drain(PRINT_PATIENCE);
        self.printer.close();
    }
}
