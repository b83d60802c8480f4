//! Each folder of `src` uses only folders on lower lines of the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom up; folders on one line do not use each other.
const LAYERS: &[&[&str]] = &[
    &["board", "platform"],
    &["rules", "notation", "eval", "clock"],
    &["record", "search", "kingdoms"],
    &["opening", "draw"],
    &["protocol"],
    &["analysis", "arena", "play"],
    &["training"],
    &["cli"],
    &["main", "lib"],
];

fn layer(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|line| line.contains(&folder))
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The folders named by the `crate::x` and `crate::{x, y}` paths of a text.
fn folders_used(text: &str) -> BTreeSet<String> {
    let code = |line: &&str| !line.trim_start().starts_with("//");
    let text: String = text.lines().filter(code).collect::<Vec<_>>().join("\n");
    let mut names = BTreeSet::new();
    for (at, found) in text.match_indices("crate::") {
        let rest = &text[at + found.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(first_names(group)),
            None => names.extend([identifier(rest)]),
        }
    }
    names
}

fn identifier(text: &str) -> String {
    let word = |c: &char| c.is_alphanumeric() || *c == '_';
    text.trim_start().chars().take_while(word).collect()
}

/// The first name of each path in a group, up to its closing brace.
fn first_names(group: &str) -> Vec<String> {
    let (mut names, mut depth, mut from) = (vec![identifier(group)], 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => from = at + 1,
            _ => {}
        }
        if from == at + 1 {
            names.push(identifier(&group[from..]));
        }
    }
    names
}

#[test]
fn folders_use_only_lower_folders() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for path in rust_files(&src) {
        let relative = path.strip_prefix(&src).unwrap();
        let first = relative.components().next().unwrap().as_os_str();
        let folder = first.to_string_lossy().replace(".rs", "");
        let own = layer(&folder).unwrap_or_else(|| panic!("{folder} is in no layer"));
        for used in folders_used(&fs::read_to_string(&path).unwrap()) {
            let lower = layer(&used).is_none_or(|other| other < own);
            if used != folder && !lower {
                faults.push(format!("{} uses {used}", relative.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn paths_are_found_in_all_their_forms() {
    let text = "use crate::board::Move;\n// crate::not\nuse crate::{clock::{Stop, Limits}, rules};\n\
                fn f() { crate::eval::x() }";
    let found: Vec<String> = folders_used(text).into_iter().collect();
    assert_eq!(found, ["board", "clock", "eval", "rules"]);
}
