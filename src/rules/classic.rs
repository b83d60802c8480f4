//! The fourth-repetition rules: perpetual check, checks interrupted only by
//! preparations of mate, and (in the Hong Kong reading) perpetual chase.

use super::chase::{Level, level};
use super::cycle::{Cycle, CyclePly};
use super::threats::mates_at_once;
use crate::board::Color;

/// The level in the reading of the PRC: a chase is permitted.
pub(super) fn level_prc(cycle: &Cycle, side: Color) -> Level {
    if checks_or_prepares_mate(cycle, side) {
        Level::Check
    } else {
        Level::Other
    }
}

/// The level in the Hong Kong reading: a chase, of whatever make, loses.
pub(super) fn level_hk(cycle: &Cycle, side: Color) -> Level {
    match level_prc(cycle, side) {
        Level::Other if level(cycle, side) > Level::Other => Level::Chase,
        level => level,
    }
}

/// Every move checks or prepares mate on the next move, and some check.
fn checks_or_prepares_mate(cycle: &Cycle, side: Color) -> bool {
    cycle.plies_of(side).any(|ply| ply.after.in_check()) && cycle.plies_of(side).all(forces)
}

fn forces(ply: CyclePly) -> bool {
    ply.after.in_check() || mates_at_once(ply.after, ply.before.side_to_move())
}
