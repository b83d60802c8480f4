//! The log of all lines in and out that a user may ask for.

use crate::platform::files::check_plain;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file that every line is written to, or none. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    file: Arc<Mutex<Option<File>>>,
}

impl Transcript {
    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes to this file from now on, nowhere when `path` is empty.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is logged then.
    pub fn open(&self, path: &str) -> io::Result<()> {
        let mut file = self.file();
        *file = None;
        if !path.is_empty() {
            check_plain(path.as_ref())?;
            *file = Some(File::options().append(true).create(true).open(path)?);
        }
        Ok(())
    }

    /// Notes a line from the GUI.
    pub fn heard(&self, line: &str) {
        log::debug!("> {line}");
        self.note('>', line);
    }

    /// Notes text to the GUI.
    pub fn said(&self, text: &str) {
        log::debug!("< {text}");
        self.note('<', text);
    }

    /// A log that cannot be written must not stop a game: errors are ignored.
    fn note(&self, mark: char, text: &str) {
        if let Some(file) = self.file().as_mut() {
            let _ = writeln!(file, "{mark} {text}");
        }
    }
}
