//! Games as text, much like PGN: tags, then the moves round by round.
//!
//! ```text
//! [Game "Seven Kingdoms"]
//! [Event "Evening at the club"]
//! [Qin "Li"]
//! [Chu "Chuhe"]
//! [Result "Wei"]
//! [Termination "kingdoms"]
//! [Rules "english"]
//!
//! 1. a13b15 c1b3 k1l3 s3q4 o14l17 k19l17 c19b17
//! 2. e10e12 {a remark} f5f9 n5n9 ...
//! Wei
//! ```
//!
//! A round begins when the turn comes round to an earlier seat than that of
//! the move before. The result is the winning kingdoms joined by `+`, or `*`.
//! `Rules` is a preset and the options that differ from it; `FEN` gives a
//! start position other than that of seven players.

use super::{Move, Options, ParseError, PlayError, Position, Seat};
use std::fmt::{self, Write};

/// The value of the tag `Game`, which tells these records from others.
pub const GAME: &str = "Seven Kingdoms";
/// Lines of moves are broken at this width.
const LINE_WIDTH: usize = 80;
/// More moves than a game can have are not read.
const MOST_PLIES: usize = 40_000;
/// Tags that say what the game itself says.
const OWN_TAGS: [&str; 5] = ["Game", "Result", "Termination", "Rules", "FEN"];
const NO_RESULT: &str = "*";

/// A game with its tags.
#[derive(Clone, Debug)]
pub struct Record {
    /// Names and values in order, besides `Game`, `Result`, `Termination`,
    /// `Rules` and `FEN`, which the game itself decides.
    pub tags: Vec<(String, String)>,
    /// The result of a game that was broken off or resigned, as the file has
    /// it; the end by the rules counts more.
    pub result: Option<String>,
    positions: Vec<Position>,
    moves: Vec<Move>,
    comments: Vec<String>,
}

/// Why a text is no record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: RecordErrorKind,
}

/// What can be wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordErrorKind {
    /// A tag is not `[Name "value"]`.
    Tag(String),
    /// `Game` is something else.
    OtherGame(String),
    /// The rules, the start or a move is malformed.
    Text(ParseError),
    /// A move cannot be played.
    Play(PlayError),
    /// A comment has no end.
    Comment,
    /// There are more moves than a game can have.
    TooLong,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            RecordErrorKind::Tag(t) => write!(f, "bad tag `{t}`, expected [Name \"value\"]"),
            RecordErrorKind::OtherGame(g) => write!(f, "game `{g}`, expected {GAME}"),
            RecordErrorKind::Text(error) => error.fmt(f),
            RecordErrorKind::Play(error) => error.fmt(f),
            RecordErrorKind::Comment => f.write_str("a comment without `}`"),
            RecordErrorKind::TooLong => write!(f, "more than {MOST_PLIES} moves"),
        }
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            result: None,
            positions: vec![start],
            moves: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|t| t.0.eq_ignore_ascii_case(name));
        found.map(|t| t.1.as_str())
    }

    /// Sets a tag, in its place if it is there.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let mut tags = self.tags.iter_mut();
        match tags.find(|t| t.0.eq_ignore_ascii_case(name)) {
            Some(tag) => tag.1 = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position after the last move.
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// All positions, one more than moves.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What is said about each move, empty for nothing.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Adds a move.
    ///
    /// # Errors
    /// When it is not legal or the game is over.
    pub fn play(&mut self, m: Move) -> Result<(), PlayError> {
        self.positions.push(self.position().play(m)?);
        self.moves.push(m);
        self.comments.push(String::new());
        Ok(())
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.comments.pop();
        Some(m)
    }

    /// Says something about the last move.
    pub fn comment(&mut self, text: &str) {
        if let Some(last) = self.comments.last_mut() {
            let words = last.split_whitespace().chain(text.split_whitespace());
            *last = words.collect::<Vec<_>>().join(" ");
        }
    }

    /// The seat that made the move of this number, from 0.
    pub fn mover(&self, ply: usize) -> Option<Seat> {
        self.positions.get(ply)?.turn()
    }

    /// The winning kingdoms joined by `+`, `*` for none.
    pub fn result_text(&self) -> String {
        let Some(outcome) = self.position().outcome() else {
            return self.result.clone().unwrap_or_else(|| NO_RESULT.to_owned());
        };
        let wins = |s: &Seat| outcome.is_winner(self.position().player(*s));
        let names: Vec<&str> = Seat::ALL.into_iter().filter(wins).map(Seat::name).collect();
        match names.is_empty() {
            true => NO_RESULT.to_owned(),
            false => names.join("+"),
        }
    }

    /// Reads all games of a text.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn read_all(text: &str) -> Result<Vec<Self>, RecordError> {
        let mut games = Vec::new();
        let mut reader = Reader::default();
        for (i, line) in text.lines().enumerate() {
            let line_number = i + 1;
            let at = |kind| RecordError {
                line: line_number,
                kind,
            };
            if reader.begins_another(line) {
                games.extend(reader.finish().map_err(at)?);
            }
            reader.line(line).map_err(at)?;
        }
        let line = text.lines().count().max(1);
        let last = reader.finish();
        games.extend(last.map_err(|kind| RecordError { line, kind })?);
        Ok(games)
    }

    fn write_tags(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{}\"]", value.replace(['\r', '\n'], " "))
        };
        tag("Game", GAME)?;
        for (name, value) in &self.tags {
            tag(name, value)?;
        }
        tag("Result", &self.result_text())?;
        if let Some(outcome) = self.position().outcome() {
            tag("Termination", outcome.by.name())?;
        }
        let options = self.start().options();
        tag("Rules", &options.to_string())?;
        let line = self.start().to_string();
        if line != Position::start(*options).to_string() {
            tag("FEN", &line)?;
        }
        Ok(())
    }

    /// The words of each round: its number, moves, comments.
    fn rounds(&self) -> Vec<Vec<String>> {
        let mut rounds: Vec<Vec<String>> = Vec::new();
        let mut before = None;
        for (ply, m) in self.moves.iter().enumerate() {
            let seat = self.mover(ply);
            if seat <= before || rounds.is_empty() {
                rounds.push(vec![format!("{}.", rounds.len() + 1)]);
            }
            before = seat;
            if let Some(round) = rounds.last_mut() {
                round.push(m.to_string());
                if !self.comments[ply].is_empty() {
                    round.push(format!("{{{}}}", self.comments[ply].replace('}', ")")));
                }
            }
        }
        rounds
    }
}

impl fmt::Display for Record {
    /// The text of a file, with an empty line at its end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        for round in self.rounds() {
            writeln!(f, "{}", wrapped(&round))?;
        }
        writeln!(f, "{}\n", self.result_text())
    }
}

/// Words in lines that are not too long.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words.iter().flat_map(|w| w.split_whitespace()) {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= LINE_WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(word);
        column += length;
    }
    text
}

impl fmt::Display for Options {
    /// A preset and the options that differ from it: `english fall=remove`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let same = |p: &&(&str, Self)| p.1 == *self;
        if let Some((name, _)) = PRESETS.iter().find(same) {
            return f.write_str(name);
        }
        f.write_str(PRESETS[0].0)?;
        for (name, value) in self.differences() {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

const PRESETS: [(&str, Options); 3] = [
    ("english", Options::ENGLISH),
    ("russian", Options::RUSSIAN),
    ("ludii", Options::LUDII),
];

impl std::str::FromStr for Options {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut options = Self::ENGLISH;
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some((name, value)) => options.set(name, value)?,
                None => options = Self::preset(word)?,
            }
        }
        Ok(options)
    }
}

/// A record that is being read.
#[derive(Default)]
struct Reader {
    tags: Vec<(String, String)>,
    record: Option<Record>,
    /// The text of a comment that is not closed yet.
    comment: Option<String>,
    result: Option<String>,
}

type Reading = Result<(), RecordErrorKind>;

impl Reader {
    /// Whether a line begins another game.
    fn begins_another(&self, line: &str) -> bool {
        self.record.is_some() && self.comment.is_none() && line.trim_start().starts_with('[')
    }

    fn line(&mut self, line: &str) -> Reading {
        let plain = line.trim();
        if self.comment.is_none() && plain.starts_with('[') {
            let tag = read_tag(plain).ok_or_else(|| RecordErrorKind::Tag(plain.to_owned()))?;
            self.tags.push(tag);
            return Ok(());
        }
        self.text(plain)
    }

    /// Moves and comments.
    fn text(&mut self, mut rest: &str) -> Reading {
        loop {
            rest = match self.comment.take() {
                Some(comment) => self.inside(comment, rest)?,
                None => self.outside(rest.trim_start())?,
            };
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Goes on with a comment; what follows it.
    fn inside<'t>(&mut self, comment: String, text: &'t str) -> Result<&'t str, RecordErrorKind> {
        let (part, rest) = text.split_once('}').unwrap_or((text, ""));
        let comment = format!("{comment} {part}");
        if part.len() < text.len() {
            self.begin()?.comment(&comment);
        } else {
            self.comment = Some(comment);
        }
        Ok(rest)
    }

    /// Reads a word or opens a comment; what follows.
    fn outside<'t>(&mut self, text: &'t str) -> Result<&'t str, RecordErrorKind> {
        if let Some(rest) = text.strip_prefix('{') {
            self.comment = Some(String::new());
            return Ok(rest);
        }
        let end = text.find(|c: char| c.is_whitespace() || c == '{');
        let (word, rest) = text.split_at(end.unwrap_or(text.len()));
        self.word(word)?;
        Ok(rest)
    }

    fn word(&mut self, word: &str) -> Reading {
        let word = without_number(word);
        if word.is_empty() {
            return Ok(());
        }
        if is_result(word) {
            self.begin()?;
            self.result = Some(word.to_owned());
            return Ok(());
        }
        let m = word.parse().map_err(RecordErrorKind::Text)?;
        let record = self.begin()?;
        if record.moves.len() >= MOST_PLIES {
            return Err(RecordErrorKind::TooLong);
        }
        record.play(m).map_err(RecordErrorKind::Play)
    }

    /// The record, made from the tags when its first move comes.
    fn begin(&mut self) -> Result<&mut Record, RecordErrorKind> {
        if self.record.is_none() {
            self.record = Some(self.start()?);
        }
        Ok(self
            .record
            .get_or_insert_with(|| Record::new(Position::start(Options::ENGLISH))))
    }

    fn start(&self) -> Result<Record, RecordErrorKind> {
        let tag = |name: &str| {
            let found = self.tags.iter().find(|t| t.0.eq_ignore_ascii_case(name));
            found.map(|t| t.1.as_str())
        };
        if let Some(game) = tag("Game").filter(|g| *g != GAME) {
            return Err(RecordErrorKind::OtherGame(game.to_owned()));
        }
        let rules = tag("Rules").unwrap_or_default().parse();
        let rules = rules.map_err(RecordErrorKind::Text)?;
        let start = match tag("FEN") {
            None => Position::start(rules),
            Some(line) => Position::parse(line, rules).map_err(RecordErrorKind::Text)?,
        };
        let mut record = Record::new(start);
        let own = |name: &str| OWN_TAGS.iter().any(|o| o.eq_ignore_ascii_case(name));
        let others = self.tags.iter().filter(|t| !own(&t.0));
        record.tags = others.cloned().collect();
        Ok(record)
    }

    /// The record read, `None` when there was none.
    fn finish(&mut self) -> Result<Option<Record>, RecordErrorKind> {
        if self.comment.is_some() {
            return Err(RecordErrorKind::Comment);
        }
        if self.record.is_none() && self.tags.is_empty() {
            return Ok(None);
        }
        self.begin()?;
        let done = std::mem::take(self);
        Ok(done.record.map(|record| Record {
            result: done.result.filter(|r| r != NO_RESULT),
            ..record
        }))
    }
}

/// A word without the number of a round before it.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None if rest.is_empty() => rest,
        None => word,
    }
}

/// `*`, or names of kingdoms joined by `+`.
fn is_result(word: &str) -> bool {
    let is_name = |part: &str| Seat::ALL.iter().any(|s| s.name() == part);
    word == NO_RESULT || word.split('+').all(is_name)
}

/// `[Name "value"]`, where `\` goes before `"` and `\`.
fn read_tag(line: &str) -> Option<(String, String)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, quoted) = inside.split_once(char::is_whitespace)?;
    let quoted = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut escaped = false;
    for c in quoted.chars() {
        if c == '\\' && !escaped {
            escaped = true;
        } else {
            let _ = value.write_char(c);
            escaped = false;
        }
    }
    Some((name.to_owned(), value))
}
