//! Who plays whom, in which order, with which colour and opening.

use std::fmt;
use std::str::FromStr;

/// The form of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Everybody against everybody; with two engines, head to head.
    #[default]
    RoundRobin,
    /// The first engine against each of the others.
    Gauntlet,
}

/// A text that is no form of tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError(String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected round-robin or gauntlet", self.0)
    }
}

impl std::error::Error for FormatError {}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            _ => Err(FormatError(text.to_owned())),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        })
    }
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fixture {
    /// The engine that has Red in the first game of each pair.
    pub first: usize,
    /// The other engine.
    pub second: usize,
    /// The number of the game between these two, from 0. Two games, an even
    /// one and the next, make a pair: the same opening, colours reversed.
    pub number: usize,
}

impl Fixture {
    /// The number of the pair between the two engines, which is the number of
    /// its opening too.
    pub const fn pair(self) -> usize {
        self.number / 2
    }

    /// The engines of Red and Black.
    pub const fn colors(self) -> [usize; 2] {
        if self.number.is_multiple_of(2) {
            [self.first, self.second]
        } else {
            [self.second, self.first]
        }
    }
}

/// All games, in the order of play: cycle by cycle, in each cycle pair by
/// pair through all meetings, so that a tournament that is cut short has seen
/// every meeting about as often.
///
/// `games` is the number of games of each meeting in a cycle.
pub fn schedule(format: Format, engines: usize, games: usize, cycles: usize) -> Vec<Fixture> {
    let meetings = meetings(format, engines);
    let mut fixtures = Vec::with_capacity(meetings.len() * games * cycles);
    for cycle in 0..cycles {
        for pair in (0..games).step_by(2) {
            for &(first, second) in &meetings {
                for game in pair..games.min(pair + 2) {
                    fixtures.push(Fixture {
                        first,
                        second,
                        // A half pair at the end of a cycle stays alone.
                        number: cycle * games.next_multiple_of(2) + game,
                    });
                }
            }
        }
    }
    fixtures
}

/// The meetings of a cycle.
pub fn meetings(format: Format, engines: usize) -> Vec<(usize, usize)> {
    match format {
        Format::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
        Format::RoundRobin => round_robin(engines),
    }
}

/// The circle method: one player stays, the others move round it, so that
/// each round has everybody once.
fn round_robin(engines: usize) -> Vec<(usize, usize)> {
    let seats = engines.next_multiple_of(2);
    let mut meetings = Vec::new();
    for round in 0..seats.saturating_sub(1) {
        let at = |seat: usize| match seat {
            0 => 0,
            _ => 1 + (seat - 1 + round) % (seats - 1),
        };
        for seat in 0..seats / 2 {
            let (a, b) = (at(seat), at(seats - 1 - seat));
            let (first, second) = (a.min(b), a.max(b));
            // With an odd number one seat is empty.
            if second < engines {
                meetings.push((first, second));
            }
        }
    }
    meetings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn everybody_meets_everybody_once() {
        for engines in 0..9 {
            let meetings = round_robin(engines);
            let distinct: HashSet<_> = meetings.iter().collect();
            assert_eq!(meetings.len(), engines * engines.saturating_sub(1) / 2);
            assert_eq!(distinct.len(), meetings.len());
            assert!(meetings.iter().all(|(a, b)| a < b && *b < engines));
        }
    }

    #[test]
    fn each_round_has_everybody_once() {
        for round in round_robin(6).chunks(3) {
            let players: HashSet<_> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
            assert_eq!(players.len(), 6);
        }
    }

    #[test]
    fn games_come_in_pairs_with_colours_reversed() {
        let fixtures = schedule(Format::RoundRobin, 3, 4, 2);
        assert_eq!(fixtures.len(), 3 * 4 * 2);
        assert_eq!(
            fixtures.iter().collect::<HashSet<_>>().len(),
            fixtures.len()
        );
        for pair in fixtures.chunks(2) {
            assert_eq!(pair[0].pair(), pair[1].pair());
            let [red, black] = pair[0].colors();
            assert_eq!(pair[1].colors(), [black, red]);
        }
        // The first six games are the three meetings.
        let first: HashSet<_> = fixtures[..6].iter().map(|f| (f.first, f.second)).collect();
        assert_eq!(first.len(), 3);
    }

    #[test]
    fn an_odd_number_of_games_leaves_half_a_pair() {
        let fixtures = schedule(Format::Gauntlet, 3, 3, 2);
        assert_eq!(fixtures.len(), 12);
        assert!(fixtures.iter().all(|f| f.first == 0));
        let numbers: Vec<usize> = fixtures
            .iter()
            .filter(|f| f.second == 1)
            .map(|f| f.number)
            .collect();
        assert_eq!(numbers, [0, 1, 2, 4, 5, 6]);
    }

    #[test]
    fn more_games_keep_the_ones_there_are() {
        let (few, many) = (
            schedule(Format::default(), 2, 4, 1),
            schedule(Format::default(), 2, 10, 1),
        );
        assert_eq!(many[..4], few);
    }
}
