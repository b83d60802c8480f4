//! The cases of `tests/data/rules_cases.jsonl`: positions, moves and verdicts
//! of the rule texts and of the official diagrams.

use chuhe::board::{Color, Move, Position};
use chuhe::rules::{ChineseClass, Game, RuleSet, chinese_level, judge};
use serde::Deserialize;
use std::cmp::Ordering;

#[derive(Deserialize)]
struct Case {
    id: String,
    rule: String,
    trust: String,
    fen: String,
    moves: String,
    expect: String,
    alt: Option<String>,
    classes: Option<Vec<String>>,
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

/// The share of the book's Chinese verdicts and move classes that the
/// classifier gets right; `chuhe rules --batch tests/data/rules_cases.jsonl
/// --rules chinese --score` prints both. An exchange offer counts as idle, and
/// a light chase as a chase: the book marks these only where they decide.
#[test]
fn chinese_verdicts_and_classes_keep_their_score() {
    const VERDICTS_PERCENT: usize = 85;
    const CLASSES_PERCENT: usize = 90;
    let (mut right, mut total, mut classes_right, mut classes_total) = (0, 0, 0, 0);
    for case in cases().iter().filter(|c| c.rules() == RuleSet::Chinese) {
        let mut game = Game::new(case.start());
        for mv in case.moves() {
            game.play(mv).expect("legal");
        }
        let ruling = judge(&game, RuleSet::Chinese);
        let got = ruling.as_ref().map_or("none", |r| r.outcome.name());
        total += 1;
        right += usize::from(got == case.expect);
        let (Some(ruling), Some(classes)) = (ruling, &case.classes) else {
            continue;
        };
        for mv in ruling.moves.iter().take(classes.len()) {
            let expected = &classes[(mv.ply - 1) % classes.len()];
            classes_total += 1;
            classes_right += usize::from(plain(mv.class.name()) == plain(expected));
        }
    }
    assert!(
        total > 50 && right * 100 >= total * VERDICTS_PERCENT,
        "{right}/{total}"
    );
    assert!(
        classes_total > 200 && classes_right * 100 >= classes_total * CLASSES_PERCENT,
        "{classes_right}/{classes_total}"
    );
}

fn plain(class: &str) -> &str {
    match class {
        "exchange" => "idle",
        "light chase" => "chase",
        other => other,
    }
}

/// Given the book's classes, the verdict is right in every case.
#[test]
fn chinese_verdicts_follow_from_the_classes() {
    for case in cases() {
        let Some(classes) = &case.classes else {
            continue;
        };
        let classes: Vec<ChineseClass> = classes.iter().map(|name| class(name)).collect();
        let level = |skip| chinese_level(classes.iter().skip(skip).step_by(2));
        let [first, second] = [level(0), level(1)];
        let (mover, other) = if case.start().side_to_move() == Color::Red {
            ("red_loses", "black_loses")
        } else {
            ("black_loses", "red_loses")
        };
        let verdict = match first.cmp(&second) {
            Ordering::Greater => mover,
            Ordering::Less => other,
            Ordering::Equal => "draw",
        };
        let reading = case.alt.as_deref().filter(|_| case.trust == "disputed");
        assert!(
            verdict == case.expect || reading == Some(verdict),
            "{}",
            case.id
        );
    }
}

fn class(name: &str) -> ChineseClass {
    let light = name.starts_with("light");
    match plain(name) {
        "check" => ChineseClass::Check,
        "kill" => ChineseClass::Kill,
        "chase" => ChineseClass::Chase {
            captures: Vec::new(),
            light,
        },
        "idle" => ChineseClass::Idle,
        other => panic!("unknown class {other}"),
    }
}
