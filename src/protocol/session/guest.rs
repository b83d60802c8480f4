//! The other game: while `UCI_Variant` says so, its session hears every line
//! first and answers what concerns it.

use super::printer::Printer;
use super::worker::Job;
use crate::kingdoms::protocol::{Session, VARIANT, announcements};
use crate::protocol::Options;
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// The session of the game of the seven kingdoms, while that is played.
#[derive(Debug, Default)]
pub struct Guest {
    session: Option<Session>,
}

impl Guest {
    /// Begins or ends the guest's stay, as the options say, and lists its own
    /// options when it comes. A guest that leaves answers its search.
    pub fn follow(&mut self, options: &Options, printer: &Printer, jobs: &Sender<Job>) {
        self.session = None;
        if options.variant == VARIANT {
            let output = printer.clone();
            let mut session = Session::new(Arc::new(move |text| output.say(text)));
            let jobs = jobs.clone();
            session.call_at_end(Arc::new(move || drop(jobs.send(Job::GuestDone))));
            let settings = &options.settings;
            let overhead = settings.move_overhead.as_millis();
            session.line(&format!("setoption name Hash value {}", settings.hash_mb));
            session.line(&format!("setoption name Move Overhead value {overhead}"));
            self.session = Some(session);
            self.announce(printer);
        }
    }

    /// Lists the guest's options.
    pub fn announce(&self, printer: &Printer) {
        if self.session.is_some() {
            announcements()
                .into_iter()
                .for_each(|line| printer.say(line));
        }
    }

    /// Shows the guest a line; whether the line was for the guest alone.
    pub fn line(&mut self, text: &str) -> bool {
        self.session.as_mut().is_some_and(|s| s.line(text))
    }

    /// Whether the guest has not answered yet.
    pub fn is_thinking(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_thinking)
    }

    /// Whether it will not before it is stopped.
    pub fn is_endless(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_endless)
    }

    /// Ends the guest's search, which answers.
    pub fn finish(&mut self) {
        if let Some(session) = &mut self.session {
            session.finish();
        }
    }
}
