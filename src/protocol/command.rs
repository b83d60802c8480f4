//! What a GUI says, as values. Syntax only: whether a move is legal or a limit
//! makes sense is the session's business.

use super::Dialect;
use crate::board::{Color, Move};
use crate::clock::Clock;
use std::fmt;
use std::time::Duration;

/// One line from the GUI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `uci`, `ucicyclone` or `ucci`: introduce yourself in this dialect.
    Hello(Dialect),
    /// `isready`: answer when all that was said before is taken in.
    IsReady,
    /// `setoption`: set or, without a value, press an option.
    SetOption {
        /// The name as sent.
        name: String,
        /// The value as sent, spaces inside kept.
        value: Option<String>,
    },
    /// `ucinewgame` and its kin: the next position is of another game.
    NewGame,
    /// `position`, or a Cyclone `fen` or `startpos`: the position to think
    /// about.
    Position(PositionText),
    /// `banmoves`: root moves not to play in the present position.
    BanMoves(MoveList),
    /// `go`: think.
    Go(Box<Go>),
    /// `go perft N`: count the leaves of the move tree, per root move.
    Perft(u32),
    /// `stop`: stop thinking and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `probe`: what does the table know about this position?
    Probe(PositionText),
    /// `quit`: leave.
    Quit,
    /// `debug on|off`: say more, or less again.
    Debug(bool),
    /// `d`: show the position.
    Display,
    /// `eval`: show the evaluation term by term.
    Eval,
    /// `flip`: exchange the roles of the two sides.
    Flip,
    /// `bench`, with what follows it.
    Bench(Vec<String>),
    /// `help`: list the commands.
    Help,
}

/// Where a list of moves starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// The start position of a game.
    Startpos,
    /// A FEN, its fields parted by single spaces, `r` as side written `w`.
    Fen(String),
}

/// A position as the GUI tells it: a start and the moves since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText {
    /// The start.
    pub start: Start,
    /// The moves, not known to be legal.
    pub moves: Vec<Move>,
}

/// A list of root moves as sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveList {
    /// The moves, not known to be legal.
    pub moves: Vec<Move>,
    /// Words among them that are no moves.
    pub unreadable: Vec<String>,
}

impl MoveList {
    /// Whether there is nothing in it, not even a word that is no move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.unreadable.is_empty()
    }
}

impl From<Vec<Move>> for MoveList {
    fn from(moves: Vec<Move>) -> Self {
        Self {
            moves,
            unreadable: Vec::new(),
        }
    }
}

/// The clock of one side, in milliseconds (UCCI: or seconds), as sent: the
/// numbers may be zero or negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideClock {
    /// Time left.
    pub time: Option<i64>,
    /// Time gained after each move.
    pub increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
}

/// The limits of a search as sent, any number of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Think until stopped.
    pub infinite: bool,
    /// Greatest depth in plies.
    pub depth: Option<i64>,
    /// Number of nodes.
    pub nodes: Option<i64>,
    /// Time for this move in milliseconds.
    pub movetime: Option<i64>,
    /// Look for a mate in so many moves.
    pub mate: Option<i64>,
    /// Red's clock (UCI).
    pub red: SideClock,
    /// Black's clock (UCI).
    pub black: SideClock,
    /// The clock of the side to move (UCCI; its `moves_to_go` in UCI too).
    pub own: SideClock,
    /// The other clock (UCCI).
    pub opponent: SideClock,
    /// The only root moves to consider; an empty list for all.
    pub search_moves: MoveList,
    /// Limit words whose value could not be read.
    pub unreadable: Vec<Unreadable>,
    /// Words that are none of `go`.
    pub unknown: Vec<String>,
}

impl Go {
    /// Puts the clocks into the words of `dialect`, for the side to move
    /// `side`; UCCI times are counted in `unit`, a millisecond or a second.
    pub fn set_clocks(
        &mut self,
        dialect: Dialect,
        side: Color,
        [own, opponent]: [Clock; 2],
        unit: Duration,
    ) {
        let (own, opponent) = (SideClock::new(own, unit), SideClock::new(opponent, unit));
        if dialect.is_ucci() {
            (self.own, self.opponent) = (own, opponent);
            return;
        }
        let own_time = SideClock {
            moves_to_go: None,
            ..own
        };
        let opponent_time = SideClock {
            moves_to_go: None,
            ..opponent
        };
        self.own.moves_to_go = own.moves_to_go;
        (self.red, self.black) = match side {
            Color::Red => (own_time, opponent_time),
            Color::Black => (opponent_time, own_time),
        };
    }
}

impl SideClock {
    /// The clock in whole units of time, rounded down.
    fn new(clock: Clock, unit: Duration) -> Self {
        let units = |time: Duration| {
            Some(i64::try_from(time.as_millis() / unit.as_millis().max(1)).unwrap_or(i64::MAX))
        };
        Self {
            time: units(clock.left),
            increment: units(clock.increment),
            moves_to_go: clock.moves_to_go.map(i64::from),
        }
    }
}

/// A limit word without a value that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The limit.
    pub word: &'static str,
    /// What stood there, empty at the end of the line.
    pub value: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "go {}: expected a number, found `{}`",
            self.word, self.value
        )
    }
}

/// Why a line is no command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandError {
    /// The first word is not known; the whole line.
    Unknown(String),
    /// Something is missing after the command.
    Missing {
        /// The command.
        command: &'static str,
        /// What was expected after it.
        expected: &'static str,
    },
    /// A word is not what was expected.
    Unexpected {
        /// The command.
        command: &'static str,
        /// What was expected.
        expected: &'static str,
        /// The word found.
        found: String,
    },
    /// A word in a list of moves is no move.
    NotAMove {
        /// The command.
        command: &'static str,
        /// Its number in the list, from 1.
        number: usize,
        /// The word.
        word: String,
    },
}

impl CommandError {
    /// Whether a position was to be set, so that the old one holds no more.
    pub fn spoils_position(&self) -> bool {
        match self {
            Self::Unknown(_) => false,
            Self::Missing { command, .. }
            | Self::Unexpected { command, .. }
            | Self::NotAMove { command, .. } => *command == POSITION,
        }
    }
}

/// The word that sets a position.
pub(super) const POSITION: &str = "position";

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(line) => write!(f, "Unknown command: `{line}`"),
            Self::Missing { command, expected } => {
                write!(f, "{command}: expected {expected} after it")
            }
            Self::Unexpected {
                command,
                expected,
                found,
            } => write!(f, "{command}: expected {expected}, found `{found}`"),
            Self::NotAMove {
                command,
                number,
                word,
            } => write!(
                f,
                "{command}: `{word}` (number {number}) is no move such as h2e2"
            ),
        }
    }
}

impl std::error::Error for CommandError {}
