//! A game and limits in, the best move and a stream of reports out.

mod engine;
mod report;

pub use engine::{Engine, Probe, Settings};
pub use report::{Bound, Line, Outcome, Report, Score};
