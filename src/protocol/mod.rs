//! Lines to and from values in the dialects UCI and UCCI, the table of
//! options, and the session that answers a GUI.

pub mod bench;
mod command;
pub mod dialect;
pub mod options;
mod reply;
pub mod session;

pub use command::{
    Command, CommandError, Go, MoveList, PositionText, SideClock, Start, Unreadable,
};
pub use dialect::Dialect;
pub use options::Options;
pub use reply::{BestMove, IdKey, Info, Offer, OptionKind, OptionLine, PopHash, Reply, ReplyError};
