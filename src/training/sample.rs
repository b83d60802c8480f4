//! Positions to learn from, picked out of games.

use super::games::{Block, GameRecord};
use crate::board::{Move, Position};
use crate::eval::classical;
use crate::eval::nnue::features::{MAX_PIECES, inputs};
use std::collections::HashSet;

/// Unused places of [`Sample::inputs`].
pub const NO_INPUT: u16 = u16::MAX;

/// A position as the trainer holds it in memory, seen from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The inputs set in the view of the side to move, then [`NO_INPUT`].
    pub inputs: [u16; MAX_PIECES],
    /// How many inputs are set.
    pub pieces: u8,
    /// 1 the side to move won, 0 nobody did, -1 it lost.
    pub result: i8,
    /// The score of the search in its points (`eval::wdl`).
    pub score: i16,
}

impl Sample {
    /// The sample of a position.
    pub fn new(pos: &Position, score: i16, red_result: i8) -> Self {
        let side = pos.side_to_move();
        let mut list = [NO_INPUT; MAX_PIECES];
        let mut pieces = 0;
        for (place, input) in list.iter_mut().zip(inputs(side, pos)) {
            *place = input;
            pieces += 1;
        }
        let sign = [1, -1][side.index()];
        Self {
            inputs: list,
            pieces,
            result: red_result * sign,
            score,
        }
    }

    /// The inputs set.
    #[inline(always)]
    pub fn active(&self) -> &[u16] {
        &self.inputs[..usize::from(self.pieces)]
    }
}

/// Which positions to leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// Those with a larger score, either way.
    pub max_score: i16,
    /// Those after so many plies without a capture.
    pub max_halfmove_clock: u16,
    /// Those whose best move gives check.
    pub skip_checking: bool,
    /// Those whose best move takes a piece.
    pub skip_capturing: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            max_score: 2000,
            max_halfmove_clock: 90,
            skip_checking: false,
            skip_capturing: true,
        }
    }
}

impl Filter {
    /// Whether a position whose best move is `best` is one to learn from.
    pub fn keeps(&self, pos: &Position, best: Move, score: i16) -> bool {
        let noisy = pos.in_check() || self.skip_capturing && pos.is_capture(best);
        !noisy
            && score.unsigned_abs() <= self.max_score.unsigned_abs()
            && pos.halfmove_clock() <= self.max_halfmove_clock
            && !(self.skip_checking && pos.after(best).in_check())
    }
}

/// Where the scores to learn come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Labels {
    /// From the searches of the games.
    #[default]
    Search,
    /// From the classical evaluation, of the games' positions and of others up
    /// to [`DEVIATIONS`] random moves away: many and cheap. A net that has
    /// learnt them knows what pieces are worth in the odd positions that a
    /// search looks at, and is a good start for learning from searches.
    Classical,
}

/// Random moves away from the games for [`Labels::Classical`].
pub const DEVIATIONS: u64 = 2;

/// What became of the positions read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Left out by the filter.
    pub filtered: u64,
    /// Seen before.
    pub duplicates: u64,
}

/// The samples of many games, those for validation apart.
#[derive(Debug, Default)]
pub struct Samples {
    /// To learn from.
    pub training: Vec<Sample>,
    /// To measure with: other games than those of `training`.
    pub validation: Vec<Sample>,
    /// What was read.
    pub tally: Tally,
    /// Where the scores come from.
    labels: Labels,
    seen: HashSet<u64>,
}

/// A game of which number goes to validation: one in twenty.
pub const VALIDATION_EVERY: u64 = 20;

impl Samples {
    /// Samples chosen elsewhere.
    pub fn of(training: Vec<Sample>, validation: Vec<Sample>) -> Self {
        Self {
            training,
            validation,
            ..Self::default()
        }
    }

    /// None yet, with scores from this source.
    pub fn labelled(labels: Labels) -> Self {
        Self {
            labels,
            ..Self::default()
        }
    }

    /// Adds the games of a block.
    ///
    /// # Errors
    /// When a game holds an illegal move.
    pub fn add(&mut self, block: &Block, filter: &Filter) -> Result<(), String> {
        for game in &block.games {
            let validation = is_validation(game);
            self.tally.games += 1;
            self.add_game(game, filter, validation)
                .map_err(|ply| format!("illegal move number {ply} in game {}", self.tally.games))?;
        }
        Ok(())
    }

    fn add_game(
        &mut self,
        game: &GameRecord,
        filter: &Filter,
        validation: bool,
    ) -> Result<(), usize> {
        let result = game.result.for_red();
        game.replay(|pos, best, score| {
            self.tally.positions += 1;
            match self.labels {
                Labels::Search if filter.keeps(pos, best, score) => {
                    self.keep(pos, score, result, validation);
                }
                Labels::Search => self.tally.filtered += 1,
                Labels::Classical => self.add_classical(pos, validation),
            }
        })
    }

    /// Adds the position and random ones near it, with the classical
    /// evaluation for a score.
    fn add_classical(&mut self, pos: &Position, validation: bool) {
        let mut random = fastrand::Rng::with_seed(pos.key());
        let mut pos = pos.clone();
        for _ in 0..=DEVIATIONS {
            if pos.in_check() {
                self.tally.filtered += 1;
            } else {
                let limit = i32::from(i16::MAX);
                let score = classical::evaluate(&pos).clamp(-limit, limit);
                self.keep(&pos, score as i16, 0, validation);
            }
            match random.choice(pos.legal_moves().iter()) {
                Some(&mv) => pos.make(mv),
                None => return,
            };
        }
    }

    fn keep(&mut self, pos: &Position, score: i16, red_result: i8, validation: bool) {
        if !self.seen.insert(pos.key()) {
            self.tally.duplicates += 1;
            return;
        }
        let to = if validation {
            &mut self.validation
        } else {
            &mut self.training
        };
        to.push(Sample::new(pos, score, red_result));
    }
}

/// Whether a game is held out: by its moves, so that it is the same choice
/// however files are merged.
fn is_validation(game: &GameRecord) -> bool {
    let moves = game
        .opening
        .iter()
        .chain(game.plies.iter().map(|(mv, _)| mv));
    let bytes: Vec<u8> = moves.flat_map(|mv| mv.code().to_le_bytes()).collect();
    u64::from(crc32fast::hash(&bytes)).is_multiple_of(VALIDATION_EVERY)
}
