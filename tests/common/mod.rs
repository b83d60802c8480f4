//! Positions to test on.

// Each test program uses a part of this module.
#![allow(dead_code)]

use chuhe::board::Position;

/// One step of SplitMix64: a small random source, the same in every run.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The positions of a game of random moves, the start included.
pub fn random_game(random: &mut Random, start: Position, plies: usize) -> Vec<Position> {
    let mut positions = vec![start];
    for _ in 0..plies {
        let pos = &positions[positions.len() - 1];
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        positions.push(pos.after(*random.pick(&moves)));
    }
    positions
}
