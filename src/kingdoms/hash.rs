//! Hash keys of positions, computed by mixing instead of looked up: a table
//! of 7 x 10 x 361 keys would not stay in the nearest caches.

use super::piece::Content;
use super::{Position, Seat, Square};

const PIECE: u64 = 1 << 32;
const TURN: u64 = 2 << 32;
const CAPTURES: u64 = 3 << 32;
const COMMAND: u64 = 4 << 32;
const CONQUESTS: u64 = 5 << 32;
const PLAYERS: u64 = 6 << 32;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[inline(always)]
const fn mix(fact: u64) -> u64 {
    let z = fact.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a piece on a square.
#[inline(always)]
pub(super) fn piece(content: Content, square: Square) -> u64 {
    mix(PIECE | content.code() << 16 | square.cell() as u64)
}

/// The key of the seat to move.
#[inline(always)]
pub(super) fn turn(seat: Seat) -> u64 {
    mix(TURN | seat.index() as u64)
}

/// The key of one count of captures; a count of zero has none.
#[inline(always)]
pub(super) fn captures(by: Seat, of: Seat, count: u8) -> u64 {
    if count == 0 {
        return 0;
    }
    mix(CAPTURES | (by.index() as u64) << 16 | (of.index() as u64) << 8 | u64::from(count))
}

/// The key of who commands, who conquered and who plays.
fn realm(position: &Position) -> u64 {
    let mut key = 0;
    for seat in Seat::ALL {
        let index = (seat.index() as u64) << 8;
        let commander = position.commander(seat).map_or(7, |c| c.index() as u64);
        key ^= mix(COMMAND | index | commander);
        key ^= mix(CONQUESTS | index | u64::from(position.conquests(seat)));
        key ^= mix(PLAYERS | index | u64::from(position.player(seat)));
    }
    key
}

/// The key of a position, from scratch.
pub(super) fn of(position: &Position) -> u64 {
    let mut key = turn(position.turn) ^ realm(position);
    for kingdom in Seat::ALL {
        for &square in position.men(kingdom) {
            key ^= piece(position.board.content(square.cell()), square);
        }
        for by in Seat::ALL {
            key ^= captures(by, kingdom, position.captures(by, kingdom));
        }
    }
    key
}
