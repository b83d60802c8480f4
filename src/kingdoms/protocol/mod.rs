//! The game in the words of UCI.
//!
//! [`Session`] is a guest in the engine's session: while `UCI_Variant` is
//! `sevenkingdoms` it is shown every line first, answers those that concern
//! the game, and leaves the rest (`uci`, `isready`, `quit`, other options) to
//! its host. It prints through a function of the host's.

mod command;
mod option;
mod reply;

pub use command::{Command, CommandError, Go, read};
use option::plain;
pub use option::{Changed, Choices, PREFIX, announcements, helps, option_name, rule_name};
pub use reply::{best_move, chances, display, evaluation, info};

use super::{Engine, Move, Position, Report, Settings, perft_until};
use crate::clock::{Limits, Stop};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The name of the variant.
pub const VARIANT: &str = "sevenkingdoms";

/// A larger table would not fill; the host keeps the rest of `Hash` for its
/// own game.
const LARGEST_TABLE_MIB: u64 = 256;

/// Prints a line, or several.
pub type Say = Arc<dyn Fn(String) + Send + Sync>;

/// What is to be done when a search or a count has answered.
pub type AtEnd = Arc<dyn Fn() + Send + Sync>;

/// The game, the options and the search of one GUI.
pub struct Session {
    say: Say,
    at_end: AtEnd,
    choices: Choices,
    hash_mib: usize,
    overhead: Duration,
    /// `None` after a position that could not be read.
    position: Option<Position>,
    engine: Arc<Mutex<Engine>>,
    running: Option<Running>,
}

/// A search or a count in its thread.
struct Running {
    stop: Arc<Stop>,
    /// It has answered.
    over: Arc<AtomicBool>,
    /// Only `stop` ends it.
    endless: bool,
    thread: JoinHandle<()>,
}

/// Tells that a thread has done its work, however it ended.
struct Notice {
    over: Arc<AtomicBool>,
    at_end: AtEnd,
}

impl Drop for Notice {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        (self.at_end)();
    }
}

impl Session {
    /// A session at the start position, which prints by `say`.
    pub fn new(say: Say) -> Self {
        let settings = Settings::default();
        Self {
            say,
            at_end: Arc::new(|| {}),
            choices: Choices::default(),
            hash_mib: settings.hash_mib,
            overhead: settings.overhead,
            position: Some(Position::start(Choices::default().rules)),
            engine: Arc::new(Mutex::new(Engine::new(settings))),
            running: None,
        }
    }

    /// Has `at_end` called, from another thread, after each search or count.
    pub fn call_at_end(&mut self, at_end: AtEnd) {
        self.at_end = at_end;
    }

    /// The position, `None` after one that could not be read.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// Obeys a line; false when it does not concern this game.
    pub fn line(&mut self, line: &str) -> bool {
        match read(line) {
            Ok(Some(command)) => return self.obey(command),
            Ok(None) => return false,
            Err(error) => {
                if error.command == "position" {
                    self.position = None;
                }
                self.tell(&format!("error {error}"));
            }
        }
        true
    }

    /// Takes in a line as [`line`](Self::line) does, but searches nothing and
    /// says nothing; false when the line does not concern this game.
    ///
    /// # Errors
    /// The first thing in the line that cannot be taken, in words.
    pub fn check(&mut self, line: &str) -> Result<bool, String> {
        match read(line).map_err(|e| e.to_string())? {
            None => return Ok(false),
            Some(Command::Go(go)) => {
                let problem = go.unreadable.first().map(ToString::to_string);
                problem.map_or(Ok(()), Err)?;
            }
            Some(Command::Position { line, moves }) => {
                self.position = Some(self.game(line.as_deref(), &moves)?);
            }
            Some(Command::SetOption { name, value }) => {
                let Some(rule) = rule_name(&name) else {
                    return Ok(false);
                };
                let set = self.choices.set(&rule, &value);
                set.map_err(|e| e.to_string())?;
            }
            Some(_) => {}
        }
        Ok(true)
    }

    fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::NewGame => {
                self.finish();
                self.with_engine(Engine::clear);
            }
            Command::Position { line, moves } => self.set_position(line.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.count(depth),
            Command::Stop => self.finish(),
            Command::SetOption { name, value } => return self.set_option(&name, &value),
            Command::Display => self.show(display),
            Command::Eval => self.show(evaluation),
        }
        true
    }

    /// Whether a search or a count is running.
    pub fn is_thinking(&self) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|r| !r.over.load(Ordering::Acquire))
    }

    /// Whether a search is running that only `stop` ends.
    pub fn is_endless(&self) -> bool {
        self.is_thinking() && self.running.as_ref().is_some_and(|r| r.endless)
    }

    /// Ends what is running, and waits until it has answered.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
            if running.thread.join().is_err() {
                log::error!("a search of the seven kingdoms has failed");
            }
        }
    }

    fn tell(&self, message: &str) {
        (self.say)(format!("info string {message}"));
    }

    fn show(&self, text: fn(&Position) -> String) {
        match &self.position {
            Some(position) => (self.say)(text(position)),
            None => self.tell("no valid position"),
        }
    }

    fn with_engine(&self, change: impl FnOnce(&mut Engine)) {
        change(&mut self.engine.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Sets an option of this game; false when it is the host's.
    fn set_option(&mut self, name: &str, value: &str) -> bool {
        if let Ok(number) = value.parse::<u64>() {
            self.follow_host(name, number);
        }
        let Some(rule) = rule_name(name) else {
            return false;
        };
        match self.choices.set(&rule, value) {
            Ok(Changed::Search) => self.rebuild(),
            Ok(Changed::Game) => {
                self.finish();
                self.with_engine(Engine::clear);
                self.position = self.start();
            }
            Err(error) => self.tell(&format!("error {error}")),
        }
        true
    }

    /// Takes in an option of the host's that counts in this game too.
    fn follow_host(&mut self, name: &str, number: u64) {
        match plain(name).as_str() {
            "hash" => {
                self.hash_mib = number.min(LARGEST_TABLE_MIB) as usize;
                self.rebuild();
            }
            "moveoverhead" => self.overhead = Duration::from_millis(number),
            _ => {}
        }
    }

    /// Makes an engine anew, for other settings.
    fn rebuild(&mut self) {
        self.finish();
        let settings = Settings {
            algorithm: self.choices.algorithm,
            hash_mib: self.hash_mib,
            overhead: self.overhead,
        };
        self.with_engine(|engine| *engine = Engine::new(settings));
    }

    fn start(&self) -> Option<Position> {
        Position::start_for(self.choices.players, self.choices.rules)
    }

    fn set_position(&mut self, line: Option<&str>, moves: &[Move]) {
        self.position = None;
        match self.game(line, moves) {
            Ok(position) => self.position = Some(position),
            Err(error) => self.tell(&format!("error Unsupported position: {error}")),
        }
    }

    fn game(&self, line: Option<&str>, moves: &[Move]) -> Result<Position, String> {
        let start = match line {
            None => self.start().ok_or("no start for so many players"),
            Some(line) => {
                return replay(
                    Position::parse(line, self.choices.rules).map_err(|e| e.to_string())?,
                    moves,
                );
            }
        };
        replay(start?, moves)
    }

    fn go(&mut self, go: &Go) {
        self.finish();
        for problem in &go.unreadable {
            self.tell(&format!("error {problem}"));
        }
        let Some((position, seat)) = self.position.and_then(|p| p.turn().map(|s| (p, s))) else {
            self.show(evaluation);
            return (self.say)(best_move(None));
        };
        let (limits, engine) = (go.limits(seat), Arc::clone(&self.engine));
        let endless = limits.infinite || !limits.is_limited();
        let overhead = self.overhead;
        self.spawn(endless, move |stop, say| {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            engine.set_overhead(overhead);
            think(&mut engine, &position, &limits, stop, say);
        });
    }

    fn count(&mut self, depth: u32) {
        self.finish();
        let Some(position) = self.position else {
            return self.tell("no valid position");
        };
        self.spawn(false, move |stop, say| divide(&position, depth, stop, say));
    }

    fn spawn(&mut self, endless: bool, work: impl FnOnce(&Stop, &Say) + Send + 'static) {
        let (stop, say) = (Arc::new(Stop::default()), Arc::clone(&self.say));
        let over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let notice = Notice {
            over: Arc::clone(&over),
            at_end: Arc::clone(&self.at_end),
        };
        let thread = std::thread::spawn(move || {
            let _notice = notice;
            work(&flag, &say);
        });
        self.running = Some(Running {
            stop,
            over,
            endless,
            thread,
        });
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Session")
            .field("choices", &self.choices)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.finish();
    }
}

fn replay(start: Position, moves: &[Move]) -> Result<Position, String> {
    let mut position = start;
    for (i, &m) in moves.iter().enumerate() {
        let played = position.play(m);
        position = played.map_err(|e| format!("{e} (number {})", i + 1))?;
    }
    Ok(position)
}

/// Searches and answers; an endless search answers only when stopped.
fn think(engine: &mut Engine, position: &Position, limits: &Limits, stop: &Stop, say: &Say) {
    let mut on_report = |report: &Report| {
        say(info(report));
        say(chances(position, &report.values));
    };
    let found = engine.search(position, limits, stop, &mut on_report);
    while limits.infinite && !stop.is_stopped() {
        std::thread::sleep(PAUSE);
    }
    say(best_move(found.map(|r| r.best)));
}

/// Between two looks at the stop flag when nothing is left to search.
const PAUSE: Duration = Duration::from_millis(5);

/// Counts the positions after `depth` moves, by first move.
fn divide(position: &Position, depth: u32, stop: &Stop, say: &Say) {
    let mut sum = 0;
    if let Some(below) = depth.checked_sub(1) {
        for m in position.legal_moves() {
            let count = perft_until(&position.after(m), below, stop);
            if stop.is_stopped() {
                return;
            }
            say(format!("{m}: {count}"));
            sum += count;
        }
    } else {
        sum = 1;
    }
    say(format!("\nNodes searched: {sum}"));
}
