//! Random numbers that make up the key of a position.

use super::{Color, Piece, SQUARES, Square};

struct Keys {
    piece: [[u64; SQUARES]; Piece::COUNT],
    black_to_move: u64,
}

static KEYS: Keys = make_keys();

/// One step of SplitMix64 (Steele, Lea, Flood 2014).
const fn splitmix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

const fn make_keys() -> Keys {
    let mut piece = [[0; SQUARES]; Piece::COUNT];
    let mut state = 0x6368_7568_6500_0001;
    let mut i = 0;
    while i < Piece::COUNT * SQUARES {
        (state, piece[i / SQUARES][i % SQUARES]) = splitmix(state);
        i += 1;
    }
    Keys {
        piece,
        black_to_move: splitmix(state).1,
    }
}

/// The number of a piece on a square.
#[inline(always)]
pub fn piece_key(piece: Piece, sq: Square) -> u64 {
    KEYS.piece[piece.index()][sq.index()]
}

/// The number of a side to move.
#[inline(always)]
pub fn side_key(color: Color) -> u64 {
    if color == Color::Red {
        0
    } else {
        KEYS.black_to_move
    }
}
