//! `chuhe` alone, and `chuhe "go depth 10"`: the protocols.

use super::{Failure, Usage, subcommands};
use crate::kingdoms::protocol::{Session, VARIANT};
use crate::protocol::options::Effect;
use crate::protocol::{Command, Dialect, Options, session};
use std::io::{self, Cursor};
use std::sync::Arc;

/// From here on (0 to 1) one word is taken for a slip of another.
const ALIKE: f64 = 0.85;

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
    check(&lines).map_err(|error| Usage(format!("{error}; {}", advice(&lines))))?;
    let options = Options {
        batch: true,
        ..Options::default()
    };
    session::run(Cursor::new(lines.join("\n")), io::stdout(), options);
    Ok(())
}

/// Where to look for what was meant, perhaps a subcommand.
fn advice(lines: &[String]) -> String {
    let word = lines[0].split(' ').next().unwrap_or_default();
    let alike = |name: &str| strsim::jaro_winkler(name, word);
    let best = subcommands()
        .into_iter()
        .max_by(|a, b| alike(a).total_cmp(&alike(b)));
    match best.filter(|name| alike(name) >= ALIKE) {
        Some(name) => format!("did you mean chuhe {name}?"),
        None => "see chuhe --help".to_owned(),
    }
}

/// Whether all lines can be taken whole, each by the game that is played then.
fn check(lines: &[String]) -> Result<(), String> {
    let (mut options, mut seven) = (Options::default(), None::<Session>);
    for line in lines {
        let is_of_seven = match &mut seven {
            Some(session) => session.check(line)?,
            None => false,
        };
        if is_of_seven {
            continue;
        }
        session::check(line)?;
        if changes_variant(&mut options, line) {
            let is_seven = options.variant == VARIANT;
            seven = is_seven.then(|| Session::new(Arc::new(drop)));
        }
    }
    Ok(())
}

/// Takes in a line that sets an option; whether it sets the game.
fn changes_variant(options: &mut Options, line: &str) -> bool {
    match Dialect::Uci.read_command(line) {
        Ok(Some(Command::SetOption { name, value })) => {
            let effect = options.set(Dialect::Uci, &name, value.as_deref());
            matches!(effect, Ok(Effect::Variant))
        }
        _ => false,
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
    fn slips_are_recognised() {
        let advice = |line: &str| advice(&[line.to_owned()]);
        assert_eq!(advice("anlyze game.pgn"), "did you mean chuhe analyze?");
        assert_eq!(advice("plya"), "did you mean chuhe play?");
        assert_eq!(advice("go sideways"), "see chuhe --help");
    }

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
