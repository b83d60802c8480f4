//! `chuhe perft`: counting the leaves of the move tree.

use super::Failure;
use crate::board::perft::perft;
use crate::clock::Stop;
use crate::protocol::session;
use std::time::Instant;

/// Counts the leaves of the move tree.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Depth in plies
    depth: u32,
    /// The position; the start position if left out
    fen: Vec<String>,
    /// Count per root move
    #[arg(short, long)]
    divide: bool,
}

/// Runs the command.
///
/// # Errors
/// When the FEN is none.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut pos = super::position(&args.fen)?;
    if args.divide {
        super::print(&session::divide(&pos, args.depth, &Stop::default()));
        return Ok(());
    }
    let started = Instant::now();
    let count = perft(&mut pos, args.depth);
    let seconds = started.elapsed().as_secs_f64();
    let rate = count as f64 / seconds.max(f64::EPSILON) / 1e6;
    super::print(&format!(
        "perft {} = {count} ({seconds:.3} s, {rate:.1} million/s)\n",
        args.depth
    ));
    Ok(())
}
