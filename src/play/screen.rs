//! What the terminal can show, and text in colour.

use anstyle::{Ansi256Color, Color, Style};
use std::fmt;
use std::str::FromStr;

/// What stands on the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbols {
    /// Chinese characters.
    Chinese,
    /// Letters on a board of Unicode lines.
    Letters,
    /// Nothing but ASCII.
    Ascii,
}

impl Symbols {
    /// Those of a terminal with this locale, the first of `LC_ALL`,
    /// `LC_CTYPE` and `LANG` that is set: characters where it is UTF-8.
    pub fn of_locale(locale: &str) -> Self {
        let plain = locale.to_ascii_lowercase().replace('-', "");
        match plain.contains("utf8") {
            true => Self::Chinese,
            false => Self::Ascii,
        }
    }
}

/// A text that names no symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolsError(String);

impl fmt::Display for SymbolsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected chinese, letters or ascii", self.0)
    }
}

impl std::error::Error for SymbolsError {}

impl FromStr for Symbols {
    type Err = SymbolsError;

    fn from_str(text: &str) -> Result<Self, SymbolsError> {
        match text.to_ascii_lowercase().as_str() {
            "chinese" => Ok(Self::Chinese),
            "letters" => Ok(Self::Letters),
            "ascii" => Ok(Self::Ascii),
            _ => Err(SymbolsError(text.to_owned())),
        }
    }
}

/// A colour of the palette of 256.
pub type Shade = u8;

/// White letters, bold, on a ground of this shade: both are set, so that it
/// can be read on a dark terminal and on a light one.
pub const fn on(ground: Shade) -> Style {
    pair(WHITE, ground)
}

/// Bold letters of one shade on a ground of another.
pub const fn pair(letters: Shade, ground: Shade) -> Style {
    Style::new()
        .bold()
        .fg_color(Some(Color::Ansi256(Ansi256Color(letters))))
        .bg_color(Some(Color::Ansi256(Ansi256Color(ground))))
}

/// White.
pub const WHITE: Shade = 231;
/// Black letters.
pub const BLACK: Shade = 16;
/// The ground of black pieces, which stands out from a black terminal too.
pub const DARK: Shade = 236;

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// What stands on the pieces.
    pub symbols: Symbols,
    /// Whether colours may be used.
    pub colour: bool,
}

impl Screen {
    /// Text in a style, plain where there are no colours.
    pub fn paint(&self, style: Style, text: &str) -> String {
        match self.colour {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    /// One of two characters: for Unicode, for ASCII.
    pub fn line(&self, unicode: char, ascii: char) -> char {
        match self.symbols {
            Symbols::Ascii => ascii,
            _ => unicode,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_about_the_symbols() {
        for (locale, symbols) in [
            ("en_GB.UTF-8", Symbols::Chinese),
            ("C.utf8", Symbols::Chinese),
            ("zh_CN.GB18030", Symbols::Ascii),
            ("C", Symbols::Ascii),
            ("", Symbols::Ascii),
        ] {
            assert_eq!(Symbols::of_locale(locale), symbols, "{locale}");
        }
    }

    #[test]
    fn without_colours_text_stays_as_it_is() {
        let screen = |colour| Screen {
            symbols: Symbols::Letters,
            colour,
        };
        assert_eq!(screen(false).paint(on(BLACK), "k"), "k");
        let painted = screen(true).paint(on(BLACK), "k");
        assert!(painted.starts_with("\u{1b}[") && painted.ends_with("\u{1b}[0m"));
    }
}
