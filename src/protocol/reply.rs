//! What an engine says, as values.

use crate::board::Move;
use crate::search::{Bound, Line, Score};
use std::fmt;
use std::time::Duration;

/// One reply of an engine, a line except where [`Reply::Text`] holds more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `id name Chuhe 0.1.0`.
    Id {
        /// What the text is.
        key: IdKey,
        /// The text.
        text: String,
    },
    /// An option on offer.
    Option(OptionLine),
    /// `uciok` or `ucciok`: the introduction is over.
    Ok,
    /// `readyok`.
    ReadyOk,
    /// News of the search.
    Info(Box<Info>),
    /// Words for the user: `info string`, in UCCI `info message`.
    Message(String),
    /// The move to play.
    BestMove(BestMove),
    /// There is no move: `bestmove (none)`, in UCCI `nobestmove`.
    NoBestMove,
    /// What the table knows about a position (UCCI only).
    PopHash(PopHash),
    /// The engine leaves (UCCI only).
    Bye,
    /// Any other text, printed as it is.
    Text(String),
}

/// What an `id` line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKey {
    /// Name of the engine.
    Name,
    /// Its version (UCCI).
    Version,
    /// Its authors.
    Author,
    /// Its copyright (UCCI).
    Copyright,
    /// Its user (UCCI).
    User,
}

impl IdKey {
    /// All keys.
    pub const ALL: [Self; 5] = [
        Self::Name,
        Self::Version,
        Self::Author,
        Self::Copyright,
        Self::User,
    ];

    /// The word on the line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Version => "version",
            Self::Author => "author",
            Self::Copyright => "copyright",
            Self::User => "user",
        }
    }
}

/// An option as announced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionLine {
    /// The name; in UCCI one word.
    pub name: String,
    /// Type, default and range.
    pub kind: OptionKind,
}

/// Type, default and range of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: String,
        /// All values.
        values: Vec<String>,
    },
    /// Something to press.
    Button,
    /// A text; empty is announced as `<empty>` in UCI.
    Text {
        /// The default.
        default: String,
    },
    /// A text to read only (UCCI).
    Label,
}

/// News of a search; a field that is `None` is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// Greatest depth reached (UCI).
    pub seldepth: Option<u32>,
    /// Rank of the line, from 1 (UCI).
    pub multipv: Option<usize>,
    /// Value for the side to move, and how to read it.
    pub score: Option<(Score, Bound)>,
    /// Chances of win, draw and loss, per mille (UCI).
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second (UCI).
    pub nps: Option<u64>,
    /// Fullness of the table, per mille (UCI).
    pub hashfull: Option<u32>,
    /// Hits in endgame tables (UCI).
    pub tbhits: Option<u64>,
    /// Milliseconds since the start.
    pub time: Option<u64>,
    /// The root move searched now.
    pub currmove: Option<Move>,
    /// Its number, from 1.
    pub currmovenumber: Option<usize>,
    /// The line of play.
    pub pv: Vec<Move>,
}

impl Info {
    /// All there is to say about a line of the search.
    pub fn from_line(line: &Line) -> Self {
        Self {
            depth: Some(line.depth),
            seldepth: Some(line.seldepth),
            multipv: Some(line.multipv),
            score: Some((line.score, line.bound)),
            wdl: Some(line.wdl),
            nodes: Some(line.nodes),
            nps: Some(per_second(line.nodes, line.time)),
            hashfull: Some(line.hashfull),
            tbhits: Some(0),
            time: Some(millis(line.time)),
            pv: line.pv.clone(),
            ..Self::default()
        }
    }
}

/// A time in whole milliseconds.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A count per second, the time taken as a millisecond at least.
pub fn per_second(count: u64, time: Duration) -> u64 {
    count.saturating_mul(1000) / millis(time).max(1)
}

/// The move to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestMove {
    /// The move.
    pub mv: Move,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// What the engine says with it (UCCI).
    pub offer: Option<Offer>,
}

/// What an engine may say with its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// It offers a draw, or accepts one.
    Draw,
    /// It gives up.
    Resign,
}

/// What the table knows about a position; all `None` for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PopHash {
    /// The best move.
    pub best: Option<Move>,
    /// A lower bound of the value and its depth.
    pub lower: Option<(Score, u32)>,
    /// An upper bound of the value and its depth.
    pub upper: Option<(Score, u32)>,
}

/// Why a line that begins like a reply is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyError {
    /// The line.
    pub line: String,
    /// What was expected in it.
    pub expected: &'static str,
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} in `{}`", self.expected, self.line)
    }
}

impl std::error::Error for ReplyError {}
