//! Chuhe, a xiangqi (Chinese chess) engine, as a library.
//!
//! The modules in reading order, from the bottom up.

/// The 9x10 board: squares, pieces, bitboards, positions, legal moves, FEN.
pub mod board;

/// What a game is: history, repetition and its rulings, draws, the result.
pub mod rules;

/// A position as a number: the net, and the classical terms.
pub mod eval;

/// One move as text and back: ICCS, WXF, Chinese, algebraic, Russian, WinBoard.
pub mod notation;

/// When to stop: limits asked for, time budget, the shared stop flag.
pub mod clock;

/// A whole game as a file: PGN, XQF and the others, variations and comments.
pub mod record;

/// A game and limits in, the best move and a stream of reports out.
pub mod search;

/// The seven-player Game of the Seven Kingdoms: board, rules, text, search.
pub mod kingdoms;

/// Which book move to play, the making of books, the names of openings,
/// screened start positions for matches.
pub mod opening;

/// Lines to and from values in the dialects UCI and UCCI, the options, and
/// the session that answers a GUI.
pub mod protocol;

/// A board as SVG, and the parts of an HTML page.
pub mod draw;

/// Many positions or games in, JSON, tables, annotated games and pages out.
pub mod analysis;

/// Matches and tournaments between engine programs, with statistics.
pub mod arena;

/// A person against the engine in the terminal, both games.
pub mod play;

/// Games of self-play and the trainer of the net.
pub mod training;

/// What depends on the processor or the operating system.
pub mod platform;

/// The command line: arguments, and one function per subcommand.
pub mod cli;

// The Rust example of the guide, run with those of the modules.
#[cfg(doctest)]
#[doc = include_str!("../book/src/notations.md")]
struct GuideOnNotations;
