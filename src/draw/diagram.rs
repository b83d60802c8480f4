//! A position as a picture that needs nothing else: no fonts, no style sheet.

use super::glyphs::{UNITS, outline, river, symbol};
use super::svg::{CELL, HEIGHT, MARGIN, PIECE, WIDTH, lines};
use crate::board::{Color, FILES, Move, Piece, Position, RANKS, Square};
use std::fmt::{self, Write};
use std::str::FromStr;

/// What stands on the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    /// Simplified Chinese characters.
    #[default]
    Chinese,
    /// Traditional Chinese characters.
    Traditional,
    /// Pictures, for those who do not read Chinese.
    Western,
}

impl Symbols {
    /// All styles.
    pub const ALL: [Self; 3] = [Self::Chinese, Self::Traditional, Self::Western];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chinese => "chinese",
            Self::Traditional => "traditional",
            Self::Western => "western",
        }
    }
}

/// What stands at the rim of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinates {
    /// Nothing.
    None,
    /// Letters and ranks from 0, as in ICCS.
    Iccs,
    /// The numbers of the files, as in Chinese notation and WXF: each side
    /// counts from its right.
    Files,
}

impl Coordinates {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::None, Self::Iccs, Self::Files];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Iccs => "iccs",
            Self::Files => "files",
        }
    }
}

/// A colour of arrows and marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    /// The usual one.
    #[default]
    Green,
    /// For mistakes and threats.
    Red,
    /// For what was played.
    Blue,
    /// For the rest.
    Yellow,
}

impl Paint {
    /// All colours.
    pub const ALL: [Self; 4] = [Self::Green, Self::Red, Self::Blue, Self::Yellow];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Yellow => "yellow",
        }
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Green => "#15803d",
            Self::Red => "#c81e1e",
            Self::Blue => "#1d4ed8",
            Self::Yellow => "#d99a00",
        }
    }
}

/// A text that is none of the names expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameError {
    text: String,
    expected: String,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected one of {}", self.text, self.expected)
    }
}

impl std::error::Error for NameError {}

fn by_name<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, NameError> {
    let found = all.iter().copied().find(|value| name(*value) == text);
    found.ok_or_else(|| NameError {
        text: text.to_owned(),
        expected: all
            .iter()
            .map(|value| name(*value))
            .collect::<Vec<_>>()
            .join(", "),
    })
}

impl FromStr for Symbols {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        by_name(text, &Self::ALL, Self::name)
    }
}

impl FromStr for Coordinates {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        by_name(text, &Self::ALL, Self::name)
    }
}

impl FromStr for Paint {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        by_name(text, &Self::ALL, Self::name)
    }
}

/// A diagram of a position.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::draw::{Diagram, Paint, Symbols};
///
/// let diagram = Diagram {
///     arrows: vec![("h2e2".parse()?, Paint::Green)],
///     symbols: Symbols::Western,
///     ..Diagram::new(Position::startpos())
/// };
/// let svg = diagram.svg();
/// assert!(svg.starts_with("<svg xmlns=") && !svg.contains("<text"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The position.
    pub position: Position,
    /// The move that led to it, to be marked.
    pub last: Option<Move>,
    /// Arrows from square to square.
    pub arrows: Vec<(Move, Paint)>,
    /// Rings around squares.
    pub marks: Vec<(Square, Paint)>,
    /// What stands on the pieces.
    pub symbols: Symbols,
    /// What stands at the rim.
    pub coordinates: Coordinates,
    /// The side that is below.
    pub below: Color,
}

const WOOD: &str = "#f3dcae";
const INK: &str = "#5c3d1e";
const LAST_MOVE: &str = "#1d6fd8";
const PIECE_FACE: &str = "#fdf4de";
const PIECE_EDGE: &str = "#7a5327";
const RED: &str = "#b3201a";
const BLACK: &str = "#1c1c1c";

/// Height of a character on a piece, and of a picture, in units of the page.
const CHARACTER_SIZE: f64 = 29.0;
const PICTURE_SIZE: f64 = 34.0;
const RIVER_SIZE: f64 = 27.0;
const RIM_SIZE: f64 = 13.0;
/// From the edge of the picture to the middle of the letters at the rim.
const RIM: f64 = 11.0;

impl Diagram {
    /// A plain diagram, Red below.
    pub const fn new(position: Position) -> Self {
        Self {
            position,
            last: None,
            arrows: Vec::new(),
            marks: Vec::new(),
            symbols: Symbols::Chinese,
            coordinates: Coordinates::Files,
            below: Color::Red,
        }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\">\n"
        );
        out += &board(self.symbols);
        self.rim(&mut out);
        self.last_move(&mut out);
        for square in self.position.occupied() {
            if let Some(piece) = self.position.piece_on(square) {
                self.piece(&mut out, piece, square);
            }
        }
        for (square, paint) in &self.marks {
            let (x, y) = self.point(*square);
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{PIECE}\" fill=\"none\" stroke=\"{}\" \
                 stroke-width=\"4\"/>",
                paint.code()
            );
        }
        for (mv, paint) in &self.arrows {
            self.arrow(&mut out, *mv, *paint);
        }
        out + "</svg>\n"
    }

    /// The middle of a square in the picture.
    fn point(&self, square: Square) -> (f64, f64) {
        let (x, y) = super::svg::centre(square);
        let (x, y) = match self.below {
            Color::Red => (x, y),
            Color::Black => (WIDTH - x, HEIGHT - y),
        };
        (x as f64, y as f64)
    }

    fn piece(&self, out: &mut String, piece: Piece, square: Square) {
        let (x, y) = self.point(square);
        let ink = match piece.color() {
            Color::Red => RED,
            Color::Black => BLACK,
        };
        let size = match self.symbols {
            Symbols::Western => PICTURE_SIZE,
            Symbols::Chinese | Symbols::Traditional => CHARACTER_SIZE,
        };
        let inner = PIECE as f64 - 3.0;
        let _ = writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{PIECE}\" fill=\"{PIECE_FACE}\" \
             stroke=\"{PIECE_EDGE}\" stroke-width=\"1.6\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"{inner}\" fill=\"none\" stroke=\"{ink}\" \
             stroke-width=\"0.9\"/>"
        );
        glyph(out, symbol(piece, self.symbols), (x, y), size, ink);
    }

    /// Corners around the squares of the last move.
    fn last_move(&self, out: &mut String) {
        let Some(mv) = self.last else { return };
        for square in [mv.from(), mv.to()] {
            let (x, y) = self.point(square);
            let _ = writeln!(
                out,
                "<path transform=\"translate({x} {y})\" d=\"M-24 -14V-24H-14M14 -24H24V-14M24 14V24H14\
                 M-14 24H-24V14\" fill=\"none\" stroke=\"{LAST_MOVE}\" stroke-width=\"3\"/>"
            );
        }
    }

    /// A shaft and a head as one shape.
    fn arrow(&self, out: &mut String, mv: Move, paint: Paint) {
        const START: f64 = 10.0;
        const SHAFT: f64 = 4.0;
        const HEAD: f64 = 12.0;
        const HEAD_LENGTH: f64 = 20.0;
        let ((x, y), (to_x, to_y)) = (self.point(mv.from()), self.point(mv.to()));
        let (dx, dy) = (to_x - x, to_y - y);
        let (length, angle) = (dx.hypot(dy), dy.atan2(dx).to_degrees());
        let neck = length - HEAD_LENGTH;
        let _ = writeln!(
            out,
            "<path transform=\"translate({x} {y}) rotate({angle:.2})\" \
             d=\"M{START} -{SHAFT}H{neck:.1}V-{HEAD}L{length:.1} 0L{neck:.1} {HEAD}V{SHAFT}H{START}Z\" \
             fill=\"{}\" fill-opacity=\"0.75\"/>",
            paint.code()
        );
    }

    fn rim(&self, out: &mut String) {
        match self.coordinates {
            Coordinates::None => {}
            Coordinates::Iccs => self.iccs_rim(out),
            Coordinates::Files => self.files_rim(out),
        }
    }

    fn iccs_rim(&self, out: &mut String) {
        for (file, letter) in ('a'..='i').enumerate() {
            let (x, _) = self.point(Square::at(file, 0));
            glyph(out, letter, (x, HEIGHT as f64 - RIM), RIM_SIZE, INK);
        }
        for (rank, digit) in ('0'..='9').enumerate() {
            let (_, y) = self.point(Square::at(0, rank));
            glyph(out, digit, (RIM, y), RIM_SIZE, INK);
        }
    }

    /// Chinese numerals for Red, others for Black, each from its right.
    fn files_rim(&self, out: &mut String) {
        const NUMERALS: [[char; FILES]; 2] = [
            ['一', '二', '三', '四', '五', '六', '七', '八', '九'],
            ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
        ];
        let (top, bottom) = (RIM, HEIGHT as f64 - RIM);
        for color in Color::ALL {
            let y = if color == self.below { bottom } else { top };
            for file in 0..FILES {
                let (x, _) = self.point(Square::at(file, 0));
                let number = match color {
                    Color::Red => FILES - 1 - file,
                    Color::Black => file,
                };
                let chinese = color == Color::Red && self.symbols != Symbols::Western;
                let numerals = NUMERALS[usize::from(!chinese)];
                glyph(out, numerals[number], (x, y), RIM_SIZE, INK);
            }
        }
    }
}

/// A character around a point.
fn glyph(out: &mut String, character: char, (x, y): (f64, f64), size: f64, ink: &str) {
    let _ = writeln!(
        out,
        "<path transform=\"translate({x} {y}) scale({:.4})\" fill=\"{ink}\" d=\"{}\"/>",
        size / UNITS,
        outline(character)
    );
}

/// The empty board: wood, frame, lines, the marks of cannons and pawns, the
/// characters in the river.
pub fn board(symbols: Symbols) -> String {
    let frame = MARGIN - 5;
    let mut out = format!(
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"{WOOD}\"/>\n\
         <rect x=\"{frame}\" y=\"{frame}\" width=\"{}\" height=\"{}\" fill=\"none\" \
         stroke=\"{INK}\" stroke-width=\"2.2\"/>\n\
         <path d=\"{}{}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.2\"/>\n",
        WIDTH - 2 * frame,
        HEIGHT - 2 * frame,
        lines(),
        point_marks(),
    );
    if symbols != Symbols::Western {
        let y = HEIGHT as f64 / 2.0;
        for (character, x) in river(symbols).into_iter().zip([1.5, 2.7, 5.3, 6.5]) {
            let x = MARGIN as f64 + x * CELL as f64;
            glyph(&mut out, character, (x, y), RIVER_SIZE, INK);
        }
    }
    out
}

/// Small corners at the points where cannons and pawns start.
fn point_marks() -> String {
    const CANNONS: [usize; 2] = [1, 7];
    const PAWNS: [usize; 5] = [0, 2, 4, 6, 8];
    let mut path = String::new();
    for color in Color::ALL {
        let ranks = [2, 3].map(|rank| match color {
            Color::Red => rank,
            Color::Black => RANKS - 1 - rank,
        });
        for file in CANNONS {
            point_mark(&mut path, Square::at(file, ranks[0]));
        }
        for file in PAWNS {
            point_mark(&mut path, Square::at(file, ranks[1]));
        }
    }
    path
}

fn point_mark(path: &mut String, square: Square) {
    const GAP: i32 = 4;
    const LENGTH: i32 = 7;
    let (x, y) = super::svg::centre(square);
    let (x, y) = (x as i32, y as i32);
    for dx in [-1, 1] {
        let off_board = square.file() == 0 && dx < 0 || square.file() == FILES - 1 && dx > 0;
        for dy in [-1, 1].into_iter().filter(|_| !off_board) {
            let (x0, y0) = (x + dx * GAP, y + dy * GAP);
            let _ = write!(path, "M{x0} {}V{y0}H{}", y0 + dy * LENGTH, x0 + dx * LENGTH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(svg: &str, text: &str) -> usize {
        svg.matches(text).count()
    }

    #[test]
    fn every_piece_arrow_and_mark_is_there() {
        for symbols in Symbols::ALL {
            let plain = Diagram {
                symbols,
                ..Diagram::new(Position::startpos())
            };
            let svg = plain.svg();
            assert_eq!(count(&svg, PIECE_FACE), 32);
            let more = Diagram {
                last: "h2e2".parse().ok(),
                arrows: vec![("b9c7".parse().unwrap(), Paint::Red)],
                marks: vec![("e4".parse().unwrap(), Paint::Blue)],
                ..plain
            };
            let svg = more.svg();
            assert_eq!(count(&svg, LAST_MOVE), 2);
            assert_eq!((count(&svg, "#c81e1e"), count(&svg, "#1d4ed8")), (1, 1));
        }
    }

    #[test]
    fn the_board_turns_with_its_coordinates() {
        let king = outline('帅');
        let place = |below| {
            let diagram = Diagram {
                below,
                coordinates: Coordinates::None,
                ..Diagram::new(Position::startpos())
            };
            let svg = diagram.svg();
            let line = svg.lines().find(|line| line.contains(king)).unwrap();
            line.to_owned()
        };
        assert!(place(Color::Red).contains("translate(244 494)"));
        assert!(place(Color::Black).contains("translate(244 44)"));
    }

    #[test]
    fn names_are_read() {
        assert_eq!("western".parse(), Ok(Symbols::Western));
        assert_eq!("none".parse(), Ok(Coordinates::None));
        let error = "pink".parse::<Paint>().unwrap_err().to_string();
        assert!(
            error.contains("`pink`") && error.contains("green"),
            "{error}"
        );
    }
}
