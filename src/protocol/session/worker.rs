//! The thread that owns the search engine and does one job after another.

use super::desk::Desk;
use super::printer::Printer;
use super::show;
use super::thinker::Thinker;
use crate::board::Position;
use crate::clock::{Limits, Stop};
use crate::eval::nnue::Network;
use crate::platform::processors;
use crate::protocol::{Dialect, Info, PopHash, Reply, bench};
use crate::rules::Game;
use crate::search::{Bound, Line, Memory, Outcome, Report, Score, Settings};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Settings on their way to the engine. As long as they have not been taken
/// later ones may take their place, so that a burst of `setoption` costs one
/// change of the table.
#[derive(Debug, Clone)]
pub struct Envelope(Arc<Mutex<Option<Settings>>>);

impl Envelope {
    /// An envelope with these settings.
    pub fn new(settings: Settings) -> Self {
        Self(Arc::new(Mutex::new(Some(settings))))
    }

    fn content(&self) -> MutexGuard<'_, Option<Settings>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts other settings in; whether it was not too late.
    pub fn replace(&self, settings: &Settings) -> bool {
        let mut content = self.content();
        let waits = content.is_some();
        if waits {
            *content = Some(settings.clone());
        }
        waits
    }

    fn take(&self) -> Option<Settings> {
        self.content().take()
    }
}

/// Something for the engine to do.
pub enum Job {
    /// Take these settings.
    Configure(Envelope),
    /// Forget everything.
    Clear,
    /// Think.
    Search(Box<SearchJob>),
    /// Say what the table knows about a position.
    Probe(Box<Position>),
    /// Count the leaves of the move tree.
    Perft(Box<Position>, u32, Arc<Stop>),
    /// Judge by the net of this file, by the one in the program where the name
    /// is empty.
    Network(String),
    /// Search the positions of the bench, with these arguments.
    Bench(bench::Setup, Arc<Stop>),
    /// Nothing: the guest has answered, and what waits for that can be done.
    GuestDone,
    /// End.
    Leave,
}

/// A search to do.
pub struct SearchJob {
    /// The game, `None` when there is no valid position to think about.
    pub game: Option<Arc<Game>>,
    /// When to end.
    pub limits: Limits,
    /// When the request was read.
    pub started: Instant,
    /// The flags.
    pub stop: Arc<Stop>,
    /// How to print the news.
    pub view: View,
}

/// How news of the search is printed.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// In which dialect.
    pub dialect: Dialect,
    /// Lines asked for.
    pub lines: usize,
    /// With the chances of win, draw and loss.
    pub wdl: bool,
    /// With lines that are only a bound.
    pub bounds: bool,
}

/// News that is not a line is printed as if it were this one.
const CURRENT_MOVE: usize = usize::MAX;

impl View {
    fn print(&self, printer: &Printer, report: Report) {
        match report {
            Report::Line(line) if self.shows(&line) => self.news(printer, &line),
            Report::Line(_) => {}
            Report::CurrentMove { depth, mv, number } => {
                let info = Info {
                    depth: Some(depth),
                    currmove: Some(mv),
                    currmovenumber: Some(number),
                    ..Info::default()
                };
                self.tell(printer, CURRENT_MOVE, info);
            }
            Report::Message(text) => {
                if let Some(text) = self.dialect.write_reply(&Reply::Message(text)) {
                    printer.say(text);
                }
            }
        }
    }

    fn shows(&self, line: &Line) -> bool {
        line.multipv <= self.lines && (self.bounds || line.bound == Bound::Exact)
    }

    fn news(&self, printer: &Printer, line: &Line) {
        let mut info = Info::from_line(line);
        info.wdl = info.wdl.filter(|_| self.wdl);
        self.tell(printer, line.multipv, info);
    }

    fn tell(&self, printer: &Printer, kind: usize, info: Info) {
        if let Some(line) = self.dialect.write_reply(&Reply::Info(Box::new(info))) {
            printer.news(kind, line);
        }
    }
}

/// The engine thread.
pub struct Worker<T, F> {
    /// Makes an engine.
    pub make: F,
    /// The engine.
    pub thinker: T,
    /// Its settings.
    pub settings: Settings,
    /// Where outcomes go.
    pub desk: Arc<Desk>,
}

impl<T: Thinker, F: Fn(Settings) -> T> Worker<T, F> {
    /// Works until it is told to leave.
    pub fn work(&mut self, jobs: &Receiver<Job>) {
        self.desk.engine_changed(self.thinker.insight());
        for job in jobs {
            match job {
                Job::Leave => return,
                Job::Search(search) => self.search(&search),
                Job::GuestDone => self.desk.guest_done(),
                other => {
                    let said = self.errand(other);
                    self.desk.errand_done(said);
                }
            }
        }
    }

    fn errand(&mut self, job: Job) -> Option<Reply> {
        match job {
            Job::Configure(envelope) => return self.configure(envelope.take()?),
            Job::Clear => self.thinker.clear(),
            Job::Probe(pos) => return Some(pop_hash(&self.thinker.insight().memory, &pos)),
            Job::Perft(pos, depth, stop) => {
                return Some(Reply::Text(show::divide(&pos, depth, &stop)));
            }
            Job::Bench(setup, stop) => self.bench(&setup, &stop),
            Job::Network(file) => return self.use_net_file(&file),
            Job::Search(_) | Job::GuestDone | Job::Leave => {}
        }
        None
    }

    fn configure(&mut self, settings: Settings) -> Option<Reply> {
        let old = std::mem::replace(&mut self.settings, settings.clone());
        self.thinker.configure(settings);
        let (size, threads) = (self.thinker.table_megabytes(), self.thinker.threads());
        let new = &self.settings;
        let mut notes = Vec::new();
        if new.hash_mb != old.hash_mb && size != new.hash_mb {
            let wanted = new.hash_mb;
            notes.push(format!(
                "hash table of {size} MB: {wanted} MB are not to be had"
            ));
        }
        if new.threads != old.threads {
            notes.push(format!("Threads {threads} (available {})", processors()));
        }
        (!notes.is_empty()).then(|| Reply::Message(notes.join("; ")))
    }

    /// Takes the net of a file and says so; a file that is none leaves the net
    /// in the program.
    fn use_net_file(&mut self, file: &str) -> Option<Reply> {
        let old = self.thinker.insight().network;
        let loaded = if file.is_empty() {
            Ok(Network::embedded())
        } else {
            Network::load(&beside_program(file)).map(Arc::new)
        };
        let (new, said) = match loaded {
            Ok(new) => {
                let said = format!("net {new} of {} hidden values is in use", new.hidden());
                (new, said)
            }
            Err(error) => {
                let own = Network::embedded();
                let said = format!("EvalFile {error}; the net of the program goes on: {own}");
                (own, said)
            }
        };
        let same = old == new;
        if !same {
            self.set_network(new);
        }
        (!same || !file.is_empty()).then_some(Reply::Message(said))
    }

    fn set_network(&mut self, network: Arc<Network>) {
        self.thinker.set_network(network);
        self.desk.engine_changed(self.thinker.insight());
    }

    /// Benches a fresh engine, so that the number does not depend on what this
    /// one has learnt. The report goes to stderr.
    fn bench(&self, setup: &bench::Setup, stop: &Stop) {
        let mut engine = (self.make)(setup.settings());
        engine.set_network(self.thinker.insight().network);
        let mut report = std::io::stderr();
        if let Err(error) = bench::run(&mut engine, setup, stop, &mut report) {
            log::warn!("bench: {error}");
        }
    }

    fn search(&mut self, job: &SearchJob) {
        let Some(game) = &job.game else {
            return self.desk.search_done(no_move());
        };
        let printer = self.desk.printer().clone();
        let mut on_report = |report| job.view.print(&printer, report);
        let thought = catch_unwind(AssertUnwindSafe(|| {
            self.thinker
                .search(game, &job.limits, job.started, &job.stop, &mut on_report)
        }));
        let outcome = thought.unwrap_or_else(|_| self.recover(game, &job.limits));
        self.desk.search_done(outcome);
    }

    /// After a panic in the search: a fresh engine, and any legal move, so
    /// that the game goes on.
    fn recover(&mut self, game: &Game, limits: &Limits) -> Outcome {
        log::error!("the search failed in {}", game.position());
        let network = self.thinker.insight().network;
        self.thinker = (self.make)(self.settings.clone());
        self.set_network(network);
        let allowed = |mv: &_| !limits.ban_moves.contains(mv);
        let best = game.position().legal_moves().into_iter().find(allowed);
        Outcome { best, ..no_move() }
    }
}

/// The path of a file that is given without a folder of its own: in the
/// present folder, or else beside the program, since user interfaces start
/// engines anywhere.
fn beside_program(file: &str) -> PathBuf {
    let here = PathBuf::from(file);
    let program = std::env::current_exe().ok();
    let there = program.and_then(|path| Some(path.parent()?.join(file)));
    match there {
        Some(there) if !here.exists() && there.exists() => there,
        _ => here,
    }
}

/// What a table knows about a position.
pub fn pop_hash(memory: &Memory, pos: &Position) -> Reply {
    let known = memory.probe(pos).map(|probe| PopHash {
        best: probe.best,
        lower: probe.lower,
        upper: probe.upper,
    });
    Reply::PopHash(known.unwrap_or_default())
}

fn no_move() -> Outcome {
    Outcome {
        best: None,
        ponder: None,
        score: Score::Cp(0),
        value: 0,
        nodes: 0,
        depth: 0,
    }
}
