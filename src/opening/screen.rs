//! Start positions for matches: random but sensible moves, kept when a short
//! search finds them level.
//!
//! Every candidate has a number, and its moves depend on the seed and that
//! number alone; so a run can be resumed, and its outcome does not depend on
//! how many threads share the work.

use crate::board::{Move, Position};
use crate::clock::{Limits, Stop};
use crate::rules::Game;
use crate::search::{Engine, Score, Settings};
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::time::Instant;

/// Candidates that each thread screens before results are put together.
const BATCH: u64 = 16;
/// Size of each thread's table in MB; the searches are short.
const HASH_MB: usize = 1;

/// What is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Screen {
    /// Lengths of the openings.
    pub plies: RangeInclusive<usize>,
    /// The greatest score for either side, in centipawns.
    pub window: i32,
    /// Nodes of the search that judges.
    pub nodes: u64,
    /// What makes this set differ from others.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// A position that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screened {
    /// The number of the candidate.
    pub number: u64,
    /// The position, its counters as after the moves.
    pub position: Position,
    /// The moves from the start position.
    pub moves: Vec<Move>,
    /// Its score in centipawns for the side to move.
    pub score: i32,
}

/// A line of an EPD file: the FEN, then comments.
impl fmt::Display for Screened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        write!(
            f,
            "{} ; moves: {} ; cp {} ; no {}",
            self.position,
            moves.join(" "),
            self.score,
            self.number
        )
    }
}

/// A line that the screen did not write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenError(String);

impl fmt::Display for ScreenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}`: expected a FEN and `; moves: ... ; cp N ; no N`, as `chuhe openings` writes them",
            self.0
        )
    }
}

impl std::error::Error for ScreenError {}

/// Reads a line of the file back, to go on from it.
///
/// # Errors
/// When it is of another form, or position and moves do not fit.
pub fn screened_from_line(line: &str) -> Result<Screened, ScreenError> {
    let read = || -> Option<Screened> {
        let mut parts = line.split(" ; ");
        let position = parts.next()?.parse().ok()?;
        let moves = parts.next()?.strip_prefix("moves:")?.split_whitespace();
        let moves: Vec<Move> = moves.map(|mv| mv.parse().ok()).collect::<Option<_>>()?;
        let score = parts.next()?.strip_prefix("cp ")?.parse().ok()?;
        let number = parts.next()?.strip_prefix("no ")?.parse().ok()?;
        let mut game = Game::default();
        moves.iter().try_for_each(|&mv| game.play(mv).ok())?;
        (*game.position() == position).then_some(Screened {
            number,
            position,
            moves,
            score,
        })
    };
    read().ok_or_else(|| ScreenError(line.to_owned()))
}

impl Screen {
    /// Finds positions until `keep` returns false or `stop` is set, starting
    /// with candidate number `from`; `seen` holds the positions that are
    /// known already, as made by [`canonical_key`].
    ///
    /// # Errors
    /// Those of `keep`.
    pub fn run(
        &self,
        from: u64,
        mut seen: HashSet<u64>,
        stop: &Stop,
        keep: &mut dyn FnMut(Screened) -> io::Result<bool>,
    ) -> io::Result<()> {
        let threads = self.threads.max(1);
        let mut engines: Vec<Engine> = (0..threads).map(|_| Engine::new(settings())).collect();
        let mut next = from;
        while !stop.is_stopped() {
            let found = self.batch(next, &mut engines, stop);
            next += BATCH * threads as u64;
            if stop.is_stopped() {
                break;
            }
            for screened in found {
                if seen.insert(canonical_key(&screened.position)) && !keep(screened)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Screens the next candidates, in order.
    fn batch(&self, next: u64, engines: &mut [Engine], stop: &Stop) -> Vec<Screened> {
        let judge = |(i, engine): (usize, &mut Engine)| -> Vec<Screened> {
            let first = next + i as u64 * BATCH;
            let numbers = first..first + BATCH;
            numbers
                .filter_map(|number| self.judged(number, engine, stop))
                .collect()
        };
        std::thread::scope(|scope| {
            let spawn = |pair| scope.spawn(move || judge(pair));
            let workers: Vec<_> = engines.iter_mut().enumerate().map(spawn).collect();
            let found = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_default());
            found.flatten().collect()
        })
    }

    /// A candidate with its score, `None` when it is not wanted.
    fn judged(&self, number: u64, engine: &mut Engine, stop: &Stop) -> Option<Screened> {
        let game = self.candidate(number)?;
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        engine.clear();
        let outcome = engine.search(&game, &limits, Instant::now(), stop, &mut |_| ());
        match outcome.score {
            Score::Cp(score) if score.abs() <= self.window && !stop.is_stopped() => {
                Some(Screened {
                    number,
                    position: game.position().clone(),
                    moves: game.moves().to_vec(),
                    score,
                })
            }
            _ => None,
        }
    }

    /// The moves of a candidate: random among those that do not give material
    /// away at once; `None` when they end in check or go nowhere.
    fn candidate(&self, number: u64) -> Option<Game> {
        // The run's own sequence, from which each candidate takes one seed.
        let start = fastrand::Rng::with_seed(self.seed).u64(..);
        let mut random = fastrand::Rng::with_seed(start.wrapping_add(number));
        let plies = random.usize(self.plies.clone());
        let mut game = Game::default();
        for _ in 0..plies {
            let pos = game.position();
            let moves = pos.legal_moves().into_iter();
            let sound: Vec<Move> = moves.filter(|&mv| pos.see_ge(mv, 0)).collect();
            let mv = random.choice(sound)?;
            game.play(mv).ok()?;
        }
        let repeats = (1..game.positions().len()).any(|i| {
            game.positions()[..i]
                .iter()
                .any(|p| p.key() == game.positions()[i].key())
        });
        (!game.position().in_check() && !repeats).then_some(game)
    }
}

fn settings() -> Settings {
    Settings {
        hash_mb: HASH_MB,
        ..Settings::default()
    }
}

/// One number for a position, its mirror image and the same with the sides'
/// roles exchanged.
pub fn canonical_key(pos: &Position) -> u64 {
    let flipped = pos.flipped();
    [
        pos.key(),
        pos.mirrored().key(),
        flipped.key(),
        flipped.mirrored().key(),
    ]
    .into_iter()
    .min()
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(threads: usize) -> Screen {
        Screen {
            plies: 6..=10,
            window: 100,
            nodes: 500,
            seed: 3,
            threads,
        }
    }

    fn some(screen: &Screen, from: u64, seen: HashSet<u64>, count: usize) -> Vec<Screened> {
        let mut kept = Vec::new();
        let mut keep = |screened: Screened| {
            kept.push(screened);
            Ok(kept.len() < count)
        };
        screen.run(from, seen, &Stop::default(), &mut keep).unwrap();
        kept
    }

    #[test]
    fn what_is_kept_is_wanted_and_unlike_the_rest() {
        let kept = some(&screen(1), 0, HashSet::new(), 40);
        let mut keys = HashSet::new();
        for screened in &kept {
            assert!((6..=10).contains(&screened.moves.len()));
            assert!(screened.score.abs() <= 100 && !screened.position.in_check());
            assert!(keys.insert(screened.position.key()));
            assert!(
                !keys.contains(&screened.position.mirrored().key()) || {
                    screened.position.mirrored().key() == screened.position.key()
                }
            );
            let line = screened.to_string();
            assert_eq!(screened_from_line(&line).unwrap(), *screened);
        }
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let all = some(&screen(1), 0, HashSet::new(), 30);
        assert_eq!(some(&screen(3), 0, HashSet::new(), 30), all);
        let seen = all[..12]
            .iter()
            .map(|s| canonical_key(&s.position))
            .collect();
        let rest = some(&screen(1), all[11].number + 1, seen, 18);
        assert_eq!(rest, all[12..]);
    }

    #[test]
    fn mirror_images_have_one_key() {
        let mut game = Game::default();
        game.play("h2e2".parse().unwrap()).unwrap();
        let pos = game.position();
        assert_eq!(canonical_key(pos), canonical_key(&pos.mirrored()));
        assert_eq!(canonical_key(pos), canonical_key(&pos.flipped()));
        assert_ne!(canonical_key(pos), canonical_key(&Position::startpos()));
        for bad in ["", "# head", "rnbakabnr w ; x"] {
            assert!(screened_from_line(bad).is_err());
        }
    }
}
