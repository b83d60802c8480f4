//! The engine as its users see it: settings, and one search at a time.

use super::crew::Crew;
use super::history::Histories;
use super::memory::Memory;
use super::params::Params;
use super::report::{Outcome, Report, Score};
use super::root::RootMove;
use super::score::{is_rule, mated_in, to_score};
use super::skill::Handicap;
use super::worker::{Shared, Worker};
use crate::board::{Move, Position};
use crate::clock::{Budget, BudgetSettings, Limits, Stop};
use crate::eval::nnue::Network;
use crate::rules::repetition::{Fold, Ply, Verdict};
use crate::rules::{Counts, DrawRules, Game, RuleSet, Ruling, SIXTY_MOVES, completing, foreseen};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// The most search threads that can be asked for.
pub const MOST_THREADS: u16 = 1024;

/// What a user may set.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Size of the table in MB (2^20 bytes), 1 or more.
    pub hash_mb: usize,
    /// Search threads, 1 or more.
    pub threads: usize,
    /// Lines to report, 1 or more.
    pub multi_pv: usize,
    /// Time lost between engine and clock on each move.
    pub move_overhead: Duration,
    /// Use of time in percent of normal.
    pub slow_mover: u32,
    /// Nodes that count as one millisecond, 0 for real time.
    pub nodes_per_ms: u64,
    /// Strength, 0 (weakest) to 20 (full).
    pub skill_level: u32,
    /// Strength as an Elo number instead, where limited.
    pub elo: Option<u32>,
    /// How much to vary the choice of moves: 0 not at all, to 4.
    pub randomness: u32,
    /// The user will ask to ponder, so time may be used more freely.
    pub ponder: bool,
    /// Whether the table is used from one search to the next.
    pub use_hash: bool,
    /// Which rules decide about repetition.
    pub rules: RuleSet,
    /// Plies without a capture that make a draw, `None` for no limit. Rules
    /// with a lower limit of their own keep it.
    pub capture_limit: Option<u16>,
    /// How soon the search judges a repetition.
    pub fold: Fold,
    /// The numbers that steer the search.
    pub params: Params,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            slow_mover: 100,
            nodes_per_ms: 0,
            skill_level: 20,
            elo: None,
            randomness: 0,
            ponder: false,
            use_hash: true,
            rules: RuleSet::default(),
            capture_limit: Some(SIXTY_MOVES),
            fold: Fold::default(),
            params: Params::default(),
        }
    }
}

/// What the table knows about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The best move stored.
    pub best: Option<Move>,
    /// A lower bound of the value and its depth.
    pub lower: Option<(Score, u32)>,
    /// An upper bound of the value and its depth.
    pub upper: Option<(Score, u32)>,
}

/// A search engine: the settings, the table and the histories that outlive
/// one search.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    memory: Memory,
    /// Those of the first thread; the others keep their own.
    histories: Histories,
    crew: Crew,
    network: Option<Arc<Network>>,
}

impl Engine {
    /// An engine with an empty table and the net of the program.
    pub fn new(settings: Settings) -> Self {
        let memory = Memory::new(settings.hash_mb);
        let mut crew = Crew::default();
        crew.resize(settings.threads.max(1) - 1);
        Self {
            settings,
            memory,
            histories: Histories::default(),
            crew,
            network: Some(Network::embedded()),
        }
    }

    /// The net in use, `None` for the classical evaluation.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// Changes the net and forgets what the old one led to believe.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.clear();
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. A new table size empties the table; where the
    /// memory is not to be had, the largest halved size that is takes its
    /// place.
    pub fn configure(&mut self, settings: Settings) {
        if settings.hash_mb != self.settings.hash_mb {
            self.crew.wait();
            self.memory.resize(settings.hash_mb);
        }
        self.crew.resize(settings.threads.max(1) - 1);
        self.settings = settings;
    }

    /// The size of the table in MB, which may be less than was asked for.
    pub fn table_megabytes(&self) -> usize {
        self.memory.table().megabytes()
    }

    /// Search threads, which may be fewer than were asked for.
    pub fn threads(&self) -> usize {
        self.crew.len() + 1
    }

    /// The table, to look into while a search runs.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Forgets all it has learnt: table and histories.
    pub fn clear(&mut self) {
        self.crew.wait();
        self.crew.forget();
        self.histories.clear();
        self.memory.table().clear();
    }

    /// Thinks about the last position of `game` until a limit is reached or
    /// `stop` is set. Time counts from `started` (when the request was read).
    ///
    /// With `limits.infinite`, or while `limits.ponder` has had no ponder hit,
    /// it does not return before `stop`, except that a position without moves
    /// to choose from returns at once.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        started: Instant,
        stop: &Stop,
        on_report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let pos = game.position();
        let root_moves = root_moves(pos, limits);
        if root_moves.is_empty() {
            return Outcome {
                best: None,
                ponder: None,
                score: Score::MatedIn(0),
                value: mated_in(0),
                nodes: 0,
                depth: 0,
            };
        }
        self.prepare();
        let handicap = Handicap::new(&self.settings);
        let (settings, limits) = handicap.apply(&self.settings, limits);
        let budget = Budget::new(&limits, &budget_settings(&settings));
        let patience = budget.map_or(Duration::MAX, |b| b.optimum / ARBITER_SHARE);
        let has_time = || !stop.is_stopped() && started.elapsed() < patience;
        let shared = Arc::new(Shared {
            table: self.memory.table(),
            stop: stop.clone(),
            done: AtomicBool::new(false),
            started,
            budget,
            capture_limit: capture_limit(&settings),
            counts: Counts::of(game, settings.rules),
            root_verdicts: root_verdicts(game, settings.rules, &has_time),
            network: self.network.clone(),
            nodes: (0..self.threads()).map(|_| AtomicU64::new(0)).collect(),
            position: pos.clone(),
            root_moves,
            history: history_of(game),
            limits: limits.into_owned(),
            settings: settings.into_owned(),
        });
        let mut main = Worker::new(&shared, 0, &mut self.histories);
        main.iterate(on_report, &|| self.crew.start(&shared));
        self.crew.end();
        if let Some(line) = handicap.choose(&main.root_moves) {
            main.root_moves.swap(0, line);
            main.report_line(0, on_report);
        }
        for note in [rule_note(game, &main), mate_note(&main)] {
            note.into_iter()
                .for_each(|note| on_report(Report::Message(note)));
        }
        outcome(&main)
    }

    fn prepare(&mut self) {
        if self.settings.use_hash {
            self.memory.table().age();
        } else {
            self.clear();
        }
    }
}

fn budget_settings(settings: &Settings) -> BudgetSettings {
    BudgetSettings {
        overhead: settings.move_overhead,
        slow_mover: settings.slow_mover,
        ponder: settings.ponder,
    }
}

fn root_moves(pos: &Position, limits: &Limits) -> Vec<RootMove> {
    let asked_for = |mv: &Move| limits.search_moves.as_ref().is_none_or(|l| l.contains(mv));
    let wanted = |mv: &Move| asked_for(mv) && !limits.ban_moves.contains(mv);
    pos.legal_moves()
        .into_iter()
        .filter(wanted)
        .map(RootMove::new)
        .collect()
}

/// Moves from the root on which the arbiter is asked: the own one, and the
/// answer that completes what the own one prepared.
const ARBITER_PLIES: usize = 2;

/// The part of a move's normal time after which the arbiter is asked no more.
const ARBITER_SHARE: u32 = 4;

/// What the arbiter says of lines at the root, where the search itself is
/// content with an approximation, as long as it `has_time`.
fn root_verdicts(
    game: &Game,
    rules: RuleSet,
    has_time: &dyn Fn() -> bool,
) -> Vec<(Vec<Move>, Verdict)> {
    if rules != RuleSet::Chinese {
        return Vec::new();
    }
    let mover = game.position().side_to_move();
    let verdict = |(line, ruling): (Vec<Move>, Ruling)| {
        let side = if line.len() % 2 == 0 { mover } else { !mover };
        (line, Verdict::of(ruling.outcome.loser(), side))
    };
    let rulings = completing(game, rules, ARBITER_PLIES, has_time).into_iter();
    rulings.map(verdict).collect()
}

/// The moves of the game as the search needs them.
fn history_of(game: &Game) -> Vec<Ply> {
    let pairs = game.positions().windows(2).zip(game.moves());
    pairs
        .map(|(pair, &mv)| Ply {
            key: pair[0].key(),
            mv,
            captured: pair[0].piece_on(mv.to()),
            gave_check: pair[1].in_check(),
        })
        .collect()
}

/// The limit of plies without a capture in force; beyond all counts for none.
fn capture_limit(settings: &Settings) -> u16 {
    let own = DrawRules::of(settings.rules).capture_limit;
    let wanted = settings.capture_limit.unwrap_or(u16::MAX);
    own.map_or(wanted, |own| {
        if own < SIXTY_MOVES {
            own.min(wanted)
        } else {
            wanted
        }
    })
}

/// Who breaks which rule by which moves, where a rule decides the game.
fn rule_note(game: &Game, worker: &Worker<'_>) -> Option<String> {
    let best = &worker.root_moves[0];
    if !is_rule(best.value) {
        return None;
    }
    let (end, ruling) = foreseen(game, &best.pv, worker.shared.settings.rules)?;
    let moves: Vec<String> = end.moves()[ruling.span.clone()]
        .iter()
        .map(Move::to_string)
        .collect();
    Some(format!("{}: {}", ruling.summary(), moves.join(" ")))
}

/// Says that the mate looked for was not found.
fn mate_note(worker: &Worker<'_>) -> Option<String> {
    let moves = worker.shared.limits.mate?;
    let best = &worker.root_moves[0];
    let found = worker.has_asked_mate(best);
    (!found).then(|| {
        format!(
            "no mate in {moves} found to depth {}",
            worker.completed_depth
        )
    })
}

fn outcome(worker: &Worker<'_>) -> Outcome {
    let best = &worker.root_moves[0];
    Outcome {
        best: Some(best.mv),
        ponder: best.pv.get(1).copied(),
        score: to_score(best.value),
        value: best.value,
        nodes: worker.total_nodes(),
        depth: best.depth,
    }
}
