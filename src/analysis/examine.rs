//! One position and an order in, what the engine finds out.

use crate::board::Move;
use crate::clock::{Limits, Stop};
use crate::rules::{Game, RuleSet, Ruling, foreseen, judge};
use crate::search::{Bound, Engine, Line, Report, Score, Settings};
use std::time::{Duration, Instant};

/// Nodes of a search where nothing else limits it.
const DEFAULT_NODES: u64 = 100_000;
/// The largest table that is taken unasked, in MB.
const MOST_HASH_MB: usize = 16;
/// Nodes for which a megabyte of table is plenty.
const NODES_PER_MB: u64 = 20_000;

/// What to find out about each position, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// When to stop.
    pub limits: Limits,
    /// Lines to find, 1 or more.
    pub lines: usize,
    /// Size of the table in MB, `None` for one that fits the limits.
    pub hash_mb: Option<usize>,
    /// The rules of repetition.
    pub rules: RuleSet,
    /// Whether to keep what was learnt from one position to the next. The
    /// findings then depend on what the engine has seen before.
    pub keep_table: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            limits: Limits {
                nodes: Some(DEFAULT_NODES),
                ..Limits::default()
            },
            lines: 1,
            hash_mb: None,
            rules: RuleSet::default(),
            keep_table: false,
        }
    }
}

impl Order {
    /// The size of the table in MB: short searches have a small one, which is
    /// sooner cleared.
    pub fn table_megabytes(&self) -> usize {
        self.hash_mb.unwrap_or_else(|| {
            let nodes = self.limits.nodes.unwrap_or(u64::MAX);
            let needed = usize::try_from(nodes / NODES_PER_MB).unwrap_or(usize::MAX);
            needed.min(MOST_HASH_MB).next_power_of_two()
        })
    }

    fn settings(&self) -> Settings {
        Settings {
            hash_mb: self.table_megabytes(),
            multi_pv: self.lines,
            rules: self.rules,
            move_overhead: Duration::ZERO,
            ..Settings::default()
        }
    }
}

/// An ending that the rules have in store at the end of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineEnd {
    /// Plies from the position to the ending.
    pub after: usize,
    /// The ruling.
    pub ruling: Ruling,
}

/// What was found out about a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What the rules say of the position with the moves that led to it;
    /// `None` when play goes on.
    pub ruling: Option<Ruling>,
    /// The lines, best first; none where there is no legal move. Scores are
    /// those of the side to move.
    pub lines: Vec<Line>,
    /// How the rules end each line, where they do.
    pub ends: Vec<Option<LineEnd>>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Finding {
    /// The value for the side to move; of a position without a legal move
    /// that it is mated.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::MatedIn(0), |l| l.score)
    }
}

/// An engine that examines one position after another.
#[derive(Debug)]
pub struct Examiner {
    engine: Engine,
    rules: RuleSet,
    limits: Limits,
    keep_table: bool,
}

impl Examiner {
    /// An engine as the order wants it.
    pub fn new(order: &Order) -> Self {
        Self {
            engine: Engine::new(order.settings()),
            rules: order.rules,
            limits: order.limits.clone(),
            keep_table: order.keep_table,
        }
    }

    /// Examines the last position of a game; `None` when it was told to stop
    /// before it was done.
    pub fn examine(&mut self, game: &Game, stop: &Stop) -> Option<Finding> {
        self.examine_moves(game, &[], stop)
    }

    /// The same with these moves to choose from, all of them if there are
    /// none.
    pub fn examine_moves(&mut self, game: &Game, moves: &[Move], stop: &Stop) -> Option<Finding> {
        if !self.keep_table {
            self.engine.clear();
        }
        let limits = Limits {
            search_moves: (!moves.is_empty()).then(|| moves.to_vec()),
            ..self.limits.clone()
        };
        let mut lines: Vec<Line> = Vec::new();
        let started = Instant::now();
        let outcome = self
            .engine
            .search(game, &limits, started, stop, &mut |report| {
                if let Report::Line(line) = report {
                    keep(&mut lines, line);
                }
            });
        if stop.is_stopped() {
            return None;
        }
        Some(Finding {
            ruling: judge(game, self.rules),
            ends: lines.iter().map(|line| self.end_of(game, line)).collect(),
            lines,
            nodes: outcome.nodes,
            time: started.elapsed(),
        })
    }

    fn end_of(&self, game: &Game, line: &Line) -> Option<LineEnd> {
        let (end, ruling) = foreseen(game, &line.pv, self.rules)?;
        Some(LineEnd {
            after: end.moves().len() - game.moves().len(),
            ruling,
        })
    }
}

/// The last exact line of each rank counts.
fn keep(lines: &mut Vec<Line>, line: Line) {
    let place = line.multipv - 1;
    if line.bound != Bound::Exact || place > lines.len() {
        return;
    }
    if place == lines.len() {
        lines.push(line);
    } else {
        lines[place] = line;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(order: &Order, fen: &str) -> Finding {
        let game = Game::new(fen.parse().unwrap());
        let mut examiner = Examiner::new(order);
        examiner.examine(&game, &Stop::default()).unwrap()
    }

    fn order(depth: u32, lines: usize) -> Order {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        Order {
            limits,
            lines,
            ..Order::default()
        }
    }

    #[test]
    fn lines_come_best_first_and_mates_end_them() {
        let found = finding(&order(5, 3), "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w - - 0 1");
        assert_eq!(found.lines.len(), 3);
        assert_eq!(found.score(), Score::MateIn(1));
        let end = found.ends[0].as_ref().unwrap();
        assert_eq!((end.after, end.ruling.ground.name()), (1, "checkmate"));
    }

    #[test]
    fn a_position_without_moves_has_a_ruling_and_no_line() {
        let found = finding(&order(5, 1), "3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1");
        assert!(found.lines.is_empty() && found.score() == Score::MatedIn(0));
        assert_eq!(found.ruling.unwrap().outcome.name(), "black_loses");
    }

    #[test]
    fn the_table_fits_the_nodes() {
        let megabytes = |nodes| {
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let order = Order {
                limits,
                ..Order::default()
            };
            order.table_megabytes()
        };
        assert_eq!(megabytes(Some(5_000)), 1);
        assert_eq!(megabytes(Some(100_000)), 8);
        assert_eq!((megabytes(Some(u64::MAX)), megabytes(None)), (16, 16));
    }
}
