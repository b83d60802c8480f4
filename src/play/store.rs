//! The game on disk, written anew after every move.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file of the game at the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// A store at this path.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is there, `None` when there is nothing.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(&self.path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Puts a text in the place of the old one: whoever is killed meanwhile
    /// leaves the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let new = self.beside("new");
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(new, &self.path)
    }

    /// Keeps what is there under another name; the name, `None` when there is
    /// nothing to keep.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn put_aside(&self) -> io::Result<Option<PathBuf>> {
        let old = self.beside("old");
        match fs::rename(&self.path, &old) {
            Ok(()) => Ok(Some(old)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".");
        name.push(ending);
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_text_is_there_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("chuhe-store-{}", std::process::id()));
        let store = Store::new(folder.join("deep").join("game.pgn"));
        assert_eq!(store.load().unwrap(), None);
        assert_eq!(store.put_aside().unwrap(), None);
        store.save("one").unwrap();
        store.save("two").unwrap();
        assert_eq!(store.load().unwrap().as_deref(), Some("two"));
        let files = fs::read_dir(folder.join("deep")).unwrap().count();
        assert_eq!(files, 1);
        let old = store.put_aside().unwrap().unwrap();
        assert_eq!(fs::read_to_string(old).unwrap(), "two");
        assert_eq!(store.load().unwrap(), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
