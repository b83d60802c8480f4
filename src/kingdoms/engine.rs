//! A position and limits in; reports and the best move out.

use super::best_reply::{BestReply, Replies, Score, log_odds};
use super::control::{Control, Interrupted};
use super::evaluate::{Values, evaluate, plays};
use super::maxn::{MaxN, Memory, Widths, World};
use super::order::{History, Ranked, Which, rank_moves, sort};
use super::table::Table;
use super::{Move, Position, Seat};
use crate::clock::{Limits, Stop};
use std::time::Duration;

/// Which search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Every player for himself.
    MaxN(Widths),
    /// The root player against the most harmful reply.
    BestReply(Replies),
}

impl Algorithm {
    /// Max^n as measured best, the default.
    pub const MAX_N: Self = Self::MaxN(Widths {
        root: 24,
        deep: 8,
        own: 4,
        others: 1,
        trust: 60,
        foresee: 8,
    });
    /// Best-reply search as measured best.
    pub const BEST_REPLY: Self = Self::BestReply(Replies { quiet_from: 3 });
}

/// Time lost on each move when nobody says otherwise.
const OVERHEAD: Duration = Duration::from_millis(10);

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Which search.
    pub algorithm: Algorithm,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Time lost between engine and clock on each move.
    pub overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::MAX_N,
            hash_mib: 16,
            overhead: OVERHEAD,
        }
    }
}

/// What one iteration found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Plies searched.
    pub depth: u32,
    /// The move to play.
    pub best: Move,
    /// Log odds of the mover's winning, in hundredths.
    pub score: i32,
    /// The chances of all teams after the best move.
    pub values: Values,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the table is, per mille.
    pub hashfull: u32,
    /// The line expected; legal in sequence, begins with the best move.
    pub pv: Vec<Move>,
}

/// The table of one algorithm.
enum Tables {
    MaxN(Box<Memory>),
    BestReply(Table<Score>),
}

impl Tables {
    fn new(settings: &Settings) -> Self {
        match settings.algorithm {
            Algorithm::MaxN(_) => Self::MaxN(Box::new(Memory::new(settings.hash_mib))),
            Algorithm::BestReply(_) => Self::BestReply(Table::new(settings.hash_mib)),
        }
    }

    fn fullness(&self) -> u32 {
        match self {
            Self::MaxN(memory) => memory.fullness(),
            Self::BestReply(table) => table.fullness(),
        }
    }
}

/// A searcher with its memory.
pub struct Engine {
    settings: Settings,
    tables: Tables,
    history: History,
}

/// What an iteration says of the best move: the mover's log odds and, where
/// the search gives them, the chances of all.
type Verdict = (Score, Option<Values>);

impl Engine {
    /// An engine with these settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            tables: Tables::new(&settings),
            history: History::new(),
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes what each move loses on its way to the clock.
    pub fn set_overhead(&mut self, overhead: Duration) {
        self.settings.overhead = overhead;
    }

    /// Forgets everything, before another game or other rules.
    pub fn clear(&mut self) {
        self.history = History::new();
        match &mut self.tables {
            Tables::MaxN(memory) => memory.clear(),
            Tables::BestReply(table) => table.clear(),
        }
    }

    /// Searches until a limit is reached or `stop` is raised; every finished
    /// iteration is told to `on_report`. Of `limits` depth (in plies; of the
    /// best-reply search two make a round), nodes, movetime and clock count.
    ///
    /// Returns the last report, `None` when there is no move to play. A stopped
    /// search still names a legal move.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let seat = position.turn()?;
        let mut moves = Vec::new();
        rank_moves(position, seat, Which::All, &self.history, &mut moves);
        sort(&mut moves, None);
        let mut last = first_report(position, moves.first()?.m);
        let mut control = Control::new(limits, self.settings.overhead, stop);
        self.history.fade();
        let mut depth = 1;
        while let Ok(verdict) = self.iterate(position, &mut moves, depth, &mut control) {
            last = self.report(position, moves[0].m, depth, verdict, &control);
            on_report(&last);
            match self.deeper(position, depth, control.max_depth) {
                Some(deeper) if control.may_go_on() => depth = deeper,
                _ => break,
            }
        }
        // An iteration cut short may already have found a better move.
        if last.best != moves[0].m {
            last = self.report(position, moves[0].m, depth, (moves[0].rank, None), &control);
            on_report(&last);
        }
        last.nodes = control.nodes;
        last.time = control.elapsed();
        Some(last)
    }

    /// The depth after this one, at most `most`. Max^n goes on by whole rounds,
    /// a first one excepted that `most` cuts short: in the middle of a round some
    /// have answered and others have not, and what such a search likes best is
    /// worse than what the whole round before it found.
    fn deeper(&self, position: &Position, depth: u32, most: u32) -> Option<u32> {
        let deeper = match self.settings.algorithm {
            Algorithm::MaxN(_) if depth == 1 => most.min(depth + playing(position)),
            Algorithm::MaxN(_) => depth + playing(position),
            Algorithm::BestReply(_) => depth + 1,
        };
        (depth < most && deeper <= most).then_some(deeper)
    }

    fn iterate(
        &mut self,
        position: &Position,
        moves: &mut [Ranked],
        depth: u32,
        control: &mut Control,
    ) -> Result<Verdict, Interrupted> {
        let team = position.team(position.turn) as usize - 1;
        let history = &mut self.history;
        match (&mut self.tables, self.settings.algorithm) {
            (Tables::MaxN(memory), Algorithm::MaxN(widths)) => {
                let mut search = MaxN {
                    control,
                    memory,
                    widths,
                    team,
                    world: World::Careful,
                    foreseeing: false,
                };
                let values = search.root(position, moves, depth)?;
                Ok((log_odds(values[team]), Some(values)))
            }
            (Tables::BestReply(table), Algorithm::BestReply(replies)) => {
                let mut search = BestReply {
                    control,
                    table,
                    history,
                    replies,
                    team,
                };
                Ok((search.root(position, moves, depth)?, None))
            }
            _ => unreachable!("the tables are made for the algorithm"),
        }
    }

    fn report(
        &self,
        position: &Position,
        best: Move,
        depth: u32,
        (score, values): Verdict,
        control: &Control,
    ) -> Report {
        Report {
            depth,
            best,
            score,
            values: values.unwrap_or_else(|| evaluate_any(&position.after(best))),
            nodes: control.nodes,
            time: control.elapsed(),
            hashfull: self.tables.fullness(),
            pv: self.line(position, best, depth),
        }
    }

    /// The line expected. Only max^n has one: the best-reply search leaves out
    /// turns.
    fn line(&self, position: &Position, best: Move, depth: u32) -> Vec<Move> {
        let mut line = vec![best];
        let (Tables::MaxN(memory), Algorithm::MaxN(widths)) =
            (&self.tables, self.settings.algorithm)
        else {
            return line;
        };
        let foreseeing = widths.foresees(playing(position), depth);
        let team = position.team(position.turn) as usize - 1;
        let mut here = position.after(best);
        while line.len() < depth as usize
            && let Some(m) = memory.best(&here, team, foreseeing)
            && here.is_legal(m)
        {
            line.push(m);
            here = here.after(m);
        }
        line
    }
}

/// Seats that take turns.
pub(super) fn playing(position: &Position) -> u32 {
    let seats = Seat::ALL.into_iter().filter(|&s| plays(position, s));
    seats.count() as u32
}

/// What is known before any search.
fn first_report(position: &Position, best: Move) -> Report {
    let values = evaluate(position);
    let team = position.team(position.turn) as usize - 1;
    Report {
        depth: 0,
        best,
        score: log_odds(values[team]),
        values,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        pv: vec![best],
    }
}

/// The chances of all teams, also when the game is over.
fn evaluate_any(position: &Position) -> Values {
    match position.outcome() {
        Some(outcome) => super::evaluate::final_values(position, outcome),
        None => evaluate(position),
    }
}
