//! Engines as child processes, games between them, matches and tournaments,
//! and what the results say.

pub mod stats;
