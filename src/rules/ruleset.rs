//! The rule sets by name.

use std::fmt;
use std::str::FromStr;

/// Which rules decide about repetition and draws. The guide's chapter "Rules"
/// says where each comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RuleSet {
    /// Club Xiangqi: allowances of 6, 12 or 18 checks or attacks in a row and
    /// three automatic draws, whether or not a position repeats.
    Cxq,
    /// Fourth repetition, as read in the PRC: perpetual check loses, perpetual
    /// chase draws.
    ClassicPrc,
    /// Fourth repetition, as read in Hong Kong: the chaser loses too.
    ClassicHk,
    /// The Asian rules (AXF) at the third occurrence, the default.
    #[default]
    Asian,
    /// The World Xiangqi Federation's rules of 2018, the same test as `Asian`.
    Wxf,
    /// The Chinese competition rules of 2020.
    Chinese,
    /// The counters of the Tiantian server.
    Sky,
    /// The computer league of UCCI, at the fourth occurrence.
    Computer,
    /// Fourth occurrence: the only perpetual checker loses, else a draw.
    Simple,
    /// Repetition is never judged.
    None,
    /// Nothing but mate, stalemate and illegal moves.
    Basic,
    /// Nothing but the count of plies without a capture.
    Sixty,
}

impl RuleSet {
    /// All sets.
    pub const ALL: [Self; 12] = [
        Self::Cxq,
        Self::ClassicPrc,
        Self::ClassicHk,
        Self::Asian,
        Self::Wxf,
        Self::Chinese,
        Self::Sky,
        Self::Computer,
        Self::Simple,
        Self::None,
        Self::Basic,
        Self::Sixty,
    ];

    /// The name in lower case with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cxq => "cxq",
            Self::ClassicPrc => "classic_prc",
            Self::ClassicHk => "classic_hk",
            Self::Asian => "asian",
            Self::Wxf => "wxf",
            Self::Chinese => "chinese",
            Self::Sky => "sky",
            Self::Computer => "computer",
            Self::Simple => "simple",
            Self::None => "none",
            Self::Basic => "basic",
            Self::Sixty => "sixty",
        }
    }

    /// The occurrence of a position at which its repetition is judged, `None`
    /// where repetition is no matter of this set.
    pub const fn fold(self) -> Option<usize> {
        match self {
            Self::Asian | Self::Wxf | Self::Chinese => Some(3),
            Self::ClassicPrc | Self::ClassicHk | Self::Computer | Self::Simple => Some(4),
            Self::Sky => Some(5),
            Self::Cxq | Self::None | Self::Basic | Self::Sixty => None,
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSetError(String);

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = RuleSet::ALL.map(RuleSet::name).join(", ");
        write!(f, "`{}` is no rule set: expected one of {names}", self.0)
    }
}

impl std::error::Error for RuleSetError {}

/// Other names, in letters only; most are values of options that GUIs send.
const ALIASES: [(&str, RuleSet); 17] = [
    ("axf", RuleSet::Asian),
    ("yitian", RuleSet::Asian),
    ("cxa", RuleSet::Chinese),
    ("china", RuleSet::Chinese),
    ("tiantian", RuleSet::Sky),
    ("computerleague", RuleSet::Computer),
    ("ucci", RuleSet::Computer),
    ("clubxiangqi", RuleSet::Cxq),
    ("classic", RuleSet::ClassicPrc),
    ("hk", RuleSet::ClassicHk),
    ("allowchase", RuleSet::Simple),
    ("checkban", RuleSet::Simple),
    ("nojudgement", RuleSet::None),
    ("nojudgment", RuleSet::None),
    ("alwaysdraw", RuleSet::None),
    ("off", RuleSet::None),
    ("sixtymove", RuleSet::Sixty),
];

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Reads a name or an alias. Case, blanks, hyphens and underscores do not
    /// matter, nor does the word "rule" at the end (`AsianRule`).
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let plain: String = text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let stem = plain.trim_end_matches("rules").trim_end_matches("rule");
        let named = Self::ALL
            .into_iter()
            .find(|set| set.name().replace('_', "") == stem);
        let alias = || ALIASES.iter().find(|(name, _)| *name == stem);
        named
            .or_else(|| alias().map(|&(_, set)| set))
            .ok_or_else(|| RuleSetError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_read() {
        for set in RuleSet::ALL {
            assert_eq!(set.name().parse(), Ok(set));
            assert_eq!(set.name().to_uppercase().replace('_', "-").parse(), Ok(set));
        }
        for (text, set) in [
            ("AsianRule", RuleSet::Asian),
            ("ChineseRule", RuleSet::Chinese),
            ("SkyRule", RuleSet::Sky),
            ("ComputerRule", RuleSet::Computer),
            ("CXQRule", RuleSet::Cxq),
            ("NoJudgement", RuleSet::None),
            ("chineserule", RuleSet::Chinese),
            ("classic-hk", RuleSet::ClassicHk),
        ] {
            assert_eq!(text.parse(), Ok(set), "{text}");
        }
        let error = "chess".parse::<RuleSet>().unwrap_err().to_string();
        assert!(error.contains("chess") && error.contains("asian"));
    }
}
