//! Files that are replaced whole, and inputs that may have no end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is added to the name of a file that is not whole yet.
const PART: &str = ".part";

/// A file on its way: written beside its target and put in its place by
/// [`Draft::finish`], so that whoever is killed meanwhile leaves the old file
/// or the new one, never half of one. Of a link the file it leads to is
/// replaced. What is no plain file (a device, a pipe) is written to as it is:
/// putting a file in its place would destroy it.
#[derive(Debug)]
pub struct Draft {
    file: File,
    /// Where it is written, and the target; `None` once it is in place.
    way: Option<(PathBuf, PathBuf)>,
}

impl Draft {
    /// Begins a file that is to replace the one at `path`.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_special(path) {
            let file = File::options().write(true).open(path)?;
            return Ok(Self { file, way: None });
        }
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut part = target.clone().into_os_string();
        part.push(PART);
        let part = PathBuf::from(part);
        let file = File::create(&part)?;
        let way = Some((part, target));
        Ok(Self { file, way })
    }

    /// Puts the file in its place and returns it, to write on.
    ///
    /// # Errors
    /// When it cannot be moved there.
    pub fn finish(mut self) -> io::Result<File> {
        if let Some((part, target)) = self.way.take() {
            fs::rename(part, target)?;
        }
        self.file.try_clone()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What was not finished is not kept.
impl Drop for Draft {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.way {
            let _ = fs::remove_file(part);
        }
    }
}

/// Whether something is there that is no plain file, such as a pipe.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file())
}

/// Refuses what exists and is no plain file: a pipe or a device could hold up
/// whoever opens it, or never end.
///
/// # Errors
/// When it is no plain file.
pub fn check_plain(path: &Path) -> io::Result<()> {
    if is_special(path) {
        let kind = io::ErrorKind::InvalidInput;
        return Err(io::Error::new(kind, "not a plain file"));
    }
    Ok(())
}

/// Opens a file that is read and then added to, making it where there is none.
///
/// # Errors
/// When it cannot be opened, or is no plain file: what is read has no end then.
pub fn open_to_go_on(path: &Path) -> io::Result<File> {
    check_plain(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path)
}

/// The most that is read as a whole, so that an endless input (a device, a pipe
/// that somebody keeps filling) ends in an error while there is memory.
pub const MOST_READ: u64 = 1 << 30;
/// The longest line of a list.
pub const MOST_IN_LINE: u64 = 1 << 20;

fn unfit(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// All that `reader` gives, at most [`MOST_READ`] bytes.
///
/// # Errors
/// When it cannot be read, or gives more.
pub fn read_all(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MOST_READ + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_READ {
        return Err(unfit("more than 1 GiB, too much to be read as a whole"));
    }
    Ok(bytes)
}

/// The bytes of a file, at most [`MOST_READ`].
///
/// # Errors
/// As those of [`read_all`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(&mut File::open(path)?)
}

/// The text of a file, at most [`MOST_READ`] bytes.
///
/// # Errors
/// As those of [`read_all`], and when it is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| unfit("not a text in UTF-8"))
}

/// Adds the next line of `reader` with its end to `line`; how many bytes it has.
///
/// # Errors
/// When it cannot be read, or has more than [`MOST_IN_LINE`] bytes.
pub fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = reader.take(MOST_IN_LINE + 1).read_until(b'\n', line)?;
    if read as u64 > MOST_IN_LINE {
        return Err(unfit("a line of more than 1 MiB"));
    }
    Ok(read)
}

/// The length of the whole lines of a file that is to be added to. An
/// interrupted writer may have left a last line that is not whole.
///
/// # Errors
/// When the file does not begin with `mark`, as those of this kind do.
pub fn whole_lines(text: &[u8], mark: &str) -> io::Result<usize> {
    if !text.starts_with(mark.as_bytes()) && !mark.as_bytes().starts_with(text) {
        let what = format!("another kind of file, expected one that begins with `{mark}`");
        return Err(unfit(&what));
    }
    Ok(text
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |end| end + 1))
}

/// Keeps the first `length` bytes of a file; writing goes on behind them.
///
/// # Errors
/// When the file cannot be changed.
pub fn cut(file: &mut File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length)).map(drop)
}

/// Replaces the file at `path` by these bytes, which have reached the disk
/// when it returns.
///
/// # Errors
/// When they cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::create(path)?;
    draft.write_all(bytes)?;
    if draft.way.is_some() {
        draft.file.sync_all()?;
    }
    draft.finish().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("chuhe-draft-{name}-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        root
    }

    #[test]
    fn only_files_of_the_kind_are_cut_to_whole_lines() {
        let mark = "# games";
        for (text, whole) in [("", 0), ("# ga", 0), ("# games of", 0), ("# games\nab", 8)] {
            assert_eq!(whole_lines(text.as_bytes(), mark).unwrap(), whole, "{text}");
        }
        for other in ["my notes", "my notes\n", "# gaming"] {
            assert!(whole_lines(other.as_bytes(), mark).is_err(), "{other}");
        }
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let root = folder("whole");
        let path = root.join("file");
        fs::write(&path, "old").unwrap();
        let mut draft = Draft::create(&path).unwrap();
        draft.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        draft.finish().unwrap().write_all(b", and more").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new, and more");
        drop(Draft::create(&path).unwrap());
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::symlink;
        let root = folder("links");
        let (file, link, device) = (root.join("file"), root.join("link"), root.join("device"));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        symlink("/dev/null", &device).unwrap();
        assert!(check_plain(&device).is_err() && check_plain(&link).is_ok());
        replace(&device, b"gone").unwrap();
        assert_eq!(fs::read(&device).unwrap(), b"");
        fs::remove_dir_all(root).unwrap();
    }
}
