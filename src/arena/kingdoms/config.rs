//! A match of the seven kingdoms as it was ordered.

use crate::arena::config::ConfigError;
use crate::arena::limit::{Budget, TimeControl};
use crate::arena::player::Patience;
use crate::arena::spec::EngineSpec;
use crate::kingdoms::{Options, Position, Random, SEATS, Seat};
use crate::protocol::Dialect;
use serde_json::{Value, json};
use std::fmt;
use std::path::PathBuf;

/// All that such a match needs to know.
#[derive(Debug, Clone)]
pub struct SevenConfig {
    /// The engines, one to seven.
    pub engines: Vec<EngineSpec>,
    /// The engine of each player before the seats are rotated, as numbers of
    /// `engines`; as many as there are players.
    pub entrants: Vec<usize>,
    /// The limits of engines that have none of their own.
    pub budget: Budget,
    /// The rules.
    pub rules: Options,
    /// Games; best a multiple of the number of players.
    pub games: usize,
    /// Games at the same time.
    pub concurrency: usize,
    /// Random moves at the start of a game, the same for a whole rotation.
    pub random_plies: usize,
    /// Seed of these moves.
    pub seed: u64,
    /// How long to wait for an engine.
    pub patience: Patience,
    /// The name of the event.
    pub event: String,
    /// The log of the games, which a match goes on from.
    pub log: Option<PathBuf>,
    /// Go on from the log.
    pub resume: bool,
}

/// Why such a match cannot be played as ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SevenError {
    /// What is wrong in any match.
    Config(ConfigError),
    /// There is no engine, or there are more than players.
    Engines(usize, usize),
    /// As many seats are named as there are no players.
    Seats {
        /// Seats named.
        found: usize,
        /// Players.
        players: usize,
    },
    /// A seat is given to an engine that does not exist.
    UnknownEngine(String),
    /// Not 3 to 7 players.
    Players(usize),
    /// An engine plays by a clock.
    Clock(String),
    /// An engine has a key that means nothing in this game.
    Key(String, &'static str),
}

impl fmt::Display for SevenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Engines(n, most) => write!(f, "expected 1 to {most} engines, found {n}"),
            Self::Seats { found, players } => {
                write!(f, "--seats: expected {players} engines, found {found}")
            }
            Self::UnknownEngine(name) => write!(f, "--seats: no engine is called `{name}`"),
            Self::Players(n) => write!(f, "--players {n}: expected 3 to 7"),
            Self::Clock(name) => write!(
                f,
                "`{name}` has a clock: expected --movetime, --nodes or --depth in this game"
            ),
            Self::Key(name, key) => write!(
                f,
                "`{name}`: {key}= is for xiangqi; in this game engines speak UCI with the moves of the guide"
            ),
        }
    }
}

impl std::error::Error for SevenError {}

/// The engines of the players: those named, or all in turn.
///
/// # Errors
/// When a name is unknown or there are not as many as players.
pub fn entrants(
    engines: &[EngineSpec],
    seats: Option<&str>,
    players: usize,
) -> Result<Vec<usize>, SevenError> {
    let Some(names) = seats else {
        if engines.len() > players {
            return Err(SevenError::Engines(engines.len(), players));
        }
        return Ok((0..players).map(|p| p % engines.len().max(1)).collect());
    };
    let find = |name: &str| {
        let found = engines.iter().position(|e| e.name == name);
        found.ok_or_else(|| SevenError::UnknownEngine(name.to_owned()))
    };
    let found = names.split(',').map(|n| find(n.trim()));
    let found: Vec<usize> = found.collect::<Result<_, _>>()?;
    match found.len() == players {
        true => Ok(found),
        false => Err(SevenError::Seats {
            found: found.len(),
            players,
        }),
    }
}

/// A key of the description that says how xiangqi is spoken.
fn foreign_key(engine: &EngineSpec) -> Option<&'static str> {
    let keys = [
        ("proto", engine.dialect == Some(Dialect::Ucci)),
        ("ranks", engine.first_rank != 0),
        ("histmax", engine.history_max.is_some()),
    ];
    keys.into_iter().find_map(|(key, set)| set.then_some(key))
}

impl SevenConfig {
    /// Finds what is wrong with the order.
    ///
    /// # Errors
    /// The first thing found.
    pub fn check(&self) -> Result<(), SevenError> {
        if self.engines.is_empty() || self.engines.len() > SEATS {
            return Err(SevenError::Engines(self.engines.len(), SEATS));
        }
        if Position::start_for(self.entrants.len(), self.rules).is_none() {
            return Err(SevenError::Players(self.entrants.len()));
        }
        for (i, engine) in self.engines.iter().enumerate() {
            let earlier = &self.engines[..i];
            if earlier.iter().any(|other| other.name == engine.name) {
                let name = engine.name.clone();
                return Err(SevenError::Config(ConfigError::SameName(name)));
            }
            let budget = self.budget_of(i);
            if budget.is_empty() {
                let name = engine.name.clone();
                return Err(SevenError::Config(ConfigError::NoLimit(name)));
            }
            if matches!(budget.time, Some(TimeControl::Clock { .. })) {
                return Err(SevenError::Clock(engine.name.clone()));
            }
            if let Some(key) = foreign_key(engine) {
                return Err(SevenError::Key(engine.name.clone(), key));
            }
        }
        let numbers = [("--games", self.games), ("--concurrency", self.concurrency)];
        if let Some((what, _)) = numbers.iter().find(|(_, n)| *n == 0) {
            return Err(SevenError::Config(ConfigError::Zero(what)));
        }
        if self.resume && self.log.is_none() {
            return Err(SevenError::Config(ConfigError::ResumeWithoutLog));
        }
        Ok(())
    }

    /// An engine's limits.
    pub fn budget_of(&self, engine: usize) -> Budget {
        let own = self.engines[engine].budget;
        if own.is_empty() { self.budget } else { own }
    }

    /// Players.
    pub fn players(&self) -> usize {
        self.entrants.len()
    }

    /// The place among the entrants that has a seat in a game: from game to
    /// game everybody moves on by one player. `None` for a vacant seat.
    pub fn entrant_at(&self, game: usize, start: &Position, seat: Seat) -> Option<usize> {
        let player = usize::from(start.player(seat)).checked_sub(1)?;
        Some((player + game) % self.players())
    }

    /// The position in which a game begins: some random moves, the same for
    /// the games of one rotation.
    pub fn start(&self, game: usize) -> Position {
        let start = Position::start_for(self.players(), self.rules);
        let mut position = start.unwrap_or_else(|| Position::start(self.rules));
        let mut random = Random::new(self.seed + (game / self.players()) as u64);
        for _ in 0..self.random_plies {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                position = position.after(moves[random.below(moves.len())]);
            }
        }
        position
    }

    /// What the user should know before it begins.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let players = self.players();
        if !self.games.is_multiple_of(players) {
            warnings.push(format!(
                "{} games are no multiple of {players}: not everybody has every seat equally often",
                self.games
            ));
        }
        warnings
    }

    /// The settings that decide what the games are like: a match can only go
    /// on with the same.
    pub fn settings(&self) -> Value {
        let engine = |(i, spec): (usize, &EngineSpec)| {
            json!({
                "name": spec.name, "command": spec.command, "dir": spec.dir,
                "options": spec.options, "limit": self.budget_of(i).to_string(),
            })
        };
        json!({
            "variant": "sevenkingdoms",
            "engines": self.engines.iter().enumerate().map(engine).collect::<Vec<_>>(),
            "entrants": self.entrants,
            "rules": self.rules.to_string(),
            "random-plies": self.random_plies,
            "seed": self.seed,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn config(seats: &str) -> SevenConfig {
        let spec = |name: &str| EngineSpec {
            name: name.to_owned(),
            command: vec![name.to_owned()],
            ..EngineSpec::default()
        };
        let engines = vec![spec("A"), spec("B")];
        let players = seats.split(',').count();
        SevenConfig {
            entrants: entrants(&engines, Some(seats), players).unwrap(),
            engines,
            budget: Budget {
                nodes: Some(10),
                ..Budget::default()
            },
            rules: Options::ENGLISH,
            games: 7,
            concurrency: 1,
            random_plies: 3,
            seed: 1,
            patience: Patience::default(),
            event: String::new(),
            log: None,
            resume: false,
        }
    }

    #[test]
    fn everybody_has_every_seat_once_in_a_rotation() {
        let config = config("A,B,B,B,B,B,B");
        config.check().unwrap();
        for seat in Seat::ALL {
            let games = (0..7).filter(|&g| {
                let entrant = config.entrant_at(g, &config.start(g), seat);
                entrant.map(|e| config.entrants[e]) == Some(0)
            });
            assert_eq!(games.count(), 1, "{seat}");
        }
        let line = |game| config.start(game).to_string();
        assert_eq!(line(0), line(6));
        assert_ne!(line(0), line(7));
    }

    #[test]
    fn bad_orders_are_refused() {
        let engines = config("A,B,A").engines;
        let error = entrants(&engines, Some("A,C"), 2).unwrap_err().to_string();
        assert!(error.contains("`C`"), "{error}");
        let error = entrants(&engines, Some("A,B"), 7).unwrap_err().to_string();
        assert!(error.contains("expected 7") && error.contains("found 2"));
        assert_eq!(entrants(&engines, None, 5), Ok(vec![0, 1, 0, 1, 0]));
        let two = SevenConfig {
            entrants: vec![0, 1],
            ..config("A,B,A")
        };
        assert_eq!(two.check(), Err(SevenError::Players(2)));
        let mut clock = config("A,B,A");
        clock.budget.time = Some("3+1".parse().unwrap());
        assert_eq!(clock.check(), Err(SevenError::Clock("A".into())));
        let mut ranks = config("A,B,A");
        ranks.engines[1].first_rank = 1;
        assert_eq!(ranks.check(), Err(SevenError::Key("B".into(), "ranks")));
    }
}
