//! Many positions or games in, lines of JSON, tables, texts, annotated games
//! and pages out.
//!
//! `Input` yields a `Task` for every position, an `Examiner` makes a
//! `Finding` of it, `pool::in_order` does so in parallel and keeps the
//! order, `Layout` turns a finding into a line, and an `Output` writes
//! lines so that a run that was ended in any way can go on.
//!
//! ```
//! use chuhe::analysis::{Examiner, Input, Layout, Order, OutputFormat};
//! use chuhe::clock::{Limits, Stop};
//!
//! let fen = "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w - - 0 1\n";
//! let task = Input::from_text("example", fen).next().unwrap()?;
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let order = Order { limits, ..Order::default() };
//! let mut examiner = Examiner::new(&order);
//! let finding = examiner.examine(task.subject.as_ref().unwrap(), &Stop::default()).unwrap();
//! let layout = Layout { format: OutputFormat::JsonLines, timing: false, ..Layout::default() };
//! let line = layout.record(&task, &order, Some(&finding));
//! assert!(line.starts_with("{\"version\":1,\"index\":0,\"source\":\"example\""));
//! # Ok::<(), chuhe::analysis::InputError>(())
//! ```

mod annotate;
mod examine;
mod input;
mod layout;
mod output;
mod page;
pub mod pool;
mod position_line;
mod review;
mod review_json;
mod reviewer;
mod schema;
mod wording;

pub use annotate::{Style, annotate};
pub use examine::{Examiner, Finding, LineEnd, Order};
pub use input::{Input, InputError, PlyRange, Reading, STDIN, Task, is_stream};
pub use layout::{Layout, OutputFormat, OutputFormatError};
pub use output::{Output, OutputError};
pub use page::render;
pub use review::{Grade, Review, Reviewed, ReviewedMove, RuleEvent, SideReview};
pub use review_json::{GameJson, ReviewedGame};
pub use reviewer::{ReviewSource, Reviewer};
pub use schema::VERSION;
pub use wording::{Language, LanguageError, ruling_text};
