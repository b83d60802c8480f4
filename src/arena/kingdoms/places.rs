//! Who came in where: places, shares of wins, and the table of a match.

use super::config::SevenConfig;
use super::log::SevenGame;
use crate::kingdoms::{Position, Record, SEATS, Seat};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// Half the width of a 95 % interval, in standard errors.
const Z95: f64 = 1.96;

/// What a player reached in one game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// The number of the player, from 1.
    pub player: u8,
    /// His place, from 1; equals share the mean of their places.
    pub place: f64,
    /// His share of the win.
    pub share: f64,
    /// Pieces taken.
    pub captures: u32,
    /// Conquests.
    pub conquests: u32,
    /// Whether he was out before the end.
    pub fell: bool,
}

/// What decides about a place; greater is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    not_at_fault: bool,
    won: bool,
    /// The ply of his fall, or beyond the game.
    stood_until: usize,
    captures: u32,
}

/// The standings of all players of a game: the winners, then those who are
/// left by their captures, then the fallen, the later the better; at last the
/// one at fault. A game that was broken off is won by the most captures of
/// those who are left.
pub fn standings(game: &Record, at_fault: Option<Seat>) -> Vec<Standing> {
    let end = game.position();
    let faulty = at_fault.map(|seat| end.player(seat));
    let mut players: Vec<u8> = Seat::ALL.iter().map(|&s| game.start().player(s)).collect();
    players.sort_unstable();
    players.dedup();
    players.retain(|&p| p != 0);
    let winners = winners(end, &players, faulty);
    let rank = |player: u8| Rank {
        not_at_fault: faulty != Some(player),
        won: winners.contains(&player),
        stood_until: fall_of(game, player).unwrap_or(usize::MAX),
        captures: end.captures_of_player(player),
    };
    let ranks: Vec<(u8, Rank)> = players.iter().map(|&p| (p, rank(p))).collect();
    ranks
        .iter()
        .map(|&(player, own)| {
            let count = |wanted| ranks.iter().filter(|r| r.1.cmp(&own) == wanted).count() as f64;
            let (better, equal) = (count(Ordering::Greater), count(Ordering::Equal));
            Standing {
                player,
                place: better + (equal + 1.0) / 2.0,
                share: if own.won {
                    1.0 / winners.len() as f64
                } else {
                    0.0
                },
                captures: own.captures,
                conquests: end.conquests_of_player(player),
                fell: own.stood_until < usize::MAX,
            }
        })
        .collect()
}

fn winners(end: &Position, players: &[u8], faulty: Option<u8>) -> Vec<u8> {
    if let Some(outcome) = end.outcome() {
        return outcome.winners().collect();
    }
    let left = |p: &u8| end.lives(*p) && Some(*p) != faulty;
    let most = players.iter().copied().filter(left);
    let most = most.map(|p| end.captures_of_player(p)).max();
    let best = |p: &u8| left(p) && Some(end.captures_of_player(*p)) == most;
    players.iter().copied().filter(best).collect()
}

/// The ply at which a player was out.
fn fall_of(game: &Record, player: u8) -> Option<usize> {
    game.positions().iter().position(|p| !p.lives(player))
}

/// A mean with half the width of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Half the width of the interval; infinite for fewer than two numbers.
    pub error: f64,
}

impl Mean {
    /// The mean of some numbers, 0 for none.
    pub fn of(numbers: &[f64]) -> Self {
        let n = numbers.len() as f64;
        let value = numbers.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = numbers.iter().map(|x| (x - value).powi(2)).sum();
        let error = match numbers.len() {
            0 | 1 => f64::INFINITY,
            _ => Z95 * (squares / (n - 1.0) / n).sqrt(),
        };
        Self { value, error }
    }

    fn text(self, scale: f64, digits: usize) -> String {
        let value = self.value * scale;
        match self.error.is_finite() {
            true => format!("{value:.digits$} +- {:.digits$}", self.error * scale),
            false => format!("{value:.digits$}"),
        }
    }
}

/// One engine in the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Players of each game that it was.
    pub seats: usize,
    /// Share of the wins.
    pub won: Mean,
    /// The same by chance.
    pub chance: f64,
    /// Its mean place.
    pub place: Mean,
    /// Pieces taken by one player.
    pub captures: f64,
    /// Conquests of one player.
    pub conquests: f64,
    /// Share of its players that were out before the end.
    pub fell: f64,
    /// Games broken off by its fault.
    pub faults: usize,
}

/// The table of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceTable {
    /// Games played.
    pub games: usize,
    /// Games ordered.
    pub planned: usize,
    /// Engines, the most wins for their seats first.
    pub rows: Vec<Row>,
    /// Wins of each seat.
    pub seats: [f64; SEATS],
    /// How the games ended.
    pub endings: BTreeMap<String, usize>,
    /// Mean length in plies.
    pub plies: f64,
}

/// Numbers of one engine, one for each game.
#[derive(Default)]
struct Sums {
    won: Vec<f64>,
    place: Vec<f64>,
    captures: Vec<f64>,
    conquests: Vec<f64>,
    fell: Vec<f64>,
    faults: usize,
}

impl PlaceTable {
    /// The table of these games.
    pub fn new(config: &SevenConfig, games: &[SevenGame]) -> Self {
        let mut sums: Vec<Sums> = config.engines.iter().map(|_| Sums::default()).collect();
        let mut seats = [0.0; SEATS];
        let mut endings = BTreeMap::new();
        let mut plies = 0;
        for logged in games {
            let Some(game) = logged.game() else { continue };
            plies += game.moves().len();
            *endings.entry(ending(&game, logged)).or_default() += 1;
            let standings = standings(&game, logged.seat_at_fault());
            add_seats(&mut seats, &game, &standings);
            add_engines(&mut sums, config, logged, &game, &standings);
        }
        let mut rows: Vec<Row> = (0..sums.len()).map(|i| row(config, i, &sums[i])).collect();
        let gain = |r: &Row| r.won.value / r.chance.max(f64::MIN_POSITIVE);
        rows.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        Self {
            games: games.len(),
            planned: config.games,
            rows,
            seats,
            endings,
            plies: plies as f64 / games.len().max(1) as f64,
        }
    }

    /// The table as JSON.
    pub fn json(&self) -> Value {
        let mean =
            |m: Mean| json!({ "value": m.value, "error": Some(m.error).filter(|e| e.is_finite()) });
        let row = |r: &Row| {
            json!({
                "name": r.name, "seats": r.seats, "won": mean(r.won), "chance": r.chance,
                "place": mean(r.place), "captures": r.captures, "conquests": r.conquests,
                "fell": r.fell, "faults": r.faults,
            })
        };
        json!({
            "games": self.games, "planned": self.planned, "plies": self.plies,
            "engines": self.rows.iter().map(row).collect::<Vec<_>>(),
            "wins_by_seat": self.seats, "endings": self.endings,
        })
    }
}

fn ending(game: &Record, logged: &SevenGame) -> String {
    match (&logged.fault, game.position().outcome()) {
        (Some(fault), _) => fault.reason.to_string(),
        (None, Some(outcome)) => outcome.by.name().to_owned(),
        (None, None) => "unfinished".to_owned(),
    }
}

/// A player's share goes to his seats in equal parts.
fn add_seats(seats: &mut [f64; SEATS], game: &Record, standings: &[Standing]) {
    let start = game.start();
    for standing in standings {
        let own = |s: &Seat| start.player(*s) == standing.player;
        let number = Seat::ALL.into_iter().filter(own).count() as f64;
        for seat in Seat::ALL.into_iter().filter(own) {
            seats[seat.index()] += standing.share / number;
        }
    }
}

fn add_engines(
    sums: &mut [Sums],
    config: &SevenConfig,
    logged: &SevenGame,
    game: &Record,
    standings: &[Standing],
) {
    let engine_of = |player: u8| {
        let seat = Seat::ALL
            .into_iter()
            .find(|&s| game.start().player(s) == player)?;
        logged.entrants[seat.index()].map(|entrant| config.entrants[entrant])
    };
    for (engine, sum) in sums.iter_mut().enumerate() {
        let own = standings
            .iter()
            .filter(|s| engine_of(s.player) == Some(engine));
        let own: Vec<&Standing> = own.collect();
        if own.is_empty() {
            continue;
        }
        let mean =
            |of: fn(&Standing) -> f64| own.iter().map(|s| of(s)).sum::<f64>() / own.len() as f64;
        sum.won.push(own.iter().map(|s| s.share).sum());
        sum.place.push(mean(|s| s.place));
        sum.captures.push(mean(|s| f64::from(s.captures)));
        sum.conquests.push(mean(|s| f64::from(s.conquests)));
        sum.fell.push(mean(|s| f64::from(u8::from(s.fell))));
        let at_fault = logged.seat_at_fault().map(|s| game.start().player(s));
        let faulty = at_fault.and_then(engine_of) == Some(engine);
        sum.faults += usize::from(faulty);
    }
}

fn row(config: &SevenConfig, engine: usize, sum: &Sums) -> Row {
    let seats = config.entrants.iter().filter(|&&e| e == engine).count();
    Row {
        name: config.engines[engine].name.clone(),
        seats,
        won: Mean::of(&sum.won),
        chance: seats as f64 / config.players() as f64,
        place: Mean::of(&sum.place),
        captures: Mean::of(&sum.captures).value,
        conquests: Mean::of(&sum.conquests).value,
        fell: Mean::of(&sum.fell).value,
        faults: sum.faults,
    }
}

const PER_CENT: f64 = 100.0;

impl fmt::Display for PlaceTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} of {} games, {:.0} plies on average; 95 % intervals",
            self.games, self.planned, self.plies
        )?;
        writeln!(
            f,
            "{:<20} {:>5} {:>15} {:>7} {:>14} {:>6} {:>9} {:>5} {:>6}",
            "engine", "seats", "won %", "chance", "place", "taken", "conquests", "out %", "faults"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<20} {:>5} {:>15} {:>7.1} {:>14} {:>6.1} {:>9.2} {:>5.0} {:>6}",
                row.name,
                row.seats,
                row.won.text(PER_CENT, 1),
                row.chance * PER_CENT,
                row.place.text(1.0, 2),
                row.captures,
                row.conquests,
                row.fell * PER_CENT,
                row.faults
            )?;
        }
        let seats = Seat::ALL.map(|s| format!("{} {:.1}", s.name(), self.seats[s.index()]));
        writeln!(f, "wins by seat: {}", seats.join(", "))?;
        let endings = self.endings.iter().map(|(name, n)| format!("{name} {n}"));
        writeln!(f, "endings: {}", endings.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(line: &str, m: &str) -> Record {
        let mut record = Record::new(line.parse().unwrap());
        record.play(m.parse().unwrap()).unwrap();
        record
    }

    /// Qin takes Chu's general and has two kingdoms then; Han has taken most.
    const WON: &str = "5kG7pG5/19/19/19/19/18gG/19/19/19/wG8yE9/19/19/19/18bG/rG18/19/19/13oG5/\
        wR18 w wrobgpk 1234567 oy3 1000000 0 0";

    #[test]
    fn winners_then_the_living_then_the_fallen() {
        let line = WON.replace("oy3", "ob3,gb3,gk1");
        let game = game(&line, "a1a5");
        let found = standings(&game, None);
        let places: Vec<f64> = found.iter().map(|s| s.place).collect();
        // Qin, Chu (fell now), Han 3, Qi, Wei 4, Zhao, Yan.
        assert_eq!(places, [1.0, 7.0, 3.0, 5.0, 2.0, 5.0, 5.0]);
        assert_eq!(found[0].share, 1.0);
        assert!(found[1].fell && !found[2].fell);
    }

    #[test]
    fn who_breaks_the_game_off_is_last() {
        let line = WON
            .replace("oy3 1000000", "ob3 0000000")
            .replace("rG18", "r1G17");
        let line = line.replace("r1G17", "1rG17");
        let game = game(&line, "a1a2");
        let found = standings(&game, Some(Seat::HAN));
        assert_eq!(found[2].place, 7.0);
        assert_eq!(found[2].share, 0.0);
        let shares: f64 = found.iter().map(|s| s.share).sum();
        assert!((shares - 1.0).abs() < 1e-9);
    }

    #[test]
    fn means_have_error_bars() {
        assert!(Mean::of(&[1.0]).error.is_infinite());
        let mean = Mean::of(&[1.0, 0.0, 1.0, 0.0]);
        assert!((mean.value - 0.5).abs() < 1e-9);
        assert!((mean.error - 1.96 * (1.0_f64 / 12.0).sqrt()).abs() < 1e-9);
        assert_eq!(mean.text(100.0, 0), "50 +- 57");
    }
}
