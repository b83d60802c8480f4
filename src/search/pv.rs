//! The principal variations of a search, in a triangle: that of each ply is a
//! move and the variation of the ply below.

use super::score::MAX_PLY;
use crate::board::Move;

/// The principal variation found below each ply.
pub struct PvTable {
    moves: Box<[[Move; MAX_PLY + 1]; MAX_PLY + 1]>,
    len: [usize; MAX_PLY + 2],
}

impl PvTable {
    pub fn new() -> Self {
        Self {
            moves: Box::new([[Move::NULL; MAX_PLY + 1]; MAX_PLY + 1]),
            len: [0; MAX_PLY + 2],
        }
    }

    pub fn clear(&mut self, ply: usize) {
        self.len[ply] = ply;
    }

    /// `mv`, then the variation of the child, is the variation of `ply`.
    pub fn set(&mut self, ply: usize, mv: Move) {
        let end = self.len[ply + 1].max(ply + 1);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][ply] = mv;
        if let Some(child) = lower.first() {
            upper[ply][ply + 1..end].copy_from_slice(&child[ply + 1..end]);
        }
        self.len[ply] = end;
    }
    /// The variation of the root's child after the move made there.
    pub fn line(&self) -> Vec<Move> {
        self.moves[0][..self.len[0]].to_vec()
    }
}
