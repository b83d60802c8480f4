//! One game of the engine against itself, with scores.

use super::games::GameRecord;
use super::referee::{Adjudicator, Board, random_ending, random_opening};
use crate::clock::{Limits, Stop};
use crate::rules::{Game, RuleSet};
use crate::search::{Bound, Engine, Outcome, Report, Value, below_mates, is_mate};
use std::time::Instant;

/// Scores of other values than mates are cut to this size.
const MAX_SCORE: Value = 25_000;

/// How games are played. The defaults are those of the recipe in the guide.
#[derive(Debug, Clone, PartialEq)]
pub struct Conduct {
    /// No iteration is begun after so many nodes.
    pub soft_nodes: u64,
    /// An iteration is broken off after so many times the soft limit.
    pub hard_factor: u64,
    /// Random moves at the start: the usual numbers, from and to.
    pub opening: (usize, usize),
    /// In one game of `rare_every` so many fewer or more random moves.
    pub opening_spread: usize,
    /// See `opening_spread`.
    pub rare_every: usize,
    /// Openings with a larger score are not played.
    pub max_opening_score: i32,
    /// Begin with few pieces instead of many.
    pub endings: bool,
    /// So many pieces are left then, from and to.
    pub ending_pieces: (usize, usize),
    /// One random move in so many on the way there takes nothing on purpose.
    pub ending_pause: usize,
    /// Endings with a larger score are not played.
    pub max_ending_score: i32,
    /// A game is won with this score ...
    pub decided_score: i32,
    /// ... on so many plies in a row.
    pub decided_plies: u32,
    /// A game is drawn with at most this score ...
    pub quiet_score: i32,
    /// ... on so many plies in a row ...
    pub quiet_plies: u32,
    /// ... after this ply.
    pub quiet_from: usize,
    /// Plies without a capture that make a draw.
    pub no_capture_plies: u16,
    /// The longest game.
    pub max_plies: usize,
    /// The rules on repetition.
    pub rules: RuleSet,
}

impl Conduct {
    /// The largest score at which a game may begin.
    fn max_first_score(&self) -> i32 {
        if self.endings {
            self.max_ending_score
        } else {
            self.max_opening_score
        }
    }
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            soft_nodes: 1000,
            hard_factor: 8,
            opening: (8, 10),
            opening_spread: 2,
            rare_every: 5,
            max_opening_score: 300,
            endings: false,
            ending_pieces: (3, 11),
            ending_pause: 3,
            max_ending_score: 1000,
            decided_score: 1500,
            decided_plies: 4,
            quiet_score: 8,
            quiet_plies: 16,
            quiet_from: 90,
            no_capture_plies: 120,
            max_plies: 400,
            rules: RuleSet::default(),
        }
    }
}

/// A value of the search as it is stored: in its points, not in centipawns, so
/// that a new fit of those leaves games as they are. Mates in `n` plies are
/// 30,000 less `n`, wins by rule 20,000 less the plies to the ruling.
pub fn stored_score(value: Value) -> i16 {
    let stored = if is_mate(value) {
        value
    } else {
        below_mates(value).clamp(-MAX_SCORE, MAX_SCORE)
    };
    stored as i16
}

/// Plays the game of this seed: the same seed, engine and conduct give the
/// same game.
pub fn play_game(engine: &mut Engine, conduct: &Conduct, seed: u64) -> GameRecord {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        engine.clear();
        let start = if conduct.endings {
            random_ending
        } else {
            random_opening
        };
        if let Some(board) = start(conduct, &mut random)
            && let Some(record) = play_from(engine, conduct, board)
        {
            return record;
        }
    }
}

/// The game from an opening, `None` when that is not balanced.
fn play_from(engine: &mut Engine, conduct: &Conduct, mut board: Board) -> Option<GameRecord> {
    let opening = board.game.moves().to_vec();
    let mut adjudicator = Adjudicator::default();
    let mut plies = Vec::new();
    let (result, ending) = loop {
        if let Some(over) = board.over(conduct) {
            break over;
        }
        let outcome = think(engine, conduct, &board.game);
        let (mv, score) = (outcome.best?, stored_score(outcome.value));
        if plies.is_empty() && i32::from(score).abs() > conduct.max_first_score() {
            return None;
        }
        plies.push((mv, score));
        let sign = [1, -1][board.position().side_to_move().index()];
        if let Some(over) = adjudicator.judge(board.ply(), i32::from(score) * sign, conduct) {
            break over;
        }
        if !board.play(mv) {
            return None;
        }
    };
    Some(GameRecord {
        opening,
        plies,
        result,
        ending,
    })
}

/// Searches until an iteration ends beyond the soft limit.
fn think(engine: &mut Engine, conduct: &Conduct, game: &Game) -> Outcome {
    let limits = Limits {
        nodes: Some(conduct.soft_nodes * conduct.hard_factor),
        ..Limits::default()
    };
    let stop = Stop::default();
    let mut on_report = |report| {
        if let Report::Line(line) = report
            && line.bound == Bound::Exact
            && line.nodes >= conduct.soft_nodes
        {
            stop.stop();
        }
    };
    engine.search(game, &limits, Instant::now(), &stop, &mut on_report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_stored_in_order() {
        let order = [
            -30_000, -29_992, -31_500, -15_000, -3, 0, 1, 7, 15_000, 31_480, 31_500, 29_700,
            29_991, 29_999,
        ];
        let stored = order.map(stored_score);
        assert!(stored.is_sorted_by(|a, b| a < b), "{stored:?}");
        assert_eq!(stored[4..9], [-3, 0, 1, 7, 15_000]);
        assert_eq!((stored[2], stored[9]), (-20_000, 19_980));
    }
}
