//! The options of this game as a GUI sees them.
//!
//! Every rule of [`OPTIONS`] becomes `Kingdoms_` and its name in camel case:
//! `loss_limit` is `Kingdoms_LossLimit`. `Kingdoms_Preset` sets all rules at
//! once, `Kingdoms_Players` the number of players at the start,
//! `Kingdoms_Search` the search.

use crate::kingdoms::{Algorithm, Domain, OPTIONS, Options, ParseError};

/// What begins the name of every option of this game.
pub const PREFIX: &str = "Kingdoms_";
const PRESETS: [&str; 3] = ["english", "russian", "ludii"];
const SEARCHES: [(&str, Algorithm); 2] =
    [("maxn", Algorithm::MAX_N), ("brs", Algorithm::BEST_REPLY)];
/// Players when nobody says otherwise, and their range.
const PLAYERS: (usize, usize, usize) = (7, 3, 7);

/// What the options are set to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choices {
    /// The rules.
    pub rules: Options,
    /// Players at the start.
    pub players: usize,
    /// The search.
    pub algorithm: Algorithm,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            rules: Options::ENGLISH,
            players: PLAYERS.0,
            algorithm: SEARCHES[0].1,
        }
    }
}

/// What a setting changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// The rules or the start, hence the position.
    Game,
    /// The search.
    Search,
}

impl Choices {
    /// Sets an option by its name without [`PREFIX`], in either case.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Changed, ParseError> {
        let name = plain(name);
        let value = value.trim().to_lowercase();
        match name.as_str() {
            "preset" => self.rules = Options::preset(&value)?,
            "players" => self.players = players(&value)?,
            "search" => {
                self.algorithm = search(&value)?;
                return Ok(Changed::Search);
            }
            _ => {
                let rule = OPTIONS.iter().find(|o| plain(o.name) == name);
                let rule = rule.ok_or(ParseError::OptionName(name))?;
                self.rules.set(rule.name, &within(rule.domain, value))?;
            }
        }
        Ok(Changed::Game)
    }
}

/// The name of an option without [`PREFIX`], `None` where it has none. Case,
/// spaces and underscores do not matter.
pub fn rule_name(name: &str) -> Option<String> {
    let name = plain(name);
    let rest = name.strip_prefix(&plain(PREFIX))?;
    Some(rest.to_owned())
}

/// A number out of its range brought into it, as with all options; other
/// values as they are.
fn within(domain: Domain, value: String) -> String {
    match (domain, value.parse::<i64>()) {
        (Domain::Number { min, max }, Ok(number)) => {
            number.clamp(i64::from(min), i64::from(max)).to_string()
        }
        _ => value,
    }
}

fn players(value: &str) -> Result<usize, ParseError> {
    let (_, least, most) = PLAYERS;
    let number = value.parse::<i64>();
    let number = number.map_err(|_| bad("players", value, "a number from 3 to 7"))?;
    Ok(usize::try_from(number).unwrap_or(0).clamp(least, most))
}

fn search(value: &str) -> Result<Algorithm, ParseError> {
    let found = SEARCHES.iter().find(|s| s.0 == value);
    found.map_or_else(|| Err(bad("search", value, "maxn or brs")), |s| Ok(s.1))
}

fn bad(name: &str, value: &str, expected: &str) -> ParseError {
    ParseError::OptionValue {
        name: name.to_owned(),
        value: value.to_owned(),
        expected: expected.to_owned(),
    }
}

/// A name without spaces and underscores, and in lower case.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| *c != '_' && *c != ' ');
    letters.flat_map(char::to_lowercase).collect()
}

/// The name of a rule in the protocol: `loss_limit` is `Kingdoms_LossLimit`.
pub fn option_name(rule: &str) -> String {
    let words = rule.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    PREFIX.to_owned() + &words.collect::<String>()
}

/// Name and meaning of every option.
pub fn helps() -> Vec<(String, &'static str)> {
    let own = [
        ("preset", "sets all rules at once"),
        ("players", "players at the start"),
        ("search", "max^n, or best-reply search"),
    ];
    let rules = OPTIONS.iter().map(|rule| (rule.name, rule.help));
    let all = own.into_iter().chain(rules);
    all.map(|(name, help)| (option_name(name), help)).collect()
}

/// The `option` lines of all options, with their defaults.
pub fn announcements() -> Vec<String> {
    let combo = |name: &str, words: &[&str]| {
        let vars: String = words.iter().map(|w| format!(" var {w}")).collect();
        format!("option name {name} type combo default {}{vars}", words[0])
    };
    let (default, min, max) = PLAYERS;
    let mut lines = vec![
        combo(&option_name("preset"), &PRESETS),
        format!(
            "option name {} type spin default {default} min {min} max {max}",
            option_name("players")
        ),
        combo(&option_name("search"), &SEARCHES.map(|s| s.0)),
    ];
    for rule in OPTIONS {
        let (name, default) = (option_name(rule.name), Options::ENGLISH.get(rule.name));
        let default = default.unwrap_or_default();
        lines.push(match rule.domain {
            Domain::Number { min, max } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Domain::Words(["false", "true"]) => {
                format!("option name {name} type check default {default}")
            }
            Domain::Words(words) => combo(&name, words),
            Domain::Teams => format!("option name {name} type string default {default}"),
        });
    }
    lines
}
