//! A game of the log as PGN.

use super::arbiter::centipawns;
use super::config::MatchConfig;
use super::journal::GameRecord;
use crate::board::{Move, Position};
use crate::record::{NodeId, Record, pgn};
use crate::search::Score;

/// The game with its comments, as text with an empty line at the end; the
/// engines' comments are `{score/depth time}` as other match managers write
/// them, the score in pawns for the side that moved.
pub fn text(game: &GameRecord, config: &MatchConfig) -> String {
    let mut out = Vec::new();
    let record = record(game, config);
    match pgn::write(&mut out, &record, config.files.notation) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(error) => {
            log::error!("a game cannot be written as PGN: {error}");
            String::new()
        }
    }
}

fn record(game: &GameRecord, config: &MatchConfig) -> Record {
    let start = game.fen.parse().unwrap_or_else(|_| Position::startpos());
    let mut record = Record::new(start);
    let round = format!("{}.{}", game.fixture().pair() + 1, game.number % 2 + 1);
    let limits = game
        .fixture()
        .colors()
        .map(|engine| config.budget_of(engine).to_string());
    let limits = if limits[0] == limits[1] {
        limits[0].clone()
    } else {
        limits.join(" v ")
    };
    for (name, value) in [
        ("Event", config.event.clone()),
        ("Site", "?".to_owned()),
        ("Date", game.date.replace('-', ".")),
        ("Round", round),
        ("Red", game.red.clone()),
        ("Black", game.black.clone()),
        ("Result", game.result.clone()),
        ("Variant", "Xiangqi".to_owned()),
        ("TimeControl", limits),
        ("Rules", config.arbiter.rules.name().to_owned()),
        (
            "PlyCount",
            game.moves.split_whitespace().count().to_string(),
        ),
        ("Termination", game.reason.to_string()),
    ] {
        record.tags.set(name, value);
    }
    if !game.detail.is_empty() {
        record.tags.set("TerminationDetail", game.detail.clone());
    }
    add_moves(&mut record, game);
    record
}

fn add_moves(record: &mut Record, game: &GameRecord) {
    let mut node = NodeId::ROOT;
    for (i, word) in game.moves.split_whitespace().enumerate() {
        let Some(next) = word
            .parse::<Move>()
            .ok()
            .and_then(|mv| record.play(node, mv).ok())
        else {
            return;
        };
        node = next;
        record.node_mut(node).comment = match i.checked_sub(game.opening_plies) {
            None => "book".to_owned(),
            Some(i) => comment(game, i),
        };
    }
}

/// `+0.35/12 0.084s`; `?` for what the engine did not say.
fn comment(game: &GameRecord, i: usize) -> String {
    let score = game.score.get(i).copied().flatten();
    let depth = game.depth.get(i).copied().flatten();
    let seconds = game.ms.get(i).copied().unwrap_or(0) as f64 / 1000.0;
    let depth = depth.map_or("?".to_owned(), |depth| depth.to_string());
    format!(
        "{}/{depth} {seconds:.3}s",
        score.map_or("?".to_owned(), score_text)
    )
}

/// `+1.25`, or `+M5` for a mate in five plies.
pub fn score_text(score: i32) -> String {
    /// Every mate in fewer plies lies beyond.
    const LONGEST_MATE: u32 = 1000;
    let mate = centipawns(Score::MateIn(0));
    let plies = mate - score.abs();
    let sign = if score < 0 { '-' } else { '+' };
    if plies <= LONGEST_MATE as i32 {
        return format!("{sign}M{}", plies.max(0));
    }
    format!("{sign}{:.2}", f64::from(score.abs()) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_as_text() {
        for (score, text) in [
            (35, "+0.35"),
            (-1250, "-12.50"),
            (0, "+0.00"),
            (29_995, "+M5"),
            (-30_000, "-M0"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }
}
