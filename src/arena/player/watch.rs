//! An engine that thinks: its lines are read until it has moved or its time
//! is over.

use super::{Player, Request};
use crate::arena::process::{Process, Trouble};
use crate::arena::reason::Reason;
use crate::board::Move;
use crate::protocol::{BestMove, Command, Info, Offer, Reply};
use crate::search::Score;
use std::time::{Duration, Instant};

/// On a CPU clock an engine may be kept waiting for so many times its time.
const CPU_WAIT_FACTOR: u32 = 20;
/// Added to that.
const CPU_WAIT_EXTRA: Duration = Duration::from_secs(5);
/// The least wait before the CPU clock is read again.
const CPU_STEP: Duration = Duration::from_millis(5);

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

impl Player {
    /// Reads until the engine has moved or overstepped its time.
    pub(super) fn watch(
        &mut self,
        request: &Request,
        started: Instant,
    ) -> Result<Thought, Trouble> {
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
    pub(super) fn await_stop(&mut self, deadline: Instant) -> Result<Option<Thought>, Trouble> {
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
