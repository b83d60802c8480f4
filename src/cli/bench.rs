//! `chuhe bench`: the signature of the engine's behaviour.

use super::{Failure, Usage};
use crate::clock::Stop;
use crate::kingdoms;
use crate::kingdoms::protocol::VARIANT;
use crate::protocol::bench::{self, Setup};
use crate::search::Engine;
use clap::value_parser;
use std::path::PathBuf;

/// Searches fixed positions; the number of nodes is the signature of the
/// engine's behaviour.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Size of the hash table in MB
    #[arg(default_value_t = Setup::default().hash_mb as u32, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Search threads
    #[arg(default_value_t = Setup::default().threads as u32, value_parser = value_parser!(u32).range(super::THREADS))]
    threads: u32,
    /// Depth of each search in plies
    #[arg(default_value_t = Setup::default().depth, value_parser = value_parser!(u32).range(1..))]
    depth: u32,
    /// Judge by the net of this file instead of the one in the program
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// The game: xiangqi or sevenkingdoms, whose bench takes no other settings
    #[arg(long, value_name = "GAME", default_value = "xiangqi")]
    variant: String,
}

/// Runs the command.
///
/// # Errors
/// When there is no such game, the net cannot be read or standard output not
/// be written.
pub fn run(args: &Args) -> Result<(), Failure> {
    match args.variant.as_str() {
        "xiangqi" => xiangqi(args),
        VARIANT => {
            kingdoms::bench::run(&mut std::io::stdout())?;
            Ok(())
        }
        other => Err(Box::new(Usage(format!(
            "--variant `{other}`: expected xiangqi or {VARIANT}"
        )))),
    }
}

fn xiangqi(args: &Args) -> Result<(), Failure> {
    let setup = Setup {
        hash_mb: args.hash as usize,
        threads: args.threads as usize,
        depth: args.depth,
    };
    let mut engine = Engine::new(setup.settings());
    engine.set_network(Some(super::trial::network_or_own(
        args.eval_file.as_deref(),
    )?));
    let mut out = std::io::stdout();
    bench::run(&mut engine, &setup, &Stop::default(), &mut out)?;
    Ok(())
}
