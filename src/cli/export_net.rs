//! `chuhe export-net`: the net in the program as a file.

use super::Failure;
use crate::eval::nnue::{EMBEDDED_FILE, Network};
use std::path::PathBuf;

/// Writes the net in the program to a file, for `EvalFile` or another program.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file to write; `<name of the net>.nnue` by default
    file: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When the file cannot be written.
pub fn run(args: &Args) -> Result<(), Failure> {
    let net = Network::embedded();
    let path = args
        .file
        .clone()
        .unwrap_or_else(|| format!("{}.nnue", net.name()).into());
    std::fs::write(&path, EMBEDDED_FILE).map_err(|e| format!("`{}`: {e}", path.display()))?;
    super::print(&format!(
        "{}: {net}, {} hidden values per view\n",
        path.display(),
        net.hidden()
    ));
    Ok(())
}
