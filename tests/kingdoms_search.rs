//! The searches of the Game of the Seven Kingdoms: what they must see, and
//! that pruning changes nothing.

use chuhe::clock::{Limits, Stop};
use chuhe::kingdoms::{
    Algorithm, Engine, Options, Player, Position, Random, Report, SEATS, Settings, Values, WEIGHTS,
    Widths, chances, evaluate, features,
};
use std::time::{Duration, Instant};

const ALL_MOVES: Algorithm = Algorithm::MaxN(Widths::ALL);

fn engine(algorithm: Algorithm) -> Engine {
    Engine::new(Settings {
        algorithm,
        hash_mib: 1,
        ..Settings::default()
    })
}

fn search(algorithm: Algorithm, position: &Position, limits: &Limits) -> Report {
    let mut reports = Vec::new();
    let last = engine(algorithm).search(position, limits, &Stop::default(), &mut |r| {
        reports.push(r.depth);
    });
    assert!(reports.windows(2).all(|w| w[0] < w[1]), "{reports:?}");
    last.expect("a move")
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// Positions from random games, the game still going on.
fn samples(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut position = Position::start(Options::ENGLISH);
        for _ in 0..20 + random.below(150) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
        }
        if position.outcome().is_none() {
            samples.push(position);
        }
    }
    samples
}

/// Chu's general is open to the chancellor on a1; another conquest wins.
const CONQUEST: &str = "5kG7pG5/19/19/19/19/18gG/19/19/19/wG8yE9/19/19/19/18bG/rG18/19/19/13oG5/\
    wR18 w wrobgpk 1234567 - 1000000 0 0";

#[test]
fn both_searches_take_the_last_general() {
    for algorithm in [Algorithm::MAX_N, Algorithm::BEST_REPLY] {
        for d in 1..=3 {
            let report = search(algorithm, &CONQUEST.parse().unwrap(), &depth(d));
            assert_eq!(report.best.to_string(), "a1a5", "{algorithm:?}");
            assert!(report.score > 500, "{report:?}");
        }
    }
}

/// Qin's general on a10 stands in the line of Chu's chancellor on a1; only a
/// step aside or a man between saves him.
const IN_DANGER: &str = "5kG7pG5/19/19/19/19/18gG/19/19/19/wG8yE9/19/19/19/18bG/5rG13/19/19/19/\
    rR12oG5 w wrobgpk 1234567 - 0100000 0 0";

#[test]
fn both_searches_save_the_general() {
    for algorithm in [Algorithm::MAX_N, Algorithm::BEST_REPLY] {
        let position: Position = IN_DANGER.parse().unwrap();
        let report = search(algorithm, &position, &depth(2));
        let after = position.after(report.best);
        let general = report.best.to;
        let chu = chuhe::kingdoms::Seat::CHU;
        let taken = after.moves_of(chu).iter().any(|m| m.to == general);
        assert!(!taken, "{algorithm:?} plays {}", report.best);
    }
}

#[test]
fn chances_are_chances() {
    for position in samples(50, 3) {
        let values = evaluate(&position);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(values.iter().all(|v| (0.0..=1.0).contains(v)));
        for seat in chuhe::kingdoms::Seat::ALL {
            let dead = !position.is_alive(seat);
            assert_eq!(dead, values[seat.index()] == 0.0, "{position}");
        }
        assert_eq!(chances(&features(&position), &WEIGHTS), values);
    }
}

/// Max^n by its definition.
fn plain_max_n(position: &Position, depth: u32, ply: u32) -> Values {
    if let Some(outcome) = position.outcome() {
        let mut values = [0.0; SEATS];
        let winners: Vec<u8> = outcome.winners().collect();
        for &w in &winners {
            values[w as usize - 1] = (1.0 - 1e-3 * ply as f32) / winners.len() as f32;
        }
        return values;
    }
    if depth == 0 {
        return evaluate(position);
    }
    let me = position.turn().unwrap().index();
    let children = position.legal_moves().into_iter();
    let values = children.map(|m| plain_max_n(&position.after(m), depth - 1, ply + 1));
    values.fold(
        [-1.0; SEATS],
        |best, v| if v[me] > best[me] { v } else { best },
    )
}

#[test]
fn shallow_pruning_changes_nothing() {
    let mut compared = 0;
    for position in samples(6, 5) {
        let me = position.turn().unwrap().index();
        let report = search(ALL_MOVES, &position, &depth(2));
        let plain = plain_max_n(&position, 2, 0)[me];
        assert!((report.values[me] - plain).abs() < 1e-6, "{position}");
        compared += 1;
    }
    assert_eq!(compared, 6);
}

#[test]
fn max_n_goes_by_whole_rounds() {
    let depths = |position: &Position, limit: u32| {
        let mut depths = Vec::new();
        let mut engine = engine(Algorithm::MAX_N);
        let stop = Stop::default();
        engine.search(position, &depth(limit), &stop, &mut |r| {
            depths.push(r.depth)
        });
        depths
    };
    let start = Position::start(Options::ENGLISH);
    assert_eq!(depths(&start, 9), [1, 8]);
    assert_eq!(depths(&start, 3), [1, 3]);
    // Two kingdoms are left: a round has two moves.
    let two = "5kG13/19/19/19/19/19/19/19/19/9yE9/19/19/19/19/19/19/19/19/wG18 \
               w w-----k 1234567 - 0000000 0 0";
    let two = two.parse().unwrap();
    assert_eq!(depths(&two, 5), [1, 3, 5]);
    assert_eq!(depths(&two, 4), [1, 3]);
}

/// Qin's knight can attack Yan's general from e17, which would be the second
/// conquest: he steps aside if he looks, and is lost if he does not.
const THREAT: &str = "5kG13/19/19/19/3wN15/19/19/19/19/9yE9/19/19/19/19/19/19/19/16rG2/wG18 \
    w wr----k 1234567 - 1000000 0 0";

#[test]
fn trust_decides_what_a_threat_is_worth() {
    let found = |trust: u32| {
        let algorithm = Algorithm::MaxN(Widths {
            root: 100,
            own: 4,
            others: 1,
            trust,
            ..Widths::ALL
        });
        search(algorithm, &THREAT.parse().unwrap(), &depth(4))
    };
    let (certain, doubtful) = (found(0), found(100));
    assert_eq!(certain.best.to_string(), "d15e17");
    assert!(certain.values[0] > 0.9 && doubtful.values[0] < 0.9);
    let between = found(60).values[0];
    assert!(between > doubtful.values[0] && between < certain.values[0]);
}

/// In a search of two rounds the others play what they would choose in a
/// search of one, where they are foreseen; a look at their moves tells less.
#[test]
fn two_rounds_foresee_the_choices_of_one() {
    let widths = |foresee| {
        Algorithm::MaxN(Widths {
            root: 16,
            deep: 1,
            own: 1,
            others: 1,
            trust: 60,
            foresee,
        })
    };
    let mut hits = [0, 0];
    for position in samples(6, 12) {
        let seats = chuhe::kingdoms::Seat::ALL.into_iter();
        let round = seats.filter(|&s| position.is_alive(s)).count() as u32;
        for (hits, foresee) in hits.iter_mut().zip([0, 1]) {
            let two = search(widths(foresee), &position, &depth(1 + 2 * round));
            let next = position.after(two.best);
            if next.outcome().is_some() {
                continue;
            }
            let one = search(widths(0), &next, &depth(1 + round));
            *hits += usize::from(two.pv.get(1) == Some(&one.best));
        }
    }
    assert!(hits[1] >= 5 && hits[1] > hits[0], "{hits:?}");
}

#[test]
fn limits_hold() {
    let start = Position::start(Options::ENGLISH);
    for algorithm in [Algorithm::MAX_N, Algorithm::BEST_REPLY] {
        let nodes = Limits {
            nodes: Some(1000),
            ..Limits::default()
        };
        let report = search(algorithm, &start, &nodes);
        assert!(report.nodes <= 1001);
        assert_eq!(search(algorithm, &start, &nodes).best, report.best);
        assert_eq!(search(algorithm, &start, &depth(1)).depth, 1);
        let time = Limits {
            movetime: Some(Duration::from_millis(50)),
            ..Limits::default()
        };
        let began = Instant::now();
        search(algorithm, &start, &time);
        assert!(began.elapsed() < Duration::from_secs(5));
        let stop = Stop::default();
        stop.stop();
        let report = engine(algorithm).search(&start, &Limits::default(), &stop, &mut |_| {});
        assert!(report.is_some_and(|r| start.is_legal(r.best)));
    }
}

#[test]
fn there_is_no_move_after_the_end() {
    let over = CONQUEST.replace(" w wrobgpk", " - wrobgpk");
    let position: Position = over.parse().unwrap();
    let found =
        engine(Algorithm::BEST_REPLY).search(&position, &depth(1), &Stop::default(), &mut |_| {});
    assert_eq!(found, None);
}

#[test]
fn every_line_told_is_legal() {
    for algorithm in [Algorithm::MAX_N, Algorithm::BEST_REPLY] {
        for position in samples(4, 9) {
            let report = search(algorithm, &position, &depth(3));
            assert_eq!(report.pv.first(), Some(&report.best));
            report
                .pv
                .iter()
                .fold(position, |p, &m| p.play(m).expect("legal"));
        }
    }
}

#[test]
fn games_of_fewer_players_and_teams_are_played_to_the_end() {
    let mut teams = Options::ENGLISH;
    teams.set("teams", "1212123").unwrap();
    let starts = [
        Position::start_for(3, Options::RUSSIAN).unwrap(),
        Position::start_for(5, Options::LUDII).unwrap(),
        Position::start(teams),
    ];
    for (start, spec) in starts
        .iter()
        .zip(["brs:depth=2", "maxn:depth=2,root=9", "brs:depth=1"])
    {
        let mut player: Player = spec.parse().unwrap();
        let mut greedy: Player = "greedy".parse().unwrap();
        let mut position = *start;
        while let Some(seat) = position.turn() {
            let mover = if seat.index() == 0 {
                &mut player
            } else {
                &mut greedy
            };
            let m = mover.choose(&position).expect("a move");
            position = position.play(m).expect("a legal move");
        }
    }
}

#[test]
fn players_are_read_from_text() {
    for text in [
        "brs",
        "maxn:nodes=10",
        "greedy",
        "brs:time=5,quiet=9",
        "maxn:deep=2,foresee=3",
        "maxn:rounds=2",
    ] {
        assert!(text.parse::<Player>().is_ok(), "{text}");
    }
    for text in [
        "",
        "paranoid",
        "brs:depth",
        "brs:depth=x",
        "brs:later=2",
        "maxn:quiet=1",
        "brs:rounds=1",
    ] {
        assert!(text.parse::<Player>().is_err(), "{text}");
    }
}
