//! Files and folders named on the command line.

use super::{Failure, in_file};
use crate::analysis::STDIN;
use crate::platform::files;
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// All files, each with the argument it was found under. A folder is searched
/// through in the order of names, its own files before those of the folders in
/// it; what is neither file nor folder there is passed over.
pub(super) fn all_files(input: &[PathBuf]) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let mut files = Vec::new();
    for root in input {
        if root.is_dir() {
            let found = files_below(root)?;
            files.extend(found.into_iter().map(|path| (root.clone(), path)));
        } else {
            super::check_input(root)?;
            let folder = root.parent().unwrap_or(Path::new(""));
            files.push((folder.to_owned(), root.clone()));
        }
    }
    Ok(files)
}

/// The files of a folder and of those in it. A folder is entered once, by
/// whatever links it can be reached.
fn files_below(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    let mut entered = HashSet::new();
    while let Some(folder) = folders.pop() {
        let same = folder.canonicalize().map_err(|e| in_file(&folder, &e))?;
        if !entered.insert(same) {
            continue;
        }
        let entries = fs::read_dir(&folder).map_err(|e| in_file(&folder, &e))?;
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.map(|e| e.path()))
            .collect::<io::Result<_>>()?;
        paths.sort();
        let (inner, plain): (Vec<_>, Vec<_>) = paths.into_iter().partition(|p| p.is_dir());
        folders.extend(inner.into_iter().rev());
        files.extend(plain.into_iter().filter(|path| path.is_file()));
    }
    Ok(files)
}

/// A file to read.
pub(super) struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was named itself rather than found in a folder.
    pub is_named: bool,
}

/// The files to read, without those in folders that are written.
pub(super) fn files_to_read(input: &[PathBuf], written: &[&Path]) -> Result<Vec<Found>, Failure> {
    let written: Vec<PathBuf> = written
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let found = all_files(input)?.into_iter().map(|(_, path)| Found {
        is_named: input.contains(&path),
        path,
    });
    let is_written = |path: &Path| {
        path.canonicalize()
            .is_ok_and(|path| written.contains(&path))
    };
    Ok(found
        .filter(|file| file.is_named || !is_written(&file.path))
        .collect())
}

/// All bytes of a file or of standard input.
pub(super) fn read_whole(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path == Path::new(STDIN) {
        files::read_all(&mut io::stdin())
    } else {
        files::read(path)
    };
    read.map_err(|error| in_file(path, &error))
}

/// Sees to it before long work that a file can be written after it; what is
/// in the file stays.
pub(super) fn check_output(path: &Path) -> Result<(), Failure> {
    let is_new = !path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| in_file(path, &error))?;
    if is_new {
        fs::remove_file(path).map_err(|error| in_file(path, &error))?;
    }
    Ok(())
}

/// `games.xqf`, `games-2.xqf`, ...
pub(super) fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for a test, with these files.
    fn folder(name: &str, files: &[&str]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("chuhe-files-{name}-{}", std::process::id()));
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        root
    }

    fn names(root: &Path, files: &[PathBuf]) -> Vec<String> {
        let below = files.iter().map(|path| path.strip_prefix(root).unwrap());
        below.map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn folders_are_searched_in_the_order_of_names() {
        let root = folder("order", &["b/2", "z", "a/1", "b/a/3", "c"]);
        let files = files_below(&root).unwrap();
        assert_eq!(names(&root, &files), ["c", "z", "a/1", "b/2", "b/a/3"]);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_do_not_lead_round_in_circles() {
        use std::os::unix::fs::symlink;
        let root = folder("links", &["a/1"]);
        symlink(&root, root.join("a/up")).unwrap();
        symlink("nowhere", root.join("broken")).unwrap();
        symlink(root.join("a/1"), root.join("b")).unwrap();
        let files = files_below(&root).unwrap();
        assert_eq!(names(&root, &files), ["b", "a/1"]);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_is_written_is_read_only_when_it_is_named() {
        let root = folder("written", &["in", "out"]);
        let out = root.join("out");
        let count = |input: &[PathBuf]| files_to_read(input, &[&out]).unwrap().len();
        assert_eq!(count(std::slice::from_ref(&root)), 1);
        assert_eq!(count(&[root.join("in"), out.clone()]), 2);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn outputs_are_tried_without_a_trace() {
        let root = folder("outputs", &["old"]);
        check_output(&root.join("old")).unwrap();
        assert_eq!(fs::read(root.join("old")).unwrap(), b"x");
        check_output(&root.join("new")).unwrap();
        assert!(!root.join("new").exists());
        let fault = check_output(&root.join("none/new"))
            .unwrap_err()
            .to_string();
        assert!(fault.contains("none/new: "), "{fault}");
        assert!(check_output(&root).is_err());
        fs::remove_dir_all(root).unwrap();
    }
}
