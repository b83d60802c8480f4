//! What a person at the board may say.

use std::fmt::Write;
use std::path::PathBuf;

/// A line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Anything that is no other word: a move, it is to be hoped.
    Move(String),
    /// `help`.
    Help,
    /// `hint`: what would the engine play?
    Hint,
    /// `moves`: what is legal, of one piece or of all.
    Moves(Option<String>),
    /// `undo`: take back the last move of a person and all after it.
    Undo,
    /// `go`: the engine makes this move for the person.
    Go,
    /// `eval`: how does it stand? With `on` or `off`: after every move.
    Eval(Option<bool>),
    /// `board`: draw it again.
    Board,
    /// `flip`: turn it round.
    Flip,
    /// `save FILE`.
    Save(PathBuf),
    /// `load FILE`.
    Load(PathBuf),
    /// `new`: begin another game.
    New,
    /// `resign`.
    Resign,
    /// `quit`.
    Quit,
    /// An empty line.
    Nothing,
    /// A word with something wrong behind it; what was expected.
    Wrong(&'static str),
}

/// Names, usage and explanation of all words.
const WORDS: [(&[&str], &str, &str); 13] = [
    (&["help", "?"], "help", "this list"),
    (
        &["moves"],
        "moves [SQUARE]",
        "legal moves, of the piece on a square or of all",
    ),
    (&["hint"], "hint", "what the engine would play here"),
    (&["undo"], "undo", "take back your last move"),
    (&["go"], "go", "let the engine make this move for you"),
    (
        &["eval"],
        "eval [on|off]",
        "how it stands; on: tell it after every move",
    ),
    (&["board"], "board", "draw the board again"),
    (&["flip"], "flip", "turn the board of xiangqi round"),
    (&["save"], "save FILE", "write the game to a file"),
    (&["load"], "load FILE", "go on with the game in a file"),
    (&["new"], "new", "begin another game"),
    (&["resign"], "resign", "give the game up"),
    (
        &["quit", "exit"],
        "quit",
        "leave; the game is kept for --resume",
    ),
];

/// The list of all words.
pub fn list() -> String {
    let mut text = String::new();
    for (_, usage, what) in WORDS {
        let _ = writeln!(text, "  {usage:<15} {what}");
    }
    text
}

impl Word {
    /// Understands a line. The names of files keep their case and blanks.
    pub fn read(line: &str) -> Self {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (first, rest) = (first.to_ascii_lowercase(), rest.trim());
        let known = WORDS.iter().find(|w| w.0.contains(&first.as_str()));
        match known.map(|w| w.0[0]) {
            None if line.is_empty() => Self::Nothing,
            None => Self::Move(line.to_owned()),
            Some(name) => Self::of(name, rest),
        }
    }

    fn of(name: &str, rest: &str) -> Self {
        let file = |word: fn(PathBuf) -> Self, usage| match rest {
            "" => Self::Wrong(usage),
            path => word(path.into()),
        };
        match name {
            "moves" => Self::Moves((!rest.is_empty()).then(|| rest.to_owned())),
            "eval" => match rest {
                "" => Self::Eval(None),
                "on" => Self::Eval(Some(true)),
                "off" => Self::Eval(Some(false)),
                _ => Self::Wrong("eval, eval on or eval off"),
            },
            "save" => file(Self::Save, "save FILE"),
            "load" => file(Self::Load, "load FILE"),
            "hint" => Self::Hint,
            "undo" => Self::Undo,
            "go" => Self::Go,
            "board" => Self::Board,
            "flip" => Self::Flip,
            "new" => Self::New,
            "resign" => Self::Resign,
            "quit" => Self::Quit,
            _ => Self::Help,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_moves() {
        for (line, word) in [
            ("  HELP ", Word::Help),
            ("?", Word::Help),
            ("exit", Word::Quit),
            ("moves h2", Word::Moves(Some("h2".to_owned()))),
            ("moves", Word::Moves(None)),
            ("eval", Word::Eval(None)),
            ("Eval on", Word::Eval(Some(true))),
            ("eval 3", Word::Wrong("eval, eval on or eval off")),
            ("save My Game.pgn", Word::Save("My Game.pgn".into())),
            ("load", Word::Wrong("load FILE")),
            ("", Word::Nothing),
            ("炮二平五", Word::Move("炮二平五".to_owned())),
            ("h2e2", Word::Move("h2e2".to_owned())),
            ("nonsense here", Word::Move("nonsense here".to_owned())),
        ] {
            assert_eq!(Word::read(line), word, "{line}");
        }
    }

    #[test]
    fn every_word_of_the_list_is_one() {
        for (names, usage, _) in WORDS {
            for name in names {
                assert!(!matches!(Word::read(name), Word::Move(_)), "{name}");
            }
            assert!(list().contains(usage));
        }
    }
}
