//! What a search tells while it runs and when it ends.

use super::score::Value;
use crate::board::Move;
use std::time::Duration;

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Centipawns, of which 100 are an even chance to win (`eval::wdl`).
    Cp(i32),
    /// The side to move mates (or stalemates) in so many plies; an odd number.
    MateIn(u32),
    /// The side to move is mated in so many plies; an even number, 0 when it
    /// is mated now.
    MatedIn(u32),
}

/// How a score is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The score is the value.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// One line of play with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub seldepth: u32,
    /// Rank among the lines asked for, from 1.
    pub multipv: usize,
    /// Value for the side to move at the root.
    pub score: Score,
    /// How to read the value.
    pub bound: Bound,
    /// Chances of win, draw and loss for the side to move, per mille, of sum
    /// 1000.
    pub wdl: [u16; 3],
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, per mille.
    pub hashfull: u32,
    /// The moves, all legal in sequence; never empty.
    pub pv: Vec<Move>,
}

/// News of a running search.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// A line at a depth.
    Line(Line),
    /// The root move that is searched now (only in long searches).
    CurrentMove {
        /// Depth in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
    /// Words for the user.
    Message(String),
}

/// The end of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The move to play; `None` when there is none to choose.
    pub best: Option<Move>,
    /// The answer expected, legal after the best move.
    pub ponder: Option<Move>,
    /// The value of the position for the side to move.
    pub score: Score,
    /// The same in the points of the search, for games to learn from.
    pub value: Value,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Depth completed.
    pub depth: u32,
}
