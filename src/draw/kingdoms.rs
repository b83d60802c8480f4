//! The board of the seven kingdoms as SVG, and a page to step through a game.

use super::glyphs;
use super::page::{escape, page, script_json};
use crate::kingdoms::{Kind, Move, Piece, Position, Record, SEATS, SIDE, Seat, Square};
use serde_json::json;
use std::fmt::Write;

/// The distance of two points.
pub const CELL: usize = 36;
/// The space around the points.
pub const MARGIN: usize = 38;
/// Radius of a piece.
pub const PIECE: usize = 15;
/// Width and height of the picture.
pub const SIZE: usize = MARGIN * 2 + CELL * (SIDE - 1);
/// Radius of the ring round a conquered piece.
const RING: usize = PIECE + 2;
/// Where a conquered piece bears the letter of its commander.
const BADGE: (i32, i32) = (12, -12);

/// Ground and letters of each kingdom's pieces, in turn order: white, red,
/// orange, blue, green, purple, black.
pub const COLOURS: [(&str, &str); SEATS] = [
    ("#fbfbf6", "#222222"),
    ("#c62828", "#ffffff"),
    ("#f09a2a", "#222222"),
    ("#1e5bb8", "#ffffff"),
    ("#2e7d32", "#ffffff"),
    ("#7b2d8b", "#ffffff"),
    ("#262626", "#ffffff"),
];
/// Those of the emperor.
const YELLOW: (&str, &str) = ("#f4d03f", "#222222");

/// What stands on the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    /// Chinese characters.
    #[default]
    Chinese,
    /// The letters of the text forms.
    Letters,
}

/// Size of the characters on a piece: one, two.
const INK: [f64; 2] = [21.0, 13.0];
/// Size of the letter of a commander.
const BADGE_INK: f64 = 11.0;
/// Size of the letters around the board.
const RIM_INK: f64 = 12.0;
/// Width of a letter or digit, in sizes.
const LETTER_WIDTH: f64 = 0.56;

/// Text around a point as outlines.
fn ink(text: &str, size: f64, width: f64) -> String {
    let count = text.chars().count();
    let first = -(count.saturating_sub(1) as f64) / 2.0;
    let scale = size / glyphs::UNITS;
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        let x = (first + i as f64) * width * size;
        let _ = write!(
            out,
            "<path class=\"ink\" transform=\"translate({x:.2} 0) scale({scale})\" d=\"{}\"/>",
            glyphs::outline(c)
        );
    }
    out
}

/// The ink of a piece.
fn piece_ink(text: &str) -> String {
    let size = INK[usize::from(text.chars().count() > 1)];
    ink(text, size, 1.0)
}

/// Where a square is in the picture, the south being below.
pub const fn centre(square: Square) -> (usize, usize) {
    (
        MARGIN + CELL * square.file(),
        MARGIN + CELL * (SIDE - 1 - square.rank()),
    )
}

/// The letters on a piece.
pub fn symbol(kind: Kind, symbols: Symbols) -> String {
    match symbols {
        Symbols::Chinese => kind.chinese().to_owned(),
        Symbols::Letters => kind.letter().to_string(),
    }
}

/// The board with the pieces of a position and the last move marked. A piece
/// under a conqueror's command has a ring of his colour and his letter.
pub fn position(position: &Position, last: Option<Move>, symbols: Symbols) -> String {
    let mut inside = last.map_or_else(String::new, marks);
    for square in Square::all() {
        if let Some(piece) = position.piece(square) {
            inside += &drawn(position, piece, square, symbols);
        }
    }
    board(&inside)
}

/// The same as a file: with its own style.
pub fn picture(pos: &Position, last: Option<Move>, symbols: Symbols) -> String {
    let svg = position(pos, last, symbols);
    let size = format!("width=\"{SIZE}\" height=\"{SIZE}\"");
    let svg = svg.replacen(
        "class=\"kingdoms\"",
        &format!("class=\"kingdoms\" {size}"),
        1,
    );
    let end = svg.find('>').map_or(0, |end| end + 1);
    format!("{}<style>{}</style>{}\n", &svg[..end], style(), &svg[end..])
}

fn marks(last: Move) -> String {
    let mut out = String::new();
    for square in [last.from, last.to] {
        let (x, y) = centre(square);
        let corner = CELL / 2 - 1;
        let _ = write!(
            out,
            "<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\"/>",
            x - corner,
            y - corner,
            side = 2 * corner
        );
    }
    out
}

/// An empty board with more SVG on top of it.
pub fn board(inside: &str) -> String {
    let mut out = format!(
        "<svg class=\"kingdoms\" viewBox=\"0 0 {SIZE} {SIZE}\" xmlns=\"http://www.w3.org/2000/svg\">\
         <rect class=\"wood\" width=\"{SIZE}\" height=\"{SIZE}\"/><path class=\"lines\" d=\"{}\"/>",
        lines()
    );
    for index in 0..SIDE {
        let at = MARGIN + CELL * index;
        let letter = char::from(b'a' + index as u8);
        let number = SIDE - index;
        for rim in [RIM, SIZE - RIM] {
            let _ = write!(
                out,
                "<g class=\"rim\" transform=\"translate({at} {rim})\">{}</g>\
                 <g class=\"rim\" transform=\"translate({rim} {at})\">{}</g>",
                ink(&letter.to_string(), RIM_INK, LETTER_WIDTH),
                ink(&number.to_string(), RIM_INK, LETTER_WIDTH)
            );
        }
    }
    out + "<g class=\"men\">" + inside + "</g></svg>"
}

/// From the edge of the picture to the letters around the board.
const RIM: usize = 10;

/// The lines of the board as an SVG path.
fn lines() -> String {
    let (first, last) = (MARGIN, MARGIN + CELL * (SIDE - 1));
    let mut path = String::new();
    for index in 0..SIDE {
        let at = MARGIN + CELL * index;
        let _ = write!(path, "M{first} {at}H{last}M{at} {first}V{last}");
    }
    path
}

fn drawn(position: &Position, piece: Piece, square: Square, symbols: Symbols) -> String {
    let (x, y) = centre(square);
    let colour = piece.kingdom().map_or('y', Seat::letter);
    let text = symbol(piece.kind(), symbols);
    let conqueror = piece.kingdom().and_then(|kingdom| {
        let commander = position.commander(kingdom)?;
        (commander != kingdom).then_some(commander)
    });
    let (ring, badge) = conqueror.map_or_else(Default::default, owned);
    format!(
        "<g class=\"{colour}\" transform=\"translate({x} {y})\">{ring}<circle r=\"{PIECE}\"/>\
         {}{badge}</g>",
        piece_ink(&text)
    )
}

/// Ring and letter of a commander who has conquered a piece.
fn owned(commander: Seat) -> (String, String) {
    let letter = commander.letter();
    let (x, y) = BADGE;
    (
        format!("<circle class=\"ring of-{letter}\" r=\"{RING}\"/>"),
        format!(
            "<g class=\"badge of-{letter}\" transform=\"translate({x} {y})\"><circle r=\"6.5\"/>\
             {}</g>",
            ink(&letter.to_string(), BADGE_INK, LETTER_WIDTH)
        ),
    )
}

/// The style sheet of these boards.
pub fn style() -> String {
    let mut out = STYLE.to_owned();
    for seat in Seat::ALL {
        let ((ground, letters), l) = (COLOURS[seat.index()], seat.letter());
        let _ = write!(
            out,
            ".men .{l} > circle, .men .of-{l} circle {{ fill: {ground}; }}\n\
             .men .{l} > .ink, .men .of-{l} .ink {{ fill: {letters}; }}\n\
             .men .{l} > circle.ring.ring, .men circle.ring.of-{l}.of-{l} {{ fill: none; }}\n\
             .men circle.ring.of-{l}.of-{l} {{ stroke: {ground}; }}\n"
        );
    }
    let (ground, letters) = YELLOW;
    out + &format!(
        ".men .y > circle {{ fill: {ground}; }}\n.men .y > .ink {{ fill: {letters}; }}\n"
    )
}

const STYLE: &str = "\
.kingdoms { width: 100%; max-width: 46rem; }
.kingdoms .wood { fill: #ead3a2; }
.kingdoms .lines { stroke: #7a5a34; stroke-width: 1; fill: none; }
.kingdoms .rim { fill: #5c3d1e; }
.men circle { stroke: #3a2a18; stroke-width: 1; }
.men circle.ring { stroke-width: 5; fill: none; }
.men .mark { fill: #7ec8e3; fill-opacity: 0.55; stroke: #1f6f8b; stroke-width: 1.5; }
";

const PAGE_STYLE: &str = include_str!("kingdoms.css");
const SCRIPT: &str = include_str!("kingdoms.js");

/// A page on which games can be stepped through; nothing else is needed to
/// show it.
pub fn game_page(title: &str, games: &[Record]) -> String {
    game_page_after(title, "", games)
}

/// The same with HTML between the heading and the games.
pub fn game_page_after(title: &str, head: &str, games: &[Record]) -> String {
    let body = format!("<h1>{}</h1>\n{head}{}", escape(title), viewer(games));
    page(title, &(style() + PAGE_STYLE), &body)
}

/// The list of games, the board, the kingdoms and what the script needs.
fn viewer(games: &[Record]) -> String {
    let symbols = Kind::ALL.map(|k| (k.letter().to_string(), json!(k.chinese())));
    let seats = Seat::ALL.map(|s| json!({ "letter": s.letter(), "name": s.name() }));
    let data = json!({
        "games": games.iter().map(game_json).collect::<Vec<_>>(),
        "symbols": serde_json::Map::from_iter(symbols),
        "seats": seats,
        "colours": COLOURS.map(|c| c.0),
        "side": SIDE, "cell": CELL, "margin": MARGIN, "piece": PIECE, "ring": RING,
        "badge": [BADGE.0, BADGE.1],
        "outlines": outlines(), "ink": INK, "badgeInk": BADGE_INK, "units": glyphs::UNITS,
    });
    format!(
        "<div id=\"viewer\">\n<div>{}\n<p id=\"keys\"><button id=\"first\">|&lt;</button> \
         <button id=\"back\">&lt;</button> <button id=\"forward\">&gt;</button> \
         <button id=\"last\">&gt;|</button> <button id=\"style\">Letters</button> \
         <span id=\"status\"></span></p></div>\n\
         <div id=\"side\"><select id=\"list\"></select><table id=\"kingdoms\"></table>\
         <div id=\"moves\"></div></div>\n</div>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        board(""),
        script_json(&data)
    )
}

/// The outlines of all characters that the page draws.
fn outlines() -> serde_json::Map<String, serde_json::Value> {
    let symbols = Kind::ALL.map(|k| format!("{}{}", k.chinese(), k.letter()));
    let letters = Seat::ALL.map(|s| s.letter().to_string());
    let all: String = symbols.into_iter().chain(letters).collect();
    all.chars()
        .map(|c| (c.to_string(), json!(glyphs::outline(c))))
        .collect()
}

fn game_json(record: &Record) -> serde_json::Value {
    let players = Seat::ALL.map(|s| record.tag(s.name()).unwrap_or_default().to_owned());
    let movers = (0..record.moves().len()).map(|ply| record.mover(ply).map_or(0, Seat::index));
    let outcome = record.position().outcome();
    json!({
        "title": record.tag("Round").map_or_else(String::new, |r| format!("Game {r}")),
        "players": players,
        "result": record.result_text(),
        "end": record.tag("End").or(outcome.map(|o| o.by.name())),
        "positions": record.positions().iter().map(Position::to_string).collect::<Vec<_>>(),
        "moves": record.moves().iter().map(Move::to_string).collect::<Vec<_>>(),
        "movers": movers.collect::<Vec<_>>(),
        "comments": record.comments(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kingdoms::Options;

    #[test]
    fn every_piece_is_drawn_and_conquered_ones_show_whose_they_are() {
        let start = Position::start(Options::ENGLISH);
        let svg = position(&start, "a13b15".parse().ok(), Symbols::Chinese);
        for seat in Seat::ALL {
            let men = format!("<g class=\"{}\" ", seat.letter());
            assert_eq!(svg.matches(&men).count(), 17);
        }
        assert_eq!(svg.matches("class=\"mark\"").count(), 2);
        assert!(!svg.contains("badge"));
        let (x, y) = centre(Square::CENTRE);
        assert_eq!((x, y), (SIZE / 2, SIZE / 2));
        let line = start.to_string().replace("wrobgpk", "wwobgpk");
        let conquered: Position = line.parse().unwrap();
        let svg = position(&conquered, None, Symbols::Letters);
        assert_eq!(svg.matches("class=\"badge of-w\"").count(), 17);
        assert!(svg.contains(glyphs::outline('G')) && !svg.contains(glyphs::outline('將')));
    }

    #[test]
    fn every_character_has_an_outline() {
        for kind in Kind::ALL {
            for symbols in [Symbols::Chinese, Symbols::Letters] {
                for c in symbol(kind, symbols).chars() {
                    assert!(!glyphs::outline(c).is_empty(), "{c}");
                }
            }
        }
        let letters = "abcdefghijklmnopqrsw0123456789";
        assert!(letters.chars().all(|c| !glyphs::outline(c).is_empty()));
        assert!(
            !picture(&Position::start(Options::ENGLISH), None, Symbols::Chinese).contains("<text")
        );
    }

    #[test]
    fn the_page_holds_the_game_and_no_markup_from_names() {
        let mut record = Record::new(Position::start(Options::ENGLISH));
        record.set_tag("Qin", "<b>x</b>");
        record.play("a13b15".parse().unwrap()).unwrap();
        let page = game_page("<Title>", &[record]);
        assert!(page.contains("&lt;Title&gt;") && page.contains("a13b15"));
        assert!(!page.contains("<b>x</b>") && !page.contains("http://localhost"));
        assert!(
            picture(&Position::start(Options::ENGLISH), None, Symbols::Chinese).contains("<style>")
        );
    }
}
