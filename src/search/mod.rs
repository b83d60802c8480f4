//! A game and limits in, the best move and a stream of reports out.
//!
//! Inside: `engine -> root -> negamax -> quiescence`; the leaf asks `eval`,
//! `rules::repetition` is asked for a verdict, `clock` says when to stop.

mod crew;
mod engine;
mod history;
mod learning;
mod memory;
mod move_loop;
mod negamax;
mod node;
mod params;
mod picker;
mod pruning;
mod pv;
mod quiescence;
mod report;
mod root;
mod score;
mod skill;
mod stopping;
mod structure;
mod table;
mod threats;
mod values;
mod worker;

pub use engine::{Engine, MOST_THREADS, Probe, Settings};
pub use memory::Memory;
pub use params::{ParamInfo, Params};
pub use report::{Bound, Line, Outcome, Report, Score};
pub use score::{Value, below_mates, is_mate};
pub use skill::{ELO_RANGE, FULL_SKILL};
