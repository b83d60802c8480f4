//! When to stop thinking: the limits asked for, the time budget made of them,
//! and the flag that all threads of a search watch.

mod limits;
mod stop;

pub use limits::{Clock, Limits};
pub use stop::Stop;
