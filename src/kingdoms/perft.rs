//! Counting the positions after n moves, the standard check of a move
//! generator.

use super::{Move, Position};
use crate::clock::Stop;

/// The number of positions after `depth` moves. A game that ends earlier adds
/// nothing; a skipped kingdom costs no depth.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let below = |m: &Move| perft(&position.after(*m), depth - 1);
            position.legal_moves().iter().map(below).sum()
        }
    }
}

/// The greatest depth that anybody may ask for: far beyond what can be counted,
/// and within the stack.
pub const MOST_PLIES: u32 = 64;

/// From this depth on a count is long enough to look at the stop flag.
const LONG: u32 = 3;

/// The same, given up when `stop` is raised; what is counted then is of no use.
pub fn perft_until(position: &Position, depth: u32, stop: &Stop) -> u64 {
    if depth < LONG {
        return perft(position, depth);
    }
    let moves = position.legal_moves().into_iter();
    let moves = moves.take_while(|_| !stop.is_stopped());
    moves
        .map(|m| perft_until(&position.after(m), depth - 1, stop))
        .sum()
}

/// The same, split by first move. Depth 0 gives nothing.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let count = |m: Move| (m, perft(&position.after(m), below));
    position.legal_moves().into_iter().map(count).collect()
}
