//! Characters as outlines, so that a picture looks the same wherever it is
//! shown. The licence of the fonts they are taken from is beside this file
//! (`glyphs-licence.txt`).

use super::Symbols;
use crate::board::{Color, Piece, PieceKind};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Rows of a character and its outline.
const TABLE: &str = include_str!("glyphs.tsv");
/// The licence of the outlines.
pub const LICENCE: &str = include_str!("glyphs-licence.txt");
/// Units of an outline to the em.
pub const UNITS: f64 = 1000.0;

static OUTLINES: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let (key, path) = row.split_once('\t')?;
        Some((key.chars().next()?, path))
    })
    .collect()
});

/// The outline of a character as an SVG path around 0,0, y downwards;
/// nothing for characters without one.
pub fn outline(character: char) -> &'static str {
    OUTLINES.get(&character).copied().unwrap_or_default()
}

/// Kings, advisors, elephants, horses, chariots, cannons, pawns.
const SIMPLIFIED: [[char; 7]; 2] = super::svg::CHARACTERS;
const TRADITIONAL: [[char; 7]; 2] = [
    ['帥', '仕', '相', '馬', '車', '炮', '兵'],
    ['將', '士', '象', '馬', '車', '砲', '卒'],
];
/// A crown, a shield, an elephant, a horse, a tower, a cannon, a pawn.
const WESTERN: [char; 7] = ['♚', '⛨', '🐘', '♞', '♜', '💣', '♟'];

/// The character on a piece.
pub const fn symbol(piece: Piece, symbols: Symbols) -> char {
    let (color, kind): (Color, PieceKind) = (piece.color(), piece.kind());
    match symbols {
        Symbols::Chinese => SIMPLIFIED[color.index()][kind.index()],
        Symbols::Traditional => TRADITIONAL[color.index()][kind.index()],
        Symbols::Western => WESTERN[kind.index()],
    }
}

/// The characters in the river: `楚河`, `汉界`.
pub const fn river(symbols: Symbols) -> [char; 4] {
    match symbols {
        Symbols::Traditional => ['楚', '河', '漢', '界'],
        Symbols::Chinese | Symbols::Western => ['楚', '河', '汉', '界'],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_in_use_has_an_outline() {
        for symbols in Symbols::ALL {
            for piece in Piece::ALL {
                assert!(outline(symbol(piece, symbols)).ends_with('Z'), "{piece}");
            }
            assert!(river(symbols).iter().all(|c| !outline(*c).is_empty()));
        }
        for c in "abcdefghi0123456789一二三四五六七八九".chars() {
            assert!(!outline(c).is_empty(), "{c}");
        }
        assert!(outline('x').is_empty() && LICENCE.contains("SIL OPEN FONT LICENSE"));
    }
}
