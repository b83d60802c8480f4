//! A folder for the files of a test.

use std::path::PathBuf;

/// A folder of its own that goes away with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A folder named after the test.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The same as an argument of a command.
    pub fn path(&self, name: &str) -> String {
        self.file(name).to_str().unwrap().to_owned()
    }

    /// The text of a file in it.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
