//! The file or stream that records go to, from which a run that was ended in
//! any way can go on.

use super::examine::Order;
use super::input::{Input, InputError, Task};
use super::layout::{Layout, OutputFormat};
use crate::platform::files::{cut, open_to_go_on};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Where records go, each with one call of the system.
pub struct Output {
    path: PathBuf,
    writer: Box<dyn Write + Send>,
}

/// Why an output cannot be used.
#[derive(Debug)]
pub enum OutputError {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// It exists, and the run shall not go on from it.
    Exists(PathBuf),
    /// A record is not the one that the input and the order lead to.
    Other {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 1.
        record: u64,
        /// How the record should begin; empty when there should be none.
        expected: String,
        /// How it begins.
        found: String,
    },
    /// The input cannot be read again.
    Input(InputError),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Exists(path) => write!(
                f,
                "{} exists: add --resume to go on from it, or name another file",
                path.display()
            ),
            Self::Other {
                path,
                record,
                expected,
                found,
            } => write!(
                f,
                "{}: record {record} is of another input or order: expected `{}`, found `{}`",
                path.display(),
                expected.trim_end(),
                found.trim_end()
            ),
            Self::Input(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OutputError {}

impl OutputError {
    /// Whether the reader of a pipe has gone away.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(_, error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl Output {
    /// Standard output.
    ///
    /// # Errors
    /// When it is closed.
    pub fn stdout(layout: &Layout, order: &Order) -> Result<Self, OutputError> {
        let mut output = Self {
            path: PathBuf::from("standard output"),
            writer: Box::new(io::stdout()),
        };
        output.write(&layout.preamble(order))?;
        Ok(output)
    }

    /// A new file.
    ///
    /// # Errors
    /// When there is something in it, or it cannot be written.
    pub fn create(path: &Path, layout: &Layout, order: &Order) -> Result<Self, OutputError> {
        let mut file = open(path)?;
        if length(path, &mut file)? > 0 {
            return Err(OutputError::Exists(path.to_owned()));
        }
        Self::begin(path, file, layout, order)
    }

    fn begin(path: &Path, file: File, layout: &Layout, order: &Order) -> Result<Self, OutputError> {
        let mut output = Self {
            path: path.to_owned(),
            writer: Box::new(file),
        };
        output.write(&layout.preamble(order))?;
        Ok(output)
    }

    /// Goes on from what a file has, if there is one: the tasks of its
    /// records are taken from `tasks`, which must be those of the first run,
    /// and told to `done`. A last record that was not written to its end is cut
    /// off.
    ///
    /// # Errors
    /// When the file is of another run, or it cannot be used.
    pub fn resume(
        path: &Path,
        layout: &Layout,
        order: &Order,
        tasks: &mut Input,
        done: &mut dyn FnMut(&Task),
    ) -> Result<Self, OutputError> {
        let mut file = open(path)?;
        let io_error = |error| OutputError::Io(path.to_owned(), error);
        let other = |record: u64, expected: String, found: &str| OutputError::Other {
            path: path.to_owned(),
            record,
            found: found
                .chars()
                .take(expected.chars().count().max(40))
                .collect(),
            expected,
        };
        let mut reader = BufReader::new(file.try_clone().map_err(io_error)?);
        let preamble = layout.preamble(order);
        let (mut kept, mut count) = (0, 0);
        if !preamble.is_empty() {
            match next_record(&mut reader, OutputFormat::Csv).map_err(io_error)? {
                Record::Torn(begun) if preamble.starts_with(&begun) => {
                    return Self::restart(path, file, layout, order);
                }
                Record::Whole(line) if line == preamble => kept = line.len() as u64,
                Record::Torn(line) | Record::Whole(line) => return Err(other(0, preamble, &line)),
            }
        }
        loop {
            let record = next_record(&mut reader, layout.format).map_err(io_error)?;
            if record.is_none() {
                break;
            }
            let task = tasks.next().transpose().map_err(OutputError::Input)?;
            let head = task.as_ref().map(|task| layout.head(task, order));
            let Some(task) = task.filter(|_| record.begins_like(head.as_deref())) else {
                return Err(other(count + 1, head.unwrap_or_default(), record.text()));
            };
            if let Record::Torn(_) = record {
                tasks.put_back(task);
                break;
            }
            done(&task);
            kept += record.text().len() as u64;
            count += 1;
        }
        cut(&mut file, kept).map_err(io_error)?;
        Ok(Self {
            path: path.to_owned(),
            writer: Box::new(file),
        })
    }

    fn restart(
        path: &Path,
        mut file: File,
        layout: &Layout,
        order: &Order,
    ) -> Result<Self, OutputError> {
        cut(&mut file, 0).map_err(|error| OutputError::Io(path.to_owned(), error))?;
        Self::begin(path, file, layout, order)
    }

    /// Writes a record; it is with the operating system when this returns.
    ///
    /// # Errors
    /// When the file cannot be written or the reader has gone away.
    pub fn write(&mut self, record: &str) -> Result<(), OutputError> {
        let written = self
            .writer
            .write_all(record.as_bytes())
            .and_then(|()| self.writer.flush());
        written.map_err(|error| OutputError::Io(self.path.clone(), error))
    }
}

fn open(path: &Path) -> Result<File, OutputError> {
    open_to_go_on(path).map_err(|error| OutputError::Io(path.to_owned(), error))
}

fn length(path: &Path, file: &mut File) -> Result<u64, OutputError> {
    let data = file.metadata();
    let data = data.map_err(|error| OutputError::Io(path.to_owned(), error))?;
    Ok(data.len())
}

/// A record as text.
enum Record {
    /// It was written to its end.
    Whole(String),
    /// It was not; nothing at the end of a file.
    Torn(String),
}

impl Record {
    fn text(&self) -> &str {
        match self {
            Self::Whole(text) | Self::Torn(text) => text,
        }
    }

    /// Whether nothing follows.
    fn is_none(&self) -> bool {
        matches!(self, Self::Torn(text) if text.is_empty())
    }

    /// Whether it can be the record that has this head, or a part of it.
    fn begins_like(&self, head: Option<&str>) -> bool {
        let (Some(head), text) = (head, self.text()) else {
            return false;
        };
        // The last character may be torn too.
        let begun = text.trim_end_matches(char::REPLACEMENT_CHARACTER);
        let is_begun = matches!(self, Self::Torn(_)) && head.starts_with(begun);
        text.starts_with(head) || is_begun
    }
}

/// The next record of a file.
fn next_record(reader: &mut impl BufRead, format: OutputFormat) -> io::Result<Record> {
    let mut record = Vec::new();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    loop {
        let read = reader.read_until(b'\n', &mut record)?;
        if record.ends_with(format.record_end().as_bytes()) {
            return Ok(Record::Whole(text(&record)));
        }
        if read == 0 || !record.ends_with(b"\n") {
            return Ok(Record::Torn(text(&record)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::OutputFormat;

    const LINES: &str = "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w\n9/9 w\n3k5/9/9/9/9/9/9/9/4R4/3RK4 b\n";

    /// A file with the records of all tasks, without findings.
    fn whole(layout: &Layout, order: &Order) -> String {
        let tasks = Input::from_text("t", LINES).map(Result::unwrap);
        let records = tasks.map(|task| layout.record(&task, order, None));
        layout.preamble(order) + &records.collect::<String>()
    }

    #[test]
    fn every_torn_file_is_cut_to_whole_records() {
        let order = Order::default();
        let path = std::env::temp_dir().join(format!("chuhe-output-{}", std::process::id()));
        for format in OutputFormat::ALL {
            let layout = Layout {
                format,
                ..Layout::default()
            };
            let text = whole(&layout, &order);
            for cut in 0..=text.len() {
                std::fs::write(&path, &text.as_bytes()[..cut]).unwrap();
                let mut tasks = Input::from_text("t", LINES);
                let mut records = 0;
                let mut count = |_: &Task| records += 1;
                let resumed = Output::resume(&path, &layout, &order, &mut tasks, &mut count);
                let mut output = resumed.unwrap();
                for task in tasks.map(Result::unwrap) {
                    output.write(&layout.record(&task, &order, None)).unwrap();
                    records += 1;
                }
                assert_eq!(records, 3);
                assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{cut}");
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_of_another_run_is_refused() {
        let (order, layout) = (Order::default(), Layout::default());
        let path = std::env::temp_dir().join(format!("chuhe-other-{}", std::process::id()));
        std::fs::write(&path, whole(&layout, &order)).unwrap();
        assert!(matches!(
            Output::create(&path, &layout, &order),
            Err(OutputError::Exists(_))
        ));
        for lines in ["", "3k5/9/9/9/9/9/9/4R4/9/3AKR3 b\n"] {
            let mut tasks = Input::from_text("t", lines);
            let error = Output::resume(&path, &layout, &order, &mut tasks, &mut |_| ()).err();
            let text = error.unwrap().to_string();
            assert!(text.contains("record 1 is of another input"), "{text}");
        }
        // Neither is what is no record at all, not even for want of its end.
        for notes in ["my notes", "my notes\n", "4k4/9/9/9/9/9/9/9/9/3K5 w"] {
            std::fs::write(&path, notes).unwrap();
            let mut tasks = Input::from_text("t", LINES);
            let resumed = Output::resume(&path, &layout, &order, &mut tasks, &mut |_| ());
            assert!(matches!(resumed, Err(OutputError::Other { .. })), "{notes}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), notes);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
