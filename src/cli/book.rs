//! `chuhe book`: making and looking into opening books.

use super::{Failure, in_file};
use crate::board::Position;
use crate::notation::Notation;
use crate::opening::{AnalyseOptions, Analysis, Book, BookMaker, MakeOptions, opening_of};
use crate::platform::files;
use crate::record::Charset;
use crate::search::{Engine, Settings};
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Makes opening books and shows what they have.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Make(Make),
    Show(Show),
    Analyse(Analyse),
}

/// Makes a book from games of any format or from lines of position, move,
/// result and weight parted by tabulators (.tsv).
#[derive(Debug, clap::Args)]
struct Make {
    /// Files of games, or .tsv files of lines
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long)]
    output: PathBuf,
    /// Plies of each game that count
    #[arg(long, default_value_t = MakeOptions::default().depth)]
    depth: usize,
    /// Games that a move must have been played in
    #[arg(long, default_value_t = MakeOptions::default().min_count)]
    min_count: u32,
    /// Leave out moves with less of the best one's points, per mille
    #[arg(long, default_value_t = MakeOptions::default().min_share, value_parser = clap::value_parser!(u32).range(0..=1000))]
    min_share: u32,
    /// Points of a win of the side that moves
    #[arg(long, default_value_t = MakeOptions::default().points[0])]
    win: u32,
    /// Points of a draw or a game without a result
    #[arg(long, default_value_t = MakeOptions::default().points[1])]
    draw: u32,
    /// Points of a loss
    #[arg(long, default_value_t = MakeOptions::default().points[2])]
    loss: u32,
}

/// Shows the moves of a book in a position.
#[derive(Debug, clap::Args)]
struct Show {
    /// The position; the start position if left out
    fen: Vec<String>,
    /// The book: a file of `chuhe book make`, or ElephantEye's BOOK.DAT; the
    /// one in the program if left out
    #[arg(short, long)]
    book: Option<PathBuf>,
}

/// Analyses the opening with the engine: writes lines of position, move and
/// weight that a book is made from. An interrupted run goes on where it was.
#[derive(Debug, clap::Args)]
struct Analyse {
    /// The file of lines (.tsv) to write or to go on with
    #[arg(short, long)]
    output: PathBuf,
    /// Positions to analyse in this run
    #[arg(long, default_value_t = 1000)]
    positions: u64,
    /// Nodes of each search
    #[arg(long, default_value_t = AnalyseOptions::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Centipawns that a move may be worse than the best one
    #[arg(long, default_value_t = AnalyseOptions::default().margin)]
    margin: i32,
    /// Plies from the start position
    #[arg(long, default_value_t = AnalyseOptions::default().depth)]
    depth: usize,
    /// Moves of each position that are looked at
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=128))]
    lines: u16,
    /// Size of the hash table in MB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, or the position is none.
pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Make(args) => make(args),
        Command::Show(args) => show(args),
        Command::Analyse(args) => analyse(args),
    }
}

fn make(args: &Make) -> Result<(), Failure> {
    let mut maker = BookMaker::new(MakeOptions {
        depth: args.depth,
        min_count: args.min_count,
        points: [args.win, args.draw, args.loss],
        min_share: args.min_share,
    });
    let bar = ProgressBar::no_length().with_style(style());
    let mut counted = 0;
    args.input
        .iter()
        .try_for_each(|path| super::check_input(path))?;
    for path in &args.input {
        counted += add_file(&mut maker, path, &bar)?;
    }
    bar.finish_and_clear();
    let book = maker.finish();
    files::replace(&args.output, &book.to_bytes())
        .map_err(|error| in_file(&args.output, &error))?;
    log::info!(
        "{counted} games or lines, {} moves in {}",
        book.len(),
        args.output.display()
    );
    Ok(())
}

/// Counts a file and returns how many games or lines it had.
fn add_file(maker: &mut BookMaker, path: &Path, bar: &ProgressBar) -> Result<usize, Failure> {
    if path.extension().is_some_and(|extension| extension == "tsv") {
        let text = files::read_text(path).map_err(|error| in_file(path, &error))?;
        return add_lines(maker, &text, bar).map_err(|error| in_file(path, &error));
    }
    let mut count = 0;
    super::games::each(path, Charset::Auto, &mut |_, game| {
        maker.add_game(&game.record);
        count += 1;
        bar.inc(1);
        Ok(())
    })?;
    Ok(count)
}

fn add_lines(maker: &mut BookMaker, text: &str, bar: &ProgressBar) -> Result<usize, Failure> {
    let lines = text.lines().enumerate();
    let mut count = 0;
    for (number, line) in lines.filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
        let added = maker.add_line(line);
        added.map_err(|error| format!("line {}: {error}", number + 1))?;
        count += 1;
        bar.inc(1);
    }
    Ok(count)
}

fn show(args: &Show) -> Result<(), Failure> {
    let pos: Position = super::position(&args.fen)?;
    let book = args.book.as_deref().map_or_else(
        || Ok(Cow::Borrowed(Book::embedded())),
        |path| open(path).map(Cow::Owned),
    )?;
    let moves = book.moves(&pos);
    if moves.is_empty() {
        super::print("no move of the book\n");
        return Ok(());
    }
    let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    for entry in moves {
        let share = 100.0 * f64::from(entry.weight) / total.max(1) as f64;
        let [won, drawn, lost] = entry.results;
        let chinese = Notation::Chinese.write(&pos, entry.mv);
        let after = [pos.clone(), pos.after(entry.mv)];
        let name = opening_of(&after).map_or(String::new(), |opening| opening.chinese);
        super::print(&format!(
            "{} {chinese} weight {} ({share:.1} %) won {won} drawn {drawn} lost {lost} {name}\n",
            entry.mv, entry.weight
        ));
    }
    Ok(())
}

fn open(path: &Path) -> Result<Book, Failure> {
    super::check_input(path)?;
    Book::open(path).map_err(|error| in_file(path, &error))
}

fn analyse(args: &Analyse) -> Result<(), Failure> {
    super::be_nice();
    let (mut file, earlier) = unfinished(&args.output).map_err(|e| in_file(&args.output, &e))?;
    let options = AnalyseOptions {
        nodes: args.nodes,
        margin: args.margin,
        depth: args.depth,
    };
    let mut engine = Engine::new(Settings {
        hash_mb: usize::from(args.hash),
        multi_pv: usize::from(args.lines),
        ..Settings::default()
    });
    let mut analysis = Analysis::new(options, &earlier);
    let bar = ProgressBar::new(args.positions);
    let stop = super::stop_on_signal(None)?;
    for _ in 0..args.positions {
        let Some(analysed) = analysis.next(&mut engine, &stop) else {
            break;
        };
        let written = file.write_all(analysed.lines().as_bytes());
        written.map_err(|error| in_file(&args.output, &error))?;
        bar.inc(1);
    }
    bar.finish();
    super::unless_interrupted(&stop, "the same command goes on")
}

/// The file at its end, and the whole lines that an earlier run has written. A
/// line that was not finished is done again.
fn unfinished(path: &Path) -> io::Result<(File, String)> {
    let mut file = files::open_to_go_on(path)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let start = Position::startpos().to_string();
    text.truncate(files::whole_lines(text.as_bytes(), &start)?);
    files::cut(&mut file, text.len() as u64)?;
    Ok((file, text))
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {pos} games ({per_sec})")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
