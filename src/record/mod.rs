//! A whole game as a file: tags, start position, moves, variations, comments.

mod bytes;
mod cbf;
mod cbr;
mod charset;
mod dhtmlxq;
mod format;
mod json;
mod model;
pub mod pgn;
mod plain;
mod problem;
mod resolve;
mod setup;
mod tags;
mod write;
pub mod xqf;

pub use charset::{Charset, CharsetError, decode_text, detect as detect_encoding, encode};
pub use format::{Format, FormatError, LoadedFile, read_file_bytes};
pub use json::to_json;
pub use model::{Line, MAX_NODES, MAX_PLIES, Node, NodeId, ReadGame, Record};
pub use problem::{Place, Problem, ProblemKind};
pub use tags::{GameResult, Tags};
pub use write::{Layout, WriteError, write};
