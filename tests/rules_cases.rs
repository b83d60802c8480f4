//! The cases of `tests/data/rules_cases.jsonl`: positions, moves and verdicts
//! of the rule texts and of the official diagrams.

use chuhe::board::{Move, Position};
use chuhe::rules::{Game, RuleSet, judge};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    rule: String,
    trust: String,
    fen: String,
    moves: String,
    expect: String,
}

fn cases() -> Vec<Case> {
    include_str!("data/rules_cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a case"))
        .collect()
}

impl Case {
    fn rules(&self) -> RuleSet {
        self.rule.parse().expect("a rule set")
    }

    fn moves(&self) -> Vec<Move> {
        let words = self.moves.split_whitespace();
        words.map(|word| word.parse().expect("a move")).collect()
    }

    fn start(&self) -> Position {
        self.fen.parse().expect("a position")
    }
}

fn verdict(start: &Position, moves: &[Move], rules: RuleSet) -> &'static str {
    let mut game = Game::new(start.clone());
    for &mv in moves {
        if let Err(error) = game.play(mv) {
            return error.reason.name();
        }
    }
    judge(&game, rules).map_or("none", |ruling| ruling.outcome.name())
}

fn failures(choose: impl Fn(&Case) -> bool) -> Vec<String> {
    let wrong = |case: Case| {
        let got = verdict(&case.start(), &case.moves(), case.rules());
        (got != case.expect).then(|| {
            format!(
                "{} ({}, {}): {got}, expected {}",
                case.id, case.rule, case.trust, case.expect
            )
        })
    };
    cases()
        .into_iter()
        .filter(choose)
        .filter_map(wrong)
        .collect()
}

#[test]
fn verdicts_are_those_of_the_rule_texts() {
    let wrong = failures(|case| case.rules() != RuleSet::Chinese);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_proper_prefix_has_a_ruling() {
    let mut wrong = Vec::new();
    for case in cases() {
        let (mut game, rules) = (Game::new(case.start()), case.rules());
        for mv in case.moves() {
            if let Some(ruling) = judge(&game, rules) {
                let plies = game.moves().len();
                wrong.push(format!("{} at {plies}: {}", case.id, ruling.summary()));
                break;
            }
            if game.play(mv).is_err() {
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
