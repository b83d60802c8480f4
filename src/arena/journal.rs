//! The log of a match: one line of JSON per game, written as the game ends,
//! from which a match that was ended in any way goes on.

use super::config::MatchConfig;
use super::game::Played;
use super::reason::Reason;
use super::schedule::Fixture;
use super::stats::Outcome;
use crate::board::{Color, Move, Position};
use crate::platform::files::{cut, open_to_go_on, whole_lines};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A game as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The numbers of the engines that met.
    pub meeting: [usize; 2],
    /// The number of the game between them, from 0.
    pub number: usize,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why it ended.
    pub reason: Reason,
    /// What else there is to say about the end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The start position.
    pub fen: String,
    /// How many of the moves are the opening's.
    #[serde(default)]
    pub opening_plies: usize,
    /// All moves, in ICCS.
    pub moves: String,
    /// Of each move after the opening: score in centipawns for its side.
    pub score: Vec<Option<i32>>,
    /// Depth.
    pub depth: Vec<Option<u32>>,
    /// Nodes.
    pub nodes: Vec<Option<u64>>,
    /// Milliseconds charged.
    pub ms: Vec<u64>,
    /// The day it ended, `2026-11-30`, UTC.
    pub date: String,
    /// Seconds it took.
    pub seconds: Seconds,
    /// Where an engine misbehaved or overstepped its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
}

/// A number of seconds, kept in milliseconds and written as a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Seconds(pub u64);

impl From<f64> for Seconds {
    fn from(seconds: f64) -> Self {
        Self((seconds * 1000.0).round() as u64)
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> Self {
        seconds.0 as f64 / 1000.0
    }
}

/// A fault as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The engine's name.
    pub engine: String,
    /// The last position and limits it was sent.
    pub command: String,
    /// The last lines it wrote.
    pub lines: Vec<String>,
}

impl GameRecord {
    /// The record of a game that was played.
    pub fn new(config: &MatchConfig, fixture: Fixture, played: &Played, took: Duration) -> Self {
        let name = |color: Color| config.engines[fixture.colors()[color.index()]].name.clone();
        let moves: Vec<String> = played.game.moves().iter().map(Move::to_string).collect();
        let notes = &played.notes;
        Self {
            meeting: [fixture.first, fixture.second],
            number: fixture.number,
            red: name(Color::Red),
            black: name(Color::Black),
            result: played.finish.result().to_owned(),
            reason: played.finish.reason,
            detail: played.finish.detail.clone(),
            fen: played.game.positions()[0].to_string(),
            opening_plies: moves.len() - notes.len(),
            moves: moves.join(" "),
            score: notes.iter().map(|note| note.score).collect(),
            depth: notes.iter().map(|note| note.depth).collect(),
            nodes: notes.iter().map(|note| note.nodes).collect(),
            ms: notes.iter().map(|note| millis(note.used)).collect(),
            date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            seconds: Seconds(millis(took)),
            fault: played.fault.as_ref().map(|fault| FaultRecord {
                engine: name(fault.side),
                command: fault.command.clone(),
                lines: fault.lines.clone(),
            }),
        }
    }

    /// Which game of the schedule it is.
    pub fn fixture(&self) -> Fixture {
        let [first, second] = self.meeting;
        Fixture {
            first,
            second,
            number: self.number,
        }
    }

    /// The side that won.
    pub fn winner(&self) -> Option<Color> {
        match self.result.as_str() {
            "1-0" => Some(Color::Red),
            "0-1" => Some(Color::Black),
            _ => None,
        }
    }

    /// The result for one side.
    pub fn outcome(&self, side: Color) -> Outcome {
        match self.winner() {
            None => Outcome::Draw,
            Some(winner) if winner == side => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }
}

/// What a log keeps of a game.
pub trait Logged: Clone + Serialize + DeserializeOwned {
    /// Whether the game can be replayed.
    fn is_sound(&self) -> bool;
}

impl Logged for GameRecord {
    /// Legal moves from a valid start, and notes for as many of them as there
    /// should be.
    fn is_sound(&self) -> bool {
        let Ok(start) = self.fen.parse::<Position>() else {
            return false;
        };
        let mut game = crate::rules::Game::new(start);
        let legal = self.moves.split_whitespace().all(|word| {
            let mv = word.parse::<Move>();
            mv.is_ok_and(|mv| game.play(mv).is_ok())
        });
        let noted = self.opening_plies + self.ms.len();
        legal && noted == game.moves().len() && self.score.len() == self.ms.len()
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Entry<G> {
    /// The first line.
    Match { version: String, settings: Value },
    /// Every other line.
    Game(Box<G>),
}

/// Why a log cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// It exists, and the match shall not go on from it.
    Exists(PathBuf),
    /// A line other than the last is not what it should be.
    Line(PathBuf, usize, String),
    /// The match was ordered otherwise when it began.
    OtherSettings {
        /// The log.
        path: PathBuf,
        /// The setting.
        key: String,
        /// What it was.
        was: String,
        /// What it is.
        now: String,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Exists(path) => write!(
                f,
                "{} exists: add --resume to go on from the match, or name another file",
                path.display()
            ),
            Self::Line(path, line, error) => {
                write!(f, "{}, line {line}: {error}", path.display())
            }
            Self::OtherSettings {
                path,
                key,
                was,
                now,
            } => write!(
                f,
                "{}: the match was begun with {key} = {was}, expected the same, found {now}",
                path.display()
            ),
        }
    }
}

impl std::error::Error for JournalError {}

/// How a log begins.
const MARK: &str = "{\"type\":\"match\"";

/// An open log.
#[derive(Debug)]
pub struct Journal<G = GameRecord> {
    path: PathBuf,
    file: File,
    games: PhantomData<G>,
}

impl<G: Logged> Journal<G> {
    /// Opens the log of a match and reads the games that it holds. A last
    /// line that was not written to its end is removed.
    ///
    /// # Errors
    /// When there is a log but `resume` is false, or it is of another match.
    pub fn open(
        path: &Path,
        settings: &Value,
        resume: bool,
    ) -> Result<(Self, Vec<G>), JournalError> {
        let io_error = |error| JournalError::Io(path.to_owned(), error);
        let mut file = open_to_go_on(path).map_err(io_error)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io_error)?;
        if !text.is_empty() && !resume {
            return Err(JournalError::Exists(path.to_owned()));
        }
        let whole = whole_lines(&text, MARK).map_err(io_error)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            games: PhantomData,
        };
        let games = journal.read(&text[..whole], settings)?;
        cut(&mut journal.file, whole as u64).map_err(io_error)?;
        if whole == 0 {
            journal.write(&Entry::Match {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                settings: settings.clone(),
            })?;
        }
        Ok((journal, games))
    }

    fn read(&self, text: &[u8], settings: &Value) -> Result<Vec<G>, JournalError> {
        let mut games = Vec::new();
        for (i, line) in text.split(|&b| b == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let wrong = |error: String| JournalError::Line(self.path.clone(), i + 1, error);
            let entry: Result<Entry<G>, _> = serde_json::from_slice(line);
            match entry.map_err(|error| wrong(error.to_string()))? {
                Entry::Match { settings: was, .. } => self.compare(&was, settings)?,
                Entry::Game(game) if game.is_sound() => games.push(*game),
                Entry::Game(_) => return Err(wrong("the game cannot be replayed".to_owned())),
            }
        }
        Ok(games)
    }

    fn compare(&self, was: &Value, now: &Value) -> Result<(), JournalError> {
        let keys = now.as_object().into_iter().flat_map(|object| object.keys());
        match keys.into_iter().find(|key| was.get(key) != now.get(key)) {
            None => Ok(()),
            Some(key) => Err(JournalError::OtherSettings {
                path: self.path.clone(),
                key: key.clone(),
                was: was.get(key).unwrap_or(&Value::Null).to_string(),
                now: now.get(key).unwrap_or(&Value::Null).to_string(),
            }),
        }
    }

    /// Appends a game; it is with the operating system when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &G) -> Result<(), JournalError> {
        self.write(&Entry::Game(Box::new(game.clone())))
    }

    /// One call of the system for the whole line.
    fn write(&mut self, entry: &Entry<G>) -> Result<(), JournalError> {
        let io_error = |error| JournalError::Io(self.path.clone(), error);
        let mut line = serde_json::to_vec(entry).map_err(|error| io_error(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(io_error)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::json;

    /// A short game between engines 0 and 1.
    pub fn record(number: usize, result: &str) -> GameRecord {
        GameRecord {
            meeting: [0, 1],
            number,
            red: "A".into(),
            black: "B".into(),
            result: result.into(),
            reason: Reason::Mate,
            detail: String::new(),
            fen: Position::startpos().to_string(),
            opening_plies: 0,
            moves: "h2e2 h9g7".into(),
            score: vec![Some(10), None],
            depth: vec![Some(3), Some(4)],
            nodes: vec![Some(100), None],
            ms: vec![5, 6],
            date: "2026-11-30".into(),
            seconds: Seconds(1234),
            fault: None,
        }
    }

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_torn_last_line_is_removed_and_nothing_else() {
        let folder = Folder::new("journal");
        let path = folder.0.join("games.jsonl");
        let settings = json!({"a": 1});
        let (mut journal, games) = Journal::<GameRecord>::open(&path, &settings, true).unwrap();
        assert!(games.is_empty());
        journal.append(&record(0, "1-0")).unwrap();
        journal.append(&record(1, "0-1")).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let last_line = whole[..whole.len() - 1]
            .iter()
            .rposition(|&b| b == b'\n')
            .unwrap();
        for cut in last_line + 2..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, games) = Journal::<GameRecord>::open(&path, &settings, true).unwrap();
            assert_eq!(games, [record(0, "1-0")]);
            journal.append(&record(1, "0-1")).unwrap();
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn other_matches_are_refused() {
        let folder = Folder::new("journal-other");
        let path = folder.0.join("games.jsonl");
        let settings = json!({"rules": "asian", "ponder": false});
        drop(Journal::<GameRecord>::open(&path, &settings, false).unwrap());
        let again = Journal::<GameRecord>::open(&path, &settings, false).unwrap_err();
        assert!(again.to_string().contains("--resume"));
        let other = json!({"rules": "sky", "ponder": false});
        let error = Journal::<GameRecord>::open(&path, &other, true)
            .unwrap_err()
            .to_string();
        for part in ["rules", "asian", "sky"] {
            assert!(error.contains(part), "{error}");
        }
        let begun = std::fs::read_to_string(&path).unwrap();
        for (text, part) in [
            (begun + "{}\n", "line 2"),
            ("nonsense\n{}\n".to_owned(), "another kind"),
            ("nonsense".to_owned(), "another kind"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let error = Journal::<GameRecord>::open(&path, &settings, true).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn records_that_cannot_be_replayed_are_refused() {
        assert!(record(0, "1-0").is_sound());
        for (moves, ms) in [
            ("h2e2 a0a5", vec![5, 6]),
            ("h2e2", vec![5, 6]),
            ("h2e2 x", vec![5, 6]),
        ] {
            let broken = GameRecord {
                moves: moves.into(),
                ms,
                ..record(0, "1-0")
            };
            assert!(!broken.is_sound());
        }
        let json = serde_json::to_string(&record(0, "1-0")).unwrap();
        assert_eq!(
            serde_json::from_str::<GameRecord>(&json).unwrap(),
            record(0, "1-0")
        );
        assert!(json.contains("\"seconds\":1.234"));
    }
}
