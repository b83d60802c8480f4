//! The xiangqi board in the terminal.

use super::screen::{DARK, Screen, Shade, Symbols, on};
use crate::board::{Color, FILES, Move, Piece, Position, RANKS, Square};
use anstyle::Style;

/// The characters of a set of pieces, none of which is on both sides, in the
/// order of [`crate::board::PieceKind`].
const CHARACTERS: [[char; 7]; 2] = [
    ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
    ['將', '士', '象', '馬', '車', '砲', '卒'],
];
/// The ground of Red's pieces.
const RED: Shade = 160;

/// What is drawn on the board besides the pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    /// The last move.
    pub(super) last: Option<Move>,
    /// Squares to point at.
    pub(super) targets: Vec<Square>,
    /// Black is below.
    pub(super) flipped: bool,
}

/// A point of the board: columns left, the piece or crossing of two columns,
/// right.
struct Point {
    left: char,
    middle: String,
    right: char,
}

/// Draws a board.
pub(super) struct Drawing<'a> {
    pub(super) pos: &'a Position,
    pub(super) marks: &'a Marks,
    pub(super) screen: &'a Screen,
}

impl Drawing<'_> {
    /// Ten ranks of points, the lines between them and the letters of the
    /// files.
    pub(super) fn text(&self) -> String {
        let mut lines = Vec::new();
        for row in 0..RANKS {
            if row > 0 {
                lines.push(format!("   {}", self.between(row)));
            }
            let rank = self.turned(RANKS - 1 - row, RANKS);
            lines.push(format!(" {rank} {}", self.rank(rank)));
        }
        let files = (0..FILES).map(|column| char::from(b'a' + self.turned(column, FILES) as u8));
        let files: String = files.map(|file| format!(" {file}  ")).collect();
        lines.push(format!("\n   {}", files.trim_end()));
        lines.join("\n")
    }

    fn turned(&self, index: usize, count: usize) -> usize {
        match self.marks.flipped {
            true => count - 1 - index,
            false => index,
        }
    }

    fn rank(&self, rank: usize) -> String {
        let mut text = String::new();
        for column in 0..FILES {
            let square = Square::at(self.turned(column, FILES), rank);
            let point = self.point(square, column);
            text.push(point.left);
            text.push_str(&point.middle);
            text.push(point.right);
        }
        text.trim_end().to_owned()
    }

    fn point(&self, square: Square, column: usize) -> Point {
        let line = self.screen.line('─', '-');
        let (left, right) = self.around(square);
        let edge = |at_edge: bool| if at_edge { ' ' } else { line };
        Point {
            left: left.unwrap_or(edge(column == 0)),
            middle: match self.pos.piece_on(square) {
                Some(piece) => self.piece(piece),
                None => self.crossing(square, column),
            },
            right: right.unwrap_or(edge(column == FILES - 1)),
        }
    }

    /// What stands left and right of a point: the last move's destination in
    /// square brackets, its origin in round ones, targets between stars.
    fn around(&self, square: Square) -> (Option<char>, Option<char>) {
        let last = self.marks.last;
        let signs = if self.marks.targets.contains(&square) {
            ('*', '*')
        } else if last.is_some_and(|mv| mv.to() == square) {
            ('[', ']')
        } else if last.is_some_and(|mv| mv.from() == square) {
            ('(', ')')
        } else {
            return (None, None);
        };
        (Some(signs.0), Some(signs.1))
    }

    fn crossing(&self, square: Square, column: usize) -> String {
        let line = if column == FILES - 1 {
            ' '
        } else {
            self.screen.line('─', '-')
        };
        let point = match self.marks.targets.contains(&square) {
            true => self.screen.line('•', 'o'),
            false => self.screen.line('┼', '+'),
        };
        format!("{point}{line}")
    }

    fn piece(&self, piece: Piece) -> String {
        let text = match self.screen.symbols {
            Symbols::Chinese => CHARACTERS[piece.color().index()][piece.kind().index()].to_string(),
            _ => format!("{} ", piece.letter()),
        };
        self.screen.paint(style(piece.color()), &text)
    }

    /// The lines between two ranks, with the river and the palaces.
    fn between(&self, row: usize) -> String {
        const RIVER_ROW: usize = 5;
        let upright = self.screen.line('│', '|');
        let mut text: Vec<char> = vec![' '; FILES * COLUMNS];
        for column in 0..FILES {
            let at_edge = column == 0 || column == FILES - 1;
            if row != RIVER_ROW || at_edge {
                text[column * COLUMNS + 1] = upright;
            }
        }
        for (column, falls) in diagonals(row) {
            let sign = match falls {
                true => self.screen.line('╲', '\\'),
                false => self.screen.line('╱', '/'),
            };
            text[column * COLUMNS + 3] = sign;
        }
        text.into_iter().collect::<String>().trim_end().to_owned()
    }
}

/// Columns of a point.
const COLUMNS: usize = 4;

/// The diagonals of the palaces above a row of points: the column of points
/// left of it, and whether it falls to the right.
fn diagonals(row: usize) -> Vec<(usize, bool)> {
    const LEFT: usize = 3;
    match row {
        1 | 8 => vec![(LEFT, true), (LEFT + 1, false)],
        2 | 9 => vec![(LEFT, false), (LEFT + 1, true)],
        _ => Vec::new(),
    }
}

fn style(color: Color) -> Style {
    match color {
        Color::Red => on(RED),
        Color::Black => on(DARK),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(symbols: Symbols, colour: bool, marks: &Marks) -> String {
        let pos = Position::startpos();
        let screen = Screen { symbols, colour };
        Drawing {
            pos: &pos,
            marks,
            screen: &screen,
        }
        .text()
    }

    #[test]
    fn the_plain_board() {
        let marks = Marks {
            last: Some("h2e2".parse().unwrap()),
            ..Marks::default()
        };
        let text = start(Symbols::Ascii, false, &marks);
        assert!(text.is_ascii());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 9  r --n --b --a --k --a --b --n --r");
        assert_eq!(lines[1], "    |   |   |   | \\ | / |   |   |   |");
        assert_eq!(lines[3], "    |   |   |   | / | \\ |   |   |   |");
        assert_eq!(lines[9], "    |                               |");
        assert_eq!(lines[14], " 2  +---C --+---+--[+-]-+---+--(C )-+");
        assert_eq!(lines[20], "    a   b   c   d   e   f   g   h   i");
    }

    #[test]
    fn every_symbol_is_there_and_the_board_turns() {
        let text = start(Symbols::Chinese, false, &Marks::default());
        for character in CHARACTERS.as_flattened() {
            assert!(text.contains(*character));
        }
        let flipped = Marks {
            flipped: true,
            ..Marks::default()
        };
        let turned = start(Symbols::Letters, false, &flipped);
        assert!(turned.starts_with(" 0  R ──N "), "{turned}");
        assert!(turned.ends_with("i   h   g   f   e   d   c   b   a"));
        assert!(!turned.contains('\u{1b}'));
        let painted = start(Symbols::Letters, true, &flipped);
        assert_eq!(painted.matches("\u{1b}[0m").count(), 32);
    }

    #[test]
    fn targets_are_pointed_at() {
        let marks = Marks {
            targets: vec!["h4".parse().unwrap(), "h9".parse().unwrap()],
            ..Marks::default()
        };
        let text = start(Symbols::Letters, false, &marks);
        assert!(text.contains("*•─*") && text.contains("*n *"), "{text}");
    }
}
