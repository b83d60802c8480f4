//! The net in the program: what it says about 50 positions, and whether that
//! makes sense.
//!
//! After a change of the net run `CHUHE_BLESS=1 cargo test --test
//! nnue_embedded` to write the values anew, and look at the difference.

use chuhe::board::Position;
use chuhe::eval::nnue::{EMBEDDED_FILE, EVAL_LIMIT, Network, Parameters};

const GOLDEN: &str = "tests/data/net/golden.txt";
const GOLDEN_POSITIONS: usize = 50;
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Positions of random games, from the opening to few pieces.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut pos = Position::startpos();
        for _ in 0..random.usize(5..250) {
            let Some(&mv) = random.choice(pos.legal_moves().iter()) else {
                break;
            };
            pos.make(mv);
        }
        all.push(pos);
    }
    all
}

fn golden_lines() -> String {
    let net = Network::embedded();
    let lines = positions(GOLDEN_POSITIONS, 2026);
    let lines = lines
        .iter()
        .map(|pos| format!("{} | {pos}\n", net.evaluate(pos)));
    format!("{net}\n{}", lines.collect::<String>())
}

#[test]
fn golden_values_stand() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    if std::env::var_os("CHUHE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, golden_lines()).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    let net = Network::embedded();
    let mut lines = golden.lines();
    assert_eq!(lines.next(), Some(net.to_string().as_str()));
    let mut checked = 0;
    for line in lines {
        let (value, fen) = line.split_once(" | ").unwrap();
        let pos: Position = fen.parse().unwrap();
        assert_eq!(net.evaluate(&pos).to_string(), value, "{fen}");
        checked += 1;
    }
    assert_eq!(checked, GOLDEN_POSITIONS);
}

#[test]
fn the_start_position_is_about_level() {
    let value = Network::embedded().evaluate(&START.parse().unwrap());
    assert!(value.abs() < 60, "{value}");
}

#[test]
fn missing_pieces_cost_what_they_are_worth() {
    let net = Network::embedded();
    let without = |row: &str| {
        let fen = START.replace("RNBAKABNR", row);
        net.evaluate(&START.parse().unwrap()) - net.evaluate(&fen.parse().unwrap())
    };
    let (rook, knight) = (without("1NBAKABNR"), without("R1BAKABNR"));
    assert!(rook > 500, "{rook}");
    assert!(knight > 150 && knight < rook, "{knight}");
}

#[test]
fn values_stay_in_range_and_are_symmetric() {
    let net = Network::embedded();
    let (mut difference, all) = (0, positions(1000, 7));
    for pos in &all {
        let value = net.evaluate(pos);
        assert!(value.abs() < EVAL_LIMIT, "{pos}");
        assert_eq!(value, net.evaluate(&pos.flipped()), "{pos}");
        difference += (value - net.evaluate(&pos.mirrored())).abs();
    }
    // Learnt from both mirror images alike, but not equal by construction.
    assert!(difference / (all.len() as i32) < 80, "{difference}");
}

#[test]
fn the_file_in_the_program_is_small_and_whole() {
    assert!(EMBEDDED_FILE.len() < 2_000_000);
    let parameters = Parameters::decode(EMBEDDED_FILE).unwrap();
    assert_eq!(parameters.encode(), EMBEDDED_FILE);
    assert!(!parameters.name.is_empty());
}
