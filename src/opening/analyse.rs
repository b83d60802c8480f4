//! Lines for a book from the engine's own analysis: the tree of good moves
//! from the start position, the nearest positions first.

use super::key::{is_symmetric, position_key};
use crate::board::{Move, Position};
use crate::clock::{Limits, Stop};
use crate::rules::Game;
use crate::search::{Engine, Report, Score};
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

/// How to analyse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalyseOptions {
    /// Nodes of each search.
    pub nodes: u64,
    /// Centipawns that a move may be worse than the best one.
    pub margin: i32,
    /// Plies from the start position.
    pub depth: usize,
}

impl Default for AnalyseOptions {
    fn default() -> Self {
        Self {
            nodes: 100_000,
            margin: 15,
            depth: 8,
        }
    }
}

/// The weight of the best move, and the loss in centipawns that halves it.
const BEST_WEIGHT: f64 = 100.0;
const HALF_WEIGHT_LOSS: f64 = 8.0;

/// A position with the moves found good in it and their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysed {
    /// The position.
    pub position: Position,
    /// Moves and weights.
    pub moves: Vec<(Move, u32)>,
}

impl Analysed {
    /// Lines of position, move, no result and weight, for a `.tsv` file that
    /// a book is made from.
    pub fn lines(&self) -> String {
        let line = |(mv, weight): &(Move, u32)| format!("{}\t{mv}\t\t{weight}\n", self.position);
        self.moves.iter().map(line).collect()
    }
}

/// Positions to be analysed in turn.
#[derive(Debug)]
pub struct Analysis {
    options: AnalyseOptions,
    waiting: VecDeque<(Position, usize)>,
    seen: HashSet<u64>,
    /// Moves known from an earlier run, by position.
    known: HashMap<u64, Vec<Move>>,
}

impl Analysis {
    /// An analysis that goes on from the lines of an earlier run, none for a
    /// new one.
    pub fn new(options: AnalyseOptions, earlier: &str) -> Self {
        let mut known: HashMap<u64, Vec<Move>> = HashMap::new();
        for line in earlier.lines() {
            let mut fields = line.split('\t');
            let pos = fields.next().and_then(|fen| fen.parse::<Position>().ok());
            let mv = fields.next().and_then(|text| text.parse::<Move>().ok());
            if let Some((pos, mv)) = pos.zip(mv).filter(|(pos, mv)| pos.is_legal(*mv)) {
                known.entry(position_key(&pos).0).or_default().push(mv);
            }
        }
        let mut analysis = Self {
            options,
            waiting: VecDeque::new(),
            seen: HashSet::new(),
            known,
        };
        analysis.wait_for(Position::startpos(), 0);
        analysis
    }

    fn wait_for(&mut self, pos: Position, ply: usize) {
        if ply < self.options.depth && self.seen.insert(position_key(&pos).0) {
            self.waiting.push_back((pos, ply));
        }
    }

    /// Analyses the next position that no earlier run has; `None` when all
    /// are done or `stop` was set.
    pub fn next(&mut self, engine: &mut Engine, stop: &Stop) -> Option<Analysed> {
        loop {
            let (pos, ply) = self.waiting.pop_front()?;
            let key = position_key(&pos).0;
            if let Some(moves) = self.known.get(&key).cloned() {
                self.follow(&pos, ply, moves);
                continue;
            }
            let scored = scored_moves(engine, &pos, self.options.nodes, stop);
            if stop.is_stopped() {
                return None;
            }
            let moves = weighted(&scored, self.options.margin);
            self.follow(&pos, ply, moves.iter().map(|(mv, _)| *mv).collect());
            return Some(Analysed {
                position: pos,
                moves,
            });
        }
    }

    fn follow(&mut self, pos: &Position, ply: usize, moves: Vec<Move>) {
        for mv in moves.into_iter().filter(|mv| pos.is_legal(*mv)) {
            self.wait_for(pos.after(mv), ply + 1);
        }
    }
}

/// The moves of the last complete depth with their values, best first.
fn scored_moves(engine: &mut Engine, pos: &Position, nodes: u64, stop: &Stop) -> Vec<(Move, i32)> {
    let game = Game::new(pos.clone());
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut lines: Vec<(u32, usize, Move, Score)> = Vec::new();
    let mut listen = |report: Report| {
        if let Report::Line(line) = report {
            let mv = line.pv.first().copied().unwrap_or(Move::NULL);
            lines.push((line.depth, line.multipv, mv, line.score));
        }
    };
    engine.search(&game, &limits, Instant::now(), stop, &mut listen);
    let wanted = engine.settings().multi_pv.min(pos.legal_moves().len());
    let complete = |depth: u32| {
        let ranks = lines
            .iter()
            .filter(|line| line.0 == depth)
            .map(|line| line.1);
        ranks.collect::<HashSet<_>>().len() >= wanted
    };
    let depths = lines.iter().map(|line| line.0);
    let deepest = depths.filter(|depth| complete(*depth)).max();
    let mut best: HashMap<usize, (Move, i32)> = HashMap::new();
    for (depth, rank, mv, score) in &lines {
        if let (true, Score::Cp(cp)) = (Some(*depth) == deepest, *score) {
            best.insert(*rank, (*mv, cp));
        }
    }
    let mut moves: Vec<(Move, i32)> = best.into_values().collect();
    moves.sort_by_key(|(mv, cp)| (std::cmp::Reverse(*cp), *mv));
    // In a symmetric position a move and its mirror image are one.
    let twins = is_symmetric(pos);
    let mut seen = HashSet::new();
    moves.retain(|(mv, _)| seen.insert(if twins { (*mv).min(mv.mirrored()) } else { *mv }));
    moves
}

/// Moves within the margin of the best one, with their weights.
fn weighted(moves: &[(Move, i32)], margin: i32) -> Vec<(Move, u32)> {
    let Some(&(_, best)) = moves.first() else {
        return Vec::new();
    };
    let good = moves.iter().filter(|(_, cp)| best - cp <= margin);
    good.map(|&(mv, cp)| {
        let halvings = f64::from(best - cp) / HALF_WEIGHT_LOSS;
        (mv, (BEST_WEIGHT * (-halvings).exp2()).round() as u32)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Settings;

    #[test]
    fn weights_fall_with_the_loss() {
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let moves = [(mv("h2e2"), 40), (mv("c3c4"), 32), (mv("g0e2"), 24)];
        let expected = [(mv("h2e2"), 100), (mv("c3c4"), 50)];
        assert_eq!(weighted(&moves, 15), expected);
    }

    #[test]
    fn an_analysis_goes_on_where_it_was_left() {
        let options = AnalyseOptions {
            nodes: 3000,
            margin: 15,
            depth: 2,
        };
        let settings = Settings {
            hash_mb: 1,
            multi_pv: 3,
            ..Settings::default()
        };
        let (mut engine, stop) = (Engine::new(settings), Stop::default());
        let mut analysis = Analysis::new(options, "");
        let first = analysis.next(&mut engine, &stop).unwrap();
        assert_eq!(first.position, Position::startpos());
        assert!(!first.moves.is_empty());
        let second = analysis.next(&mut engine, &stop).unwrap();
        let mut again = Analysis::new(options, &first.lines());
        assert_eq!(
            again.next(&mut engine, &stop).unwrap().position,
            second.position
        );
    }
}
