//! An engine as a player: it is greeted, told its options, asked for moves,
//! and watched while it thinks.

use super::limit::{Budget, TimeControl};
use super::process::{Launch, Process, Trouble};
use super::ranks;
use super::reason::Reason;
use super::spec::EngineSpec;
use crate::board::Move;
use crate::clock::Clock;
use crate::protocol::{
    BestMove, Command, Dialect, Go, IdKey, Info, Offer, PositionText, Reply, Start,
};
use crate::rules::Game;
use crate::search::Score;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Plies without a capture after which a UCCI engine gets a newer FEN.
const UCCI_HISTORY: usize = 90;
/// A UCI engine that has said nothing for so long is greeted in UCCI too.
const SECOND_GREETING: Duration = Duration::from_secs(3);
/// How long a UCCI engine may take for `isready`, which not all know.
const UCCI_READY: Duration = Duration::from_secs(3);
/// How long an engine may take to leave.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);
/// On a CPU clock an engine may be kept waiting for so many times its time.
const CPU_WAIT_FACTOR: u32 = 20;
/// Added to that.
const CPU_WAIT_EXTRA: Duration = Duration::from_secs(5);
/// The least wait before the CPU clock is read again.
const CPU_STEP: Duration = Duration::from_millis(5);

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

/// What a player is asked.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Its limits.
    pub budget: &'a Budget,
    /// Its own clock and the opponent's, where there are clocks.
    pub clocks: Option<[Clock; 2]>,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// Moves that the arbiter would rule lost (sent in UCCI only).
    pub bans: Vec<Move>,
    /// Charge CPU time instead of time.
    pub cpu_clock: bool,
}

impl Request<'_> {
    /// The time that may be used, `None` without a limit of time.
    fn time(&self) -> Option<Duration> {
        match (self.budget.time?, self.clocks) {
            (TimeControl::PerMove(time), _) => Some(time),
            (TimeControl::Clock { .. }, Some([own, _])) => Some(own.left),
            (TimeControl::Clock { base, .. }, None) => Some(base),
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thought {
    /// The move; `None` when the engine says it has none.
    pub mv: Option<Move>,
    /// The reply that the engine expects.
    pub ponder: Option<Move>,
    /// What it says with its move.
    pub offer: Option<Offer>,
    /// Its last score, in its own unit.
    pub score: Option<Score>,
    /// Its last depth.
    pub depth: Option<u32>,
    /// Its last count of nodes.
    pub nodes: Option<u64>,
    /// Time charged.
    pub used: Duration,
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

/// What was learnt from the introduction.
#[derive(Debug, Clone, Default)]
struct Manners {
    name: Option<String>,
    offered: Vec<String>,
    /// UCCI: times are in milliseconds.
    milliseconds: bool,
    /// It answers `isready`.
    syncs: bool,
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

    fn start(&mut self) -> Result<(), Trouble> {
        self.expected = None;
        self.spawn()?;
        let found = match self.spec.dialect {
            Some(dialect) => self.greet(dialect, None)?,
            None => self.find_dialect()?,
        };
        self.dialect = found;
        self.spec.dialect = Some(found);
        self.set_options()?;
        self.first_sync()
    }

    fn spawn(&mut self) -> Result<(), Trouble> {
        self.process = None;
        self.process = Some(Process::start(&self.spec, &self.launch, &self.cores)?);
        Ok(())
    }

    /// Greets in UCI; a silent engine is greeted in UCCI too, one that leaves
    /// (as some UCCI engines do on an unknown word) is started again.
    fn find_dialect(&mut self) -> Result<Dialect, Trouble> {
        let found = match self.greet(Dialect::Uci, Some(Dialect::Ucci)) {
            Ok(Dialect::Uci) => return Ok(Dialect::Uci),
            Ok(other) => other,
            Err(Trouble::Fault(fault)) if fault.reason == Reason::Crash => Dialect::Ucci,
            Err(trouble) => return Err(trouble),
        };
        self.spawn()?;
        self.greet(found, None)
    }

    /// Reads the introduction; with a second greeting after a silence.
    fn greet(&mut self, first: Dialect, second: Option<Dialect>) -> Result<Dialect, Trouble> {
        self.dialect = first;
        self.manners = Manners::default();
        self.say(&[Command::Hello(first)])?;
        let end = Instant::now() + self.patience.start;
        let mut second = second;
        loop {
            let patience = if second.is_some() {
                SECOND_GREETING
            } else {
                self.patience.start
            };
            let deadline = end.min(Instant::now() + patience);
            match (self.read(deadline)?, second.take()) {
                (Some((_, line)), waiting) => {
                    second = waiting;
                    match line.trim() {
                        "uciok" => return Ok(Dialect::Uci),
                        "ucciok" => return Ok(Dialect::Ucci),
                        line => self.learn(line),
                    }
                }
                (None, Some(other)) => drop(self.say(&[Command::Hello(other)])?),
                (None, None) => {
                    let words = format!("no introduction in {:?}", self.patience.start);
                    return Err(Trouble::fault(Reason::StartHang, words));
                }
            }
        }
    }

    fn learn(&mut self, line: &str) {
        match self.dialect.read_reply(line) {
            Ok(Reply::Id {
                key: IdKey::Name,
                text,
            }) => self.manners.name = Some(text),
            Ok(Reply::Option(option)) => {
                self.manners.milliseconds |= option.name == "usemillisec";
                self.manners.offered.push(option.name.to_ascii_lowercase());
            }
            _ => {}
        }
    }

    fn set_options(&mut self) -> Result<(), Trouble> {
        let mut options = Vec::new();
        let ponder = if self.dialect.is_ucci() {
            "ponder"
        } else {
            "Ponder"
        };
        if self.dialect.is_ucci() && self.manners.milliseconds && !self.spec.sets("usemillisec") {
            options.push(("usemillisec".to_owned(), "true".to_owned()));
        }
        if self.ponders && !self.spec.sets(ponder) {
            options.push((ponder.to_owned(), "true".to_owned()));
        }
        for (name, value) in &self.spec.options {
            if !self.manners.offered.contains(&name.to_ascii_lowercase()) {
                log::warn!("{} does not offer the option `{name}`", self.spec.name);
            }
            options.push((name.clone(), value.clone()));
        }
        if let Some((_, value)) = self
            .spec
            .options
            .iter()
            .rev()
            .find(|o| o.0 == "usemillisec")
        {
            self.manners.milliseconds = value == "true";
        }
        let commands = options.into_iter().map(|(name, value)| Command::SetOption {
            name,
            value: Some(value).filter(|value| !value.is_empty()),
        });
        self.say(&commands.collect::<Vec<_>>()).map(drop)
    }

    /// A UCCI engine need not know `isready`.
    fn first_sync(&mut self) -> Result<(), Trouble> {
        self.manners.syncs = true;
        if !self.dialect.is_ucci() {
            return self.sync(self.patience.start);
        }
        match self.sync(UCCI_READY) {
            Err(Trouble::Fault(fault)) if fault.reason == Reason::Hang => {
                self.manners.syncs = false;
                Ok(())
            }
            other => other,
        }
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

    /// The commands that ask for a move.
    fn request(&self, request: &Request, game: &Game, ponder: bool) -> Vec<Command> {
        let mut go = Go {
            ponder,
            draw: request.draw_offered && !ponder,
            nodes: request
                .budget
                .nodes
                .map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
            depth: request.budget.depth.map(i64::from),
            ..Go::default()
        };
        let unit = self.time_unit();
        if let Some(clocks) = request.clocks {
            let clocks = clocks.map(|clock| at_least(clock, unit));
            go.set_clocks(self.dialect, game.position().side_to_move(), clocks, unit);
        }
        if let Some(TimeControl::PerMove(time)) = request.budget.time {
            let units = i64::try_from(time.max(unit).as_millis() / unit.as_millis()).ok();
            // UCCI has no fixed time: a clock alone is the time for one move.
            if self.dialect.is_ucci() {
                go.own.time = units;
            } else {
                go.movetime = units;
            }
        }
        let mut commands = vec![Command::Position(self.position(game))];
        if self.dialect.is_ucci() && !request.bans.is_empty() && !ponder {
            commands.push(Command::BanMoves(request.bans.clone()));
        }
        commands.push(Command::Go(Box::new(go)));
        commands
    }

    fn time_unit(&self) -> Duration {
        if self.dialect.is_ucci() && !self.manners.milliseconds {
            Duration::from_secs(1)
        } else {
            Duration::from_millis(1)
        }
    }

    /// UCI gets the whole game; UCCI, as its text asks, the position after
    /// the last capture and the moves since; both a newer position where the
    /// engine's description limits the history.
    fn position(&self, game: &Game) -> PositionText {
        let plies = game.moves().len();
        let last_capture = after_last_capture(game);
        let (mut base, most) = match (self.dialect.is_ucci(), self.spec.history_max) {
            (true, most) => (last_capture, Some(most.unwrap_or(UCCI_HISTORY))),
            (false, most) => (0, most),
        };
        let most = most.unwrap_or(usize::MAX);
        let cut = plies - base.max(last_capture) > most;
        if cut {
            base = plies - most;
        }
        let position = game.positions()[base].clone();
        let fen = match (cut, base) {
            (true, _) => position.with_halfmove_clock(0).to_string(),
            (false, 0) if position == crate::board::Position::startpos() => String::new(),
            (false, _) => position.to_string(),
        };
        PositionText {
            start: if fen.is_empty() {
                Start::Startpos
            } else {
                Start::Fen(fen)
            },
            moves: game.moves()[base..].to_vec(),
        }
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

    /// Reads until the engine has moved or overstepped its time.
    fn watch(&mut self, request: &Request, started: Instant) -> Result<Thought, Trouble> {
        let mut watch = Watch::new(self, request, started);
        let mut thought = Thought::default();
        loop {
            let Some((time, line)) = self.read(watch.deadline)? else {
                if watch.may_go_on(self) {
                    continue;
                }
                return Err(self.overdue(&watch));
            };
            if self.take(&line, &mut thought)? {
                thought.used = watch.used(self, time);
                return watch.check(thought);
            }
        }
    }

    /// Takes in a line of a search; true when it was the last.
    fn take(&self, line: &str, thought: &mut Thought) -> Result<bool, Trouble> {
        match self.dialect.read_reply(line) {
            Ok(Reply::Info(info)) => thought.note(&info),
            Ok(Reply::BestMove(BestMove { mv, ponder, offer })) => {
                (thought.mv, thought.ponder, thought.offer) = (Some(mv), ponder, offer);
                return Ok(true);
            }
            Ok(Reply::NoBestMove) => return Ok(true),
            Err(error) if line.trim_start().starts_with("bestmove") => {
                return Err(Trouble::fault(Reason::Garbage, error.to_string()));
            }
            _ => {}
        }
        Ok(false)
    }

    /// The time is up: is the engine late, or dead to the world?
    fn overdue(&mut self, watch: &Watch) -> Trouble {
        let used = watch.used(self, Instant::now());
        let deadline = match self.say(&[Command::Stop]) {
            Ok(now) => now + self.patience.stop,
            Err(trouble) => return trouble,
        };
        match self.await_stop(deadline) {
            Err(trouble) => trouble,
            Ok(None) => {
                let words = format!(
                    "no move after {used:.3?}, and none {:?} after stop",
                    self.patience.stop
                );
                Trouble::fault(Reason::StopHang, words)
            }
            Ok(Some(_)) if watch.limit.is_some() => {
                Trouble::fault(Reason::TimeForfeit, format!("no move after {used:.3?}"))
            }
            Ok(Some(_)) => Trouble::fault(Reason::Hang, format!("no move after {used:.3?}")),
        }
    }

    /// Reads up to the answer to `stop`.
    fn await_stop(&mut self, deadline: Instant) -> Result<Option<Thought>, Trouble> {
        let mut thought = Thought::default();
        while let Some((_, line)) = self.read(deadline)? {
            if self.take(&line, &mut thought)? {
                return Ok(Some(thought));
            }
        }
        Ok(None)
    }
}

impl Thought {
    /// Lines other than the first of several do not count.
    fn note(&mut self, info: &Info) {
        if info.multipv.unwrap_or(1) > 1 {
            return;
        }
        self.depth = info.depth.or(self.depth);
        self.nodes = info.nodes.or(self.nodes);
        self.score = info.score.map(|(score, _)| score).or(self.score);
    }
}

/// The clock of one request.
struct Watch {
    started: Instant,
    /// Time allowed with the margin, `None` without a limit of time.
    limit: Option<Duration>,
    deadline: Instant,
    /// CPU time at the start and threads, on a CPU clock.
    cpu: Option<(Duration, u32)>,
    last_deadline: Instant,
}

impl Watch {
    fn new(player: &Player, request: &Request, started: Instant) -> Self {
        let limit = request.time().map(|time| time + player.patience.margin);
        let allowed = limit.unwrap_or(player.patience.think);
        let start = player.process.as_ref().and_then(Process::cpu_time);
        let threads = u32::try_from(player.spec.threads()).unwrap_or(1);
        let cpu = start
            .filter(|_| request.cpu_clock && limit.is_some())
            .map(|t| (t, threads));
        let wait = allowed * CPU_WAIT_FACTOR + CPU_WAIT_EXTRA;
        Self {
            started,
            limit,
            deadline: started + allowed,
            cpu,
            last_deadline: started + if cpu.is_some() { wait } else { allowed },
        }
    }

    /// The time to charge at `now`.
    fn used(&self, player: &Player, now: Instant) -> Duration {
        let spent = player.process.as_ref().and_then(Process::cpu_time);
        match (self.cpu, spent) {
            (Some((start, threads)), Some(spent)) => spent.saturating_sub(start) / threads,
            _ => now.saturating_duration_since(self.started),
        }
    }

    /// On a CPU clock: puts the deadline off while the engine was kept
    /// waiting and not thinking.
    fn may_go_on(&mut self, player: &Player) -> bool {
        let now = Instant::now();
        let (Some(limit), Some(_)) = (self.limit, self.cpu) else {
            return false;
        };
        let used = self.used(player, now);
        if used > limit || now >= self.last_deadline {
            return false;
        }
        self.deadline = (now + CPU_STEP.max(limit - used)).min(self.last_deadline);
        true
    }

    fn check(&self, thought: Thought) -> Result<Thought, Trouble> {
        match self.limit {
            Some(limit) if thought.used > limit => {
                let words = format!("used {:.3?} of {limit:.3?}", thought.used);
                Err(Trouble::fault(Reason::TimeForfeit, words))
            }
            _ => Ok(thought),
        }
    }
}

/// No clock is sent as 0, which some engines take for no limit.
fn at_least(clock: Clock, unit: Duration) -> Clock {
    Clock {
        left: clock.left.max(unit),
        ..clock
    }
}

fn after_last_capture(game: &Game) -> usize {
    let captures = |i: &usize| game.positions()[*i].is_capture(game.moves()[*i]);
    (0..game.moves().len())
        .rev()
        .find(captures)
        .map_or(0, |i| i + 1)
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

/// What an engine does before it has introduced itself is a fault of the
/// start.
fn as_start_fault(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Fault(mut fault) => {
            fault.reason = match fault.reason {
                Reason::Crash | Reason::ClosedPipe => Reason::StartFailure,
                Reason::Hang => Reason::StartHang,
                other => other,
            };
            Trouble::Fault(fault)
        }
        Trouble::Aborted => Trouble::Aborted,
    }
}
