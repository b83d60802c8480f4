//! The engine against itself under each rule set: a side that loses by a rule
//! must have seen that every other move loses too.
//!
//! A few games each by default; `CHUHE_SELF_PLAY_GAMES=100` plays more,
//! `CHUHE_SELF_PLAY_RULES=chinese` under one rule set only, and `--nocapture`
//! shows the figures.

use chuhe::board::Move;
use chuhe::clock::{Limits, Stop};
use chuhe::rules::{Game, Ground, RuleSet, judge};
use chuhe::search::{Engine, Score, Settings};
use std::collections::BTreeMap;
use std::time::Instant;

const NODES: u64 = 2_000;
/// Games of each rule set where nothing else is said.
const GAMES: u64 = 4;
/// Random plies at the start of a game.
const RANDOM_PLIES: usize = 8;
/// A game that is not over by then is left.
const MOST_PLIES: usize = 400;
/// Greater values are decided.
const EVALUATIONS_END: i32 = 15_000;

/// What became of a game.
struct Course {
    ground: Option<Ground>,
    /// The last score of the side that lost by a rule.
    fault: Option<Score>,
    game: Game,
}

fn engine(rules: RuleSet) -> Engine {
    Engine::new(Settings {
        hash_mb: 4,
        rules,
        ..Settings::default()
    })
}

/// Moves at random, but none that loses a piece at once.
fn opening(rng: &mut fastrand::Rng) -> Game {
    let mut game = Game::default();
    for _ in 0..RANDOM_PLIES {
        let pos = game.position();
        let moves = pos.legal_moves().into_iter();
        let sound: Vec<Move> = moves.filter(|&mv| pos.see_ge(mv, 0)).collect();
        let mv = sound[rng.usize(..sound.len())];
        game.play(mv).unwrap();
    }
    game
}

fn play(rules: RuleSet, engines: &mut [Engine; 2], mut game: Game) -> Course {
    let mut scores = [Score::Cp(0); 2];
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    while game.moves().len() < MOST_PLIES {
        if let Some(ruling) = judge(&game, rules) {
            let fault = ruling.at_fault().map(|side| scores[side.index()]);
            let ground = Some(ruling.ground);
            return Course {
                ground,
                fault,
                game,
            };
        }
        let side = game.position().side_to_move().index();
        let (started, stop) = (Instant::now(), Stop::default());
        let outcome = engines[side].search(&game, &limits, started, &stop, &mut |_| ());
        scores[side] = outcome.score;
        game.play(outcome.best.unwrap()).unwrap();
    }
    Course {
        ground: None,
        fault: None,
        game,
    }
}

/// Whether the side knew that it had lost, whatever it played.
fn is_lost(score: Score) -> bool {
    match score {
        Score::Cp(value) => value < -EVALUATIONS_END,
        Score::MatedIn(_) => true,
        Score::MateIn(_) => false,
    }
}

const fn kind(course: &Course) -> &'static str {
    match course.ground {
        Some(Ground::Checkmate | Ground::Stalemate) => "mate",
        Some(Ground::Repetition(_) | Ground::Streak) if course.fault.is_some() => "lost by rule",
        Some(Ground::Repetition(_) | Ground::Streak) => "drawn by rule",
        Some(Ground::Count(_) | Ground::Automatic) => "drawn by count",
        None => "left",
    }
}

#[test]
fn nobody_loses_by_a_rule_who_need_not() {
    let games = std::env::var("CHUHE_SELF_PLAY_GAMES");
    let games = games.map_or(GAMES, |text| text.parse().expect("a number of games"));
    let only = std::env::var("CHUHE_SELF_PLAY_RULES").ok();
    let only: Option<RuleSet> = only.map(|name| name.parse().expect("a rule set"));
    let mut wrong = Vec::new();
    for rules in RuleSet::ALL {
        if only.is_some_and(|only| only != rules) {
            continue;
        }
        let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
        let mut engines = [engine(rules), engine(rules)];
        let mut rng = fastrand::Rng::with_seed(1);
        for number in 0..games {
            engines.iter_mut().for_each(Engine::clear);
            let course = play(rules, &mut engines, opening(&mut rng));
            *endings.entry(kind(&course)).or_default() += 1;
            if course.fault.is_some_and(|score| !is_lost(score)) {
                let moves: Vec<String> = course.game.moves().iter().map(Move::to_string).collect();
                let score = course.fault;
                wrong.push(format!("{rules} {number}: {score:?}: {}", moves.join(" ")));
            }
        }
        eprintln!("{rules:<12} {endings:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
