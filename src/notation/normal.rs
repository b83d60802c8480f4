//! The many characters of one meaning brought to one: full-width forms,
//! dashes, Chinese names of pieces, digits and directions in both scripts.

use super::Notation;

/// Characters (all that may stand for it, and the one that does).
const SYMBOLS: [(&str, char); 24] = [
    ("帅帥将將", 'K'),
    ("仕士", 'A'),
    ("相象", 'B'),
    ("马馬傌", 'N'),
    ("车車俥伡硨", 'R'),
    ("炮砲包", 'C'),
    ("兵卒", 'P'),
    ("一壹", '1'),
    ("二贰貳弍", '2'),
    ("三叁參叄", '3'),
    ("四肆", '4'),
    ("五伍", '5'),
    ("六陆陸", '6'),
    ("七柒", '7'),
    ("八捌", '8'),
    ("九玖", '9'),
    ("进進", '+'),
    ("退", '-'),
    ("平", '='),
    ("前", '+'),
    ("后後", '-'),
    ("中", '.'),
    ("—–−‐‑―", '-'),
    ("×х", 'x'),
];

/// Full-width forms of ASCII.
const FULL_WIDTH: std::ops::RangeInclusive<char> = '\u{FF01}'..='\u{FF5E}';
const FULL_WIDTH_SHIFT: u32 = 0xFEE0;
/// Signs without meaning inside a move.
const DROPPED: &str = "、。·\u{200b}\u{feff}";
/// Judgements and check signs that may follow a move.
const SUFFIXES: [char; 5] = ['!', '?', ',', ';', '~'];
/// Promotion in an extension of one program.
const PROMOTION: [char; 2] = ['变', '變'];
/// Traditional forms of the characters used in moves.
const TRADITIONAL_ONLY: &str = "帥將馬傌車俥硨砲進後貳參叄陸";

/// The text in plain characters, blanks dropped.
pub(super) fn normalise(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !DROPPED.contains(*c))
        .map(symbol)
        .collect();
    plain.trim_end_matches(SUFFIXES).to_owned()
}

/// The one character for all of its meaning.
pub(super) fn symbol(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    if FULL_WIDTH.contains(&c) {
        return char::from_u32(c as u32 - FULL_WIDTH_SHIFT).unwrap_or(c);
    }
    SYMBOLS
        .iter()
        .find(|(forms, _)| forms.contains(c))
        .map_or(c, |&(_, plain)| plain)
}

/// Which of the notations of one grammar a text is written in.
pub(super) fn script(text: &str) -> Notation {
    let is_han = |c: char| SYMBOLS[..22].iter().any(|(forms, _)| forms.contains(c));
    if text.chars().any(|c| TRADITIONAL_ONLY.contains(c)) {
        Notation::ChineseTraditional
    } else if text.chars().any(is_han) {
        Notation::Chinese
    } else {
        Notation::Wxf
    }
}

/// Whether the text asks for a promotion.
pub(super) fn is_promotion(text: &str) -> bool {
    text.contains(PROMOTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scripts_meet_in_one_text() {
        for text in [
            "炮二平五",
            "砲２平５",
            "Ｃ２＝５",
            "包貳平伍",
            " C 2 = 5!? ",
        ] {
            assert_eq!(normalise(text), "C2=5", "{text}");
        }
        assert_eq!(normalise("後炮退6"), "-C-6");
        assert_eq!(script("炮二平五"), Notation::Chinese);
        assert_eq!(script("馬２進３"), Notation::ChineseTraditional);
        assert_eq!(script("Ｃ２＝５"), Notation::Wxf);
    }
}
