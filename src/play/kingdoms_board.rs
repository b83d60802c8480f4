//! The board of the seven kingdoms in the terminal.

use super::screen::{BLACK, DARK, Screen, Shade, Symbols, WHITE, pair};
use crate::kingdoms::{Move, Piece, Position, SEATS, SIDE, Seat, Square};
use anstyle::Style;

/// Letters and ground of each kingdom's pieces, in turn order: white, red,
/// orange, blue, green, purple, black.
const SHADES: [(Shade, Shade); SEATS] = [
    (BLACK, 255),
    (WHITE, 160),
    (BLACK, 214),
    (WHITE, 27),
    (WHITE, 28),
    (WHITE, 91),
    (WHITE, DARK),
];
/// The emperor's ground.
const YELLOW: Shade = 226;

/// The style of a kingdom's pieces.
pub(super) fn style(seat: Seat) -> Style {
    let (letters, ground) = SHADES[seat.index()];
    pair(letters, ground)
}

/// Draws a board.
pub(super) struct Drawing<'a> {
    pub(super) position: &'a Position,
    /// The move to mark.
    pub(super) last: Option<Move>,
    /// Squares to point at.
    pub(super) targets: &'a [Square],
    pub(super) screen: &'a Screen,
}

impl Drawing<'_> {
    /// Nineteen lines of points and a line of the letters of the files. A
    /// point has three columns: a sign and two for the piece.
    pub(super) fn text(&self) -> String {
        let mut lines = Vec::new();
        for rank in (0..SIDE).rev() {
            let points = (0..SIDE).map(|file| self.point(Square::at(file, rank)));
            let text: String = points.collect();
            lines.push(format!("{:2}{}", rank + 1, text.trim_end()));
        }
        let files = (0..SIDE).map(|file| char::from(b'a' + file as u8));
        let files: String = files.map(|file| format!("  {file}")).collect();
        lines.push(format!(" {files}"));
        lines.join("\n")
    }

    fn point(&self, square: Square) -> String {
        let middle = match self.position.piece(square) {
            Some(piece) => self.piece(piece),
            None => self.empty(square),
        };
        self.sign(square) + &middle
    }

    /// The sign before a point: `*` at a target, `>` at the last move's
    /// destination, else the letter of the conqueror who commands the piece.
    fn sign(&self, square: Square) -> String {
        if self.targets.contains(&square) {
            return "*".to_owned();
        }
        if self.last.is_some_and(|m| m.to == square) {
            return ">".to_owned();
        }
        let kingdom = self.position.piece(square).and_then(Piece::kingdom);
        match kingdom.map(|k| (k, self.position.commander(k))) {
            Some((kingdom, Some(commander))) if kingdom != commander => self
                .screen
                .paint(style(commander), &commander.letter().to_string()),
            _ => " ".to_owned(),
        }
    }

    fn empty(&self, square: Square) -> String {
        let point = if self.targets.contains(&square) {
            self.screen.line('•', 'o')
        } else if self.last.is_some_and(|m| m.from == square) {
            self.screen.line('○', '<')
        } else {
            self.screen.line('·', '.')
        };
        format!("{point} ")
    }

    /// A character on its colour; without colours the letters of kingdom and
    /// kind, for characters alone do not tell the kingdoms apart.
    fn piece(&self, piece: Piece) -> String {
        let kind = piece.kind();
        let text = match (self.screen.symbols, self.screen.colour) {
            (Symbols::Chinese, true) => kind.chinese().chars().take(1).collect(),
            _ => piece.to_string(),
        };
        let style = piece.kingdom().map_or(pair(BLACK, YELLOW), style);
        self.screen.paint(style, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kingdoms::Options;

    fn text(position: &Position, screen: Screen, last: Option<Move>) -> String {
        Drawing {
            position,
            last,
            targets: &[],
            screen: &screen,
        }
        .text()
    }

    #[test]
    fn the_plain_board_is_that_of_the_guide() {
        let start = Position::start(Options::ENGLISH);
        let plain = Screen {
            symbols: Symbols::Ascii,
            colour: false,
        };
        let drawn = text(&start, plain, None);
        assert!(drawn.is_ascii());
        let pieces = |text: &str| -> Vec<String> {
            let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            vec![letters]
        };
        assert_eq!(pieces(&drawn), pieces(&start.diagram()));
        assert!(drawn.lines().all(|line| line.len() < 80));
    }

    #[test]
    fn whose_a_conquered_piece_is_can_be_seen() {
        let line = "5kG7pG5/19/19/19/19/18gG/19/19/19/wG8yE9/19/19/19/18bG/19/19/19/13oG5/\
                    wR4rS13 r wwobgpk 1234567 - 1000000 0 0";
        let line = line.replace(" r wwobgpk", " w wwobgpk");
        let position: Position = line.parse().unwrap();
        let letters = Screen {
            symbols: Symbols::Letters,
            colour: false,
        };
        let drawn = text(&position, letters, "a1b1".parse().ok());
        let last = drawn.lines().nth(SIDE - 1).unwrap();
        assert!(last.starts_with(" 1 wR>·  ·  ·  · wrS"), "{last}");
        let colour = Screen {
            symbols: Symbols::Chinese,
            colour: true,
        };
        let painted = text(&position, colour, None);
        let conqueror = format!("{}w", style(Seat::QIN));
        assert!(painted.contains(&conqueror) && painted.contains('偏'));
    }
}
