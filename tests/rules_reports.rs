//! Public bug reports of other engines about repetition, false mates and
//! rules, named by project and issue (`tests/data/rule_reports.jsonl`).

use chuhe::board::{Color, Move};
use chuhe::clock::{Limits, Stop};
use chuhe::rules::{Game, Illegality, RuleSet, judge};
use chuhe::search::{Engine, Report, Score, Settings};
use serde::Deserialize;
use std::time::Instant;

#[derive(Deserialize)]
struct Reported {
    id: String,
    fen: String,
    moves: String,
    /// The verdict of the Asian rules after all moves.
    verdict: Option<String>,
    /// The ply at which they first have one.
    ply: Option<usize>,
    search: Option<Wanted>,
}

/// What a search must say.
#[derive(Deserialize)]
struct Wanted {
    depth: u32,
    value: Value,
    best: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Value {
    /// Not decided, and about even.
    Even,
    /// Not decided.
    Ordinary,
    /// No mate in one.
    NoMateInOne,
    /// Lost, by force or by far.
    Lost,
    /// Won by a rule, which is told and is no mate.
    RuleWin,
}

/// Smaller values are about even, in centipawns.
const EVEN: i32 = 150;
/// Greater ones are as good as decided.
const LOST: i32 = 250;
/// Values beyond the greatest evaluation are wins by rule.
const EVALUATIONS_END: i32 = 15_000;

fn reports() -> Vec<Reported> {
    include_str!("data/rule_reports.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a report"))
        .collect()
}

impl Reported {
    /// The game, and the verdict after each move.
    fn played(&self) -> (Game, Vec<&'static str>) {
        let mut game = Game::new(self.fen.parse().expect("a position"));
        let mut verdicts = vec!["none"];
        for mv in self.moves.split_whitespace() {
            game.play(mv.parse().expect("a move")).expect("legal");
            let ruling = judge(&game, RuleSet::Asian);
            verdicts.push(ruling.map_or("none", |ruling| ruling.outcome.name()));
        }
        (game, verdicts)
    }
}

#[test]
fn verdicts_come_at_the_right_move() {
    for report in reports() {
        let (_, verdicts) = report.played();
        let Some(expected) = &report.verdict else {
            continue;
        };
        assert_eq!(verdicts.last(), Some(&expected.as_str()), "{}", report.id);
        let first = verdicts.iter().position(|&verdict| verdict != "none");
        assert_eq!(first, report.ply, "{}", report.id);
    }
}

#[test]
fn searches_value_rules_and_mates_as_what_they_are() {
    for report in reports() {
        if let Some(wanted) = &report.search {
            let (game, _) = report.played();
            check_search(&report.id, &game, wanted);
        }
    }
}

fn check_search(id: &str, game: &Game, wanted: &Wanted) {
    let limits = Limits {
        depth: Some(wanted.depth),
        ..Limits::default()
    };
    let (mut scores, mut messages) = (Vec::new(), Vec::new());
    let outcome = Engine::new(Settings::default()).search(
        game,
        &limits,
        Instant::now(),
        &Stop::default(),
        &mut |report| match report {
            Report::Line(line) => scores.push(line.score),
            Report::Message(words) => messages.push(words),
            Report::CurrentMove { .. } => {}
        },
    );
    let last = outcome.score;
    let right = match wanted.value {
        Value::Even => scores.iter().all(|&s| is_undecided(s)) && size(last) < EVEN,
        Value::Ordinary => scores.iter().all(|&s| is_undecided(s)),
        Value::NoMateInOne => !scores.contains(&Score::MateIn(1)),
        Value::Lost => matches!(last, Score::MatedIn(_)) || value(last) < -LOST,
        Value::RuleWin => value(last) > EVALUATIONS_END && !messages.is_empty(),
    };
    assert!(right, "{id}: {scores:?} {messages:?}");
    if let Some(best) = &wanted.best {
        assert_eq!(
            outcome.best.map(|mv| mv.to_string()).as_ref(),
            Some(best),
            "{id}"
        );
    }
}

fn is_undecided(score: Score) -> bool {
    matches!(score, Score::Cp(value) if value.abs() <= EVALUATIONS_END)
}

/// Centipawns; mates count for nothing here.
fn value(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::MateIn(_) | Score::MatedIn(_) => 0,
    }
}

fn size(score: Score) -> i32 {
    value(score).abs()
}

/// Pikafish#73: a capture that opens the file between the kings is no move.
#[test]
fn a_capture_that_makes_the_kings_face_each_other_is_illegal() {
    let fen = "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b - - 0 1";
    let mut game = Game::new(fen.parse().unwrap());
    game.play("e4f2".parse().unwrap()).unwrap();
    let capture: Move = "e1f2".parse().unwrap();
    assert!(!game.position().legal_moves().contains(&capture));
    let error = game.play(capture).unwrap_err();
    assert_eq!(error.reason, Illegality::FacingKings);
}

/// pychess-variants#53: a pawn can still mate; guards alone cannot.
#[test]
fn only_lack_of_attacking_pieces_is_a_draw_for_want_of_material() {
    for (fen, drawn) in [
        ("3k5/9/9/9/9/4P4/9/9/9/4K4 w - - 0 1", false),
        ("3ak4/9/9/9/9/9/9/4C4/9/4K4 w - - 0 1", false),
        ("2bak4/9/9/9/9/9/9/9/4A4/4KAB2 w - - 0 1", true),
    ] {
        let game = Game::new(fen.parse().unwrap());
        assert_eq!(judge(&game, RuleSet::Asian).is_some(), drawn, "{fen}");
    }
}

/// Fairy-Stockfish#635 and chessdb#15 tell of opposite faults: a mate where
/// both sides are judged too soon, a draw where only one is. The losing side
/// may not be credited with its own perpetual check, nor the other with more
/// than a draw before the third occurrence.
#[test]
fn a_perpetual_check_under_way_is_neither_a_mate_nor_a_draw() {
    let mut game = Game::new("4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1".parse().unwrap());
    for mv in ["i8i9", "e9e8", "i9i8", "e8e9"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    assert_eq!(game.position().side_to_move(), Color::Red);
    let wanted = Wanted {
        depth: 14,
        value: Value::Lost,
        best: None,
    };
    check_search("checks once round", &game, &wanted);
}
