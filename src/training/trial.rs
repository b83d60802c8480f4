//! Does a net, or another setting of the search, play better? Pairs of games at
//! a fixed number of nodes, each opening once with either colour.

use super::datagen::game_seed;
use super::games::GameResult;
use super::referee::{Adjudicator, Board, random_opening};
use super::selfplay::{Conduct, stored_score};
use crate::arena::stats::{Outcome, Pentanomial, Wdl};
use crate::board::Color;
use crate::clock::{Limits, Stop};
use crate::eval::nnue::Network;
use crate::rules::Game;
use crate::search::{Engine, Params, Settings};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Openings with a larger score are not played.
const MAX_OPENING_SCORE: i32 = 150;

/// A net, or the classical evaluation.
pub type Evaluation = Option<Arc<Network>>;

/// One of the two that play.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Player {
    /// What judges the positions.
    pub evaluation: Evaluation,
    /// The numbers that steer the search.
    pub params: Params,
}

/// What to play.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Pairs of games.
    pub pairs: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Threads, each playing pairs of its own.
    pub threads: usize,
    /// Seed of the openings.
    pub seed: u64,
    /// The engines' settings.
    pub settings: Settings,
    /// How games are played.
    pub conduct: Conduct,
}

/// The counts for the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Games.
    pub games: Wdl,
    /// Pairs.
    pub pairs: Pentanomial,
}

impl Score {
    /// That of some pairs.
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Self {
        let mut score = Self::default();
        pairs.into_iter().for_each(|pair| score.add(pair));
        score
    }

    fn add(&mut self, pair: &Pair) {
        let [first, second] = pair.outcomes;
        self.pairs.add(first, second);
        self.games.add(first);
        self.games.add(second);
    }
}

/// Two games from one opening, as the first player sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the trial, from 0.
    pub number: u64,
    /// How the games ended, the one as Red first.
    pub outcomes: [Outcome; 2],
}

impl Trial {
    /// Plays all pairs between two players but those that are `known`;
    /// `progress` is told each pair and the score with it. Seed and players
    /// decide the games. When `stop` is set, pairs that are not finished do not
    /// count.
    pub fn run(
        &self,
        players: &[Player; 2],
        known: &[Pair],
        stop: &Stop,
        progress: &(dyn Fn(&Pair, Score) + Sync),
    ) -> Score {
        let numbers: HashSet<u64> = known.iter().map(|pair| pair.number).collect();
        let (next, score) = (AtomicU64::new(0), Mutex::new(Score::of(known)));
        let work = || {
            let mut engines = players.each_ref().map(|player| self.engine(player));
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= self.pairs {
                    return;
                }
                if numbers.contains(&number) {
                    continue;
                }
                let seed = game_seed(self.seed, number);
                let Some(outcomes) = self.pair(&mut engines, seed, stop) else {
                    return;
                };
                let pair = Pair { number, outcomes };
                let mut score = score.lock().unwrap_or_else(PoisonError::into_inner);
                score.add(&pair);
                progress(&pair, *score);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(work);
            }
        });
        score.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn engine(&self, player: &Player) -> Engine {
        let mut engine = Engine::new(self.settings_of(&player.params));
        engine.set_network(player.evaluation.clone());
        engine
    }

    pub(super) fn settings_of(&self, params: &Params) -> Settings {
        Settings {
            params: *params,
            ..self.settings.clone()
        }
    }

    /// Both games of an opening, as the first player sees them; `None` when
    /// they were stopped.
    pub(super) fn pair(
        &self,
        engines: &mut [Engine; 2],
        seed: u64,
        stop: &Stop,
    ) -> Option<[Outcome; 2]> {
        let opening = self.opening(engines, seed, stop);
        let outcomes =
            [0, 1].map(
                |red| match (self.game(engines, opening.clone(), red, stop), red) {
                    (GameResult::Draw, _) => Outcome::Draw,
                    (GameResult::RedWin, 0) | (GameResult::BlackWin, 1) => Outcome::Win,
                    _ => Outcome::Loss,
                },
            );
        (!stop.is_stopped()).then_some(outcomes)
    }

    /// A random opening that both players think balanced; any when stopped.
    fn opening(&self, engines: &mut [Engine; 2], seed: u64, stop: &Stop) -> Game {
        let mut random = fastrand::Rng::with_seed(seed);
        loop {
            let Some(board) = random_opening(&self.conduct, &mut random) else {
                continue;
            };
            let balanced = engines.iter_mut().all(|engine| {
                engine.clear();
                let outcome = self.think(engine, &board.game, stop);
                i32::from(stored_score(outcome.value)).abs() <= MAX_OPENING_SCORE
            });
            if balanced || stop.is_stopped() {
                return board.game;
            }
        }
    }

    /// One game; the result is none when stopped.
    fn game(
        &self,
        engines: &mut [Engine; 2],
        opening: Game,
        red: usize,
        stop: &Stop,
    ) -> GameResult {
        let mut board = Board::new();
        opening.moves().iter().for_each(|&mv| {
            board.play(mv);
        });
        engines.iter_mut().for_each(Engine::clear);
        let mut adjudicator = Adjudicator::default();
        loop {
            if let Some((result, _)) = board.over(&self.conduct) {
                return result;
            }
            let side = board.position().side_to_move();
            let outcome = self.think(&mut engines[red ^ side.index()], &board.game, stop);
            if stop.is_stopped() {
                return GameResult::Draw;
            }
            let score = i32::from(stored_score(outcome.value));
            let for_red = if side == Color::Red { score } else { -score };
            if let Some((result, _)) = adjudicator.judge(board.ply(), for_red, &self.conduct) {
                return result;
            }
            if !outcome.best.is_some_and(|mv| board.play(mv)) {
                return GameResult::Draw;
            }
        }
    }

    fn think(&self, engine: &mut Engine, game: &Game, stop: &Stop) -> crate::search::Outcome {
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        engine.search(game, &limits, Instant::now(), stop, &mut |_| ())
    }
}
