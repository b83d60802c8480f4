//! `chuhe eval`: the evaluation term by term.

use super::Failure;
use crate::protocol::session;
use std::path::PathBuf;

/// Shows the evaluation of a position term by term.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position; the start position if left out
    fen: Vec<String>,
    /// Judge by the net of this file instead of the one in the program
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When the FEN is none or the net cannot be read.
pub fn run(args: &Args) -> Result<(), Failure> {
    let pos = super::position(&args.fen)?;
    let net = super::trial::network_or_own(args.eval_file.as_deref())?;
    super::print(&(session::evaluation(&pos, &net) + "\n"));
    Ok(())
}
