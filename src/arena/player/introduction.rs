//! The first words with an engine: which protocol it speaks, what it offers,
//! the options that are set.

use super::Player;
use crate::arena::process::{Process, Trouble};
use crate::arena::reason::Reason;
use crate::protocol::{Command, Dialect, IdKey, Reply};
use std::time::{Duration, Instant};

/// A UCI engine that has said nothing for so long is greeted in UCCI too.
const SECOND_GREETING: Duration = Duration::from_secs(3);
/// How long a UCCI engine may take for `isready`, which not all know.
const UCCI_READY: Duration = Duration::from_secs(3);

/// What was learnt from the introduction.
#[derive(Debug, Clone, Default)]
pub(super) struct Manners {
    pub(super) name: Option<String>,
    offered: Vec<String>,
    /// UCCI: times are in milliseconds.
    pub(super) milliseconds: bool,
    /// It answers `isready`.
    pub(super) syncs: bool,
}

impl Player {
    pub(super) fn start(&mut self) -> Result<(), Trouble> {
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
}

/// What an engine does before it has introduced itself is a fault of the
/// start.
pub(super) fn as_start_fault(trouble: Trouble) -> Trouble {
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
