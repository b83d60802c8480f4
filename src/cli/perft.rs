//! `chuhe perft`: counting the leaves of the move tree.

use super::Failure;
use crate::board::Position;
use crate::board::perft::{LastPly, MOST_PLIES, perft_by};
use crate::clock::Stop;
use crate::protocol::session;
use std::time::Instant;

/// Counts the leaves of the move tree.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_PLIES)))]
    depth: u32,
    /// The position; the start position if left out
    fen: Vec<String>,
    /// Count per root move
    #[arg(short, long)]
    divide: bool,
    /// How the last ply is counted, one run for each: count (sizes of sets),
    /// list (length of the list of moves), make (each move played)
    #[arg(
        long,
        value_name = "WAY",
        value_delimiter = ',',
        default_value = "count"
    )]
    last_ply: Vec<LastPly>,
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
    for &last in &args.last_ply {
        super::print(&timed(&mut pos, args.depth, last));
    }
    Ok(())
}

/// The count and the time it took, as a line.
fn timed(pos: &mut Position, depth: u32, last: LastPly) -> String {
    let started = Instant::now();
    let count = perft_by(pos, depth, last);
    let seconds = started.elapsed().as_secs_f64();
    let rate = count as f64 / seconds.max(f64::EPSILON) / 1e6;
    format!("perft {depth} = {count} ({seconds:.3} s, {rate:.1} million/s, last ply by {last})\n")
}
