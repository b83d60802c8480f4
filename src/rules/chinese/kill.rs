//! Threats of mate: by an unbroken series of checks.

use crate::board::{Move, Position};

/// Own moves looked ahead. Of the moves that the book calls kills a quarter
/// need four.
pub(super) const KILL_MOVES: u32 = 4;
/// Positions looked at before the search gives up.
const NODE_LIMIT: u32 = 60_000;

/// With more legal moves than this no side loses them all by one quiet move.
const CRAMPED: usize = 24;

/// The first move of a mate by checks of the side to move in `moves` own
/// moves at most (the mating move may be a capture), `None` when there is
/// none or it is not found in time.
pub(super) fn mate_by_checks(pos: &Position, moves: u32) -> Option<Move> {
    (1..=moves).find_map(|depth| {
        let mut search = MateSearch { nodes: 0 };
        search.attack(pos, depth)
    })
}

struct MateSearch {
    nodes: u32,
}

impl MateSearch {
    fn attack(&mut self, pos: &Position, moves: u32) -> Option<Move> {
        let all = pos.legal_moves();
        let cramped = is_cramped(pos);
        all.into_iter().find(|&mv| {
            self.nodes += 1;
            self.nodes < NODE_LIMIT && self.mates_by(pos, mv, moves, cramped)
        })
    }

    /// Whether a move mates; one without check only where the other side is
    /// `cramped`.
    fn mates_by(&mut self, pos: &Position, mv: Move, moves: u32, cramped: bool) -> bool {
        if !pos.gives_check(mv) {
            return cramped && !pos.after(mv).has_legal_move();
        }
        let next = pos.after(mv);
        let replies = next.legal_moves();
        replies.is_empty()
            || moves > 1
                && replies
                    .into_iter()
                    .all(|reply| self.attack(&next.after(reply), moves - 1).is_some())
    }
}

/// Whether the other side has so few moves that one without check may leave
/// it none at all.
fn is_cramped(pos: &Position) -> bool {
    if pos.in_check() {
        return true;
    }
    let mut turned = pos.clone();
    turned.make_null();
    turned.legal_moves().len() <= CRAMPED
}
