//! `chuhe export-net`: the net in the program, or a mean of nets, as a file.

use super::{Failure, check_input, in_file};
use crate::eval::nnue::{EMBEDDED_FILE, Network, Parameters};
use crate::platform::files;
use std::path::{Path, PathBuf};

/// Writes the net in the program to a file, for `EvalFile` or another program.
///
/// With --mean it writes the mean of other nets instead: those that went on from
/// one net with different seeds are often better together.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file to write; `<name of the net>.nnue` by default
    file: Option<PathBuf>,
    /// The mean of these nets, which must have the same size and scale
    #[arg(long, value_name = "NET", num_args = 1..)]
    mean: Vec<PathBuf>,
    /// What the mean is called
    #[arg(long, default_value = "mean", requires = "mean")]
    name: String,
}

/// Runs the command.
///
/// # Errors
/// When a net cannot be read, nets do not fit together, or the file cannot be
/// written.
pub fn run(args: &Args) -> Result<(), Failure> {
    let bytes = match &args.mean[..] {
        [] => EMBEDDED_FILE.to_vec(),
        paths => mean(paths, &args.name)?.encode(),
    };
    let net = Network::decode(&bytes)?;
    let path = args
        .file
        .clone()
        .unwrap_or_else(|| format!("{}.nnue", net.name()).into());
    std::fs::write(&path, &bytes).map_err(|e| in_file(&path, &e))?;
    super::print(&format!(
        "{}: {net}, {} hidden values per view\n",
        path.display(),
        net.hidden()
    ));
    Ok(())
}

fn mean(paths: &[PathBuf], name: &str) -> Result<Parameters, Failure> {
    paths.iter().try_for_each(|path| check_input(path))?;
    let nets: Vec<Parameters> = paths
        .iter()
        .map(|path| read(path))
        .collect::<Result<_, _>>()?;
    let unlike = nets.iter().position(|net| !net.is_like(&nets[0]));
    if let Some(unlike) = unlike {
        let what = format!("has not the size and scale of `{}`", paths[0].display());
        return Err(in_file(&paths[unlike], &what));
    }
    Ok(Parameters::mean(name, &nets))
}

fn read(path: &Path) -> Result<Parameters, Failure> {
    let bytes = files::read(path).map_err(|error| in_file(path, &error))?;
    Parameters::decode(&bytes).map_err(|error| in_file(path, &error))
}
