//! The results so far, added up.

use super::journal::GameRecord;
use super::reason::Reason;
use super::stats::{Estimate, Meeting, Outcome, Pentanomial, RatingList, Wdl, rate};
use crate::board::Color;
use std::collections::BTreeMap;

/// The games between two engines, counted for the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Single games.
    pub wdl: Wdl,
    /// Complete pairs.
    pub pairs: Pentanomial,
}

impl Score {
    /// The same for the second engine.
    pub const fn reversed(self) -> Self {
        Self {
            wdl: self.wdl.reversed(),
            pairs: Pentanomial({
                let [ll, ld, dd, wd, ww] = self.pairs.0;
                [ww, wd, dd, ld, ll]
            }),
        }
    }

    /// What it says about strength: from pairs when all games are paired.
    pub fn estimate(self) -> Option<Estimate> {
        if self.pairs.pairs() * 2 == self.wdl.games() {
            return Estimate::of_pairs(self.pairs);
        }
        Estimate::of(self.pairs, self.wdl)
    }
}

/// How an engine did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EngineScore {
    /// Its games with Red.
    pub red: Wdl,
    /// Its games with Black.
    pub black: Wdl,
    /// What it lost by that is its own doing: faults and time.
    pub faults: BTreeMap<Reason, u64>,
    /// Its moves.
    pub moves: u64,
    /// Sum of its depths, and of how many moves.
    pub depth: (u64, u64),
    /// Sum of its nodes, and of the milliseconds they took.
    pub nodes: (u64, u64),
    /// Sum of its milliseconds.
    pub ms: u64,
    /// The most milliseconds it took for a move.
    pub longest_ms: u64,
}

impl EngineScore {
    /// All its games.
    pub fn all(&self) -> Wdl {
        let mut sum = self.red;
        sum += self.black;
        sum
    }
}

/// All results of a match or tournament.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standings {
    engines: Vec<EngineScore>,
    meetings: BTreeMap<(usize, usize), Score>,
    /// Games that wait for the other half of their pair, for the first engine.
    halves: BTreeMap<(usize, usize, usize), Outcome>,
    reasons: BTreeMap<Reason, u64>,
    /// Games for Red.
    red: Wdl,
}

impl Standings {
    /// No games yet.
    pub fn new(engines: usize) -> Self {
        Self {
            engines: vec![EngineScore::default(); engines],
            ..Self::default()
        }
    }

    /// Adds a game up.
    pub fn add(&mut self, game: &GameRecord) {
        let fixture = game.fixture();
        let [red, black] = fixture.colors();
        self.red.add(game.outcome(Color::Red));
        *self.reasons.entry(game.reason).or_default() += 1;
        for (engine, side) in [(red, Color::Red), (black, Color::Black)] {
            if let Some(score) = self.engines.get_mut(engine) {
                score.add(game, side);
            }
        }
        let side = if red == fixture.first {
            Color::Red
        } else {
            Color::Black
        };
        let outcome = game.outcome(side);
        let score = self
            .meetings
            .entry((fixture.first, fixture.second))
            .or_default();
        score.wdl.add(outcome);
        let pair = (fixture.first, fixture.second, fixture.pair());
        match self.halves.remove(&pair) {
            Some(other) => score.pairs.add(other, outcome),
            None => drop(self.halves.insert(pair, outcome)),
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.red.games()
    }

    /// Results for Red in all games.
    pub fn red(&self) -> Wdl {
        self.red
    }

    /// The engines in their order.
    pub fn engines(&self) -> &[EngineScore] {
        &self.engines
    }

    /// How often games ended why.
    pub fn reasons(&self) -> &BTreeMap<Reason, u64> {
        &self.reasons
    }

    /// The meetings in order, for the engine of the smaller number.
    pub fn meetings(&self) -> impl Iterator<Item = ((usize, usize), Score)> + '_ {
        self.meetings
            .iter()
            .map(|(&players, &score)| (players, score))
    }

    /// The games of one engine against another.
    pub fn between(&self, engine: usize, other: usize) -> Score {
        let score = |a, b| self.meetings.get(&(a, b)).copied();
        score(engine, other)
            .or_else(|| score(other, engine).map(Score::reversed))
            .unwrap_or_default()
    }

    /// Faults of all engines, time not counted.
    pub fn faults(&self) -> u64 {
        let faults = self.reasons.iter().filter(|(reason, _)| reason.is_fault());
        faults.map(|(_, count)| count).sum()
    }

    /// Ratings of all engines.
    pub fn ratings(&self) -> RatingList {
        let meetings: Vec<Meeting> = self
            .meetings()
            .map(|(players, score)| Meeting {
                players,
                wdl: score.wdl,
            })
            .collect();
        rate(self.engines.len(), &meetings)
    }
}

impl EngineScore {
    fn add(&mut self, game: &GameRecord, side: Color) {
        let outcome = game.outcome(side);
        match side {
            Color::Red => self.red.add(outcome),
            Color::Black => self.black.add(outcome),
        }
        let own_doing = game.reason.is_fault() || game.reason == Reason::TimeForfeit;
        if own_doing && outcome == Outcome::Loss {
            *self.faults.entry(game.reason).or_default() += 1;
        }
        let red_begins = game.fen.split(' ').nth(1) != Some("b");
        let first = usize::from(red_begins != (side == Color::Red)) + game.opening_plies % 2;
        for i in (first % 2..game.ms.len()).step_by(2) {
            self.add_move(game, i);
        }
    }

    fn add_move(&mut self, game: &GameRecord, i: usize) {
        let ms = game.ms[i];
        self.moves += 1;
        self.ms += ms;
        self.longest_ms = self.longest_ms.max(ms);
        if let Some(depth) = game.depth.get(i).copied().flatten() {
            self.depth = (self.depth.0 + u64::from(depth), self.depth.1 + 1);
        }
        if let Some(nodes) = game.nodes.get(i).copied().flatten() {
            self.nodes = (self.nodes.0 + nodes, self.nodes.1 + ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::record;
    use super::*;

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let mut standings = Standings::new(2);
        // Engine 0 has Red in even games: it wins 0, draws 1, loses 2 and 3.
        for (number, result) in [
            (0, "1-0"),
            (3, "1-0"),
            (2, "0-1"),
            (1, "1/2-1/2"),
            (4, "1-0"),
        ] {
            standings.add(&record(number, result));
        }
        let score = standings.between(0, 1);
        assert_eq!(score.wdl.to_string(), "+2 =1 -2");
        assert_eq!(score.pairs.0, [1, 0, 0, 1, 0]);
        assert_eq!(standings.between(1, 0).pairs.0, [0, 1, 0, 0, 1]);
        assert_eq!(standings.engines()[0].red.to_string(), "+2 =0 -1");
        assert_eq!(standings.engines()[0].black.to_string(), "+0 =1 -1");
        assert_eq!(standings.red().to_string(), "+3 =1 -1");
        assert_eq!(standings.games(), 5);
    }

    #[test]
    fn an_engines_own_moves_are_counted() {
        let mut standings = Standings::new(2);
        standings.add(&record(1, "1-0"));
        let [first, second] = [0, 1].map(|i| standings.engines()[i].clone());
        // In game 1 engine 1 has Red.
        assert_eq!((second.moves, second.ms, second.nodes), (1, 5, (100, 5)));
        assert_eq!((first.moves, first.ms, first.depth), (1, 6, (4, 1)));
        let opened = GameRecord {
            opening_plies: 1,
            score: vec![None],
            depth: vec![None],
            nodes: vec![None],
            ms: vec![9],
            ..record(0, "1-0")
        };
        let mut standings = Standings::new(2);
        standings.add(&opened);
        assert_eq!(standings.engines()[1].ms, 9);
    }

    #[test]
    fn faults_belong_to_the_loser() {
        let mut standings = Standings::new(2);
        for (number, reason) in [
            (0, Reason::Crash),
            (1, Reason::TimeForfeit),
            (2, Reason::Mate),
        ] {
            standings.add(&GameRecord {
                reason,
                ..record(number, "1-0")
            });
        }
        assert_eq!(standings.faults(), 1);
        assert_eq!(standings.engines()[1].faults[&Reason::Crash], 1);
        assert_eq!(standings.engines()[0].faults[&Reason::TimeForfeit], 1);
    }
}
