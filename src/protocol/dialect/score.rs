//! Scores as text.

use super::Dialect;
use super::words::{Words, read_number};
use crate::search::Score;

/// UCCI has no word for a mate: so much less the plies to it is printed.
const UCCI_MATE: i64 = 30_000;
/// The longest mate that UCCI can tell from a score.
const UCCI_MATE_PLIES: i64 = 1_000;
/// The greatest UCCI score that is no mate.
const UCCI_MAX_CP: i64 = UCCI_MATE - UCCI_MATE_PLIES - 1;

/// The text after the word `score`.
pub fn write(dialect: Dialect, score: Score) -> String {
    if dialect.is_ucci() {
        return ucci(score).to_string();
    }
    match score {
        Score::Cp(cp) => format!("cp {cp}"),
        Score::MateIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Score::MatedIn(0) => "mate 0".to_owned(),
        Score::MatedIn(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}

/// The plain number of UCCI.
pub fn ucci(score: Score) -> i64 {
    let mate = |plies: u32| UCCI_MATE - i64::from(plies).min(UCCI_MATE_PLIES);
    match score {
        Score::Cp(cp) => i64::from(cp).clamp(-UCCI_MAX_CP, UCCI_MAX_CP),
        Score::MateIn(plies) => mate(plies),
        Score::MatedIn(plies) => -mate(plies),
    }
}

/// Takes the words after `score`: `cp N`, `mate N` or, in UCCI, `N`.
pub fn read(dialect: Dialect, words: &mut Words<'_>) -> Option<Score> {
    match words.peek()? {
        "cp" => {
            words.next();
            words.accept(read_number).map(centipawns)
        }
        "mate" => {
            words.next();
            words.accept(read_number).map(from_moves)
        }
        _ if dialect.is_ucci() => words.accept(read_number).map(from_ucci),
        _ => None,
    }
}

/// A plain UCCI number.
pub fn from_ucci(number: i64) -> Score {
    let plies = |n: i64| u32::try_from(UCCI_MATE.saturating_sub(n).max(0)).unwrap_or(0);
    match number {
        n if n > UCCI_MAX_CP => Score::MateIn(plies(n)),
        n if n < -UCCI_MAX_CP => Score::MatedIn(plies(n.saturating_neg())),
        n => centipawns(n),
    }
}

fn centipawns(number: i64) -> Score {
    let limit = i64::from(i32::MAX);
    Score::Cp(i32::try_from(number.clamp(-limit, limit)).unwrap_or(0))
}

/// Mate in so many moves, negative or 0 when being mated.
fn from_moves(moves: i64) -> Score {
    let plies = u32::try_from(moves.unsigned_abs().min(u64::from(u32::MAX / 2))).unwrap_or(0) * 2;
    if moves > 0 {
        Score::MateIn(plies - 1)
    } else {
        Score::MatedIn(plies)
    }
}
