//! Games from files.

use super::{Answer, Args, in_words, json};
use crate::board::Color;
use crate::cli::{Failure, check_input, games, print};
use crate::record::{Charset, ReadGame, Record};
use crate::rules::RuleSet;
use serde_json::{Value, json};
use std::path::Path;

/// Answers each game of each file; in JSON one object a line.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn run(args: &Args, sets: &[RuleSet]) -> Result<(), Failure> {
    args.files.iter().try_for_each(|path| check_input(path))?;
    for path in &args.files {
        let mut number = 0;
        games::each(path, Charset::Auto, &mut |_, game| {
            number += 1;
            let title = Title::of(path, number, &game);
            let answers = answers(&game.record, args, sets);
            print(&if args.json {
                title.object(&answers) + "\n"
            } else {
                format!("{}\n{}\n", title.words(), in_words(&answers))
            });
            Ok(())
        })?;
    }
    Ok(())
}

fn answers(record: &Record, args: &Args, sets: &[RuleSet]) -> Vec<Answer> {
    let game = record.game();
    let answer = |&rules| Answer::first_of(&game, rules, &args.draws(rules));
    sets.iter().map(answer).collect()
}

/// Which game it is, and how much of it could be read.
struct Title<'a> {
    file: String,
    number: usize,
    plies: usize,
    game: &'a ReadGame,
}

impl<'a> Title<'a> {
    fn of(path: &Path, number: usize, game: &'a ReadGame) -> Self {
        Self {
            file: path.display().to_string(),
            number,
            plies: game.record.main_line().len(),
            game,
        }
    }

    fn player(&self, side: Color) -> &str {
        let name = match side {
            Color::Red => "Red",
            Color::Black => "Black",
        };
        self.game.record.tags.get(name).unwrap_or("?")
    }

    fn problems(&self) -> Vec<String> {
        self.game.problems.iter().map(ToString::to_string).collect()
    }

    fn words(&self) -> String {
        let [red, black] = Color::ALL.map(|side| self.player(side));
        let (file, number, plies) = (&self.file, self.number, self.plies);
        let mut words = format!("{file}, game {number}: {red} - {black}, {plies} moves");
        for problem in self.problems() {
            words += &format!("\n{problem}");
        }
        words
    }

    fn object(&self, answers: &[Answer]) -> String {
        let mut object = json::one_or_all(answers);
        for (key, value) in [
            ("file", Value::from(self.file.as_str())),
            ("game", self.number.into()),
            ("red", self.player(Color::Red).into()),
            ("black", self.player(Color::Black).into()),
            ("plies", self.plies.into()),
            ("problems", json!(self.problems())),
        ] {
            object.insert(key.into(), value);
        }
        Value::Object(object).to_string()
    }
}
