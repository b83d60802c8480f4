//! Answers as JSON.

use super::{Answer, Ending, explanation};
use crate::board::Color;
use crate::rules::{
    Attack, Class, ClassifiedMove, GameError, Ground, RuleSet, Ruling, Standing,
    levels_of_classified,
};
use serde_json::{Map, Value, json};

/// One object for one rule set; for all, an object with the verdict of each
/// and their rulings.
pub(super) fn one_or_all(answers: &[Answer]) -> Map<String, Value> {
    if let [answer] = answers {
        return object(answer);
    }
    let rulings: Vec<_> = answers.iter().map(object).collect();
    let all = [("verdicts", verdicts(answers)), ("rulings", rulings.into())];
    all.map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
}

/// The verdict of each rule set by its name.
pub(super) fn verdicts(answers: &[Answer]) -> Value {
    let named = |answer: &Answer| (answer.rules.name().to_owned(), answer.verdict().into());
    Value::Object(answers.iter().map(named).collect())
}

/// The answer of one rule set.
pub(super) fn object(answer: &Answer) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("rules".into(), answer.rules.name().into());
    object.insert("verdict".into(), answer.verdict().into());
    object.insert("ply".into(), answer.plies.into());
    let text = explanation(answer);
    let summary = text.lines().next().unwrap_or_default();
    object.insert("explanation".into(), summary.into());
    match &answer.ending {
        Ending::Ruling(found) => ruling(&mut object, answer, found),
        Ending::Illegal(error) => {
            object.insert("illegal".into(), illegal(error));
        }
        Ending::PlayGoesOn => {}
    }
    object
}

fn illegal(error: &GameError) -> Value {
    json!({
        "move": error.mv.to_string(),
        "ply": error.ply,
        "reason": error.reason.to_string(),
        "fen": error.fen,
    })
}

fn ruling(object: &mut Map<String, Value>, answer: &Answer, ruling: &Ruling) {
    let article = &ruling.article;
    object.insert(
        "rule".into(),
        json!({ "number": article.number, "name": article.name }),
    );
    object.insert("ground".into(), ruling.ground.name().into());
    object.insert("at_fault".into(), ruling.at_fault().map(side).into());
    if ruling.moves.is_empty() {
        return;
    }
    object.insert("first_ply".into(), (ruling.span.start + 1).into());
    object.insert("last_ply".into(), ruling.span.end.into());
    if let Ground::Repetition(occurrence) = ruling.ground {
        object.insert("occurrence".into(), occurrence.into());
        object.insert("cycle".into(), answer.period.into());
    }
    object.insert("classes".into(), answer.classes().into());
    if ruling.rules == RuleSet::Chinese {
        object.insert(
            "levels".into(),
            levels_of_classified(&ruling.moves).to_vec().into(),
        );
    }
    let moves: Vec<Value> = ruling.moves.iter().map(classified).collect();
    object.insert("moves".into(), moves.into());
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}

fn classified(mv: &ClassifiedMove) -> Value {
    let mut object = Map::new();
    object.insert("ply".into(), mv.ply.into());
    object.insert("side".into(), side(mv.side).into());
    object.insert("move".into(), mv.mv.to_string().into());
    object.insert("class".into(), mv.class.name().into());
    match &mv.class {
        Class::Check(by) => {
            let by: Vec<Value> = by.iter().map(standing).collect();
            object.insert("by".into(), by.into());
        }
        Class::Chase { attacks, .. } => {
            let attacks: Vec<Value> = attacks.iter().map(attack).collect();
            object.insert("attacks".into(), attacks.into());
        }
        Class::Kill | Class::Exchange | Class::Idle => {}
    }
    object.into()
}

fn standing(piece: &Standing) -> Value {
    json!({ "piece": piece.piece.letter().to_string(), "square": piece.square.to_string() })
}

fn attack(attack: &Attack) -> Value {
    json!({ "by": standing(&attack.by), "victim": standing(&attack.victim) })
}
