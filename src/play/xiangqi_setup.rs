//! Who plays xiangqi at the table, how strong and by which rules.

use super::game::Refusal;
use super::seat::{Strength, pairs};
use crate::board::Position;
use crate::notation::Notation;
use crate::rules::RuleSet;

/// Who plays what, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The sides that persons play, Red's first.
    pub persons: [bool; 2],
    /// How strong the engine is.
    pub strength: Strength,
    /// The rule set.
    pub rules: RuleSet,
    /// How moves are told.
    pub notation: Notation,
    /// Where games begin.
    pub start: Position,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            persons: [true, false],
            strength: Strength::default(),
            rules: RuleSet::default(),
            notation: Notation::Iccs,
            start: Position::startpos(),
        }
    }
}

/// The word for the sides that persons play.
const SIDES: [(&str, [bool; 2]); 4] = [
    ("red", [true, false]),
    ("black", [false, true]),
    ("both", [true, true]),
    ("none", [false, false]),
];

/// The sides of a word: `red`, `black`, `both` or `none`.
///
/// # Errors
/// When it is no such word.
pub fn sides(word: &str) -> Result<[bool; 2], Refusal> {
    let found = SIDES.iter().find(|s| s.0.eq_ignore_ascii_case(word));
    found
        .map(|s| s.1)
        .ok_or_else(|| Refusal(format!("`{word}`: expected red, black, both or none")))
}

fn side_word(persons: [bool; 2]) -> &'static str {
    SIDES
        .iter()
        .find(|s| s.1 == persons)
        .map_or("none", |s| s.0)
}

impl Setup {
    /// The settings as they are kept with a game.
    pub(super) fn text(&self) -> String {
        let (side, rules) = (side_word(self.persons), self.rules.name());
        let (notation, strength) = (self.notation, self.strength);
        let text = format!("side={side} rules={rules} notation={notation} {strength}");
        text.trim_end().to_owned()
    }

    /// Takes in the settings kept with a game; what is not understood stays.
    pub(super) fn take(&mut self, text: &str) {
        let mut strength = Strength::default();
        for (key, value) in pairs(text) {
            match key {
                "side" => self.persons = sides(value).unwrap_or(self.persons),
                "rules" => self.rules = value.parse().unwrap_or(self.rules),
                "notation" => self.notation = value.parse().unwrap_or(self.notation),
                _ => drop(strength.set(key, value)),
            }
        }
        self.strength = strength;
    }
}
