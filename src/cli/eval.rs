//! `chuhe eval`: the evaluation term by term.

use super::Failure;
use crate::protocol::session;

/// Shows the evaluation of a position term by term.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position; the start position if left out
    fen: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When the FEN is none.
pub fn run(args: &Args) -> Result<(), Failure> {
    let pos = super::position(&args.fen)?;
    super::print(&(session::evaluation(&pos) + "\n"));
    Ok(())
}
