//! Counting the leaves of the move tree, the standard test of move generation.

use super::Position;

/// The number of move sequences of `depth` plies, the last ply counted from
/// the list without playing it.
pub fn perft(pos: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return pos.count_legal_moves() as u64;
    }
    let moves = pos.legal_moves();
    let mut count = 0;
    for mv in moves {
        let undo = pos.make(mv);
        count += perft(pos, depth - 1);
        pos.unmake(mv, undo);
    }
    count
}
