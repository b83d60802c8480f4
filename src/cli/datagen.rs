//! `chuhe datagen`: games of self-play.

use super::{Failure, Usage};
use crate::search::Settings;
use crate::training::datagen::{Job, generate};
use crate::training::games::Present;
use crate::training::selfplay::Conduct;
use crate::training::stats::{Survey, verify};
use crate::training::wdl::{self, WdlFit};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::Duration;

/// Plays games of the engine against itself to learn from.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file of games (.xqg) to add to; several with --stats and --verify
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Positions that the file shall hold in the end
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
    /// The net that judges: a file, `embedded`, `classical` or `material`
    #[arg(long, default_value = super::trial::EMBEDDED)]
    net: String,
    /// Soft limit of nodes per move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads, each playing games of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(super::THREADS))]
    threads: u16,
    /// Seed of the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Table of each engine in MB
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// Begin with few pieces: random moves that mostly take something, until 3 to 11 are left
    #[arg(long)]
    endings: bool,
    /// Print what the files hold instead of playing
    #[arg(long)]
    stats: bool,
    /// With --stats: draw the chances of win, draw and loss into this file (.svg)
    #[arg(long, requires = "stats", value_name = "SVG")]
    wdl: Option<PathBuf>,
    /// Check the files instead of playing: checksums, legal moves, signs
    #[arg(long, conflicts_with = "stats")]
    verify: bool,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be used or is damaged.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.stats || args.verify {
        args.files
            .iter()
            .try_for_each(|path| super::check_input(path))?;
    }
    if args.stats {
        return survey(args);
    }
    if args.verify {
        for path in &args.files {
            let (games, positions) = verify(path)?;
            super::print(&format!(
                "{}: {games} games, {positions} positions, all well\n",
                path.display()
            ));
        }
        return Ok(());
    }
    play(args)
}

fn survey(args: &Args) -> Result<(), Failure> {
    let survey = Survey::of(&args.files)?;
    super::print(&survey.to_string());
    if let Some(path) = &args.wdl {
        let samples = &survey.samples.training;
        std::fs::write(path, wdl::svg(samples, &WdlFit::of(samples)))
            .map_err(|e| format!("`{}`: {e}", path.display()))?;
    }
    Ok(())
}

fn play(args: &Args) -> Result<(), Failure> {
    let [path] = &args.files[..] else {
        let words = "one file to add games to, please; several only with --stats or --verify";
        return Err(Usage(words.to_owned()).into());
    };
    super::be_nice();
    let job = job(args)?;
    let bar = ProgressBar::new(args.positions).with_style(style());
    bar.enable_steady_tick(Duration::from_secs(1));
    let started = std::sync::Once::new();
    let progress = |present: Present| {
        started.call_once(|| bar.reset_eta());
        bar.set_position(present.positions);
        bar.set_message(format!("{} games", present.games));
    };
    let stop = super::stop_on_signal(None)?;
    let generated = generate(&job, path, &stop, &progress);
    let present = generated.map_err(|error| format!("`{}`: {error}", path.display()))?;
    bar.finish();
    if present.dropped > 0 {
        log::warn!(
            "{} bytes of an unfinished block were cut off",
            present.dropped
        );
    }
    log::info!(
        "{} games, {} positions in {}",
        present.games,
        present.positions,
        path.display()
    );
    super::unless_interrupted(&stop, "the same command goes on")
}

fn job(args: &Args) -> Result<Job, Failure> {
    Ok(Job {
        threads: usize::from(args.threads),
        positions: args.positions,
        seed: args.seed,
        settings: Settings {
            hash_mb: usize::from(args.hash),
            ..Settings::default()
        },
        conduct: Conduct {
            soft_nodes: args.nodes,
            endings: args.endings,
            ..Conduct::default()
        },
        evaluation: super::trial::evaluation(&args.net)?,
    })
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {pos}/{len} positions ({per_sec}, {eta} left), {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
