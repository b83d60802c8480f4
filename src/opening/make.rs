//! Making a book from games, or from lines of position, move and result.

use super::book::own::{Entry, OwnBook};
use super::key::{position_key, turned};
use crate::board::{Color, Move, Position};
use crate::notation;
use crate::record::{GameResult, Record};
use std::collections::HashMap;
use std::fmt;

/// What goes into a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MakeOptions {
    /// Plies of a game that are counted.
    pub depth: usize,
    /// Games that a move must have been played in.
    pub min_count: u32,
    /// Points of a win, a draw and a loss of the side that moves; the sum is
    /// the weight.
    pub points: [u32; 3],
    /// Moves whose share of the points of the best one is less, in per mille,
    /// are left out.
    pub min_share: u32,
}

impl Default for MakeOptions {
    fn default() -> Self {
        Self {
            depth: 40,
            min_count: 1,
            points: [2, 1, 0],
            min_share: 0,
        }
    }
}

/// A line that is no position, move and result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// The line.
    pub line: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} in `{}`: expected FEN, move, result and weight, parted by tabulators",
            self.reason, self.line
        )
    }
}

impl std::error::Error for LineError {}

/// Counts of a move: won, drawn, lost, and points given in lines.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    results: [u32; 3],
    points: u64,
    /// Whether a line without a result has it.
    analysed: bool,
}

/// Counts moves and makes a book of them.
#[derive(Debug, Clone, Default)]
pub struct BookMaker {
    options: MakeOptions,
    counts: HashMap<(u64, Move), Counts>,
}

impl BookMaker {
    /// A maker that has counted nothing yet.
    pub fn new(options: MakeOptions) -> Self {
        Self {
            options,
            counts: HashMap::new(),
        }
    }

    /// Counts the moves of a game's main line; a game without a result counts
    /// as drawn.
    pub fn add_game(&mut self, record: &Record) {
        let result = record.result();
        let mut pos = record.start().clone();
        for mv in record.main_line().into_iter().take(self.options.depth) {
            self.count(&pos, mv, Some(result), 1);
            pos.make(mv);
        }
    }

    /// Counts a line `FEN <tab> move <tab> result <tab> weight`; the move in
    /// any notation, result and weight (times that the line counts) may be
    /// left out. A line without a result has the points of a draw but is no
    /// game.
    ///
    /// # Errors
    /// When the line is none of this kind.
    pub fn add_line(&mut self, line: &str) -> Result<(), LineError> {
        let error = |reason: String| LineError {
            line: line.to_owned(),
            reason,
        };
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let (fen, text) = match fields[..] {
            [fen, text, ..] => (fen, text),
            _ => return Err(error("a field is missing".into())),
        };
        let pos: Position = fen
            .parse()
            .map_err(|e: crate::board::FenError| error(e.to_string()))?;
        let (mv, _) = notation::read(&pos, text).map_err(|e| error(e.to_string()))?;
        let result = match fields.get(2).filter(|word| !word.is_empty()) {
            None => None,
            Some(word) => {
                let result = GameResult::recognise(word);
                Some(result.ok_or_else(|| error(format!("`{word}` is no result")))?)
            }
        };
        let times = match fields.get(3).filter(|word| !word.is_empty()) {
            None => 1,
            Some(word) => word
                .parse()
                .map_err(|_| error(format!("`{word}` is no weight")))?,
        };
        self.count(&pos, mv, result, times);
        Ok(())
    }

    fn count(&mut self, pos: &Position, mv: Move, result: Option<GameResult>, times: u32) {
        let (key, mirrored) = position_key(pos);
        let mut own = turned(mv, mirrored);
        if super::key::is_symmetric(pos) {
            own = own.min(own.mirrored());
        }
        let place = match (result, pos.side_to_move()) {
            (Some(GameResult::RedWins), Color::Red) => 0,
            (Some(GameResult::BlackWins), Color::Black) => 0,
            (Some(GameResult::RedWins | GameResult::BlackWins), _) => 2,
            _ => 1,
        };
        let counts = self.counts.entry((key, own)).or_default();
        if result.is_some() {
            counts.results[place] = counts.results[place].saturating_add(times);
        }
        counts.analysed |= result.is_none();
        counts.points += u64::from(self.options.points[place]) * u64::from(times);
    }

    /// The book of all that was counted.
    pub fn finish(&self) -> OwnBook {
        let mut best: HashMap<u64, u64> = HashMap::new();
        for (&(key, _), counts) in &self.counts {
            let points = best.entry(key).or_default();
            *points = counts.points.max(*points);
        }
        let entries = self.counts.iter().filter_map(|(&(key, mv), counts)| {
            let best = best.get(&key).copied().unwrap_or(1).max(1);
            self.entry(key, mv, counts, best)
        });
        OwnBook::new(entries.collect())
    }

    fn entry(&self, key: u64, mv: Move, counts: &Counts, best: u64) -> Option<Entry> {
        let games: u32 = counts.results.iter().sum();
        let share = counts.points * 1000 / best;
        // Lines without a result are no games and have no least number.
        let rare = !counts.analysed && games < self.options.min_count;
        if rare || share < u64::from(self.options.min_share) {
            return None;
        }
        // Scaled so that the best move of a position fits; 1 at least, since
        // a move that always lost was still played.
        let limit = u64::from(u16::MAX);
        let weight = counts.points.saturating_mul(limit.min(best)) / best;
        let short = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
        Some(Entry {
            key,
            mv,
            weight: u16::try_from(weight.max(1)).unwrap_or(u16::MAX),
            results: counts.results.map(short),
        })
    }
}
