//! The subcommands of the program: arguments in, one function each.

mod datagen;
mod train;
mod trial;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Exit code when the work failed; 2 (wrong usage) is clap's.
const FAILED: u8 = 1;
/// Niceness of long work in the background.
#[cfg(unix)]
const LOW_PRIORITY: i32 = 19;

/// Why a command failed, in words for the user.
type Failure = Box<dyn std::error::Error>;

/// A xiangqi engine that speaks UCI and UCCI.
#[derive(Debug, Parser)]
#[command(name = "chuhe", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Datagen(datagen::Args),
    Train(train::Args),
    Trial(trial::Args),
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Datagen(args) => datagen::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Trial(args) => trial::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(FAILED)
        }
    }
}

/// Writes to standard output; a reader that has gone away is no failure.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Gives way to whatever else the machine has to do.
fn be_nice() {
    #[cfg(unix)]
    if let Err(error) = rustix::process::nice(LOW_PRIORITY) {
        log::debug!("the priority stays as it is: {error}");
    }
}
