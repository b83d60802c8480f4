//! Reviewed games as one HTML page that needs nothing else.

use super::examine::Order;
use super::review_json::{GameJson, ReviewedGame, players};
use crate::board::{Color, Piece, PieceKind};
use crate::draw::page::{escape, page, script_json};
use crate::draw::svg::{CELL, HEIGHT, MARGIN, PIECE, WIDTH};
use crate::draw::{Symbols, board, glyphs};
use crate::notation::Notation;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");
const BODY: &str = include_str!("page/body.html");
/// The notations that the page can show.
const NOTATIONS: [Notation; 2] = [Notation::Chinese, Notation::Wxf];
/// Characters at the rim of the board.
const RIM: &str = "abcdefghi0123456789一二三四五六七八九";

/// The page.
pub fn render(games: &[ReviewedGame], order: &Order) -> String {
    let data = json!({
        "games": games
            .iter()
            .map(|game| json!(GameJson::new(game, order, &NOTATIONS)))
            .collect::<Vec<Value>>(),
        "symbols": symbols(),
        "board": { "cell": CELL, "margin": MARGIN, "piece": PIECE, "width": WIDTH, "height": HEIGHT },
    });
    let body = BODY
        .replace("{{board}}", &board(Symbols::Western))
        .replace("{{glyphs}}", &glyph_definitions())
        .replace("{{width}}", &WIDTH.to_string())
        .replace("{{height}}", &HEIGHT.to_string())
        .replace("{{version}}", &escape(env!("CARGO_PKG_VERSION")))
        .replace("{{fonts}}", &escape(glyphs::LICENCE));
    // Last, so that nothing in the data is taken for one of these marks.
    let script = format!(
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        script_json(&data)
    );
    page(&title(games), STYLE, &(body + &script))
}

fn title(games: &[ReviewedGame]) -> String {
    match games {
        [game] => players(&game.record).join(" – "),
        games => format!("{} games", games.len()),
    }
}

/// For each style the character of each FEN letter.
fn symbols() -> Value {
    let of = |symbols: Symbols| -> Value {
        let letter = |piece: Piece| {
            (
                piece.letter().to_string(),
                json!(glyphs::symbol(piece, symbols)),
            )
        };
        let mut object: Map<String, Value> = Piece::ALL.into_iter().map(letter).collect();
        let river: Vec<char> = match symbols {
            Symbols::Western => Vec::new(),
            Symbols::Chinese | Symbols::Traditional => glyphs::river(symbols).to_vec(),
        };
        object.insert("river".into(), json!(river));
        object.into()
    };
    let all = Symbols::ALL.map(|symbols| (symbols.name().to_owned(), of(symbols)));
    Value::Object(all.into_iter().collect())
}

/// All outlines in use as elements to refer to, `g` and the code of the
/// character being the name.
fn glyph_definitions() -> String {
    let mut characters: BTreeSet<char> = RIM.chars().collect();
    for symbols in Symbols::ALL {
        characters.extend(glyphs::river(symbols));
        for color in Color::ALL {
            let pieces = PieceKind::ALL.map(|kind| Piece::new(color, kind));
            characters.extend(pieces.map(|piece| glyphs::symbol(piece, symbols)));
        }
    }
    let mut out = String::new();
    for character in characters {
        let code = u32::from(character);
        let path = glyphs::outline(character);
        let _ = writeln!(out, "<path id=\"g{code:x}\" d=\"{path}\"/>");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::review::Review;
    use super::super::review::tests::{finding, game};
    use super::*;
    use crate::record::Record;
    use crate::rules::RuleSet;

    #[test]
    fn the_page_is_whole_and_its_texts_are_escaped() {
        let game = game("h2e2 h9g7");
        let findings = [
            finding(20, "h2e2"),
            finding(-20, "h9g7"),
            finding(25, "h0g2"),
        ];
        let mut record = Record::from_game(&game);
        record.tags.set("Red", "</title><script>alert(1)</script>");
        record.tags.set("Event", "{{version}}");
        let reviewed = ReviewedGame {
            source: "x.pgn".into(),
            number: 1,
            record,
            review: Review::new(&game, &findings, RuleSet::Asian),
        };
        let html = render(&[reviewed], &Order::default());
        assert_eq!(html.matches("<script").count(), 2);
        assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;"));
        assert!(!html.contains("alert(1)</script>"));
        assert!(!html.contains("src=") && !html.contains("href=\"http"));
        assert!(html.contains("\"Event\":\"{{version}}\"") && !html.contains("{{board}}"));
        assert!(html.contains("id=\"g5e05\""), "帅");
    }
}
