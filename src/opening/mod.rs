//! Where games begin: screened start positions for matches.

mod screen;

pub use screen::{Screen, ScreenError, Screened, canonical_key, screened_from_line};
