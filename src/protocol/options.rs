//! The options: one table of names, types, defaults and ranges, and the
//! values they set.
//!
//! A row of the table may be on offer in UCI, in UCCI, or in both; `setoption`
//! finds it by either name in every dialect, whatever the case and with or
//! without spaces and underscores.

mod table;

pub use table::OPTIONS;

use super::reply::{OptionKind, OptionLine};
use super::{Dialect, Reply};
use crate::search::Settings;
use std::fmt;

/// The values of all options.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What the search is told.
    pub settings: Settings,
    /// Whether `UCI_Elo` holds.
    pub limit_strength: bool,
    /// The Elo number to play at when the strength is limited.
    pub elo: u32,
    /// Whether moves without a capture are counted to a draw.
    pub sixty_move_rule: bool,
    /// The plies without a capture that make one.
    pub rule60_max_ply: u16,
    /// Print the chances of win, draw and loss.
    pub show_wdl: bool,
    /// The user analyses: no draw offers, no resignation.
    pub analyse_mode: bool,
    /// The game played.
    pub variant: String,
    /// Where all lines in and out are written, empty for nowhere.
    pub debug_log_file: String,
    /// Times in `go` are milliseconds, else seconds (UCCI).
    pub milliseconds: bool,
    /// No line is looked at while a search runs (UCCI).
    pub batch: bool,
    /// Say more: lines of aspiration bounds too (UCCI).
    pub debug: bool,
    /// Offer and accept draws and resign (UCCI).
    pub draw_and_resign: bool,
    /// Play the moves of the book (UCI).
    pub own_book: bool,
    /// Play the moves of the book (UCCI).
    pub use_book: bool,
    /// The file of the net, empty for the one in the program.
    pub eval_file: String,
    /// The files of the books; empty for the one in the program (UCI) or none
    /// (UCCI, where books are on from the start).
    pub book_file: String,
    /// Play the book move of the greatest weight, not one at random.
    pub best_book_move: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            limit_strength: false,
            elo: table::DEFAULT_ELO as u32,
            sixty_move_rule: true,
            rule60_max_ply: table::DEFAULT_RULE60 as u16,
            show_wdl: false,
            analyse_mode: false,
            variant: table::XIANGQI.to_owned(),
            debug_log_file: String::new(),
            milliseconds: true,
            batch: false,
            debug: false,
            draw_and_resign: true,
            own_book: false,
            use_book: true,
            eval_file: String::new(),
            book_file: String::new(),
            best_book_move: false,
        }
    }
}

/// What stands for an empty text.
const EMPTY: &str = "<empty>";

/// What a `setoption` asks the session to do beyond keeping a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Tell the engine its new settings.
    Configure,
    /// Forget what the table holds.
    Clear,
    /// Open or close the log of lines.
    Log,
    /// Another game is played from now on.
    Variant,
    /// Open or close the opening book.
    Book,
    /// Judge by another net.
    Network,
}

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The value is none of this option; it keeps the one it had.
    BadValue {
        /// The option.
        name: &'static str,
        /// The value as sent.
        value: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "No such option: {name}"),
            Self::BadValue { name, value } => {
                write!(f, "option {name}: `{value}` is not one of its values")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// A row of the table.
pub struct OptionRow {
    /// Name in UCI, empty where it is not on offer there.
    pub uci: &'static str,
    /// Name in UCCI, one word, empty where it is not on offer there.
    pub ucci: &'static str,
    /// Type, default and range.
    pub kind: Kind,
    /// What it does, for `help` and the guide.
    pub help: &'static str,
}

/// Type, default and range of an option, with what takes the value.
pub enum Kind {
    /// On or off.
    Check(bool, fn(&mut Options, bool) -> Effect),
    /// A number: default, least, greatest. Others are brought into range.
    Spin(i64, i64, i64, fn(&mut Options, i64) -> Effect),
    /// One of several words, the default first; the function takes its index.
    Combo(&'static [&'static str], fn(&mut Options, usize) -> Effect),
    /// One of several words, the default first, of which the function knows
    /// other spellings too; `None` where it knows no such word.
    Words(
        &'static [&'static str],
        fn(&mut Options, &str) -> Option<Effect>,
    ),
    /// Something to press.
    Button(Effect),
    /// A text, empty by default.
    Text(fn(&mut Options, &str) -> Effect),
}

impl OptionRow {
    /// The name in a dialect, `None` where it is not on offer there.
    pub fn name(&self, dialect: Dialect) -> Option<&'static str> {
        let name = if dialect.is_ucci() {
            self.ucci
        } else {
            self.uci
        };
        Some(name).filter(|name| !name.is_empty())
    }

    /// The announcement in a dialect, `None` where it is not on offer there.
    pub fn announcement(&self, dialect: Dialect) -> Option<Reply> {
        let name = self.name(dialect)?.to_owned();
        let kind = self.kind.announced();
        Some(Reply::Option(OptionLine { name, kind }))
    }

    fn answers_to(&self, name: &str) -> bool {
        let wanted = plain(name);
        [self.uci, self.ucci]
            .iter()
            .any(|own| !own.is_empty() && plain(own) == wanted)
    }

    fn any_name(&self) -> &'static str {
        if self.uci.is_empty() {
            self.ucci
        } else {
            self.uci
        }
    }
}

/// Names of the past, in letters only, with those of today.
const OLD_NAMES: [(&str, &str); 1] = [("strictthreefold", "Repetition Fold")];

/// The row of this name, one on offer in `dialect` before others.
fn find(dialect: Dialect, name: &str) -> Option<&'static OptionRow> {
    let old = OLD_NAMES.iter().find(|(old, _)| *old == plain(name));
    let name = old.map_or(name, |(_, today)| today);
    let rows = || OPTIONS.iter().filter(|row| row.answers_to(name));
    rows()
        .find(|row| row.name(dialect).is_some())
        .or_else(|| rows().next())
}

/// A name without case, spaces and underscores.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, ' ' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

impl Kind {
    fn announced(&self) -> OptionKind {
        match *self {
            Self::Check(default, _) => OptionKind::Check { default },
            Self::Spin(default, min, max, _) => OptionKind::Spin { default, min, max },
            Self::Combo(values, _) | Self::Words(values, _) => OptionKind::Combo {
                default: values[0].to_owned(),
                values: values.iter().map(|&value| value.to_owned()).collect(),
            },
            Self::Button(_) => OptionKind::Button,
            Self::Text(_) => OptionKind::Text {
                default: String::new(),
            },
        }
    }

    /// Sets the value; `None` when it is none of this kind.
    fn set(&self, options: &mut Options, value: &str) -> Option<Effect> {
        Some(match self {
            Self::Check(_, set) => set(options, read_check(value)?),
            Self::Spin(_, min, max, set) => set(options, read_spin(value)?.clamp(*min, *max)),
            Self::Combo(values, set) => {
                let same = |known: &&str| known.eq_ignore_ascii_case(value);
                set(options, values.iter().position(same)?)
            }
            Self::Words(_, set) => set(options, value)?,
            Self::Button(effect) => *effect,
            Self::Text(set) => set(options, if value == EMPTY { "" } else { value }),
        })
    }
}

/// On or off in the words of the specification and of real programs.
fn read_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" | "yes" => Some(true),
        "false" | "off" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// A whole number; one too large to hold is the largest there is.
fn read_spin(value: &str) -> Option<i64> {
    super::dialect::read_number(value)
}

impl Options {
    /// Sets an option, or presses a button.
    ///
    /// # Errors
    /// When there is no such option, or the value is none of its values;
    /// nothing changes then.
    pub fn set(
        &mut self,
        dialect: Dialect,
        name: &str,
        value: Option<&str>,
    ) -> Result<Effect, OptionError> {
        let row = find(dialect, name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = value.unwrap_or_default().trim();
        let effect = row
            .kind
            .set(self, value)
            .ok_or_else(|| OptionError::BadValue {
                name: row.any_name(),
                value: value.to_owned(),
            })?;
        self.settings.elo = self.limit_strength.then_some(self.elo);
        Ok(effect)
    }

    /// The announcements of a dialect.
    pub fn announcements(dialect: Dialect) -> impl Iterator<Item = Reply> {
        OPTIONS
            .iter()
            .filter_map(move |row| row.announcement(dialect))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;
    use crate::rules::repetition::Fold;
    use std::collections::HashSet;

    fn set(options: &mut Options, name: &str, value: &str) -> Result<Effect, OptionError> {
        options.set(Dialect::Uci, name, Some(value))
    }

    #[test]
    fn defaults_announced_are_the_values_in_force() {
        for row in OPTIONS {
            let default = match &row.kind {
                Kind::Check(default, _) => default.to_string(),
                Kind::Spin(default, ..) => default.to_string(),
                Kind::Combo(values, _) | Kind::Words(values, _) => values[0].to_owned(),
                Kind::Text(_) => EMPTY.to_owned(),
                Kind::Button(_) => continue,
            };
            let mut options = Options::default();
            set(&mut options, row.any_name(), &default).unwrap();
            assert_eq!(options, Options::default(), "{}", row.any_name());
        }
    }

    #[test]
    fn names_are_unique_in_each_dialect() {
        for dialect in Dialect::ALL {
            let names: Vec<String> = OPTIONS
                .iter()
                .filter_map(|row| row.name(dialect).map(plain))
                .collect();
            let distinct: HashSet<&String> = names.iter().collect();
            assert_eq!(distinct.len(), names.len());
        }
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        let mut options = Options::default();
        for name in ["Slow Mover", "slow mover", "SlowMover", "Slow_Mover"] {
            assert_eq!(set(&mut options, name, "50"), Ok(Effect::Configure));
        }
        assert_eq!(options.settings.slow_mover, 50);
    }

    #[test]
    fn ucci_names_are_one_word_and_the_announcements_few() {
        assert!(OPTIONS.iter().all(|row| !row.ucci.contains(' ')));
        assert!(Options::announcements(Dialect::Ucci).count() <= 34);
        assert!(Options::announcements(Dialect::Uci).count() <= 44);
    }

    #[test]
    fn numbers_are_brought_into_range_and_other_words_refused() {
        let mut options = Options::default();
        set(&mut options, "Hash", "0").unwrap();
        assert_eq!(options.settings.hash_mb, 1);
        set(&mut options, "Hash", "99999999999999999999").unwrap();
        assert_eq!(options.settings.hash_mb, table::MAX_HASH_MB as usize);
        let before = options.clone();
        for (name, value) in [
            ("Hash", "abc"),
            ("Hash", ""),
            ("Ponder", "maybe"),
            ("style", "wild"),
        ] {
            let error = set(&mut options, name, value).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(value), "{error}");
        }
        assert_eq!(
            set(&mut options, "NoSuch", "1"),
            Err(OptionError::Unknown("NoSuch".into()))
        );
        assert_eq!(options, before);
    }

    #[test]
    fn rules_and_folds_are_known_by_all_their_names() {
        let mut options = Options::default();
        for (name, value, rules) in [
            ("Repetition Rule", "CXQRule", RuleSet::Cxq),
            ("Repetition_Rule", "classic-hk", RuleSet::ClassicHk),
            ("repetition", "chineserule", RuleSet::Chinese),
            ("Repetition Rule", "NoJudgement", RuleSet::None),
            ("repetition", "checkban", RuleSet::Simple),
            ("Repetition Rule", "sky", RuleSet::Sky),
        ] {
            assert_eq!(set(&mut options, name, value), Ok(Effect::Configure));
            assert_eq!(options.settings.rules, rules, "{value}");
        }
        assert!(set(&mut options, "Repetition Rule", "chess").is_err());
        for (name, value, fold) in [
            ("Repetition Fold", "TwoFold", Fold::Two),
            ("Strict Three Fold", "true", Fold::Three),
            ("Strict Three Fold", "false", Fold::RootThree),
            ("repetitionfold", "three_fold", Fold::Three),
        ] {
            assert_eq!(set(&mut options, name, value), Ok(Effect::Configure));
            assert_eq!(options.settings.fold, fold, "{value}");
        }
        assert!(set(&mut options, "Repetition Fold", "four").is_err());
    }

    #[test]
    fn elo_counts_only_where_the_strength_is_limited() {
        let mut options = Options::default();
        set(&mut options, "UCI_Elo", "2000").unwrap();
        assert_eq!(options.settings.elo, None);
        set(&mut options, "UCI_LimitStrength", "true").unwrap();
        assert_eq!(options.settings.elo, Some(2000));
    }

    #[test]
    fn checks_know_the_words_of_real_programs() {
        let mut options = Options::default();
        for (word, on) in [("on", true), ("0", false), ("1", true), ("FALSE", false)] {
            set(&mut options, "batch", word).unwrap();
            assert_eq!(options.batch, on);
        }
    }
}
