//! `chuhe convert`: moves between notations, games between formats.

use super::files::{all_files, numbered};
use super::games::{self, Kind};
use super::{Failure, Usage, parse};
use crate::board::Position;
use crate::notation::{self, Notation};
use crate::opening::opening_of;
use crate::platform::files::Draft;
use crate::record::{self, Charset, Format, Layout, ReadGame, Record, to_json};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Converts games between formats and moves between notations.
///
/// The format, the encoding and the notation of the input are found out.
/// What cannot be read of a file is reported with its place on standard
/// error; the rest is converted.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders (searched through, sub-folders included)
    #[arg(required_unless_present = "move_text")]
    input: Vec<PathBuf>,
    /// Target: pgn, xqf, cbf, moves, fen or json; with --move a notation:
    /// iccs, iccs-long, wxf, chinese, chinese-traditional, algebraic, russian
    /// or winboard
    #[arg(long)]
    to: String,
    /// Write to this file, or into this folder if there are several inputs
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Notation of moves in the output
    #[arg(long, default_value = "chinese", value_parser = parse::<Notation>)]
    notation: Notation,
    /// Encoding of the input: auto, utf-8, gb18030, big5, cp1258 ...
    #[arg(long, default_value = "auto", value_parser = parse::<Charset>)]
    encoding: Charset,
    /// Encoding of the output: utf-8, gbk, big5, utf-16le, cp1258 ...
    #[arg(long, default_value = "utf-8", value_parser = parse::<Charset>)]
    output_encoding: Charset,
    /// End lines with CR LF, as old Windows programs expect
    #[arg(long)]
    crlf: bool,
    /// Leave variations out
    #[arg(long)]
    main_line_only: bool,
    /// Leave comments out
    #[arg(long)]
    no_comments: bool,
    /// Name the opening (tag Opening) where the file does not
    #[arg(long)]
    name_openings: bool,
    /// The move to print in another notation, in any notation
    #[arg(long = "move", value_name = "TEXT", conflicts_with_all = ["input", "output"])]
    move_text: Option<String>,
    /// The position of --move; the start position if left out
    #[arg(long, requires = "move_text")]
    fen: Option<String>,
    /// Read --move in this notation only
    #[arg(long, requires = "move_text", value_parser = parse::<Notation>)]
    from: Option<Notation>,
}

/// Target of files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Json,
    File(Format),
}

impl Target {
    fn of(text: &str) -> Result<Self, Usage> {
        if text.eq_ignore_ascii_case("json") {
            return Ok(Self::Json);
        }
        let format = text.parse();
        let format = format.map_err(|error: record::FormatError| Usage(error.to_string()));
        Ok(Self::File(format?))
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::File(Format::Moves) => "txt",
            Self::File(format) => format.name(),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When the arguments make no sense, nothing could be read or a file cannot
/// be written.
pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.move_text {
        Some(text) => convert_move(args, text),
        None => Job::new(args)?.run(&args.input),
    }
}

fn convert_move(args: &Args, text: &str) -> Result<(), Failure> {
    let to: Notation = parse(&args.to).map_err(Usage)?;
    let fen: Vec<String> = args.fen.iter().cloned().collect();
    let pos: Position = super::position(&fen)?;
    let mv = match args.from {
        Some(notation) => notation.parse(&pos, text),
        None => notation::read(&pos, text).map(|(mv, _)| mv),
    };
    let mv = mv.map_err(|error| Usage(error.to_string()))?;
    super::print(&format!("{}\n", to.write(&pos, mv)));
    Ok(())
}

/// What to do with every file.
struct Job<'a> {
    args: &'a Args,
    target: Target,
    layout: Layout,
    bar: ProgressBar,
    /// The files written so far.
    written: HashSet<PathBuf>,
    games: usize,
    problems: usize,
    failed: usize,
}

impl<'a> Job<'a> {
    fn new(args: &'a Args) -> Result<Self, Usage> {
        let target = Target::of(&args.to)?;
        let format = match target {
            Target::Json => Format::Moves,
            Target::File(format) => format,
        };
        let encoding = match args.output_encoding {
            Charset::Auto => encoding_rs::UTF_8,
            Charset::Known(encoding) => encoding,
        };
        Ok(Self {
            args,
            target,
            layout: Layout {
                format,
                notation: args.notation,
                encoding,
                crlf: args.crlf,
                main_line_only: args.main_line_only,
                no_comments: args.no_comments,
            },
            bar: ProgressBar::hidden(),
            written: HashSet::new(),
            games: 0,
            problems: 0,
            failed: 0,
        })
    }

    fn run(mut self, input: &[PathBuf]) -> Result<(), Failure> {
        let files = all_files(input)?;
        let many = files.len() != 1 || input.iter().any(|path| path.is_dir());
        if many {
            self.bar = ProgressBar::new(files.len() as u64).with_style(style());
        }
        for (root, path) in &files {
            if let Err(failure) = self.convert(root, path, many) {
                if !many {
                    return Err(failure);
                }
                self.failed += 1;
                self.report(&failure.to_string());
            }
            self.bar.inc(1);
        }
        self.bar.finish_and_clear();
        if many {
            log::info!(
                "{} files, {} games, {} problems, {} files not read",
                files.len(),
                self.games,
                self.problems,
                self.failed
            );
        }
        match self.failed {
            0 => Ok(()),
            n => Err(format!("{n} of {} files could not be converted", files.len()).into()),
        }
    }

    fn report(&self, text: &str) {
        self.bar.suspend(|| log::warn!("{text}"));
    }

    fn convert(&mut self, root: &Path, path: &Path, many: bool) -> Result<(), Failure> {
        let mut out = self.output(root, path, many)?;
        let mut number = 0;
        let charset = self.args.encoding;
        games::each(path, charset, &mut |kind, game| {
            number += 1;
            self.game(&mut out, path, kind, game, number)
        })?;
        out.finish()
    }

    fn game(
        &mut self,
        out: &mut Output,
        path: &Path,
        (format, encoding): Kind,
        game: ReadGame,
        number: usize,
    ) -> Result<(), Failure> {
        let ReadGame {
            mut record,
            problems,
        } = game;
        self.games += 1;
        self.problems += problems.len();
        for problem in &problems {
            self.report(&format!("{}: game {number}: {problem}", path.display()));
        }
        if self.args.name_openings {
            name_opening(&mut record);
        }
        if self.target == Target::Json {
            let record = self.layout.part_of(&record);
            let value = to_json(format, encoding, &record, &problems);
            writeln!(out.writer(number)?, "{value}")?;
            return Ok(());
        }
        let writer = out.writer(number)?;
        Ok(record::write(writer, &record, &self.layout)?)
    }

    /// Where the games of a file go. Of two files with one name the second
    /// keeps its extension in its new name.
    fn output(&mut self, root: &Path, path: &Path, many: bool) -> Result<Output, Failure> {
        let single = match self.target {
            Target::Json => false,
            Target::File(format) => !format.holds_many(),
        };
        let target = match &self.args.output {
            None => return Ok(Output::stdout(single)),
            Some(target) if many => {
                let below = path.strip_prefix(root).unwrap_or(path);
                let mut target = target.join(below);
                let extension = self.target.extension();
                target.set_extension(extension);
                if self.written.contains(&target) {
                    target.set_file_name(below.file_name().unwrap_or_default());
                    target.as_mut_os_string().push(format!(".{extension}"));
                }
                self.written.insert(target.clone());
                target
            }
            Some(target) => target.clone(),
        };
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        if target.exists() && fs::canonicalize(&target)? == fs::canonicalize(path)? {
            return Err(Usage(format!("{} would be overwritten", path.display())).into());
        }
        Ok(Output::file(target, single))
    }
}

/// A file or standard output; formats of one game each get numbered files.
/// Nothing appears under the final name until it is complete.
struct Output {
    path: Option<PathBuf>,
    single: bool,
    open: Option<Open>,
}

/// What is written at the moment.
enum Open {
    Stdout(BufWriter<io::Stdout>),
    File(BufWriter<Draft>),
}

impl Open {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(writer) => writer,
            Self::File(writer) => writer,
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Stdout(mut writer) => writer.flush(),
            Self::File(writer) => writer.into_inner()?.finish().map(drop),
        }
    }
}

impl Output {
    fn stdout(single: bool) -> Self {
        Self {
            path: None,
            single,
            open: None,
        }
    }

    fn file(path: PathBuf, single: bool) -> Self {
        Self {
            path: Some(path),
            ..Self::stdout(single)
        }
    }

    /// Where game `number` is written.
    fn writer(&mut self, number: usize) -> Result<&mut dyn Write, Failure> {
        if self.single && number > 1 {
            if self.path.is_none() {
                let hint = "this format holds one game a file: name an output with -o";
                return Err(Usage(hint.into()).into());
            }
            self.close()?;
        }
        let open = match self.open.take() {
            Some(open) => open,
            None => self.start(number)?,
        };
        Ok(self.open.insert(open).writer())
    }

    fn start(&self, number: usize) -> io::Result<Open> {
        let Some(path) = &self.path else {
            return Ok(Open::Stdout(BufWriter::new(io::stdout())));
        };
        let path = numbered(path, if self.single { number } else { 1 });
        Ok(Open::File(BufWriter::new(Draft::create(&path)?)))
    }

    fn close(&mut self) -> io::Result<()> {
        self.open.take().map_or(Ok(()), Open::finish)
    }

    fn finish(mut self) -> Result<(), Failure> {
        Ok(self.close()?)
    }
}

/// Sets the tag of the opening's name where it is missing or empty.
fn name_opening(record: &mut Record) {
    let named = record
        .tags
        .get("Opening")
        .is_some_and(|name| !name.is_empty());
    let opening = opening_of(record.game().positions());
    if let Some(opening) = opening.filter(|_| !named) {
        record.tags.set("Opening", opening.chinese);
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {pos}/{len} files ({eta} left)")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
