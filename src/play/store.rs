//! The game on disk, written anew after every move.

use crate::platform::files;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file of the game at the table.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// Held as long as the game is at the table.
    _lock: Option<File>,
}

impl Store {
    /// A store at this path.
    pub fn new(path: PathBuf) -> Self {
        Self { path, _lock: None }
    }

    /// A store at this path that nobody else can claim as long as it lives;
    /// `None` when somebody else has it. The lock is on a file beside it that
    /// stays, as the game's own is replaced at every move. Where no file can be
    /// locked nobody is kept out.
    pub fn claim(path: PathBuf) -> Option<Self> {
        let mut store = Self::new(path);
        if let Ok(lock) = store.create_beside("lock") {
            if let Err(TryLockError::WouldBlock) = lock.try_lock() {
                return None;
            }
            store._lock = Some(lock);
        }
        Some(store)
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
        match files::read_text(&self.path) {
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
        self.make_folder()?;
        files::replace(&self.path, text.as_bytes())
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

    fn make_folder(&self) -> io::Result<()> {
        self.path.parent().map_or(Ok(()), fs::create_dir_all)
    }

    /// An empty file beside it.
    fn create_beside(&self, ending: &str) -> io::Result<File> {
        self.make_folder()?;
        File::create(self.beside(ending))
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
    fn a_claimed_place_is_free_again_when_its_holder_leaves() {
        let folder = std::env::temp_dir().join(format!("chuhe-claim-{}", std::process::id()));
        let path = folder.join("game.pgn");
        let first = Store::claim(path.clone());
        assert!(first.is_some());
        assert!(Store::claim(path.clone()).is_none());
        assert!(Store::claim(folder.join("game-2.pgn")).is_some());
        drop(first);
        assert!(Store::claim(path).is_some());
        fs::remove_dir_all(folder).unwrap();
    }

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
