//! `chuhe annotate`: games with evaluations, better lines and a report.

use super::analyze::SearchArgs;
use super::files::{Found, check_output, files_to_read, numbered, read_whole};
use super::{Failure, Usage, in_file, parse, print, stop_on_signal, write_file};
use crate::analysis::{
    GameJson, Language, Order, ReviewSource, ReviewedGame, Reviewer, Style, annotate, render,
};
use crate::notation::Notation;
use crate::record::{self, Charset, Format, Layout, ReadGame, Record, read_file_bytes};
use encoding_rs::UTF_8;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};

/// Annotates games: the value of every move, better lines for the bad ones,
/// accuracies, turning points, the opening, what the rules say.
///
/// Without a file to write to, PGN goes to standard output.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Game files of any format, folders of them, - for standard input
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// Only this game of the file
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    #[command(flatten)]
    search: SearchArgs,
    /// Write PGN with comments and variations
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write XQF with comments and variations; of several games numbered files
    #[arg(long, value_name = "FILE")]
    xqf: Option<PathBuf>,
    /// Write a line of JSON for each game
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Notation of moves
    #[arg(long, value_name = "NAME", default_value = "chinese", value_parser = parse::<Notation>)]
    notation: Notation,
    /// Language of comments: english or chinese
    #[arg(long, value_name = "NAME", default_value = "english", value_parser = parse_language)]
    language: Language,
    /// The best line of every move as a variation, not only of bad ones
    #[arg(long)]
    all_lines: bool,
    /// Encoding of the input: auto, utf-8, gb18030, big5, cp1258 ...
    #[arg(long, default_value = "auto", value_parser = parse::<Charset>)]
    encoding: Charset,
}

fn parse_language(text: &str) -> Result<Language, String> {
    text.parse()
        .map_err(|error: crate::analysis::LanguageError| error.to_string())
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, or the work was interrupted; the
/// games that were done by then are written.
pub fn run(args: &Args) -> Result<(), Failure> {
    let games = args.games()?;
    args.outputs().try_for_each(check_output)?;
    let stop = stop_on_signal(None)?;
    let order = args.search.order();
    let all = games.len();
    let bar = progress_bar();
    let mut reviewer = Reviewer {
        order: &order,
        jobs: args.search.jobs(),
        stop: &stop,
        progress: &mut |searches| {
            bar.set_length(searches as u64);
            bar.inc(1);
        },
    };
    let reviewed = reviewer.review(games);
    bar.finish_and_clear();
    if !reviewed.is_empty() {
        args.write(&reviewed, &order)?;
    }
    if stop.is_stopped() {
        let done = reviewed.len();
        return Err(format!("interrupted; {done} of {all} games are written").into());
    }
    Ok(())
}

impl Args {
    fn games(&self) -> Result<Vec<ReviewSource>, Failure> {
        let mut games = Vec::new();
        let written: Vec<&Path> = self.outputs().collect();
        for Found { path, is_named } in files_to_read(&self.input, &written)? {
            let file = match read_file_bytes(&read_whole(&path)?, self.encoding) {
                Ok(file) => file,
                Err(problem) if is_named => return Err(in_file(&path, &problem)),
                Err(problem) => {
                    log::warn!("passed over: {}: {problem}", path.display());
                    continue;
                }
            };
            let wanted = |number: &usize| self.number.is_none_or(|only| only == *number);
            let numbered = file.games.into_iter().zip(1..);
            games.extend(
                numbered
                    .filter(|(_, number)| wanted(number))
                    .map(|(game, number)| source(&path, number, game)),
            );
        }
        match (games.is_empty(), self.number) {
            (true, Some(number)) => Err(Usage(format!("--number {number}: no such game")).into()),
            (true, None) => Err("no game found".into()),
            (false, _) => Ok(games),
        }
    }

    /// The files to write.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.pgn, &self.xqf, &self.json, &self.html];
        files.into_iter().filter_map(|file| file.as_deref())
    }

    fn write(&self, games: &[ReviewedGame], order: &Order) -> Result<(), Failure> {
        let records: Vec<Record> = games.iter().map(|game| self.annotated(game)).collect();
        if self.outputs().next().is_none() {
            print(&String::from_utf8_lossy(&self.pgn_text(&records)?));
        }
        if let Some(path) = &self.pgn {
            write_file(path, self.pgn_text(&records)?)?;
        }
        if let Some(path) = &self.xqf {
            for (record, number) in records.iter().zip(1..) {
                let bytes = self.in_format(Format::Xqf, record)?;
                write_file(&numbered(path, number), &bytes)?;
            }
        }
        if let Some(path) = &self.json {
            let mut text = String::new();
            for game in games {
                let object = GameJson::new(game, order, &[self.notation]);
                text += &(serde_json::to_string(&object)? + "\n");
            }
            write_file(path, text)?;
        }
        if let Some(path) = &self.html {
            write_file(path, render(games, order))?;
        }
        Ok(())
    }

    fn annotated(&self, game: &ReviewedGame) -> Record {
        let style = Style {
            language: self.language,
            notation: self.notation,
            all_lines: self.all_lines,
        };
        let mut record = game.record.clone();
        annotate(&mut record, &game.review, style);
        record
    }

    fn pgn_text(&self, records: &[Record]) -> Result<Vec<u8>, Failure> {
        let games = records.iter().map(|r| self.in_format(Format::Pgn, r));
        Ok(games.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn in_format(&self, format: Format, record: &Record) -> Result<Vec<u8>, Failure> {
        let layout = Layout {
            format,
            notation: self.notation,
            encoding: UTF_8,
            crlf: false,
            main_line_only: false,
            no_comments: false,
        };
        let mut bytes = Vec::new();
        record::write(&mut bytes, record, &layout)?;
        Ok(bytes)
    }
}

fn source(path: &Path, number: usize, game: ReadGame) -> ReviewSource {
    let name = path.display();
    for problem in &game.problems {
        log::warn!("{name}: game {number}: {problem}");
    }
    ReviewSource {
        source: name.to_string(),
        number,
        record: game.record,
    }
}

fn progress_bar() -> ProgressBar {
    let template = "{bar:30} {pos}/{len} positions [{elapsed_precise} <{eta_precise}]";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
