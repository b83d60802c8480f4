//! Players for tournaments: the engine at a limit, and the greedy player that
//! it is measured against.

use super::engine::playing;
use super::piece::Content;
use super::{Algorithm, Replies, Widths};
use super::{Engine, Kind, Move, ParseError, Position, Random, Settings};
use crate::clock::{Limits, Stop};
use std::str::FromStr;
use std::time::Duration;

/// Somebody who plays a seat.
pub enum Player {
    /// Takes a general if possible, else the most valuable piece, else moves
    /// at random.
    Greedy(Random),
    /// The engine, with a limit for every move.
    Engine(Box<Engine>, Budget),
}

/// What a player may use for a move.
#[derive(Clone, Default)]
pub struct Budget {
    limits: Limits,
    /// Rounds after the own move that max^n looks ahead, however many kingdoms
    /// live; `None` for no bound.
    rounds: Option<u32>,
}

impl Budget {
    /// The limits of a search from this position.
    fn limits(&self, position: &Position) -> Limits {
        let depth = self.rounds.map(|n| 1 + n * playing(position));
        Limits {
            depth: depth.or(self.limits.depth),
            ..self.limits.clone()
        }
    }
}

impl Player {
    /// The move of the seat to move; `None` when there is none.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
        match self {
            Self::Greedy(random) => greedy(position, random),
            Self::Engine(engine, budget) => {
                let limits = budget.limits(position);
                let report = engine.search(position, &limits, &Stop::default(), &mut |_| {});
                report.map(|r| r.best)
            }
        }
    }

    /// Forgets the last game and begins another.
    pub fn begin(&mut self, seed: u64) {
        match self {
            Self::Greedy(random) => *random = Random::new(seed),
            Self::Engine(engine, _) => engine.clear(),
        }
    }
}

/// The greedy choice; equals are chosen from at random.
fn greedy(position: &Position, random: &mut Random) -> Option<Move> {
    position.turn()?;
    let (_, moves) = greediest(position);
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

/// The capture that greed prefers, `None` when there is none.
pub(super) fn greedy_capture(position: &Position) -> Option<Move> {
    let (worth, moves) = greediest(position);
    moves.first().copied().filter(|_| worth > 0)
}

/// The greatest prize that the seat to move can take, and all moves for it.
fn greediest(position: &Position) -> (u32, Vec<Move>) {
    let (mut best, mut moves) = (0, Vec::new());
    position.visit_moves(position.turn, |from, to, target| {
        let worth = prize(position, target);
        if worth > best {
            best = worth;
            moves.clear();
        }
        if worth == best {
            moves.push(Move { from, to });
        }
        true
    });
    (best, moves)
}

/// What greed sees in a target: the historical value, and generals above all.
fn prize(position: &Position, target: Content) -> u32 {
    const GENERAL: u32 = 100;
    let Some(piece) = target.piece() else {
        return 0;
    };
    let lives = piece.kingdom().is_some_and(|k| position.is_alive(k));
    match piece.kind() {
        Kind::General if lives => GENERAL,
        kind => 1 + u32::from(kind.historical_value()),
    }
}

/// `greedy`, or an algorithm and a limit: `brs:depth=3`, `maxn:nodes=20000`,
/// `brs:time=100`, `maxn:rounds=1`. The quiet replies of the best-reply search begin at
/// `quiet`, max^n follows up `root`, `own` and `others` moves and
/// has some `trust` in the others.
impl FromStr for Player {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name == "greedy" {
            return Ok(Self::Greedy(Random::new(1)));
        }
        let mut budget = Budget::default();
        let mut settings = Settings {
            algorithm: match name {
                "brs" => Algorithm::BEST_REPLY,
                "maxn" => Algorithm::MAX_N,
                _ => return Err(bad_player(text)),
            },
            // Nothing lies between it and its clock.
            overhead: Duration::ZERO,
            ..Settings::default()
        };
        for item in rest.split(',').filter(|i| !i.is_empty()) {
            let (key, value) = item.split_once('=').ok_or_else(|| bad_player(text))?;
            let number = value.parse().map_err(|_| bad_player(text))?;
            set(&mut budget, &mut settings, key, number).ok_or_else(|| bad_player(text))?;
        }
        Ok(Self::Engine(Box::new(Engine::new(settings)), budget))
    }
}

fn set(budget: &mut Budget, settings: &mut Settings, key: &str, number: u32) -> Option<()> {
    let limits = &mut budget.limits;
    match (key, &mut settings.algorithm) {
        ("rounds", Algorithm::MaxN(_)) => budget.rounds = Some(number),
        ("depth", _) => limits.depth = Some(number),
        ("nodes", _) => limits.nodes = Some(u64::from(number)),
        ("time", _) => limits.movetime = Some(Duration::from_millis(u64::from(number))),
        ("quiet", Algorithm::BestReply(Replies { quiet_from })) => *quiet_from = number,
        ("root", Algorithm::MaxN(Widths { root, .. })) => *root = number as usize,
        ("deep", Algorithm::MaxN(Widths { deep, .. })) => *deep = number as usize,
        ("own", Algorithm::MaxN(Widths { own, .. })) => *own = number as usize,
        ("foresee", Algorithm::MaxN(Widths { foresee, .. })) => *foresee = number as usize,
        ("trust", Algorithm::MaxN(Widths { trust, .. })) => *trust = number,
        ("others", Algorithm::MaxN(Widths { others, .. })) => *others = number as usize,
        _ => return None,
    }
    Some(())
}

fn bad_player(text: &str) -> ParseError {
    ParseError::Field {
        name: "player",
        text: text.to_owned(),
        expected: "greedy, brs:depth=3, maxn:nodes=20000 or the like",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kingdoms::Options;

    /// A bound in rounds means the same whatever the number of kingdoms.
    #[test]
    fn rounds_count_the_kingdoms_that_live() {
        let two = "5kG13/19/19/19/19/19/19/19/19/9yE9/19/19/19/19/19/19/19/19/wG18 \
                   w w-----k 1234567 - 0000000 0 0";
        let start = Position::start(Options::ENGLISH);
        for (position, rounds, plies) in [(start, 2, 15), (two.parse().unwrap(), 1, 3)] {
            let player: Player = format!("maxn:rounds={rounds}").parse().unwrap();
            let Player::Engine(_, budget) = player else {
                panic!("an engine");
            };
            assert_eq!(budget.limits(&position).depth, Some(plies));
        }
    }
}
