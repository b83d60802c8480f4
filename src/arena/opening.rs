//! Where games begin: the openings of a file, in order or shuffled.

use crate::board::{Move, Position};
use crate::platform::files;
use crate::record::pgn;
use crate::rules::Game;
use std::fmt;
use std::io;
use std::path::Path;

/// A start of a game: a position and moves from it, which both engines are
/// told as played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position.
    pub start: Position,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The usual start of a game.
    pub fn startpos() -> Self {
        Self {
            start: Position::startpos(),
            moves: Vec::new(),
        }
    }

    /// The game at the end of the opening.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for &mv in &self.moves {
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }
}

/// Why a file of openings cannot be used.
#[derive(Debug)]
pub enum OpeningError {
    /// It cannot be read.
    Io(String, io::Error),
    /// A line holds no position to play from.
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
    /// There is none in it.
    Empty(String),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(file, error) => write!(f, "openings {file}: {error}"),
            Self::Line { file, line, error } => write!(f, "openings {file}, line {line}: {error}"),
            Self::Empty(file) => write!(
                f,
                "openings {file}: expected lines that begin with a FEN, or games in PGN, found none"
            ),
        }
    }
}

impl std::error::Error for OpeningError {}

/// Reads a file of positions, a FEN at the start of each line (EPD), or of
/// games (PGN), of which the first `plies` plies are taken.
///
/// # Errors
/// When the file cannot be read, or has a line that is no position to play
/// from.
pub fn read(path: &Path, plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let file = path.display().to_string();
    let bytes = files::read(path).map_err(|error| OpeningError::Io(file.clone(), error))?;
    let openings = if is_pgn(path, &bytes) {
        from_pgn(&bytes, plies)
    } else {
        from_lines(&String::from_utf8_lossy(&bytes), &file)?
    };
    if openings.is_empty() {
        return Err(OpeningError::Empty(file));
    }
    Ok(openings)
}

fn is_pgn(path: &Path, bytes: &[u8]) -> bool {
    let named = path
        .extension()
        .is_some_and(|ext| ext.eq_ignore_ascii_case("pgn"));
    named || bytes.trim_ascii_start().starts_with(b"[")
}

fn from_lines(text: &str, file: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let fen = line.split(['#', ';']).next().unwrap_or_default().trim();
        if fen.is_empty() {
            continue;
        }
        let opening = from_fen(fen).map_err(|error| OpeningError::Line {
            file: file.to_owned(),
            line: i + 1,
            error,
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

/// Counters start anew: an opening is the start of a game.
fn from_fen(fen: &str) -> Result<Opening, String> {
    let mut words = fen.split_whitespace();
    let placement = words.next().unwrap_or_default();
    let side = words.next().unwrap_or("w");
    let text = format!("{placement} {side} - - 0 1");
    let start: Position = text.parse().map_err(|error| format!("{error}"))?;
    if start.legal_moves().is_empty() {
        return Err(format!("`{fen}`: the side to move has no move"));
    }
    Ok(Opening {
        start,
        moves: Vec::new(),
    })
}

/// Games without a move to take are passed over.
fn from_pgn(bytes: &[u8], plies: usize) -> Vec<Opening> {
    let mut openings = Vec::new();
    for game in pgn::Reader::new(bytes).flatten() {
        let mut moves = game.record.main_line();
        moves.truncate(plies);
        let opening = Opening {
            start: game.record.start().clone(),
            moves,
        };
        let playable = !opening.game().position().legal_moves().is_empty();
        if playable && !opening.moves.is_empty() {
            openings.push(opening);
        }
    }
    openings
}

/// Shuffles with a seed.
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    fastrand::Rng::with_seed(seed).shuffle(openings);
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    #[test]
    fn lines_with_comments_and_counters() {
        let text = format!("# head\n\n{START} w - - 9 5 ; moves: x\n{START} b\n{START}");
        let openings = from_lines(&text, "f").unwrap();
        let fens: Vec<String> = openings.iter().map(|o| o.start.to_string()).collect();
        assert_eq!(fens.len(), 3);
        assert!(fens[0].ends_with("w - - 0 1") && fens[1].ends_with("b - - 0 1"));
        let error = from_lines(&format!("{START} w\nnonsense"), "f.epd").unwrap_err();
        assert!(error.to_string().contains("f.epd, line 2"));
        let mated = from_lines("3k5/9/9/9/9/9/9/9/4R4/3RK4 b", "f").unwrap_err();
        assert!(mated.to_string().contains("no move"));
    }

    #[test]
    fn games_give_their_first_plies() {
        let pgn = "[Event \"x\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 *\n\n[Event \"y\"]\n\n*\n";
        let openings = from_pgn(pgn.as_bytes(), 3);
        assert_eq!(openings.len(), 1);
        assert_eq!(openings[0].game().moves().len(), 3);
    }

    #[test]
    fn shuffling_is_a_permutation_that_the_seed_decides() {
        let text: String = (0..50).map(|i| format!("{START} w - - 0 {i}\n")).collect();
        let mut openings = from_lines(&text, "f").unwrap();
        for (i, opening) in openings.iter_mut().enumerate() {
            opening.start = opening.start.clone().with_halfmove_clock(i as u16);
        }
        let order = |seed| {
            let mut copy = openings.clone();
            shuffle(&mut copy, seed);
            copy.iter()
                .map(|o| o.start.halfmove_clock())
                .collect::<Vec<_>>()
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<u16>>());
    }
}
