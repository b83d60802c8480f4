//! `chuhe match --variant sevenkingdoms`.

use super::super::refuse;
use super::{Args, EngineTable, Failure, Usage, end_on_signal, print, start_guard, write_file};
use crate::arena::kingdoms::config::{SevenConfig, entrants};
use crate::arena::kingdoms::html;
use crate::arena::kingdoms::log::SevenGame;
use crate::arena::kingdoms::places::PlaceTable;
use crate::arena::kingdoms::runner::{self, SevenResult};
use crate::arena::process::Launch;
use crate::kingdoms::Options;
use crate::kingdoms::protocol::VARIANT;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const GAMES: usize = 70;
const RANDOM_PLIES: usize = 7;
const PLAYERS: usize = 7;

impl Args {
    /// Whether it is a match of the seven kingdoms.
    ///
    /// # Errors
    /// When there is no such game.
    pub(super) fn is_seven(&self) -> Result<bool, Usage> {
        match self.variant.as_deref() {
            None | Some("xiangqi") => Ok(false),
            Some(VARIANT) => Ok(true),
            Some(other) => Err(Usage(format!(
                "--variant `{other}`: expected xiangqi or {VARIANT}"
            ))),
        }
    }

    /// Settings that mean something in this game only.
    pub(super) fn refuse_seven(&self) -> Result<(), Usage> {
        let given = [
            ("--seats", self.seats.is_some()),
            ("--players", self.players.is_some()),
            ("--random-plies", self.random_plies.is_some()),
        ];
        refuse(&given, &format!("only with --variant {VARIANT}"))
    }

    /// Settings that have no meaning in this game.
    fn refuse_others(&self) -> Result<(), Usage> {
        let given = [
            ("--tc", self.tc.is_some()),
            ("--clock", self.clock.is_some()),
            ("--format", self.format.is_some()),
            ("--cycles", self.cycles.is_some()),
            ("--openings", self.openings.is_some()),
            ("--draw-nocapture", self.draw_nocapture.is_some()),
            ("--max-plies", self.max_plies.is_some()),
            ("--adjudicate-win", self.adjudicate_win.is_some()),
            ("--adjudicate-draw", self.adjudicate_draw.is_some()),
            ("--ponder", self.ponder),
            ("--sprt", self.sprt.is_some()),
            ("--sprt-model", self.sprt_model.is_some()),
            ("--notation", self.notation.is_some()),
            ("--opening-plies", self.opening_plies.is_some()),
            ("--max-faults", self.max_faults.is_some()),
            ("--fault-log", self.fault_log.is_some()),
            ("--no-pin", self.no_pin),
        ];
        refuse(&given, &format!("not with --variant {VARIANT}"))
    }

    fn seven(&self) -> Result<Order, Failure> {
        self.refuse_others()?;
        let mut engines = self.engines.clone();
        if engines.is_empty() {
            let tables = self.tables.iter().map(EngineTable::spec);
            engines = tables.collect::<Result<_, _>>()?;
        }
        let rules = self.rules.as_deref().unwrap_or("english");
        let rules: Options = rules.parse().map_err(|e| format!("--rules {e}"))?;
        let players = self.players.unwrap_or(PLAYERS);
        let names: Vec<&str> = engines.iter().map(|e| e.name.as_str()).collect();
        let config = SevenConfig {
            event: self.event.clone().unwrap_or_else(|| names.join(" v ")),
            entrants: entrants(&engines, self.seats.as_deref(), players)?,
            budget: self.budget()?,
            rules,
            games: self.games.unwrap_or(GAMES),
            concurrency: self.concurrency.unwrap_or(1),
            random_plies: self.random_plies.unwrap_or(RANDOM_PLIES),
            seed: self.shuffle.unwrap_or(1),
            patience: self.patience()?,
            log: self.json.clone(),
            resume: self.resume,
            engines,
        };
        config.check()?;
        Ok(Order {
            config,
            records: self.pgn.clone(),
            html: self.html.clone(),
            summary: self.summary.clone(),
        })
    }
}

/// A match and the files to write at its end.
struct Order {
    config: SevenConfig,
    records: Option<PathBuf>,
    html: Option<PathBuf>,
    summary: Option<PathBuf>,
}

/// Plays the match.
///
/// # Errors
/// When the order makes no sense, when a file cannot be used, or when the
/// match was interrupted.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let order = args.seven().map_err(|error| Usage(error.to_string()))?;
    for warning in order.config.warnings() {
        log::warn!("{warning}");
    }
    let launch = Arc::new(Launch {
        guard: start_guard(),
        abort: AtomicBool::new(false),
    });
    end_on_signal(&launch)?;
    let bar = ProgressBar::new(order.config.games as u64);
    let template = "{bar:20} {pos}/{len} [{elapsed_precise} <{eta_precise}]";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let result = runner::run(&order.config, &launch, &|done| {
        bar.set_position(done as u64)
    });
    bar.finish_and_clear();
    order.report(&result?)
}

impl Order {
    fn report(&self, result: &SevenResult) -> Result<(), Failure> {
        let table = PlaceTable::new(&self.config, &result.games);
        print(&table.to_string());
        if let Some(path) = &self.records {
            write_file(path, records(&result.games))?;
        }
        if let Some(path) = &self.summary {
            write_file(path, serde_json::to_string_pretty(&table.json())? + "\n")?;
        }
        if let Some(path) = &self.html {
            write_file(path, html::render(&self.config, &result.games))?;
        }
        match (&self.config.log, result.interrupted) {
            (_, false) => Ok(()),
            (Some(log), true) => {
                Err(format!("interrupted; --resume goes on from {}", log.display()).into())
            }
            (None, true) => Err("interrupted".into()),
        }
    }
}

fn records(games: &[SevenGame]) -> String {
    games.iter().map(|game| game.record.as_str()).collect()
}
