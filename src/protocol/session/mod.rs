//! The session: lines in, lines out, a search in between.
//!
//! Four threads, none of which ever waits for the search: one reads lines and
//! obeys them at once, one owns the engine and does its jobs in order, one
//! prints, and the caller's waits for the end.

mod courtesy;
mod desk;
mod guest;
mod limits;
mod lines;
mod printer;
mod searches;
mod shelf;
mod show;
mod state;
mod thinker;
mod transcript;
mod worker;

pub use show::{divide, evaluation};
pub use state::check;
pub use thinker::{Insight, Thinker};

use super::Options;
use crate::search::{Engine, Settings};
use desk::Desk;
use lines::Lines;
use printer::Printer;
use state::State;
use std::io::{Read, Write};
use std::sync::mpsc::channel;
use std::sync::{Arc, Weak};
use std::thread;
use transcript::Transcript;
use worker::Worker;

/// Runs a session with [`Engine`] until `quit`, the end of input, or the end
/// of whoever reads the output.
///
/// It returns within 100 ms of that, whatever the search is doing; the threads
/// it leaves behind end with the process.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    options: Options,
) {
    run_with(input, output, options, Engine::new);
}

/// [`run`] with another engine.
pub fn run_with<T: Thinker>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    options: Options,
    make: impl Fn(Settings) -> T + Send + 'static,
) {
    let transcript = Transcript::default();
    let (jobs, work) = channel();
    let settings = options.settings.clone();
    let desk = Arc::new_cyclic(|desk: &Weak<Desk>| {
        let told = desk.clone();
        let printer = Printer::start(output, transcript.clone(), move || {
            if let Some(desk) = told.upgrade() {
                desk.output_broken();
            }
        });
        let state = State::new(options, jobs, printer.clone(), transcript);
        Desk::new(state, printer)
    });
    let engine_desk = Arc::clone(&desk);
    thread::spawn(move || {
        let mut worker = Worker {
            thinker: make(settings.clone()),
            make,
            settings,
            desk: engine_desk,
        };
        worker.work(&work);
    });
    let reader_desk = Arc::clone(&desk);
    thread::spawn(move || {
        for line in Lines::new(input) {
            reader_desk.line(line);
        }
        reader_desk.end_of_input();
    });
    desk.wait_for_end();
}
