//! `chuhe` alone, and `chuhe "go depth 10"`: the protocols.

use super::{Failure, Usage};
use crate::protocol::{CommandError, Dialect, Options, session};
use std::io::{self, Cursor};

/// Speaks UCI or UCCI until the other side has had enough.
///
/// # Errors
/// None; what goes wrong is said in the protocol.
pub fn run() -> Result<(), Failure> {
    session::run(io::stdin(), io::stdout(), Options::default());
    Ok(())
}

/// Runs commands one after another, each to its end.
///
/// # Errors
/// When one of them is no command, or cannot be taken whole.
pub fn run_words(words: &[String]) -> Result<(), Failure> {
    let lines = command_lines(words);
    for line in &lines {
        check(line, is_xiangqi(&lines))
            .map_err(|error| Usage(format!("{error}; see chuhe --help")))?;
    }
    let options = Options {
        batch: true,
        ..Options::default()
    };
    session::run(Cursor::new(lines.join("\n")), io::stdout(), options);
    Ok(())
}

/// Whether the lines stay with xiangqi; positions and moves of another game
/// are left to that game.
fn is_xiangqi(lines: &[String]) -> bool {
    !lines.iter().any(|line| line.contains("UCI_Variant"))
}

fn check(line: &str, xiangqi: bool) -> Result<(), String> {
    if xiangqi {
        return session::check(line);
    }
    match Dialect::Uci.read_command(line) {
        Err(error @ CommandError::Unknown(_)) => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// The lines that the arguments make: one of them all, unless some argument is
/// a line of several words itself.
fn command_lines(words: &[String]) -> Vec<String> {
    if words.iter().any(|word| word.trim().contains(' ')) {
        return words.to_vec();
    }
    vec![words.join(" ")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_one_line_or_one_line_each() {
        let lines = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            command_lines(&words)
        };
        assert_eq!(lines(&["go", "depth", "10"]), ["go depth 10"]);
        assert_eq!(lines(&["go depth 10"]), ["go depth 10"]);
        let two = ["position startpos", "d"];
        assert_eq!(lines(&two), two);
    }
}
