//! A whole game as a file: tags, start position, moves, variations, comments.

mod bytes;
mod charset;
mod format;
mod model;
pub mod pgn;
mod plain;
mod problem;
mod resolve;
mod setup;
mod tags;
pub mod xqf;

pub use charset::{Charset, CharsetError, decode_text, detect as detect_encoding, encode};
pub use format::{Format, FormatError, LoadedFile, read_file_bytes};
pub use model::{Line, MAX_NODES, MAX_PLIES, Node, NodeId, ReadGame, Record};
pub use problem::{Place, Problem, ProblemKind};
pub use tags::{GameResult, Tags};
