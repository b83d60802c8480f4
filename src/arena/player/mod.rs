//! An engine as a player: it is greeted, told its options, asked for moves,
//! and watched while it thinks.

mod introduction;
mod request;
mod watch;

pub use request::Request;
pub use watch::Thought;

use super::process::{Launch, Process, Trouble};
use super::ranks;
use super::reason::Reason;
use super::spec::EngineSpec;
use crate::board::Move;
use crate::protocol::{Command, Dialect, Reply};
use crate::rules::Game;
use introduction::{Manners, as_start_fault};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an engine may take to leave.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the introduction, and for `readyok`.
    pub start: Duration,
    /// For the answer to `stop`.
    pub stop: Duration,
    /// For a move that is not limited by time.
    pub think: Duration,
    /// How much an engine may be over its time.
    pub margin: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(20),
            stop: Duration::from_secs(5),
            think: Duration::from_secs(60),
            margin: Duration::from_millis(50),
        }
    }
}

/// A player in the matches of one worker.
#[derive(Debug)]
pub struct Player {
    spec: EngineSpec,
    launch: Arc<Launch>,
    patience: Patience,
    cores: Vec<usize>,
    ponders: bool,
    process: Option<Process>,
    dialect: Dialect,
    manners: Manners,
    expected: Option<Move>,
    last_command: String,
}

impl Player {
    /// A player that is not started yet, for these cores (all when empty).
    pub fn new(
        spec: EngineSpec,
        launch: Arc<Launch>,
        patience: Patience,
        cores: Vec<usize>,
    ) -> Self {
        Self {
            dialect: spec.dialect.unwrap_or_default(),
            spec,
            launch,
            patience,
            cores,
            ponders: false,
            process: None,
            manners: Manners::default(),
            expected: None,
            last_command: String::new(),
        }
    }

    /// Lets it think on the opponent's time too.
    pub fn pondering(self, ponders: bool) -> Self {
        Self { ponders, ..self }
    }

    /// What is known about it.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// The name it gave itself.
    pub fn introduced_as(&self) -> Option<&str> {
        self.manners.name.as_deref()
    }

    /// Whether it can be told which moves are lost (UCCI).
    pub fn takes_bans(&self) -> bool {
        self.dialect.is_ucci()
    }

    /// In UCCI `nobestmove` means to give up.
    pub fn resigns_by_silence(&self) -> bool {
        self.dialect.is_ucci()
    }

    /// The last position and limits it was sent.
    pub fn last_command(&self) -> &str {
        &self.last_command
    }

    /// The last lines it wrote.
    pub fn tail(&self) -> Vec<String> {
        self.process.as_ref().map(Process::tail).unwrap_or_default()
    }

    /// Ends the process without a word; the next game starts another.
    pub fn kill(&mut self) {
        self.process = None;
        self.expected = None;
    }

    /// Ends the process politely.
    pub fn quit(&mut self) {
        self.expected = None;
        if let Some(process) = self.process.take() {
            let command = self.dialect.write_command(&Command::Quit) + "\n";
            process.quit(&command, QUIT_PATIENCE);
        }
    }

    /// Makes it ready for a new game; a process that broke after its last
    /// game is replaced.
    ///
    /// # Errors
    /// Faults of the start.
    pub fn prepare(&mut self) -> Result<(), Trouble> {
        if self.spec.restart {
            self.quit();
        }
        if self.process.is_some() {
            match self.new_game() {
                Err(Trouble::Fault(fault)) => {
                    log::warn!("{} between games: {}", self.spec.name, fault.detail);
                    self.kill();
                }
                other => return other,
            }
        }
        self.start().map_err(as_start_fault)?;
        self.new_game()
    }

    fn new_game(&mut self) -> Result<(), Trouble> {
        self.end_pondering()?;
        self.say(&[Command::NewGame])?;
        self.sync(self.patience.start)
    }

    /// Asks whether it is ready and reads up to the answer. A move that
    /// stands before it is one too many.
    fn sync(&mut self, patience: Duration) -> Result<(), Trouble> {
        if !self.manners.syncs {
            return self.read_what_is_there();
        }
        let deadline = self.say(&[Command::IsReady])? + patience;
        while let Some((_, line)) = self.read(deadline)? {
            match self.dialect.read_reply(&line) {
                Ok(Reply::ReadyOk) => return Ok(()),
                reply => refuse_move(reply.ok())?,
            }
        }
        Err(Trouble::fault(
            Reason::Hang,
            format!("no readyok in {patience:?}"),
        ))
    }

    fn read_what_is_there(&mut self) -> Result<(), Trouble> {
        while let Some((_, line)) = self.read(Instant::now())? {
            refuse_move(self.dialect.read_reply(&line).ok())?;
        }
        Ok(())
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// Every fault, a time forfeit included.
    pub fn think(&mut self, request: &Request) -> Result<Thought, Trouble> {
        let started = if self.is_ponder_hit(request.game) {
            self.expected = None;
            self.read_what_is_there()?;
            self.say(&[Command::PonderHit {
                draw: request.draw_offered,
            }])?
        } else {
            self.end_pondering()?;
            self.sync(self.patience.start)?;
            let commands = self.request(request, request.game, false);
            self.ask(&commands)?
        };
        self.watch(request, started)
    }

    /// Lets it think about the position after the move that it expects.
    ///
    /// # Errors
    /// When the engine is gone.
    pub fn ponder(&mut self, request: &Request, expected: Move) -> Result<(), Trouble> {
        let mut game = request.game.clone();
        if game.play(expected).is_err() {
            return Ok(());
        }
        self.sync(self.patience.start)?;
        let commands = self.request(request, &game, true);
        self.ask(&commands)?;
        self.expected = Some(expected);
        Ok(())
    }

    fn is_ponder_hit(&self, game: &Game) -> bool {
        self.expected.is_some() && self.expected == game.moves().last().copied()
    }

    /// Stops a search on the opponent's time and drops its move.
    pub fn end_pondering(&mut self) -> Result<(), Trouble> {
        if self.expected.take().is_none() {
            return Ok(());
        }
        self.read_what_is_there()?;
        let deadline = self.say(&[Command::Stop])? + self.patience.stop;
        self.await_stop(deadline)?.map(drop).ok_or_else(|| {
            let words = format!("no move {:?} after stop", self.patience.stop);
            Trouble::fault(Reason::StopHang, words)
        })
    }

    /// Sends a request and notes it for the report of a fault.
    fn ask(&mut self, commands: &[Command]) -> Result<Instant, Trouble> {
        let lines: Vec<String> = commands
            .iter()
            .map(|c| self.dialect.write_command(c))
            .collect();
        self.last_command = ranks::to_engine(&lines.join("\n"), self.spec.first_rank);
        let text = self.last_command.clone() + "\n";
        self.process()?.send(&text)
    }

    fn say(&mut self, commands: &[Command]) -> Result<Instant, Trouble> {
        let lines = commands
            .iter()
            .map(|c| self.dialect.write_command(c) + "\n");
        let text = lines.collect::<String>();
        self.process()?.send(&text)
    }

    fn process(&mut self) -> Result<&mut Process, Trouble> {
        let gone = || Trouble::fault(Reason::Crash, "it is not running");
        self.process.as_mut().ok_or_else(gone)
    }

    fn read(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Trouble> {
        let first_rank = self.spec.first_rank;
        let line = self.process()?.line_before(deadline)?;
        Ok(line.map(|(time, line)| (time, ranks::from_engine(&line, first_rank))))
    }
}

fn refuse_move(reply: Option<Reply>) -> Result<(), Trouble> {
    match reply {
        Some(Reply::BestMove(best)) => {
            let words = format!("bestmove {} was not asked for", best.mv);
            Err(Trouble::fault(Reason::TwoBestmoves, words))
        }
        _ => Ok(()),
    }
}
