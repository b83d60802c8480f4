//! A board as SVG or PNG, and the parts of an HTML page. Pages are put
//! together elsewhere.

mod diagram;
pub mod glyphs;
pub mod kingdoms;
pub mod page;
mod png;
pub mod svg;

pub use diagram::{Coordinates, Diagram, NameError, Paint, Symbols, board};
pub use png::{MOST_PIXELS, PngError, png};
