//! What a match keeps of a game: a line of JSON.

use super::config::SevenConfig;
use super::game::Played;
use crate::arena::journal::{Logged, Seconds};
use crate::arena::reason::Reason;
use crate::kingdoms::{Record, SEATS, Seat};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SevenGame {
    /// Its number, from 0.
    pub number: usize,
    /// The entrant on each seat, in turn order; `None` for a vacant seat.
    pub entrants: [Option<usize>; SEATS],
    /// The game as text.
    pub record: String,
    /// Seconds it took.
    pub seconds: Seconds,
    /// Where an engine misbehaved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultLine>,
}

/// A fault as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultLine {
    /// The letter of the seat.
    pub seat: char,
    /// The name of the fault.
    pub reason: Reason,
    /// The circumstances.
    pub detail: String,
}

impl SevenGame {
    /// What to keep of a game that was played.
    pub fn new(config: &SevenConfig, number: usize, played: Played, took: Duration) -> Self {
        let mut record = played.record;
        let start = *record.start();
        let entrants = Seat::ALL.map(|seat| config.entrant_at(number, &start, seat));
        let today = jiff::Timestamp::now().strftime("%Y.%m.%d").to_string();
        for (name, value) in [
            ("Event", config.event.clone()),
            ("Date", today),
            ("Round", (number + 1).to_string()),
        ] {
            record.set_tag(name, value);
        }
        for seat in Seat::ALL {
            let name = entrants[seat.index()]
                .map_or("", |entrant| &config.engines[config.entrants[entrant]].name);
            record.set_tag(seat.name(), name);
        }
        let fault = played.fault.map(|fault| FaultLine {
            seat: fault.seat.letter(),
            reason: fault.reason,
            detail: fault.detail,
        });
        if let Some(fault) = &fault {
            record.set_tag("End", format!("{} at {}", fault.reason, fault.seat));
        }
        Self {
            number,
            entrants,
            record: record.to_string(),
            seconds: Seconds(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
            fault,
        }
    }

    /// The game, `None` when the text is not one game.
    pub fn game(&self) -> Option<Record> {
        let mut games = Record::read_all(&self.record).ok()?;
        let game = games.pop()?;
        games.is_empty().then_some(game)
    }

    /// The seat at fault.
    pub fn seat_at_fault(&self) -> Option<Seat> {
        Seat::from_letter(self.fault.as_ref()?.seat)
    }
}

impl Logged for SevenGame {
    fn is_sound(&self) -> bool {
        let over = |game: Record| game.position().outcome().is_some() || self.fault.is_some();
        self.game().is_some_and(over)
    }
}
