//! Lines of the GUI as values.

use crate::clock::{Clock, Limits};
use crate::kingdoms::perft::MOST_PLIES;
use crate::kingdoms::{Move, SEATS, Seat};
use std::fmt;
use std::time::Duration;

/// A line that concerns the game of the seven kingdoms.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `ucinewgame`.
    NewGame,
    /// `position`.
    Position {
        /// The position line after `fen`, `None` for `startpos`.
        line: Option<String>,
        /// The moves since.
        moves: Vec<Move>,
    },
    /// `go`.
    Go(Box<Go>),
    /// `go perft N`.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `setoption`.
    SetOption {
        /// The name.
        name: String,
        /// The value, empty when there is none.
        value: String,
    },
    /// `d`: show the position.
    Display,
    /// `eval`: show everybody's chances.
    Eval,
}

/// The limits of `go`. The clocks are those of the seats: `wtime rtime otime
/// btime gtime ptime ktime` and `winc` to `kinc`, in milliseconds, and one
/// `movestogo` for all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Greatest depth.
    pub depth: Option<u32>,
    /// Greatest number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Think until `stop`.
    pub infinite: bool,
    /// Time left, by seat.
    pub time: [Option<Duration>; SEATS],
    /// Time gained after each move, by seat.
    pub increment: [Duration; SEATS],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Words that are no limits, and limits without a number; the search does
    /// without them.
    pub unreadable: Vec<CommandError>,
}

impl Go {
    /// The limits for a seat that is to move.
    pub fn limits(&self, seat: Seat) -> Limits {
        let clock = self.time[seat.index()].map(|left| Clock {
            left,
            increment: self.increment[seat.index()],
            moves_to_go: self.moves_to_go,
        });
        let limited = self.nodes.is_some() || self.movetime.is_some() || clock.is_some();
        // A limit that could not be read must not make the search endless.
        let lost = !self.unreadable.is_empty() && !limited && !self.infinite;
        Limits {
            depth: self.depth.or(lost.then_some(1)),
            nodes: self.nodes,
            movetime: self.movetime,
            clock: clock.filter(|_| !self.infinite),
            infinite: self.infinite,
            ..Limits::default()
        }
    }
}

/// A line that names a command of ours but is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandError {
    /// The command.
    pub command: &'static str,
    /// What was expected.
    pub expected: &'static str,
    /// What stood there, empty at the end of the line.
    pub found: String,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            command,
            expected,
            found,
        } = self;
        write!(f, "{command}: expected {expected}, found `{found}`")
    }
}

impl std::error::Error for CommandError {}

fn error<T>(
    command: &'static str,
    expected: &'static str,
    found: Option<&str>,
) -> Result<T, CommandError> {
    let found = found.unwrap_or_default().to_owned();
    Err(CommandError {
        command,
        expected,
        found,
    })
}

/// Reads a line; `Ok(None)` when it is no command of this game.
///
/// # Errors
/// When the first word is a command and what follows is not.
pub fn read(line: &str) -> Result<Option<Command>, CommandError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else {
        return Ok(None);
    };
    let command = match *first {
        "ucinewgame" => Command::NewGame,
        "position" => read_position(rest)?,
        "go" => read_go(rest)?,
        "stop" => Command::Stop,
        "setoption" => read_option(rest)?,
        "d" => Command::Display,
        "eval" => Command::Eval,
        _ => return Ok(None),
    };
    Ok(Some(command))
}

fn read_position(words: &[&str]) -> Result<Command, CommandError> {
    const POSITION: &str = "position";
    let end = words.iter().position(|w| *w == "moves");
    let (start, moves) = words.split_at(end.unwrap_or(words.len()));
    let line = match start.split_first() {
        Some((&"startpos", [])) => None,
        Some((&"startpos", more)) => return error(POSITION, "moves", more.first().copied()),
        Some((&"fen", fields)) => Some(fields.join(" ")),
        other => return error(POSITION, "startpos or fen", other.map(|o| *o.0)),
    };
    let mut list = Vec::new();
    for word in moves.iter().skip(1) {
        match word.parse() {
            Ok(m) => list.push(m),
            Err(_) => return error(POSITION, "a move such as a13b15", Some(word)),
        }
    }
    let moves = list;
    Ok(Command::Position { line, moves })
}

fn read_option(words: &[&str]) -> Result<Command, CommandError> {
    let Some((&"name", rest)) = words.split_first() else {
        return error("setoption", "name", words.first().copied());
    };
    let end = rest.iter().position(|w| *w == "value");
    let (name, value) = rest.split_at(end.unwrap_or(rest.len()));
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.iter().skip(1).copied().collect::<Vec<_>>().join(" "),
    })
}

fn read_go(words: &[&str]) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => {}
            "perft" => {
                let depth = number("go perft", words.next())?;
                return Ok(Command::Perft(
                    u32::try_from(depth).unwrap_or(MOST_PLIES).min(MOST_PLIES),
                ));
            }
            _ => {
                if let Err(error) = read_limit(&mut go, word, &mut words) {
                    go.unreadable.push(error);
                }
            }
        }
    }
    Ok(Command::Go(Box::new(go)))
}

/// Reads one limit and its number.
fn read_limit<'a>(
    go: &mut Go,
    word: &str,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<(), CommandError> {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let (time, increment) = (seat_word(word, "time"), seat_word(word, "inc"));
    let known = ["depth", "nodes", "movestogo", "movetime"].contains(&word);
    if !known && time.is_none() && increment.is_none() {
        return error("go", "a limit", Some(word));
    }
    let value = words.next();
    match word {
        "depth" => go.depth = Some(small(number("go depth", value)?)),
        "nodes" => go.nodes = Some(number("go nodes", value)?),
        "movestogo" => go.moves_to_go = Some(small(number("go movestogo", value)?)),
        "movetime" => go.movetime = Some(milliseconds("go movetime", value)?),
        _ => {
            let duration = milliseconds("go time", value)?;
            if let Some(seat) = time {
                go.time[seat.index()] = Some(duration);
            } else if let Some(seat) = increment {
                go.increment[seat.index()] = duration;
            }
        }
    }
    Ok(())
}

/// The seat of a word such as `wtime`.
fn seat_word(word: &str, ending: &str) -> Option<Seat> {
    let mut letters = word.strip_suffix(ending)?.chars();
    let seat = Seat::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(seat)
}

/// A number; what is negative counts as zero.
fn number(command: &'static str, word: Option<&str>) -> Result<u64, CommandError> {
    match word.map(str::parse::<i64>) {
        Some(Ok(n)) => Ok(u64::try_from(n).unwrap_or(0)),
        _ => error(command, "a number", word),
    }
}

fn milliseconds(command: &'static str, word: Option<&str>) -> Result<Duration, CommandError> {
    number(command, word).map(Duration::from_millis)
}
