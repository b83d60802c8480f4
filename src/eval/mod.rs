//! A position as a number: centipawns for the side to move.

/// The neural network and its incremental evaluation.
pub mod nnue;
