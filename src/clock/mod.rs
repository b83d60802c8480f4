//! When to stop thinking: the limits asked for, the time budget made of them,
//! and the flag that all threads of a search watch.

mod budget;
mod limits;
mod stop;

pub use budget::{Budget, BudgetSettings, less_overhead};
pub use limits::{Clock, Limits};
pub use stop::Stop;
