//! Files and folders named on the command line.

use super::Failure;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// All files, folders searched through in the order of names, each with the
/// argument it was found under.
pub(super) fn all_files(input: &[PathBuf]) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let mut files = Vec::new();
    for root in input {
        if !root.is_dir() {
            super::check_input(root)?;
            let folder = root.parent().unwrap_or(Path::new(""));
            files.push((folder.to_owned(), root.clone()));
            continue;
        }
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let entries =
                fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            let mut paths: Vec<PathBuf> = entries
                .map(|entry| entry.map(|e| e.path()))
                .collect::<io::Result<_>>()?;
            paths.sort();
            let (inner, plain): (Vec<_>, Vec<_>) = paths.into_iter().partition(|p| p.is_dir());
            folders.extend(inner);
            files.extend(plain.into_iter().map(|path| (root.clone(), path)));
        }
    }
    Ok(files)
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
