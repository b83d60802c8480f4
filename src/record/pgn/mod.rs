//! Portable game notation as xiangqi programs write it.
//!
//! [`Reader`] goes through a file of any size game by game; [`write()`] writes
//! one. Read are Chinese and Western tags, moves in every notation of
//! [`crate::notation`], variations and comments in all brackets in use.

mod read;
mod stream;
mod text;
mod write;

pub use read::read_game;
pub(super) use read::read_game_from;
pub use stream::Reader;
pub use write::write;
