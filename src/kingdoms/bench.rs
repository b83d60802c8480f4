//! Both searches on fixed positions to a fixed depth. The number of nodes is
//! the signature of their behaviour.

use super::{Algorithm, Engine, Options, Position, Random, Report, Settings};
use crate::clock::{Limits, Stop};
use std::io::{self, Write};
use std::time::Instant;

/// Positions searched: of one random game, so many plies apart.
const POSITIONS: usize = 6;
const PLIES_APART: usize = 17;
const SEED: u64 = 1;

/// What is searched: a name, the search, its depth (a round and a move; three
/// plies).
const SEARCHES: [(&str, Algorithm, u32); 2] = [
    ("maxn", Algorithm::MAX_N, 8),
    ("brs", Algorithm::BEST_REPLY, 3),
];

/// Searches all positions and writes a line for each and the sum.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(out: &mut dyn Write) -> io::Result<u64> {
    let started = Instant::now();
    let mut nodes = 0;
    for (i, position) in positions().iter().enumerate() {
        write!(out, "Position {}/{POSITIONS}:", i + 1)?;
        for (name, algorithm, depth) in SEARCHES {
            if let Some(report) = search(position, algorithm, depth) {
                write!(out, " {name} {} {:>8} nodes", report.best, report.nodes)?;
                nodes += report.nodes;
            }
        }
        writeln!(out)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    writeln!(out, "\nNodes searched: {nodes}")?;
    writeln!(out, "Nodes/second: {:.0}", nodes as f64 / seconds)?;
    Ok(nodes)
}

fn search(position: &Position, algorithm: Algorithm, depth: u32) -> Option<Report> {
    let mut engine = Engine::new(Settings {
        algorithm,
        ..Settings::default()
    });
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    engine.search(position, &limits, &Stop::default(), &mut |_| {})
}

fn positions() -> Vec<Position> {
    let mut random = Random::new(SEED);
    let mut position = Position::start(Options::ENGLISH);
    let mut found = Vec::new();
    while found.len() < POSITIONS {
        found.push(position);
        for _ in 0..PLIES_APART {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                position = position.after(moves[random.below(moves.len())]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_goes_on_in_all_positions() {
        let positions = positions();
        assert!(positions.iter().all(|p| p.turn().is_some()));
        assert_eq!(positions[5].ply(), 85);
    }
}
