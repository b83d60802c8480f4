//! Counting the positions after n moves, the standard check of a move
//! generator.

use super::{Move, Position};

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

/// The same, split by first move. Depth 0 gives nothing.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let count = |m: Move| (m, perft(&position.after(m), below));
    position.legal_moves().into_iter().map(count).collect()
}
