//! What the GUI is told.

use crate::kingdoms::{Move, Position, Report, Seat, Values, evaluate};
use std::fmt::Write;

/// The `info` line of an iteration: the score is the mover's, in hundredths of
/// log odds of winning (0 is an even chance).
pub fn info(report: &Report) -> String {
    let millis = report.time.as_millis();
    let nps = u128::from(report.nodes) * 1000 / millis.max(1);
    let pv: Vec<String> = report.pv.iter().map(Move::to_string).collect();
    format!(
        "info depth {} score cp {} nodes {} nps {nps} time {millis} hashfull {} pv {}",
        report.depth,
        report.score,
        report.nodes,
        report.hashfull,
        pv.join(" ")
    )
}

/// The chances of all living seats, as `info string`.
pub fn chances(position: &Position, values: &Values) -> String {
    let mut line = "info string chances".to_owned();
    for seat in Seat::ALL {
        if position.is_alive(seat) && position.player(seat) != 0 {
            let chance = values[position.team(seat) as usize - 1] * 100.0;
            let _ = write!(line, " {seat} {chance:.1}%");
        }
    }
    line
}

/// The answer to `go`.
pub fn best_move(best: Option<Move>) -> String {
    match best {
        Some(m) => format!("bestmove {m}"),
        None => "bestmove (none)".to_owned(),
    }
}

/// The answer to `d`.
pub fn display(position: &Position) -> String {
    let state = match (position.turn(), position.outcome()) {
        (Some(seat), _) => format!("{} (player {}) to move", seat.name(), position.player(seat)),
        (None, Some(outcome)) => outcome.to_string(),
        (None, None) => String::new(),
    };
    format!(
        "{}\n\nFen: {position}\nKey: {:016X}\n{state}",
        position.diagram(),
        position.key()
    )
}

/// The answer to `eval`.
pub fn evaluation(position: &Position) -> String {
    match position.outcome() {
        Some(outcome) => format!("info string {outcome}"),
        None => chances(position, &evaluate(position)),
    }
}
