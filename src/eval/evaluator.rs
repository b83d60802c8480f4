//! The evaluation that a search thread uses.

use super::classical;
use super::nnue::{Accumulators, Network};
use crate::board::{Move, Piece, Position};
use std::sync::Arc;

/// Follows the moves of a search and gives the value of its present position:
/// by a net, or by the classical terms where there is none.
pub struct Evaluator {
    accumulators: Option<Accumulators>,
}

impl Evaluator {
    /// For a search from `pos`.
    pub fn new(network: Option<&Arc<Network>>, pos: &Position) -> Self {
        Self {
            accumulators: network.map(|net| Accumulators::new(Arc::clone(net), pos)),
        }
    }

    /// Notes a move, before it is played.
    #[inline]
    pub fn push(&mut self, mv: Move, moved: Piece, captured: Option<Piece>) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.push(mv, moved, captured);
        }
    }

    /// Takes back the last move noted.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.pop();
        }
    }

    /// The value in points for the side to move of `pos`, to which the
    /// moves noted lead.
    pub fn evaluate(&mut self, pos: &Position) -> i32 {
        match &mut self.accumulators {
            Some(accumulators) => accumulators.evaluate(pos),
            None => classical::evaluate(pos),
        }
    }
}
