//! A diagram as pixels.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt;

/// The widest picture in pixels.
pub const MOST_PIXELS: u32 = 8192;

/// Why a picture was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PngError {
    /// The width is 0 or too large.
    Width(u32),
    /// The SVG cannot be drawn.
    Svg(String),
}

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Width(width) => {
                write!(f, "width {width}: expected 1 to {MOST_PIXELS} pixels")
            }
            Self::Svg(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for PngError {}

/// The bytes of a PNG file of a diagram's SVG, so many pixels wide.
///
/// # Errors
/// When the width makes no sense or the SVG is none.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    if !(1..=MOST_PIXELS).contains(&width) {
        return Err(PngError::Width(width));
    }
    let tree = Tree::from_str(svg, &Options::default());
    let tree = tree.map_err(|error| PngError::Svg(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Width(width))?;
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PngError::Svg(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::Diagram;
    use super::*;
    use crate::board::Position;

    #[test]
    fn the_size_and_the_colours_are_right() {
        let svg = Diagram::new(Position::startpos()).svg();
        let bytes = png(&svg, 488).unwrap();
        let pixels = Pixmap::decode_png(&bytes).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (488, 538));
        // Wood at the river's edge, the face of a piece beside its character.
        let colour = |x, y| {
            let p = pixels.pixel(x, y).unwrap();
            (p.red(), p.green(), p.blue())
        };
        assert_eq!(colour(70, 269), (0xf3, 0xdc, 0xae));
        assert_eq!(colour(244, 511), (0xfd, 0xf4, 0xde));
        assert_eq!(png(&svg, 0), Err(PngError::Width(0)));
        assert!(matches!(png("no", 10), Err(PngError::Svg(_))));
    }
}
