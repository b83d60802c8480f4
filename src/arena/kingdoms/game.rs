//! One game of seven seats.

use super::config::SevenConfig;
use super::player::{SevenPlayer, Thought};
use crate::arena::process::{Fault, Trouble};
use crate::arena::reason::Reason;
use crate::kingdoms::{Record, SEATS, Seat};
use std::time::Duration;

/// A finished game.
#[derive(Debug)]
pub struct Played {
    /// The start, the moves, each with its score, depth and time.
    pub record: Record,
    /// Where an engine misbehaved: the game was broken off.
    pub fault: Option<SeatFault>,
}

/// Who misbehaved, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatFault {
    /// The seat.
    pub seat: Seat,
    /// The name of it.
    pub reason: Reason,
    /// The circumstances, with the last lines the engine wrote.
    pub detail: String,
}

/// The match was ended in mid-game: the game does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aborted;

/// Plays a game to its end, or until an engine misbehaves.
///
/// # Errors
/// [`Aborted`] when the match was ended.
pub fn play(
    config: &SevenConfig,
    game: usize,
    players: &mut [SevenPlayer; SEATS],
) -> Result<Played, Aborted> {
    let start = config.start(game);
    let mut record = Record::new(start);
    let fault = run(config, game, players, &mut record);
    match fault {
        Ok(()) => Ok(Played {
            record,
            fault: None,
        }),
        Err((seat, trouble)) => {
            let Trouble::Fault(Fault { reason, detail }) = trouble else {
                return Err(Aborted);
            };
            let player = &mut players[seat.index()];
            let last = player.tail().pop().unwrap_or_default();
            player.kill();
            let detail = format!("{detail}; its last line: `{last}`");
            let fault = SeatFault {
                seat,
                reason,
                detail,
            };
            Ok(Played {
                record,
                fault: Some(fault),
            })
        }
    }
}

/// The seat at fault and what it did.
type SeatTrouble = (Seat, Trouble);

fn run(
    config: &SevenConfig,
    game: usize,
    players: &mut [SevenPlayer; SEATS],
    record: &mut Record,
) -> Result<(), SeatTrouble> {
    for seat in Seat::ALL {
        if record.start().player(seat) != 0 {
            let player = &mut players[seat.index()];
            player.prepare(&config.rules).map_err(|t| (seat, t))?;
        }
    }
    let start = *record.start();
    while let Some(seat) = record.position().turn() {
        let Some(entrant) = config.entrant_at(game, &start, seat) else {
            return Ok(());
        };
        let budget = config.budget_of(config.entrants[entrant]);
        let thought = players[seat.index()]
            .think(&start, record.moves(), &budget)
            .map_err(|t| (seat, t))?;
        take(record, &thought).map_err(|t| (seat, t))?;
    }
    Ok(())
}

/// Plays the move of an engine.
fn take(record: &mut Record, thought: &Thought) -> Result<(), Trouble> {
    let text = &thought.text;
    if text == "(none)" {
        return Err(Trouble::fault(
            Reason::NoMove,
            "it says that it has no move",
        ));
    }
    let m = text.parse();
    let m = m.map_err(|_| Trouble::fault(Reason::Garbage, format!("bestmove `{text}`")))?;
    let played = record.play(m);
    played.map_err(|error| Trouble::fault(Reason::IllegalMove, error.to_string()))?;
    record.comment(&comment(thought));
    Ok(())
}

/// `-1.79/3 0.100s`: score, depth and time; `?` for what was not said.
fn comment(thought: &Thought) -> String {
    let score = thought
        .score
        .map_or("?".to_owned(), |s| format!("{:+.2}", f64::from(s) / 100.0));
    let depth = thought.depth.map_or("?".to_owned(), |d| d.to_string());
    let time: Duration = thought.used;
    format!("{score}/{depth} {:.3}s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kingdoms::{Options, Position};

    #[test]
    fn moves_are_taken_and_faults_named() {
        let mut record = Record::new(Position::start(Options::ENGLISH));
        let thought = |text: &str| Thought {
            text: text.to_owned(),
            score: Some(-179),
            ..Thought::default()
        };
        take(&mut record, &thought("a13b15")).unwrap();
        assert_eq!(record.comments()[0], "-1.79/? 0.000s");
        for (text, reason) in [
            ("a13b15", Reason::IllegalMove),
            ("h2", Reason::Garbage),
            ("(none)", Reason::NoMove),
        ] {
            match take(&mut record, &thought(text)) {
                Err(Trouble::Fault(fault)) => assert_eq!(fault.reason, reason),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(record.moves().len(), 1);
    }
}
