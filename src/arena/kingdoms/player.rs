//! An engine on a seat of the seven kingdoms.

use crate::arena::limit::{Budget, TimeControl};
use crate::arena::player::Patience;
use crate::arena::process::{Launch, Process, Trouble};
use crate::arena::reason::Reason;
use crate::arena::spec::EngineSpec;
use crate::kingdoms::protocol::VARIANT;
use crate::kingdoms::{Move, Options, Position};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an engine may take to leave.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// What an engine says to a request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thought {
    /// The text after `bestmove`.
    pub text: String,
    /// Its last score, hundredths of log odds of winning.
    pub score: Option<i32>,
    /// Its last depth.
    pub depth: Option<u32>,
    /// Time it took.
    pub used: Duration,
}

/// An engine program at one seat of one worker.
#[derive(Debug)]
pub struct SevenPlayer {
    spec: EngineSpec,
    launch: Arc<Launch>,
    patience: Patience,
    process: Option<Process>,
}

impl SevenPlayer {
    /// A player that is not started yet.
    pub fn new(spec: EngineSpec, launch: Arc<Launch>, patience: Patience) -> Self {
        Self {
            spec,
            launch,
            patience,
            process: None,
        }
    }

    /// The last lines it wrote.
    pub fn tail(&self) -> Vec<String> {
        self.process.as_ref().map(Process::tail).unwrap_or_default()
    }

    /// Ends the process without a word.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Ends the process politely.
    pub fn quit(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit("quit\n", QUIT_PATIENCE);
        }
    }

    /// Makes it ready for a game by these rules.
    ///
    /// # Errors
    /// Faults of the start.
    pub fn prepare(&mut self, rules: &Options) -> Result<(), Trouble> {
        if self.spec.restart {
            self.quit();
        }
        if self.process.is_none() {
            self.start(rules)?;
        }
        self.say("ucinewgame\nisready\n")?;
        self.wait_for("readyok", self.patience.start).map(drop)
    }

    fn start(&mut self, rules: &Options) -> Result<(), Trouble> {
        self.process = Some(Process::start(&self.spec, &self.launch, &[])?);
        self.say("uci\n")?;
        self.wait_for("uciok", self.patience.start)?;
        let mut text = format!("setoption name UCI_Variant value {VARIANT}\n");
        for (name, value) in rules.differences() {
            let name = crate::kingdoms::protocol::option_name(name);
            text += &format!("setoption name {name} value {value}\n");
        }
        for (name, value) in &self.spec.options {
            text += &format!("setoption name {name} value {value}\n");
        }
        self.say(&text)?;
        Ok(())
    }

    /// Asks for a move: the start of the game and the moves since.
    ///
    /// # Errors
    /// Every fault.
    pub fn think(
        &mut self,
        start: &Position,
        moves: &[Move],
        budget: &Budget,
    ) -> Result<Thought, Trouble> {
        let moves: String = moves.iter().map(|m| format!(" {m}")).collect();
        let moves = match moves.is_empty() {
            true => moves,
            false => format!(" moves{moves}"),
        };
        let began = self.say(&format!("position fen {start}{moves}\n{}\n", go(budget)))?;
        let limit = match budget.time {
            Some(TimeControl::PerMove(time)) => time + self.patience.margin + self.patience.stop,
            _ => self.patience.think,
        };
        let mut thought = Thought::default();
        let deadline = began + limit;
        while let Some((time, line)) = self.process()?.line_before(deadline)? {
            if let Some(rest) = line.strip_prefix("bestmove") {
                thought.text = rest
                    .split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                thought.used = time.saturating_duration_since(began);
                self.check_time(thought.used, budget)?;
                return Ok(thought);
            }
            if line.starts_with("info ") {
                thought.note(&line);
            }
        }
        let words = format!("no move in {limit:?}");
        Err(Trouble::fault(Reason::Hang, words))
    }

    /// An answer may be late by the margin.
    fn check_time(&self, used: Duration, budget: &Budget) -> Result<(), Trouble> {
        match budget.time {
            Some(TimeControl::PerMove(time)) if used > time + self.patience.margin => {
                let words = format!("{used:.3?} for a move, {time:?} allowed");
                Err(Trouble::fault(Reason::TimeForfeit, words))
            }
            _ => Ok(()),
        }
    }

    fn say(&mut self, text: &str) -> Result<Instant, Trouble> {
        self.process()?.send(text)
    }

    fn wait_for(&mut self, word: &str, patience: Duration) -> Result<Instant, Trouble> {
        let deadline = Instant::now() + patience;
        while let Some((time, line)) = self.process()?.line_before(deadline)? {
            if line.trim() == word {
                return Ok(time);
            }
        }
        let words = format!("no {word} in {patience:?}");
        Err(Trouble::fault(Reason::StartHang, words))
    }

    fn process(&mut self) -> Result<&mut Process, Trouble> {
        let gone = || Trouble::fault(Reason::Crash, "it is not running");
        self.process.as_mut().ok_or_else(gone)
    }
}

impl Thought {
    /// Takes in depth and score of an `info` line.
    fn note(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &[&str]| {
            let at = words.windows(name.len()).position(|w| w == name)?;
            words.get(at + name.len())?.parse::<i32>().ok()
        };
        if words.get(1) == Some(&"string") {
            return;
        }
        self.score = after(&["score", "cp"]).or(self.score);
        let depth = after(&["depth"]).and_then(|d| u32::try_from(d).ok());
        self.depth = depth.or(self.depth);
    }
}

fn go(budget: &Budget) -> String {
    let mut text = "go".to_owned();
    if let Some(TimeControl::PerMove(time)) = budget.time {
        text += &format!(" movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = budget.nodes {
        text += &format!(" nodes {nodes}");
    }
    if let Some(depth) = budget.depth {
        text += &format!(" depth {depth}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_reports() {
        let budget = Budget {
            time: Some(TimeControl::PerMove(Duration::from_millis(500))),
            nodes: None,
            depth: Some(8),
        };
        assert_eq!(go(&budget), "go movetime 500 depth 8");
        let mut thought = Thought::default();
        thought.note("info depth 3 score cp -179 nodes 10 pv a13b15");
        thought.note("info string depth 9 score cp 5");
        assert_eq!((thought.depth, thought.score), (Some(3), Some(-179)));
    }
}
