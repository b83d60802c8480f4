//! A position as a number: the hand-made terms (fallback, readable trace),
//! the NNUE net, and the chances of win, draw and loss behind a value.

pub mod classical;
mod evaluator;
pub mod nnue;
pub mod wdl;

pub use evaluator::Evaluator;
