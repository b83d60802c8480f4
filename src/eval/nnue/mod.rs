//! The neural network that judges a position (NNUE, after Nasu 2018).
//!
//! `inputs -> hidden (one accumulator per side's view) -> one output`: the
//! first layer is kept up to date by the difference that a move makes, the
//! second is a dot product of the squared, clipped hidden values with the
//! weights of the bucket for the number of pieces. All of it is 16-bit integer
//! arithmetic and gives the same value on every processor.

mod accumulator;
mod embedded;
/// The inputs of the net, shared by the engine and the trainer.
pub mod features;
mod network;
/// The arithmetic, once per instruction set, equal to the last bit.
pub mod simd;

pub use accumulator::Accumulators;
pub use embedded::EMBEDDED_FILE;
pub use network::{EVAL_LIMIT, Network, NetworkError, Parameters, QA, QB};
