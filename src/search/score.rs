//! Values inside the search, and what they mean outside.
//!
//! Evaluations are in points (see `eval::wdl`, which turns them into the
//! centipawns that users see); so are the margins of the search.
//!
//! From the top: wins by a rule count down from [`RULE_WIN`] by the plies to
//! the ruling; mates count down from [`MATE`] by the plies to the mate;
//! evaluations stay within [`EVAL_LIMIT`]. The ranges do not touch, so a value
//! tells what it is.
//!
//! A win by rule stands above a mate because nothing is worse for the loser: a
//! mate still has to be found over the board. Users see it as centipawns far
//! below a mate.

use super::report::Score;
use crate::eval::wdl::centipawns;

/// A value in points for the side to move.
pub type Value = i32;

/// Greatest distance from the root in plies.
pub const MAX_PLY: usize = 128;
/// Above every value.
pub const INFINITE: Value = 32_000;
/// The value of a mate on the board, for the winner.
pub const MATE: Value = 30_000;
/// Values from here up are mates or wins by rule.
pub const MATE_BOUND: Value = MATE - 2 * MAX_PLY as Value;
/// The value of a win by a rule (perpetual check, perpetual chase).
pub const RULE_WIN: Value = 31_500;
/// What the user sees of [`RULE_WIN`], in centipawns.
const RULE_WIN_SHOWN: Value = 20_000;
/// Evaluations are cut to this size.
pub const EVAL_LIMIT: Value = 15_000;
/// The value of a draw.
pub const DRAW: Value = 0;

/// The value of being mated `ply` plies from the root.
#[inline(always)]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Whether a value is a mate, for either side.
#[inline(always)]
pub const fn is_mate(value: Value) -> bool {
    let size = value.abs();
    MATE_BOUND <= size && size <= MATE
}

/// Whether a value is decided by mate or rule, for either side.
#[inline(always)]
pub const fn is_decisive(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether a value is a win by rule, for either side. Such values depend on
/// the moves that led to the position.
#[inline(always)]
pub const fn is_rule(value: Value) -> bool {
    value.abs() > MATE
}

/// A value counted from the root as one counted from the node at `ply`, for
/// the table.
#[inline(always)]
pub const fn to_table(value: Value, ply: usize) -> Value {
    shift_mate(value, ply as Value)
}

/// The inverse of [`to_table`].
#[inline(always)]
pub const fn from_table(value: Value, ply: usize) -> Value {
    shift_mate(value, -(ply as Value))
}

const fn shift_mate(value: Value, plies: Value) -> Value {
    if is_mate(value) {
        value + plies * value.signum()
    } else {
        value
    }
}

/// A value as files of games keep it: wins by rule are below mates.
pub const fn below_mates(value: Value) -> Value {
    if is_rule(value) {
        value.signum() * (RULE_WIN_SHOWN - RULE_WIN) + value
    } else {
        value
    }
}

/// A value at the root as the user reads it. Wins by rule, and mates whose
/// line is not known, are beyond the scale of evaluations and told as they
/// are.
pub const fn to_score(value: Value) -> Score {
    if is_mate(value) && value > 0 {
        Score::MateIn((MATE - value) as u32)
    } else if is_mate(value) {
        Score::MatedIn((MATE + value) as u32)
    } else if value.abs() > EVAL_LIMIT {
        Score::Cp(below_mates(value))
    } else {
        Score::Cp(centipawns(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_values_round_trip() {
        for value in [0, 57, -300, RULE_WIN - 3, MATE - 5, mated_in(8), -RULE_WIN] {
            assert_eq!(from_table(to_table(value, 4), 4), value);
        }
        assert_eq!(to_table(MATE - 5, 4), MATE - 1);
    }

    #[test]
    fn ranges_do_not_touch() {
        assert!(!is_decisive(EVAL_LIMIT) && is_rule(RULE_WIN) && !is_mate(RULE_WIN));
        assert!(is_mate(mated_in(MAX_PLY)) && !is_rule(MATE));
        assert_eq!(to_score(MATE - 1), Score::MateIn(1));
        assert_eq!(to_score(mated_in(2)), Score::MatedIn(2));
        assert_eq!(to_score(RULE_WIN - 3), Score::Cp(RULE_WIN_SHOWN - 3));
        assert_eq!(to_score(3 - RULE_WIN), Score::Cp(3 - RULE_WIN_SHOWN));
    }

    #[test]
    fn scores_keep_the_order_of_values_up_to_the_mates() {
        let cp = |value| match to_score(value) {
            Score::Cp(cp) => cp,
            other => panic!("{other:?}"),
        };
        assert_eq!((cp(DRAW), cp(EVAL_LIMIT)), (0, centipawns(EVAL_LIMIT)));
        for value in 0..MATE_BOUND - 1 {
            assert!(cp(value) <= cp(value + 1), "{value}");
            assert_eq!(cp(-value), -cp(value));
        }
        assert_eq!(cp(MATE_BOUND - 1), MATE_BOUND - 1);
        assert!(cp(EVAL_LIMIT) < cp(RULE_WIN - MAX_PLY as Value));
    }
}
