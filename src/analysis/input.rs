//! Positions from files of any kind, one after another.

use super::position_line::{self, is_blank, is_position};
use crate::board::Move;
use crate::platform::files::{self, is_special};
use crate::record::{Charset, Format, ReadGame, decode_text, pgn, read_file_bytes};
use crate::rules::Game;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// The name of standard input among files, and as a source.
pub const STDIN: &str = "-";

/// A position to examine, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its number in the whole input.
    pub index: u64,
    /// The file, `-` for standard input.
    pub source: Arc<str>,
    /// The number of its game in the file, from 1; `None` in lists of
    /// positions.
    pub game: Option<usize>,
    /// The moves of that game played before it.
    pub ply: Option<usize>,
    /// The `id` of an EPD line.
    pub id: Option<String>,
    /// The move that the game goes on with.
    pub played: Option<Move>,
    /// The position with the moves that led to it, or what is wrong with its
    /// line.
    pub subject: Result<Game, String>,
}

/// Why a file cannot be read.
#[derive(Debug)]
pub enum InputError {
    /// The system says so.
    Io(PathBuf, io::Error),
    /// Nothing in it is a position or a game.
    Content(PathBuf, String),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Content(path, what) => {
                let path = path.display();
                write!(f, "{path}: neither positions nor a game: {what}")
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Which positions of a game to take, by the number of moves before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlyRange {
    /// From the first to the second number, both included.
    Between(usize, usize),
    /// The last position only.
    Last,
}

impl Default for PlyRange {
    fn default() -> Self {
        Self::Between(0, usize::MAX)
    }
}

impl PlyRange {
    fn contains(self, ply: usize, last: usize) -> bool {
        match self {
            Self::Between(from, to) => (from..=to).contains(&ply),
            Self::Last => ply == last,
        }
    }
}

impl FromStr for PlyRange {
    type Err = String;

    /// `last`, `12`, `12-` or `12-60`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}`: expected last, a number such as 12, or 12-60");
        if text == "last" {
            return Ok(Self::Last);
        }
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        match text.split_once('-') {
            None => number(text).map(|ply| Self::Between(ply, ply)),
            Some((from, to)) => {
                let (from, to) = (
                    number(from)?,
                    if to.is_empty() {
                        usize::MAX
                    } else {
                        number(to)?
                    },
                );
                if from <= to {
                    Ok(Self::Between(from, to))
                } else {
                    Err(wrong())
                }
            }
        }
    }
}

/// How files are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Which positions of games to take.
    pub plies: PlyRange,
    /// The encoding of game files.
    pub charset: Charset,
    /// Whether to log what cannot be read of a game.
    pub warn: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            plies: PlyRange::default(),
            charset: Charset::Auto,
            warn: true,
        }
    }
}

type Tasks = Box<dyn Iterator<Item = Result<Task, InputError>> + Send>;

/// The positions of files, in order; an iterator that reads as it goes.
pub struct Input {
    tasks: Tasks,
    next_index: u64,
}

impl Input {
    /// The positions of files and, for the name `-`, of standard input.
    pub fn from_files(paths: Vec<PathBuf>, reading: Reading) -> Self {
        let open = move |path: PathBuf| match tasks_of(&path, reading) {
            Ok(tasks) => tasks,
            Err(error) => Box::new(std::iter::once(Err(error))),
        };
        Self {
            tasks: Box::new(paths.into_iter().flat_map(open)),
            next_index: 0,
        }
    }

    /// The positions of a text of any format.
    pub fn from_text(name: &str, text: &str) -> Self {
        let reader = Box::new(Cursor::new(text.to_owned().into_bytes()));
        let path = Path::new(name);
        let tasks = tasks_of_stream(path, reader, Reading::default());
        Self {
            tasks: tasks.unwrap_or_else(|error| Box::new(std::iter::once(Err(error)))),
            next_index: 0,
        }
    }

    /// The number of the first position, 0 by default.
    pub fn numbered_from(mut self, index: u64) -> Self {
        self.next_index = index;
        self
    }

    /// Takes back the task that was given last.
    pub(super) fn put_back(&mut self, task: Task) {
        self.next_index = task.index;
        let rest = std::mem::replace(&mut self.tasks, Box::new(std::iter::empty()));
        self.tasks = Box::new(std::iter::once(Ok(task)).chain(rest));
    }
}

impl Iterator for Input {
    type Item = Result<Task, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.tasks.next()?;
        Some(next.map(|task| {
            let index = self.next_index;
            self.next_index += 1;
            Task { index, ..task }
        }))
    }
}

type Reader = Box<dyn BufRead + Send>;

/// Whether an input can be read only once: standard input or a pipe.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new(STDIN) || is_special(path)
}

fn tasks_of(path: &Path, reading: Reading) -> Result<Tasks, InputError> {
    if path == Path::new(STDIN) {
        let reader = Box::new(BufReader::new(io::stdin()));
        return tasks_of_stream(path, reader, reading);
    }
    let mut file = File::open(path).map_err(|error| InputError::Io(path.to_owned(), error))?;
    if is_stream(path) {
        return tasks_of_stream(path, Box::new(BufReader::new(file)), reading);
    }
    let head = head_of(&mut file).map_err(|error| InputError::Io(path.to_owned(), error))?;
    if Format::detect(&head) == Format::Pgn {
        Ok(pgn_tasks(path, file, reading))
    } else if is_list(&head, reading.charset) {
        Ok(line_tasks(path, BufReader::new(file)))
    } else {
        all_tasks(path, &mut BufReader::new(file), reading)
    }
}

/// The first block of a file; the file is at its start again.
fn head_of(file: &mut File) -> io::Result<Vec<u8>> {
    const HEAD: u64 = 1 << 16;
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head)?;
    io::Seek::rewind(file)?;
    Ok(head)
}

/// Whether a file, by its first block or all of it, is a list of positions.
fn is_list(bytes: &[u8], charset: Charset) -> bool {
    matches!(Format::detect(bytes), Format::Fen | Format::Moves)
        && position_line::begins_list(&decode_text(charset, bytes).0)
}

/// Reads line by line where the first line that says something is a position,
/// and as a whole otherwise.
fn tasks_of_stream(path: &Path, mut reader: Reader, reading: Reading) -> Result<Tasks, InputError> {
    let mut head = Vec::new();
    loop {
        let start = head.len();
        let read = files::read_line(&mut reader, &mut head);
        let read = read.map_err(|error| InputError::Io(path.to_owned(), error))?;
        let line = String::from_utf8_lossy(&head[start..]);
        if read == 0 || !is_blank(&line) {
            let list = is_position(&line);
            let mut whole = Cursor::new(head).chain(reader);
            return if list {
                Ok(line_tasks(path, whole))
            } else {
                all_tasks(path, &mut whole, reading)
            };
        }
    }
}

fn source_name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

fn line_tasks(path: &Path, reader: impl BufRead + Send + 'static) -> Tasks {
    let (path, source) = (path.to_owned(), source_name(path));
    let lines = lines(reader).zip(1_usize..);
    Box::new(lines.filter_map(move |(line, number)| match line {
        Err(error) => Some(Err(InputError::Io(path.clone(), error))),
        Ok(line) => {
            let line = String::from_utf8_lossy(&line);
            (!is_blank(&line)).then(|| Ok(line_task(&source, number, &line)))
        }
    }))
}

/// The lines of a reader with their ends; the first that cannot be read is the
/// last.
fn lines(mut reader: impl BufRead + Send) -> impl Iterator<Item = io::Result<Vec<u8>>> + Send {
    let mut broken = false;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = (!broken).then(|| files::read_line(&mut reader, &mut line))?;
        broken = read.is_err();
        match read {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    })
}

fn line_task(source: &Arc<str>, number: usize, line: &str) -> Task {
    let (id, subject) = match position_line::read(line) {
        Ok(read) => (read.id, Ok(Game::new(read.position))),
        Err(error) => (None, Err(format!("line {number}: {error}"))),
    };
    Task {
        index: 0,
        source: source.clone(),
        game: None,
        ply: None,
        id,
        played: None,
        subject,
    }
}

fn pgn_tasks(path: &Path, file: File, reading: Reading) -> Tasks {
    let (path, source) = (path.to_owned(), source_name(path));
    let games = pgn::Reader::with_charset(file, reading.charset).zip(1..);
    Box::new(games.flat_map(move |(game, number)| -> Tasks {
        match game {
            Ok(game) => game_tasks(&source, number, game, reading),
            Err(error) => Box::new(std::iter::once(Err(InputError::Io(path.clone(), error)))),
        }
    }))
}

fn all_tasks(path: &Path, reader: &mut dyn Read, reading: Reading) -> Result<Tasks, InputError> {
    let bytes = files::read_all(reader).map_err(|error| InputError::Io(path.to_owned(), error))?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Box::new(std::iter::empty()));
    }
    if is_list(&bytes, reading.charset) {
        return Ok(line_tasks(path, Cursor::new(bytes)));
    }
    let file = read_file_bytes(&bytes, reading.charset)
        .map_err(|problem| InputError::Content(path.to_owned(), problem.to_string()))?;
    let source = source_name(path);
    let games = file.games.into_iter().zip(1..);
    Ok(Box::new(games.flat_map(move |(game, number)| {
        game_tasks(&source, number, game, reading)
    })))
}

fn game_tasks(source: &Arc<str>, number: usize, read: ReadGame, reading: Reading) -> Tasks {
    for problem in read.problems.iter().filter(|_| reading.warn) {
        log::warn!("{source}: game {number}: {problem}");
    }
    let moves = read.record.main_line();
    let mut game = Game::new(read.record.start().clone());
    let source = source.clone();
    let tasks = (0..=moves.len()).map(move |ply| {
        let task = Task {
            index: 0,
            source: source.clone(),
            game: Some(number),
            ply: Some(ply),
            id: None,
            played: moves.get(ply).copied(),
            subject: Ok(game.clone()),
        };
        if let Some(mv) = task.played {
            // The moves of a record are legal.
            let _ = game.play(mv);
        }
        (ply, moves.len(), task)
    });
    let wanted = tasks.filter(move |(ply, last, _)| reading.plies.contains(*ply, *last));
    Box::new(wanted.map(|(_, _, task)| Ok(task)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(text: &str) -> Vec<Task> {
        Input::from_text("t", text).map(Result::unwrap).collect()
    }

    #[test]
    fn lists_are_read_line_by_line() {
        let text = "# two\n3k5/9/9/9/9/9/9/4R4/9/3AKR3 w - - id \"a\";\n\n9/9 w\n";
        let tasks = tasks(text);
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].index, tasks[1].index), (0, 1));
        assert_eq!(tasks[0].id.as_deref(), Some("a"));
        let error = tasks[1].subject.as_ref().unwrap_err();
        assert!(
            error.starts_with("line 4: ") && error.contains("9/9 w"),
            "{error}"
        );
    }

    #[test]
    fn games_give_every_position_with_its_history() {
        let tasks = tasks("1. 炮二平五 马８进７ 2. 马二进三 1-0\n");
        assert_eq!(tasks.len(), 4);
        let plies: Vec<_> = tasks.iter().map(|task| task.ply.unwrap()).collect();
        assert_eq!(plies, [0, 1, 2, 3]);
        assert_eq!(tasks[3].subject.as_ref().unwrap().moves().len(), 3);
        assert_eq!(tasks[3].played, None);
        assert_eq!(tasks[1].played, "h9g7".parse().ok());
    }

    #[test]
    fn a_bad_line_may_come_first() {
        let tasks = tasks("fen\n3k5/9/9/9/9/9/9/4R4/9/3AKR3 w\nnonsense\n");
        let good: Vec<bool> = tasks.iter().map(|task| task.subject.is_ok()).collect();
        assert_eq!(good, [false, true, false]);
    }

    #[test]
    fn nothing_is_no_error_and_nonsense_is_one() {
        assert!(tasks("\n \n").is_empty());
        let mut input = Input::from_text("t", "nonsense without a move\n");
        let error = input.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("t: "), "{error}");
    }

    #[test]
    fn ply_ranges_are_read() {
        assert_eq!("last".parse(), Ok(PlyRange::Last));
        assert_eq!("7".parse(), Ok(PlyRange::Between(7, 7)));
        assert_eq!("7-".parse(), Ok(PlyRange::Between(7, usize::MAX)));
        assert_eq!("7-9".parse(), Ok(PlyRange::Between(7, 9)));
        for text in ["", "x", "9-7", "-3"] {
            let error = text.parse::<PlyRange>().unwrap_err();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
