//! The examples of three chapters of the guide, run as they stand.

use std::path::Path;
use std::process::Command;

const ANALYSING: &str = include_str!("../book/src/analysing.md");
const CHAPTERS: [&str; 3] = [
    ANALYSING,
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

/// Python programs, each with the text that it prints, in the order of the
/// chapter. Those without such a text are tested elsewhere.
fn programs(chapter: &str) -> Vec<(&str, &str)> {
    let blocks = chapter.split("```python\n").skip(1);
    blocks.filter_map(split_program).collect()
}

fn split_program(block: &str) -> Option<(&str, &str)> {
    let (program, rest) = block.split_once("```")?;
    let output = rest.trim_start().strip_prefix("```text\n")?;
    Some((program, output.split("```").next()?))
}

#[test]
#[cfg(unix)]
fn python_programs_print_what_the_guide_says() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is not installed: not tested");
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_chuhe"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let programs = programs(ANALYSING);
    assert!(!programs.is_empty());
    for (text, expected) in programs {
        let mut python = Command::new("python3");
        let output = python.args(["-c", text]).env("PATH", &path).output();
        let output = output.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
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
