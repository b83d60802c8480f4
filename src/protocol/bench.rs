//! A search of fixed positions to a fixed depth. The number of nodes is the
//! signature of the engine's behaviour: a change that is not meant to alter
//! play must leave it alone.

use super::session::Thinker;
use crate::clock::{Limits, Stop};
use crate::rules::Game;
use crate::search::Settings;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// What to search with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Size of the table in MB.
    pub hash_mb: usize,
    /// Search threads.
    pub threads: usize,
    /// Depth of each search in plies.
    pub depth: u32,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            hash_mb: 16,
            threads: 1,
            depth: 12,
        }
    }
}

impl Setup {
    /// Reads `[HASH] [THREADS] [DEPTH]`, what is left out or no number being
    /// the default.
    pub fn read(words: &[String]) -> Self {
        let number = |i: usize| {
            let number: Option<u32> = words.get(i).and_then(|word| word.parse().ok());
            number.filter(|&number| number > 0)
        };
        let default = Self::default();
        Self {
            hash_mb: number(0).map_or(default.hash_mb, |n| n as usize),
            threads: number(1).map_or(default.threads, |n| n as usize),
            depth: number(2).unwrap_or(default.depth),
        }
    }

    /// The settings of the engine.
    pub fn settings(&self) -> Settings {
        Settings {
            hash_mb: self.hash_mb,
            threads: self.threads,
            ..Settings::default()
        }
    }
}

/// What a bench came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Result {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

/// Searches all positions and writes a line for each and the sum.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(
    engine: &mut impl Thinker,
    setup: &Setup,
    stop: &Stop,
    out: &mut dyn Write,
) -> io::Result<Result> {
    let limits = Limits {
        depth: Some(setup.depth),
        ..Limits::default()
    };
    let started = Instant::now();
    let mut nodes = 0;
    for (i, fen) in POSITIONS.iter().enumerate() {
        let Ok(pos) = fen.parse() else { continue };
        let (game, now) = (Game::new(pos), Instant::now());
        let outcome = engine.search(&game, &limits, now, stop, &mut |_| {});
        nodes += outcome.nodes;
        let best = outcome.best.map_or("none".to_owned(), |mv| mv.to_string());
        writeln!(
            out,
            "Position {:>2}/{}: {best} {:>9} nodes  {fen}",
            i + 1,
            POSITIONS.len(),
            outcome.nodes
        )?;
        if stop.is_stopped() {
            break;
        }
    }
    let time = started.elapsed();
    writeln!(out, "\nNet: {}", engine.insight().network)?;
    writeln!(out, "Total time (ms): {}", time.as_millis())?;
    writeln!(out, "Nodes searched: {nodes}")?;
    writeln!(
        out,
        "Nodes/second: {}",
        super::reply::per_second(nodes, time)
    )?;
    Ok(Result { nodes, time })
}

/// Openings, middle games with and without attacks on the king, endings.
const POSITIONS: &[&str] = &[
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
    "R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w - - 0 1",
    "2bak2r1/4a4/2n1b1n1c/p1pC4p/4C1p2/2P6/Pc2N1P1P/4B1N2/9/R2AKAB2 b - - 0 1",
    "1cr1kab2/3Ra4/b3c4/p1p3p2/3RC3p/1NP1r1P2/P7P/4B4/4A4/3K1AB2 b - - 0 1",
    "R4a3/4k4/4ba3/pr7/1Np6/8p/P8/4B4/4A4/4KABc1 w - - 0 1",
    "1r2kabr1/4a4/2n6/p1p1p3p/2P3p2/3n5/PcC3PcP/N3C1N2/9/1RBAKABR1 b - - 0 1",
    "2baka1R1/9/2R1b4/p1N1p3p/9/2P2c3/7r1/2C1BAC2/5Kn2/2BA5 w - - 0 1",
    "4kab2/2nc5/9/p3C3R/2b6/P2n1rP2/2P4R1/N3c4/4A1N2/r1B1KA3 w - - 0 1",
    "2Rk1ab2/4a1N2/9/4p3p/p2r5/3n2B2/P1p1P3P/3c2N2/9/2BAKA3 b - - 0 1",
    "2bakr3/4a4/4b4/pn3P2p/2p2N3/6N2/P7P/3A5/6C2/2BAK1B2 w - - 0 1",
    "2ba1k3/4a4/n3b2c1/p1p3R2/4P4/P1P6/6p2/4B4/4Cr3/3AKABC1 b - - 0 1",
    "1nb1ka3/3ra4/4b4/p1PN1C2p/5P3/3R5/P6rP/4BC3/9/3AKA3 b - - 0 1",
    "3ak1b2/4a4/4b1n2/r5p1p/pCp6/5NP2/n1P1P3c/N4C3/3RA4/2B1KAB2 b - - 0 1",
    "2naka3/1r6n/1c2b4/pNp1pC1cp/6N2/7C1/P3P3P/4B4/4A4/2R1KAB2 b - - 0 1",
    "1rbakabr1/9/2n4c1/p1p1p2Rp/1c3np2/9/P1P1P1P1P/N1C1C1N2/9/1RBAKAB2 w - - 0 1",
    "rn2kabn1/3ra4/2c1b2c1/p3p3p/6p2/2R6/P3P1P1P/NC2C1N2/4A4/1RB1KAB2 b - - 0 1",
    "r3kab2/4a4/2n3nrc/pcp1p1R1p/2b3p2/9/P1N1P1P1P/2C1C1N2/R8/2BAKAB2 b - - 0 1",
    "r3kabr1/4a4/2n1b1n2/p1p1p3p/6p2/2P1P4/Pc4PcP/NC2C1N2/5R3/2BAKABR1 w - - 0 1",
    "2r1kab2/4a4/2n1b1c2/p3N1nCp/6r2/2R5P/P3P4/2N1B4/9/R2AKAB2 b - - 0 1",
    "3a1k3/4a1C2/1c2b4/4C3p/p1rR5/2p2NP2/P1c1Pn2P/9/9/2BAKAB2 b - - 0 1",
    "1r1akab2/8c/1cn1b1n2/p3p1p1p/2p6/2P3P2/P3P3P/C1N1C4/9/1RBAKABN1 w - - 0 1",
    "r3kabr1/4a4/2n3n2/p3p3p/2p3bc1/1cPN3R1/P3P3P/1C2C1N2/2R6/2BAKAB2 w - - 0 1",
    "4kac1C/4a2R1/2n1b4/p1p5p/1r4p2/2P1r4/P5P1P/4B1N2/4A4/R1BAK4 w - - 0 1",
    "2rakab2/9/4b1n2/p3p4/2r5p/1R1N2R1c/P3P4/4B1C2/9/3AKAB2 b - - 0 1",
    "3k5/4c4/9/4r4/9/9/4R4/9/9/4K4 w - - 0 1",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn all_positions_are_valid_and_written_canonically() {
        for fen in POSITIONS {
            let pos: Position = fen.parse().unwrap();
            assert_eq!(&pos.to_string(), fen);
        }
    }

    #[test]
    fn arguments_are_hash_threads_and_depth() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let setup = Setup::read(&words("64 2 7"));
        assert_eq!((setup.hash_mb, setup.threads, setup.depth), (64, 2, 7));
        assert_eq!(Setup::read(&words("x 0")), Setup::default());
    }
}
