//! Lines for a book from the engine's own analysis: the tree of good moves
//! from the start position, first the positions that play from the book meets
//! most often.

use super::key::{is_symmetric, position_key, turned};
use crate::board::{Move, Position};
use crate::clock::{Limits, Stop};
use crate::rules::Game;
use crate::search::{Engine, Report, Score};
use std::collections::{BTreeMap, HashMap, HashSet};
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
/// Thousandths of a bit are the unit in which rarity is counted.
const RARITY_UNIT: f64 = 1000.0;

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
    /// Positions and their plies by rarity, then by the order of discovery.
    waiting: BTreeMap<(u32, usize), (Position, usize)>,
    discovered: usize,
    done: HashSet<u64>,
    /// Moves as the keyed position has them and weights known from an earlier
    /// run, by the key of the position.
    known: HashMap<u64, Vec<(Move, u32)>>,
}

impl Analysis {
    /// An analysis that goes on from the lines of an earlier run, none for a
    /// new one.
    pub fn new(options: AnalyseOptions, earlier: &str) -> Self {
        let mut known: HashMap<u64, Vec<(Move, u32)>> = HashMap::new();
        for (pos, mv, weight) in earlier.lines().filter_map(earlier_line) {
            let (key, mirrored) = position_key(&pos);
            let moves = known.entry(key).or_default();
            moves.push((turned(mv, mirrored), weight));
        }
        let mut analysis = Self {
            options,
            waiting: BTreeMap::new(),
            discovered: 0,
            done: HashSet::new(),
            known,
        };
        analysis.wait_for(Position::startpos(), 0, 0);
        analysis
    }

    fn wait_for(&mut self, pos: Position, ply: usize, rarity: u32) {
        if ply < self.options.depth {
            self.waiting.insert((rarity, self.discovered), (pos, ply));
            self.discovered += 1;
        }
    }

    /// Analyses the next position that no earlier run has; `None` when all
    /// are done or `stop` was set.
    pub fn next(&mut self, engine: &mut Engine, stop: &Stop) -> Option<Analysed> {
        loop {
            let ((rarity, _), (pos, ply)) = self.waiting.pop_first()?;
            let (key, mirrored) = position_key(&pos);
            if !self.done.insert(key) {
                continue;
            }
            if let Some(moves) = self.known.get(&key) {
                let as_here = |&(mv, weight): &(Move, u32)| (turned(mv, mirrored), weight);
                let moves: Vec<_> = moves.iter().map(as_here).collect();
                self.follow(&pos, ply, rarity, &moves);
                continue;
            }
            let scored = scored_moves(engine, &pos, self.options.nodes, stop);
            if stop.is_stopped() {
                return None;
            }
            let moves = weighted(&scored, self.options.margin);
            self.follow(&pos, ply, rarity, &moves);
            return Some(Analysed {
                position: pos,
                moves,
            });
        }
    }

    fn follow(&mut self, pos: &Position, ply: usize, rarity: u32, moves: &[(Move, u32)]) {
        let total: u32 = moves.iter().map(|(_, weight)| weight).sum();
        for &(mv, weight) in moves.iter().filter(|(mv, _)| pos.is_legal(*mv)) {
            let bits = (f64::from(total) / f64::from(weight.max(1))).log2();
            let rarer = rarity + (bits * RARITY_UNIT).round() as u32;
            self.wait_for(pos.after(mv), ply + 1, rarer);
        }
    }
}

/// Position, move and weight of a line that this module has written.
fn earlier_line(line: &str) -> Option<(Position, Move, u32)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [fen, mv, _, weight] = fields[..] else {
        return None;
    };
    let (pos, mv): (Position, Move) = (fen.parse().ok()?, mv.parse().ok()?);
    let weight = weight.parse().ok()?;
    pos.is_legal(mv).then_some((pos, mv, weight))
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
    use std::iter::from_fn;

    #[test]
    fn weights_fall_with_the_loss() {
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let moves = [(mv("h2e2"), 40), (mv("c3c4"), 32), (mv("g0e2"), 24)];
        let expected = [(mv("h2e2"), 100), (mv("c3c4"), 50)];
        assert_eq!(weighted(&moves, 15), expected);
    }

    #[test]
    fn likely_positions_come_first() {
        let start = Position::startpos();
        let text = [("h2e2", 100), ("c3c4", 25)];
        let lines = text.map(|(mv, weight)| format!("{start}\t{mv}\t\t{weight}\n"));
        let after = |text: &str| start.after(text.parse().unwrap());
        let (cannon, pawn) = (after("h2e2"), after("c3c4"));
        // The first two replies to the cannon are likelier than the pawn, the
        // last one is rarer.
        let replies = [("h9g7", 90), ("h7e7", 90), ("b9c7", 20)];
        let more = replies.map(|(mv, weight)| format!("{cannon}\t{mv}\t\t{weight}\n"));
        let options = AnalyseOptions {
            nodes: 100,
            ..AnalyseOptions::default()
        };
        let mut analysis = Analysis::new(options, &(lines.concat() + &more.concat()));
        let mut engine = Engine::new(Settings {
            hash_mb: 1,
            ..Settings::default()
        });
        let next = || analysis.next(&mut engine, &Stop::default());
        let order: Vec<Position> = from_fn(next).take(50).map(|a| a.position).collect();
        let reply = |text: &str| cannon.after(text.parse().unwrap());
        assert_eq!(order[..2], [reply("h9g7"), reply("h7e7")]);
        let place = |pos: &Position| order.iter().position(|other| other == pos);
        assert!(place(&pawn).unwrap() < place(&reply("b9c7")).unwrap());
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
