//! What the session knows, and what it does on each command.
//!
//! Nothing here waits: the engine works in a thread of its own, and printing
//! is done by another.

mod searching;

use super::courtesy::Courtesy;
use super::guest::Guest;
use super::lines::{Line, MAX_LINE};
use super::printer::Printer;
use super::searches::Searches;
use super::shelf::Shelf;
use super::show;
use super::thinker::Insight;
use super::transcript::Transcript;
use super::worker::{Envelope, Job, pop_hash};
use crate::board::{Move, Position};
use crate::clock::Stop;
use crate::eval::nnue::Network;
use crate::protocol::dialect::split_glued;
use crate::protocol::options::{Effect, OptionError};
use crate::protocol::{
    Command, CommandError, Dialect, Go, IdKey, Options, PopHash, PositionText, Reply, Start,
    Unreadable, bench,
};
use crate::rules::Game;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

/// A game longer than this forgets what lies before the last capture, which
/// no later position can repeat.
const LONG_GAME: usize = 1024;
/// An error quotes so much of a line.
const QUOTED: usize = 120;

/// The state of a session.
#[derive(Debug)]
pub struct State {
    dialect: Dialect,
    options: Options,
    /// The game that the next search is about, or why there is none.
    game: Result<Arc<Game>, String>,
    bans: Vec<Move>,
    searches: Searches,
    /// Other jobs that the engine has not finished.
    errands: usize,
    /// The settings, where they are the last job sent.
    envelope: Option<Envelope>,
    /// The flags of those that can be stopped.
    errand_stops: Vec<Arc<Stop>>,
    /// Lines that wait for the end of a search (batch mode).
    deferred: VecDeque<Line>,
    input_ended: bool,
    leaving: bool,
    courtesy: Courtesy,
    guest: Guest,
    shelf: Shelf,
    /// What can be seen of the engine, once there is one.
    insight: Option<Insight>,
    jobs: Sender<Job>,
    printer: Printer,
    transcript: Transcript,
}

impl State {
    /// A session that has heard nothing yet.
    pub fn new(
        options: Options,
        jobs: Sender<Job>,
        printer: Printer,
        transcript: Transcript,
    ) -> Self {
        Self {
            dialect: Dialect::Uci,
            options,
            game: Ok(Arc::default()),
            bans: Vec::new(),
            searches: Searches::default(),
            errands: 0,
            envelope: None,
            errand_stops: Vec::new(),
            deferred: VecDeque::new(),
            input_ended: false,
            leaving: false,
            courtesy: Courtesy::default(),
            guest: Guest::default(),
            shelf: Shelf::default(),
            insight: None,
            jobs,
            printer,
            transcript,
        }
    }

    /// Whether the session is over.
    pub fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// Whether a search is not answered.
    pub fn is_thinking(&self) -> bool {
        !self.searches.is_empty()
    }

    /// Whether the engine is busy with its settings and not with a search.
    pub fn is_settling(&self) -> bool {
        self.errands > 0 && !self.is_thinking() && !self.leaving
    }

    fn is_busy(&self) -> bool {
        self.is_thinking() || self.errands > 0 || self.guest.is_thinking()
    }

    /// In UCCI nothing changes under a search that nobody has stopped.
    fn is_closed(&self) -> bool {
        self.dialect.is_ucci() && self.is_thinking() && !self.searches.is_stopping()
    }

    /// Prints a reply.
    pub fn say(&self, reply: &Reply) {
        if let Some(text) = self.dialect.write_reply(reply) {
            self.printer.say(text);
        }
    }

    fn tell(&self, message: impl Into<String>) {
        self.say(&Reply::Message(message.into()));
    }

    // ---- Lines ----

    /// Obeys a line, or keeps it for later in batch mode.
    pub fn line(&mut self, line: Line, read: Instant) {
        if self.options.batch && (self.is_busy() || !self.deferred.is_empty()) {
            self.deferred.push_back(line);
        } else {
            self.obey_line(&line, read);
        }
    }

    fn obey_line(&mut self, line: &Line, read: Instant) {
        self.transcript.heard(&line.text);
        let (first, rest) = split_glued(&line.text);
        for text in [first, rest] {
            if self.leaving {
                return;
            }
            if self.guest.line(text) {
                continue;
            }
            match self.dialect.read_command(text) {
                Ok(None) => {}
                Ok(Some(Command::Position(_))) if line.cut => self.spoil(format!(
                    "a line of more than {MAX_LINE} bytes cannot be read"
                )),
                Ok(Some(command)) => self.obey(command, read),
                Err(error) => self.complain(&error),
            }
        }
    }

    fn complain(&mut self, error: &CommandError) {
        match error {
            _ if error.spoils_position() => self.spoil(clip(&error.to_string())),
            CommandError::Unknown(_) if self.dialect.is_ucci() => {}
            CommandError::Unknown(line) => self.tell(format!(
                "Unknown command: '{}'. Type help for more information.",
                clip(line)
            )),
            _ => self.tell(format!("error {}", clip(&error.to_string()))),
        }
    }

    /// Obeys the lines that waited, as far as no new search begins.
    pub fn catch_up(&mut self) {
        while !self.is_busy() && !self.leaving {
            let Some(line) = self.deferred.pop_front() else {
                if self.input_ended {
                    self.leave();
                }
                return;
            };
            self.obey_line(&line, Instant::now());
        }
        if self.input_ended && self.guest.is_endless() {
            self.guest.finish();
        }
        if self.input_ended && self.searches.is_endless() {
            self.stop();
        }
    }

    /// The input has ended; in batch mode what was read is done first, but for
    /// a search that only another line could end.
    pub fn end_of_input(&mut self) {
        self.input_ended = true;
        if self.options.batch {
            self.catch_up();
        } else {
            self.leave();
        }
    }

    /// Ends the session.
    pub fn leave(&mut self) {
        self.leaving = true;
        self.guest.finish();
        self.stop();
        self.send(Job::Leave);
    }

    // ---- Commands ----

    fn obey(&mut self, command: Command, read: Instant) {
        match command {
            Command::Hello(dialect) => self.introduce(dialect),
            Command::IsReady => self.say(&Reply::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position(text) if !self.is_closed() => self.set_position(&text),
            Command::BanMoves(list) if !self.is_closed() => self.ban(&list),
            Command::Go(go) if !self.is_closed() => self.go(&go, read),
            Command::Position(_) | Command::BanMoves(_) | Command::Go(_) => {}
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.stop_or_say_so(),
            Command::PonderHit { draw } => {
                let answers = self.searches.ponder_hit(draw);
                self.answer_all(answers);
            }
            Command::Probe(text) => self.probe(&text),
            Command::Quit => self.leave(),
            Command::Debug(on) => self.options.debug = on,
            Command::Display => self.display(),
            Command::Eval => self.with_position(|pos| show::evaluation(pos, &self.network())),
            Command::Flip => self.flip(),
            Command::Bench(words) => self.bench(&words),
            Command::Help => self.say(&Reply::Text(show::help(self.dialect))),
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let id = |key, text: &str| Reply::Id {
            key,
            text: text.to_owned(),
        };
        let net = self.network();
        let version = env!("CARGO_PKG_VERSION");
        let version = format!("{version} ({} {:08x})", net.name(), net.hash());
        let name = "Chuhe";
        if dialect.is_ucci() {
            self.say(&id(IdKey::Name, name));
            self.say(&id(IdKey::Version, &version));
        } else {
            self.say(&id(IdKey::Name, &format!("{name} {version}")));
        }
        self.say(&id(IdKey::Author, "the Chuhe authors"));
        for option in Options::announcements(dialect) {
            self.say(&option);
        }
        self.guest.announce(&self.printer);
        self.say(&Reply::Ok);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(self.dialect, name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Configure) => {
                self.send_settings();
            }
            Ok(Effect::Clear) => self.send_errand(Job::Clear),
            Ok(Effect::Log) => self.open_log(),
            Ok(Effect::Variant) => self.change_variant(),
            Ok(Effect::Book) => self.open_book(),
            Ok(Effect::Network) => {
                self.send_errand(Job::Network(self.options.eval_file.clone()));
            }
            Err(error) if self.dialect.is_ucci() => log::info!("{error}"),
            Err(error @ OptionError::Unknown(_)) => {
                self.say(&Reply::Text(clip(&error.to_string())));
            }
            Err(error) => self.tell(clip(&error.to_string())),
        }
    }

    fn open_book(&mut self) {
        if let Err(problem) = self.shelf.open(&self.options.book_file) {
            self.tell(clip(&problem));
        }
    }

    fn open_log(&self) {
        let path = &self.options.debug_log_file;
        if let Err(error) = self.transcript.open(path) {
            self.tell(format!("Debug Log File: {path}: {error}"));
        }
    }

    /// Another game is played from now on, from its start.
    fn change_variant(&mut self) {
        self.stop();
        self.bans.clear();
        self.game = Ok(Arc::default());
        self.guest.follow(&self.options, &self.printer, &self.jobs);
    }

    fn new_game(&mut self) {
        self.courtesy = Courtesy::default();
        self.send_errand(Job::Clear);
    }

    fn set_position(&mut self, text: &PositionText) {
        self.bans.clear();
        match game_of(text, self.dialect.is_ucci()) {
            Ok(game) => self.game = Ok(Arc::new(game)),
            Err(error) => self.spoil(error),
        }
    }

    /// From now on there is no position to think about.
    fn spoil(&mut self, error: String) {
        if self.is_closed() {
            return;
        }
        self.tell(format!("error Unsupported position: {error}"));
        self.bans.clear();
        self.game = Err(error);
    }

    /// The board, and the ruling on the game as it stands.
    fn display(&self) {
        self.with_position(show::position);
        if let Ok(game) = &self.game {
            self.say(&Reply::Text(show::ruling(
                game,
                self.options.settings.rules,
            )));
        }
    }

    fn with_position(&self, show: impl Fn(&Position) -> String) {
        match &self.game {
            Ok(game) => self.say(&Reply::Text(show(game.position()))),
            Err(error) => self.tell(format!("no valid position: {error}")),
        }
    }

    fn flip(&mut self) {
        if let Ok(game) = &self.game {
            self.game = Ok(Arc::new(Game::new(game.position().flipped())));
        }
    }

    // ---- Jobs for the engine ----

    fn send(&mut self, job: Job) {
        self.envelope = None;
        if self.jobs.send(job).is_err() {
            log::error!("the engine thread has ended");
        }
    }

    fn send_errand(&mut self, job: Job) {
        self.errands += 1;
        self.send(job);
    }

    /// Sends the settings, or changes those sent last.
    fn send_settings(&mut self) {
        let settings = &self.options.settings;
        let sent = self.envelope.as_ref();
        if sent.is_some_and(|envelope| envelope.replace(settings)) {
            return;
        }
        let envelope = Envelope::new(settings.clone());
        self.send_errand(Job::Configure(envelope.clone()));
        self.envelope = Some(envelope);
    }

    /// A flag that stops an errand.
    fn errand_stop(&mut self) -> Arc<Stop> {
        let stop = Arc::new(Stop::default());
        self.errand_stops.push(Arc::clone(&stop));
        stop
    }

    fn perft(&mut self, depth: u32) {
        if let Ok(game) = &self.game {
            let pos = Box::new(game.position().clone());
            let stop = self.errand_stop();
            self.send_errand(Job::Perft(pos, depth, stop));
        }
    }

    fn bench(&mut self, words: &[String]) {
        let stop = self.errand_stop();
        self.send_errand(Job::Bench(bench::Setup::read(words), stop));
    }

    /// Looks into the table: at once, but after what was asked for before
    /// where the engine is about to do that.
    fn probe(&mut self, text: &PositionText) {
        let Ok(game) = game_of(text, self.dialect.is_ucci()) else {
            return self.say(&Reply::PopHash(PopHash::default()));
        };
        if self.is_settling() {
            return self.send_errand(Job::Probe(Box::new(game.position().clone())));
        }
        let nothing = Reply::PopHash(PopHash::default());
        let known = self.insight.as_ref();
        let known = known.map(|seen| pop_hash(&seen.memory, game.position()));
        self.say(&known.unwrap_or(nothing));
    }

    /// There is an engine, or another net in it.
    pub fn engine_changed(&mut self, insight: Insight) {
        self.insight = Some(insight);
    }

    /// The net in use.
    fn network(&self) -> Arc<Network> {
        let seen = self.insight.as_ref();
        seen.map_or_else(Network::embedded, |seen| Arc::clone(&seen.network))
    }

    /// A job that is no search is done.
    pub fn errand_done(&mut self, said: Option<Reply>) {
        self.errands = self.errands.saturating_sub(1);
        if self.errands == 0 {
            self.errand_stops.clear();
        }
        if let Some(reply) = said {
            self.say(&reply);
        }
        self.catch_up();
    }
}

/// Whether everything in a line of UCI can be taken: the command, the position
/// and its moves, the words of `go`. A dialogue goes on after such a fault,
/// a script should not.
///
/// # Errors
/// The first fault, in words.
pub fn check(line: &str) -> Result<(), String> {
    let command = Dialect::Uci.read_command(line);
    match command.map_err(|error| error.to_string())? {
        Some(Command::Position(text)) => game_of(&text, false).map(drop),
        Some(Command::Go(go)) => check_go(&go),
        _ => Ok(()),
    }
}

fn check_go(go: &Go) -> Result<(), String> {
    let numbers = go.unreadable.iter().map(Unreadable::to_string);
    let words = go.unknown.iter().chain(&go.search_moves.unreadable);
    let words = words.map(|word| format!("go: `{word}` is unknown"));
    numbers.chain(words).next().map_or(Ok(()), Err)
}

/// The game that a text tells. `facing` allows the kings to face each other, as
/// UCCI's programs do; those of UCI refuse such a position.
fn game_of(text: &PositionText, facing: bool) -> Result<Game, String> {
    let start = match &text.start {
        Start::Startpos => Position::startpos(),
        Start::Fen(fen) => {
            let pos = if facing {
                Position::from_fen_with_facing_kings(fen)
            } else {
                fen.parse()
            };
            pos.map_err(|error| clip(&format!("{error} in `{fen}`")))?
        }
    };
    let mut game = Game::new(start);
    for &mv in &text.moves {
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(shortened(game))
}

/// A long game from its last capture on.
fn shortened(game: Game) -> Game {
    let positions = game.positions();
    let capture = positions
        .iter()
        .rposition(|pos| pos.halfmove_clock() == 0)
        .filter(|&ply| ply > 0 && positions.len() > LONG_GAME);
    let Some(ply) = capture else { return game };
    let mut rest = Game::new(positions[ply].clone());
    for &mv in &game.moves()[ply..] {
        if rest.play(mv).is_err() {
            return game;
        }
    }
    rest
}

/// The beginning of a text, for an error message.
fn clip(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(QUOTED * 2)
        .collect();
    if line.len() < text.len() {
        return line + "...";
    }
    line
}
