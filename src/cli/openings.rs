//! `chuhe openings`: start positions for matches.

use super::{Failure, Usage, go_on, in_file, print, stop_on_signal, unless_interrupted};
use crate::opening::{Screen, Screened, canonical_key, screened_from_line};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Makes start positions for matches: random sensible moves, screened by a
/// short search to be level.
///
/// No two positions are the same, mirror images of each other, or the same
/// with colours exchanged. The same seed gives the same file.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file to write, a FEN at the start of each line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    count: usize,
    /// Least and greatest number of plies
    #[arg(long, value_name = "N-N", default_value = "6-10", value_parser = plies)]
    plies: RangeInclusive<usize>,
    /// Greatest score for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 40)]
    window: i32,
    /// Nodes of the search
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// Makes this file differ from others
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::threads_asked)]
    concurrency: usize,
    /// Go on from what is in the file
    #[arg(long)]
    resume: bool,
}

/// `6-10` or `8`.
fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    /// Longer ones are no openings.
    const MOST: usize = 60;
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= MOST => Ok(least..=most),
        _ => Err(format!(
            "`{text}`: expected least-most, from 1 to {MOST}, such as 6-10"
        )),
    }
}

/// How such a file begins.
const MARK: &str = "# chuhe openings";

/// Makes the file.
///
/// # Errors
/// When the arguments make no sense, the file cannot be used, or the work was
/// interrupted.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.count == 0 || args.nodes == 0 || args.window < 0 {
        let words = "--count, --nodes, --window: expected numbers above 0";
        return Err(Usage(words.to_owned()).into());
    }
    let stop = stop_on_signal(None)?;
    let (mut file, kept) = open(args)?;
    let bar = ProgressBar::new(args.count as u64).with_position(kept.len() as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} [{elapsed_precise} <{eta_precise}]")
    {
        bar.set_style(style);
    }
    let mut count = kept.len();
    if count < args.count {
        let seen: HashSet<u64> = kept.iter().map(|k| canonical_key(&k.position)).collect();
        let from = kept.last().map_or(0, |last| last.number + 1);
        args.screen().run(from, seen, &stop, &mut |screened| {
            file.write_all(format!("{screened}\n").as_bytes())?;
            count += 1;
            bar.set_position(count as u64);
            Ok(count < args.count)
        })?;
    }
    bar.finish_and_clear();
    print(&format!("{count} openings in {}\n", args.out.display()));
    unless_interrupted(&stop, "--resume goes on")
}

impl Args {
    fn screen(&self) -> Screen {
        Screen {
            plies: self.plies.clone(),
            window: self.window,
            nodes: self.nodes,
            seed: self.seed,
            threads: self.concurrency,
        }
    }

    /// The first line, by which a file is known again. The number of threads
    /// makes no difference.
    fn head(&self) -> String {
        format!(
            "{MARK} --plies {}-{} --window {} --nodes {} --seed {}",
            self.plies.start(),
            self.plies.end(),
            self.window,
            self.nodes,
            self.seed
        )
    }
}

/// The file, at its end, and what is in it already.
fn open(args: &Args) -> Result<(File, Vec<Screened>), Failure> {
    let name = args.out.display();
    let begun = std::fs::metadata(&args.out).is_ok_and(|about| about.len() > 0);
    if begun && !args.resume {
        return Err(
            format!("{name} exists: add --resume to go on from it, or name another file").into(),
        );
    }
    let (file, lines) = go_on(&args.out, MARK, &args.head())?;
    let kept = lines
        .iter()
        .map(|line| screened_from_line(line))
        .collect::<Result<_, _>>();
    Ok((file, kept.map_err(|error| in_file(&args.out, &error))?))
}
