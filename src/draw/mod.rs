//! A board as text or SVG, and the parts of an HTML page. Pages are put
//! together elsewhere.

pub mod kingdoms;
pub mod page;
pub mod svg;
