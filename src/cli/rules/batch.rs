//! Cases from a file, one JSON object a line.

use super::{Answer, Args, Usage, json, moves, position, rule_sets};
use crate::cli::{Failure, in_file};
use crate::platform::files;
use crate::rules::RuleSet;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// A case; unknown fields are ignored.
#[derive(Deserialize)]
struct Case {
    id: Option<Value>,
    rule: Option<String>,
    fen: String,
    #[serde(default)]
    moves: Moves,
    expect: Option<String>,
    classes: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    Text(String),
    List(Vec<String>),
}

impl Default for Moves {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Moves {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(list) => list.join(" "),
        }
    }
}

/// Answers every line; a line that makes no sense is answered by its error.
///
/// # Errors
/// When the file cannot be read, or some lines made no sense.
pub(super) fn run(args: &Args, path: &Path) -> Result<(), Failure> {
    let default = rule_sets(&args.rules)?;
    let (mut faulty, mut score) = (0, Score::default());
    let mut reader = open(path)?;
    while let Some(line) = next_line(&mut reader).map_err(|error| in_file(path, &error))? {
        if line.trim().is_empty() {
            continue;
        }
        let case = serde_json::from_str::<Case>(&line).map_err(|error| Usage(error.to_string()));
        let answered = case
            .as_ref()
            .map_err(|error| Usage(error.0.clone()))
            .and_then(|case| answers(case, args, &default));
        faulty += usize::from(answered.is_err());
        match (&case, answered) {
            (Ok(case), Ok(answers)) if args.score => score.add(case, &answers),
            (case, answered) => super::super::print(&(reply(case.as_ref().ok(), answered) + "\n")),
        }
    }
    if args.score {
        super::super::print(&score.text());
    }
    if faulty == 0 {
        Ok(())
    } else {
        Err(format!("{faulty} lines of {} make no sense", path.display()).into())
    }
}

/// The next line, without its end.
fn next_line(reader: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = files::read_line(reader, &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    crate::cli::check_input(path)?;
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// The answers of the case's own rule set, or else of those of the command
/// line.
fn answers(case: &Case, args: &Args, default: &[RuleSet]) -> Result<Vec<Answer>, Usage> {
    let sets = match &case.rule {
        Some(name) => rule_sets(name)?,
        None => default.to_vec(),
    };
    let (start, moves) = (position(&case.fen)?, moves(&case.moves.text())?);
    let answer = |rules| Answer::of(start.clone(), &moves, rules, &args.draws(rules));
    Ok(sets.into_iter().map(answer).collect())
}

fn reply(case: Option<&Case>, answered: Result<Vec<Answer>, Usage>) -> String {
    let mut object = Map::new();
    if let Some(id) = case.and_then(|case| case.id.clone()) {
        object.insert("id".into(), id);
    }
    match answered {
        Err(Usage(error)) => {
            object.insert("error".into(), error.into());
        }
        Ok(answers) => match answers.as_slice() {
            [answer] => object.extend(json::object(answer)),
            all => {
                object.insert("verdicts".into(), json::verdicts(all));
            }
        },
    }
    Value::Object(object).to_string()
}

/// Right answers and all, for verdicts and for classes of moves.
#[derive(Default)]
struct Score {
    verdicts: BTreeMap<&'static str, [usize; 2]>,
    classes: [usize; 2],
    exact_classes: usize,
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, case: &Case, answers: &[Answer]) {
        let (Some(answer), Some(expected)) = (answers.first(), &case.expect) else {
            return;
        };
        let right = answer.verdict() == expected;
        let [count, all] = self.verdicts.entry(answer.rules.name()).or_default();
        *count += usize::from(right);
        *all += 1;
        if !right {
            let id = case.id.as_ref().map(Value::to_string).unwrap_or_default();
            let verdict = answer.verdict();
            self.wrong
                .push(format!("{id}: {verdict}, expected {expected}"));
        }
        for (class, expected) in answer.classes().iter().zip(case.classes.iter().flatten()) {
            self.classes[0] += usize::from(plain(class) == plain(expected));
            self.classes[1] += 1;
            self.exact_classes += usize::from(class == expected);
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for wrong in &self.wrong {
            let _ = writeln!(text, "{wrong}");
        }
        for (rules, [right, all]) in &self.verdicts {
            let _ = writeln!(text, "{rules:<12} {right} of {all} verdicts");
        }
        let [right, all] = self.classes;
        if all > 0 {
            let exact = self.exact_classes;
            let _ = writeln!(
                text,
                "classes      {right} of {all}, {exact} with offers and light chases told apart"
            );
        }
        text
    }
}

/// The class without what decides only between two sides both at fault.
fn plain(class: &str) -> &str {
    match class {
        "exchange" => "idle",
        "light chase" => "chase",
        other => other,
    }
}
