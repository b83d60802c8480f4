//! In which order moves are tried.

use super::piece::Content;
use super::square::CELLS;
use super::weights::GAIN;
use super::{Kind, Move, Position, Seat};

/// A move with its rank in the order; higher comes first. At the root a move
/// that turned out best has its score for a rank.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub(super) rank: i32,
    pub(super) seat: Seat,
    pub(super) m: Move,
    pub(super) is_capture: bool,
}

impl Ranked {
    /// A move of which nothing is known.
    pub(super) fn plain(seat: Seat, m: Move) -> Self {
        Self {
            rank: 0,
            seat,
            m,
            is_capture: false,
        }
    }
}

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 24;
const LIVING_GENERAL: i32 = 1 << 16;
const GAIN_UNIT: f32 = 256.0;
const ATTACKER_UNIT: f32 = 8.0;
/// The history is halved when a count passes this.
const HISTORY_MAX: i32 = 1 << 20;

/// Pieces by what they are and where they go.
const CODES: usize = 128;

/// How often quiet moves turned out best, by piece and destination.
pub(super) struct History {
    counts: Vec<i32>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            counts: vec![0; CODES * CELLS],
        }
    }

    /// Forgets half of everything, before a new search.
    pub(super) fn fade(&mut self) {
        self.counts.iter_mut().for_each(|c| *c /= 2);
    }

    #[inline]
    fn index(piece: Content, m: Move) -> usize {
        (piece.code() as usize & (CODES - 1)) * CELLS + m.to.cell()
    }

    /// Notes that a quiet move was best in a search of this depth.
    pub(super) fn reward(&mut self, position: &Position, m: Move, depth: u32) {
        let piece = position.board.content(m.from.cell());
        let count = &mut self.counts[Self::index(piece, m)];
        *count += (depth * depth + 1) as i32;
        if *count > HISTORY_MAX {
            self.fade();
        }
    }
}

/// What a move takes and which moves to list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    Captures,
}

/// Adds the moves of a seat to `moves`, ranked.
pub(super) fn rank_moves(
    position: &Position,
    seat: Seat,
    which: Which,
    history: &History,
    moves: &mut Vec<Ranked>,
) {
    position.visit_moves(seat, |from, to, target| {
        let m = Move { from, to };
        let is_capture = !target.is_empty();
        if is_capture || which == Which::All {
            let piece = position.board.content(from.cell());
            let rank = if is_capture {
                capture_rank(position, piece, target)
            } else {
                history.counts[History::index(piece, m)]
            };
            moves.push(Ranked {
                rank,
                seat,
                m,
                is_capture,
            });
        }
        true
    });
}

/// Generals first, then the most valuable victim, the least valuable attacker.
fn capture_rank(position: &Position, piece: Content, target: Content) -> i32 {
    let victim = target.kind_number();
    let kingdom = target.piece().and_then(super::Piece::kingdom);
    let lives = kingdom.is_some_and(|k| position.is_alive(k));
    if victim == Kind::General as usize && lives {
        return CAPTURE + LIVING_GENERAL;
    }
    let gain = GAIN[victim - 1] * GAIN_UNIT;
    let risk = GAIN[piece.kind_number() - 1] * ATTACKER_UNIT;
    CAPTURE + (gain - risk) as i32
}

/// Puts the moves in order, the move from the table first.
pub(super) fn sort(moves: &mut [Ranked], first: Option<Move>) {
    for ranked in moves.iter_mut() {
        if Some(ranked.m) == first {
            ranked.rank = TABLE_MOVE;
        }
    }
    moves.sort_unstable_by_key(|r| (-r.rank, r.m));
}
