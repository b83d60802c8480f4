//! The examples of two chapters of the guide, run as they stand.

use std::path::Path;
use std::process::Command;

const CHAPTERS: [&str; 2] = [
    include_str!("../book/src/notations.md"),
    include_str!("../book/src/opening-books.md"),
];

/// A command and what it prints.
struct Example {
    command: String,
    output: Vec<String>,
}

fn examples(chapter: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for block in chapter.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example {
                    command: command.to_owned(),
                    output: Vec::new(),
                }),
                None => examples.last_mut().unwrap().output.push(line.to_owned()),
            }
        }
    }
    examples
}

/// Whether a line is the one expected, which may break off with dots.
fn fits(expected: &str, line: &str) -> bool {
    match expected.strip_suffix("...") {
        Some(start) => line.starts_with(start),
        None => line == expected,
    }
}

fn run(example: &Example, folder: &Path) {
    let words = shlex::split(&example.command).unwrap();
    let program = match words[0].as_str() {
        "chuhe" => env!("CARGO_BIN_EXE_chuhe"),
        other => other,
    };
    let mut command = Command::new(program);
    let output = command
        .args(&words[1..])
        .current_dir(folder)
        .output()
        .unwrap();
    let code = output.status.code().unwrap_or(-1);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if let [failure] = &example.output[..]
        && let Some(expected) = failure.strip_prefix("? ")
    {
        assert_eq!(code.to_string(), expected, "{}", example.command);
        return;
    }
    assert_eq!(code, 0, "{}: {errors}", example.command);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let same = lines.len() == example.output.len()
        && lines
            .iter()
            .zip(&example.output)
            .all(|(line, expected)| fits(expected, line));
    assert!(same, "{}\n{text}", example.command);
}

#[test]
#[cfg(unix)]
fn examples_print_what_the_guide_says() {
    for (number, chapter) in CHAPTERS.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guide-{number}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for file in std::fs::read_dir("tests/data/records").unwrap() {
            let path = file.unwrap().path();
            std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        for example in examples(chapter) {
            run(&example, &folder);
        }
    }
}
