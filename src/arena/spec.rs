//! What is to be known about an engine before it is started.

use super::limit::{Budget, TimeControl, TimeError, seconds};
use crate::protocol::Dialect;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// An engine program and how to run it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EngineSpec {
    /// Its name in the results.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The folder to run it in.
    pub dir: Option<PathBuf>,
    /// The protocol; `None` to find out.
    pub dialect: Option<Dialect>,
    /// The number of Red's back rank in its moves: 0, or 1 for
    /// Fairy-Stockfish.
    pub first_rank: u8,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Its own limits; empty for those of the match.
    pub budget: Budget,
    /// Start a new process for every game.
    pub restart: bool,
    /// Send a newer FEN once so many plies without a capture would have to be
    /// sent, with its count of such plies at 0 (for engines with a shorter
    /// draw rule of their own).
    pub history_max: Option<usize>,
}

/// Why a text describes no engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecError {
    /// A part is not `key=value`.
    NotKeyValue(String),
    /// The key is not known.
    UnknownKey(String),
    /// The value does not fit the key.
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
    /// There is no `cmd`.
    NoCommand,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotKeyValue(part) => write!(f, "engine: `{part}` is not key=value"),
            Self::UnknownKey(key) => write!(
                f,
                "engine: unknown key `{key}`, expected {} or option.NAME",
                KEYS.join(", ")
            ),
            Self::BadValue {
                key,
                value,
                expected,
            } => write!(f, "engine: {key}=`{value}`: expected {expected}"),
            Self::NoCommand => f.write_str("engine: cmd= is missing: which program is it?"),
        }
    }
}

impl std::error::Error for SpecError {}

/// The keys of a description, `option.NAME` aside.
const KEYS: [&str; 11] = [
    "name", "cmd", "dir", "proto", "ranks", "tc", "movetime", "nodes", "depth", "restart",
    "histmax",
];
const OPTION_PREFIX: &str = "option.";

/// `key=value,...`; a comma inside a value is written `\,`, a backslash `\\`.
impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut spec = Self::default();
        for part in split_unescaped(text) {
            if part.trim().is_empty() {
                continue;
            }
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::NotKeyValue(part.clone()))?;
            spec.set(key.trim(), value)?;
        }
        spec.complete()
    }
}

fn split_unescaped(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\' && matches!(chars.peek(), Some(',' | '\\'));
        match (c, escaped) {
            (_, true) => parts
                .last_mut()
                .unwrap_or(&mut String::new())
                .extend(chars.next()),
            (',', false) => parts.push(String::new()),
            _ => parts.last_mut().unwrap_or(&mut String::new()).push(c),
        }
    }
    parts
}

impl EngineSpec {
    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let bad = |expected| SpecError::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let bad_time = |_: TimeError| bad("seconds, such as tc=3+0.03 or movetime=0.5");
        let whole = || value.trim().parse::<u64>().ok().filter(|&n| n > 0);
        const POSITIVE: &str = "a whole number above 0";
        match key {
            "name" => self.name = value.trim().to_owned(),
            "cmd" => {
                let words = shlex::split(value).filter(|words| !words.is_empty());
                self.command = words.ok_or_else(|| bad("a command line"))?;
            }
            "dir" => self.dir = Some(value.into()),
            "proto" => self.dialect = protocol(value).ok_or_else(|| bad("uci, ucci or auto"))?,
            "ranks" => self.first_rank = first_rank(value).ok_or_else(|| bad("0 or 1"))?,
            "tc" => self.budget.time = Some(value.parse::<TimeControl>().map_err(bad_time)?),
            "movetime" => {
                let time = seconds(value).map_err(bad_time)?;
                self.budget.time = Some(TimeControl::PerMove(time));
            }
            "nodes" => self.budget.nodes = Some(whole().ok_or_else(|| bad(POSITIVE))?),
            "depth" => {
                let depth = whole().and_then(|n| u32::try_from(n).ok());
                self.budget.depth = Some(depth.ok_or_else(|| bad(POSITIVE))?);
            }
            "restart" => self.restart = flag(value).ok_or_else(|| bad("true or false"))?,
            "histmax" => {
                let plies = whole().and_then(|n| usize::try_from(n).ok());
                self.history_max = Some(plies.ok_or_else(|| bad(POSITIVE))?);
            }
            _ => match key.strip_prefix(OPTION_PREFIX) {
                Some(name) if !name.is_empty() => {
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(SpecError::UnknownKey(key.to_owned())),
            },
        }
        Ok(())
    }

    fn complete(mut self) -> Result<Self, SpecError> {
        let program = self.command.first().ok_or(SpecError::NoCommand)?;
        if self.name.is_empty() {
            let stem = std::path::Path::new(program).file_stem();
            self.name = stem.map_or_else(|| program.clone(), |s| s.to_string_lossy().into_owned());
        }
        Ok(self)
    }

    /// Search threads, by its options.
    pub fn threads(&self) -> usize {
        let threads = self
            .options
            .iter()
            .rev()
            .find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        let count = threads.and_then(|(_, value)| value.trim().parse().ok());
        count.unwrap_or(1).max(1)
    }

    /// Whether an option of that name is set here.
    pub fn sets(&self, option: &str) -> bool {
        self.options
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case(option))
    }
}

/// `Some(None)` for finding out.
fn protocol(text: &str) -> Option<Option<Dialect>> {
    match text.trim() {
        "auto" => Some(None),
        "uci" => Some(Some(Dialect::Uci)),
        "ucci" => Some(Some(Dialect::Ucci)),
        _ => None,
    }
}

/// Also in the form of a range.
fn first_rank(text: &str) -> Option<u8> {
    match text.trim() {
        "0" | "0-9" => Some(0),
        "1" | "1-10" => Some(1),
        _ => None,
    }
}

fn flag(text: &str) -> Option<bool> {
    match text.trim() {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" => Some(false),
        _ => None,
    }
}

/// An engine in a TOML file: the same keys, with a table `options`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct EngineTable {
    /// The options, in the order of their names.
    pub options: BTreeMap<String, toml::Value>,
    /// The other keys.
    #[serde(flatten)]
    pub keys: BTreeMap<String, toml::Value>,
}

impl EngineTable {
    /// The engine described.
    ///
    /// # Errors
    /// As for the text on a command line.
    pub fn spec(&self) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::default();
        for (key, value) in &self.keys {
            spec.set(key, &plain(value))?;
        }
        for (name, value) in &self.options {
            spec.options.push((name.clone(), plain(value)));
        }
        spec.complete()
    }
}

/// A value as it would stand on a command line.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read() {
        let text = r"name=A\,b,cmd=./e --x 'y z',dir=/tmp,proto=ucci,ranks=1,tc=3+0.1,nodes=5,depth=7,restart=1,histmax=90,option.Move Overhead=0,option.threads=3";
        let spec: EngineSpec = text.parse().unwrap();
        assert_eq!((spec.name.as_str(), spec.first_rank), ("A,b", 1));
        assert_eq!(spec.command, ["./e", "--x", "y z"]);
        assert_eq!(spec.dialect, Some(Dialect::Ucci));
        assert_eq!(spec.budget.to_string(), "3+0.1 nodes=5 depth=7");
        assert_eq!(spec.options[0], ("Move Overhead".into(), "0".into()));
        assert_eq!((spec.threads(), spec.history_max), (3, Some(90)));
        assert!(spec.restart && spec.sets("move overhead"));
    }

    #[test]
    fn the_name_is_the_program_by_default() {
        let spec: EngineSpec = "cmd=/usr/games/fairy-stockfish bench".parse().unwrap();
        assert_eq!(spec.name, "fairy-stockfish");
        assert_eq!(spec.threads(), 1);
    }

    #[test]
    fn errors_name_the_text_and_what_was_expected() {
        for (text, parts) in [
            ("name=x", ["cmd=", "missing"]),
            ("cmd=a,foo", ["`foo`", "key=value"]),
            ("cmd=a,foo=1", ["`foo`", "option.NAME"]),
            ("cmd=a,ranks=2", ["`2`", "0 or 1"]),
            ("cmd=a,tc=soon", ["`soon`", "seconds"]),
            ("cmd=a,nodes=0", ["`0`", "above 0"]),
            ("cmd=a,proto=xboard", ["`xboard`", "uci"]),
            ("cmd='a", ["`'a`", "command line"]),
            ("cmd=a,option.=1", ["option.", "option.NAME"]),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }

    #[test]
    fn tables_of_a_toml_file() {
        let table: EngineTable = toml::from_str(
            "name = 'A'\ncmd = './a'\nranks = 1\nrestart = true\nnodes = 500\n\
             options = { Hash = 64, 'Use NNUE' = false, EvalFile = 'x y' }",
        )
        .unwrap();
        let spec = table.spec().unwrap();
        assert_eq!(spec.options.len(), 3);
        assert!(spec.options.contains(&("Use NNUE".into(), "false".into())));
        assert!(spec.restart && spec.budget.nodes == Some(500) && spec.first_rank == 1);
        let wrong: EngineTable = toml::from_str("cmd = 'a'\nrank = 1").unwrap();
        assert!(wrong.spec().unwrap_err().to_string().contains("`rank`"));
    }
}
