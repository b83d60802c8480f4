//! Endings with few pieces against perfect play. The oracle is a solver of our
//! own (`retrograde`), which shares only the generator of moves with the
//! search.

mod common;
mod retrograde;

use chuhe::board::{Color, Move, Position};
use chuhe::clock::{Limits, Stop};
use chuhe::rules::Game;
use chuhe::search::{Engine, Outcome, Score, Settings};
use common::Random;
use retrograde::{Ending, Fate};
use std::ops::RangeInclusive;
use std::time::Instant;

/// Endings, and the share of the positions with Red to move that are won, by
/// what books on endings say: won, won but for a few, drawn as a rule.
const BOOK: [(&str, RangeInclusive<f64>); 6] = [
    ("KRkaa", 1.0..=1.0),
    ("KRkbb", 1.0..=1.0),
    ("KNka", 0.99..=1.0),
    ("KNkb", 0.0..=0.3),
    ("KCAka", 1.0..=1.0),
    ("KPk", 0.8..=0.9),
];

/// A search of so many nodes, from an empty table.
fn search(engine: &mut Engine, game: &Game, nodes: u64) -> Outcome {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    engine.search(game, &limits, Instant::now(), &Stop::default(), &mut |_| {})
}

fn engine() -> Engine {
    Engine::new(Settings {
        hash_mb: 8,
        ..Settings::default()
    })
}

/// Indices of legal positions in which the fate is as wanted, by lot.
fn some(
    ending: &Ending,
    random: &mut Random,
    count: usize,
    wanted: impl Fn(Fate) -> bool,
) -> Vec<usize> {
    let mut found = Vec::new();
    for _ in 0..ending.len() {
        let index = random.below(ending.len());
        if ending.fate(index).is_some_and(&wanted) {
            found.push(index);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// Won and all positions with Red to move and every piece on the board.
fn wins_of_red(ending: &Ending, pieces: usize) -> (usize, usize) {
    let (mut won, mut all) = (0, 0);
    for index in (0..ending.len()).filter(|&index| ending.fate(index).is_some()) {
        let full = |pos: &Position| {
            pos.occupied().into_iter().count() == pieces && pos.side_to_move() == Color::Red
        };
        if ending.position(index).as_ref().is_some_and(full) {
            all += 1;
            won += usize::from(matches!(ending.fate(index), Some(Fate::Win(_))));
        }
    }
    (won, all)
}

#[test]
fn the_solver_agrees_with_the_books() {
    for (name, share) in BOOK {
        let (won, all) = wins_of_red(&Ending::solve(name), name.len());
        let found = won as f64 / all as f64;
        assert!(share.contains(&found), "{name}: {won} of {all} won");
    }
}

#[test]
fn near_wins_are_proven_and_no_mate_is_claimed_that_is_none() {
    /// Plies within which the search must see the end.
    const NEAR: u16 = 7;
    const POSITIONS: usize = 25;
    const NODES: u64 = 20_000;
    for name in ["KRkaa", "KNka", "KNkb", "KPk", "KRkr"] {
        let (ending, mut engine, mut random) = (Ending::solve(name), engine(), Random(1));
        let is_near = |fate| matches!(fate, Fate::Win(plies) if plies <= NEAR);
        for index in some(&ending, &mut random, POSITIONS, is_near) {
            let pos = ending.position(index).unwrap();
            let Some(Fate::Win(plies)) = ending.fate(index) else {
                unreachable!()
            };
            engine.clear();
            let outcome = search(&mut engine, &Game::new(pos.clone()), NODES);
            assert_eq!(outcome.score, Score::MateIn(plies.into()), "{pos}");
        }
        for index in some(&ending, &mut random, POSITIONS, |fate| fate == Fate::Draw) {
            let pos = ending.position(index).unwrap();
            engine.clear();
            let outcome = search(&mut engine, &Game::new(pos.clone()), NODES);
            assert!(
                matches!(outcome.score, Score::Cp(_)),
                "{pos}: {:?}",
                outcome.score
            );
        }
    }
}

/// Plays a won ending against the longest defence; the plies it took, `None`
/// if the win was let go.
fn convert(ending: &Ending, engine: &mut Engine, index: usize, nodes: u64) -> Option<usize> {
    /// Longer than any of these endings takes, and within the draw by count.
    const MOST_PLIES: usize = 110;
    let mut game = Game::new(ending.position(index)?);
    engine.clear();
    for ply in 0..MOST_PLIES {
        let pos = game.position();
        let Some(Fate::Win(_) | Fate::Loss(_)) = ending.fate(ending.index(pos)) else {
            return None;
        };
        let mv = if ply % 2 == 0 {
            search(engine, &game, nodes).best
        } else {
            longest_defence(ending, pos)
        };
        match mv {
            Some(mv) => game.play(mv).ok()?,
            None => return Some(ply),
        }
    }
    None
}

fn longest_defence(ending: &Ending, pos: &Position) -> Option<Move> {
    let plies = |mv: &&Move| match ending.fate(ending.index(&pos.after(**mv))) {
        Some(Fate::Win(plies)) => plies,
        _ => u16::MAX,
    };
    pos.legal_moves().iter().max_by_key(plies).copied()
}

/// How many of so many won positions, drawn by lot, are won.
fn converted(name: &str, positions: usize, nodes: u64) -> usize {
    let (ending, mut engine, mut random) = (Ending::solve(name), engine(), Random(2));
    let is_won = |fate| matches!(fate, Fate::Win(_));
    let won = some(&ending, &mut random, positions, is_won);
    let is_converted = |&index: &usize| convert(&ending, &mut engine, index, nodes).is_some();
    won.iter().copied().filter(is_converted).count()
}

#[test]
fn rook_endings_are_won_against_the_longest_defence() {
    for (name, nodes) in [("KRkaa", 3_000), ("KRkbb", 10_000)] {
        assert_eq!(converted(name, 10, nodes), 10, "{name}");
    }
}

/// The figures of the guide.
#[test]
#[ignore = "takes minutes"]
fn report_of_won_endings() {
    for name in [
        "KRkaa", "KRkbb", "KRkn", "KRka", "KNka", "KNkb", "KCAka", "KPk", "KPPka", "KNPkb",
    ] {
        for nodes in [3_000, 30_000] {
            let won = converted(name, 50, nodes);
            eprintln!("{name} at {nodes} nodes: {won} of 50 won");
        }
    }
}
