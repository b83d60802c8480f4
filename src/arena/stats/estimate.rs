//! Score, Elo and likelihood of superiority from counts.

use super::{Pentanomial, Wdl, Z95, elo_of_score, normal_cdf};
use serde::Serialize;

/// An Elo difference with its 95 % interval. The ends may be infinite, which
/// JSON writes as null.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Elo {
    /// The best estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Elo {
    /// Half the width of the interval.
    pub fn error(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// What a sample of games says about the difference between two players.
///
/// Sources: for the interval and the likelihood of superiority, the central
/// limit theorem on the mean score of a sample unit (a game or a pair); for
/// small or one-sided samples the score interval of E. B. Wilson, *Probable
/// inference, the law of succession, and statistical inference*, JASA 22
/// (1927); normalised Elo: M. Van den Bergh, *Normalized Elo* (2020).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean score per game, 0 to 1.
    pub score: f64,
    /// Logistic Elo difference.
    pub elo: Elo,
    /// Normalised Elo: the score's distance from a half in standard
    /// deviations of one game, in Elo-like units.
    pub normalized: Elo,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

/// Normalised Elo per standard deviation of a game: 800 / ln 10, the value
/// that makes both Elo scales agree for games without draws near equality.
const NELO_PER_SIGMA: f64 = 347.435_585_522_601_5;

impl Estimate {
    /// From pairs of games; `None` without any.
    pub fn of_pairs(pairs: Pentanomial) -> Option<Self> {
        const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
        Self::of_sample(&pairs.0, &SCORES, 2.0)
    }

    /// From single games; `None` without any.
    pub fn of_games(wdl: Wdl) -> Option<Self> {
        Self::of_sample(&[wdl.losses, wdl.draws, wdl.wins], &[0.0, 0.5, 1.0], 1.0)
    }

    /// From pairs where there are any, else from games.
    pub fn of(pairs: Pentanomial, wdl: Wdl) -> Option<Self> {
        Self::of_pairs(pairs).or_else(|| Self::of_games(wdl))
    }

    /// `unit_games` is the number of games in a unit of the sample.
    fn of_sample(counts: &[u64], scores: &[f64], unit_games: f64) -> Option<Self> {
        let (units, mean, variance) = moments(counts, scores)?;
        let error = (variance / units).sqrt();
        let (low, high) = interval(mean, error, units * unit_games);
        Some(Self {
            score: mean,
            elo: Elo {
                value: elo_of_score(mean),
                low: elo_of_score(low),
                high: elo_of_score(high),
            },
            normalized: normalized(mean, variance * unit_games, units * unit_games),
            los: superiority(mean, error),
        })
    }
}

/// Number of units, mean and variance of a sample.
fn moments(counts: &[u64], scores: &[f64]) -> Option<(f64, f64, f64)> {
    let units = counts.iter().sum::<u64>() as f64;
    if units == 0.0 {
        return None;
    }
    let cells = || counts.iter().map(|&count| count as f64).zip(scores);
    let mean = cells().map(|(count, score)| count * score).sum::<f64>() / units;
    let spread = |(count, score): (f64, &f64)| count * (score - mean).powi(2);
    Some((units, mean, cells().map(spread).sum::<f64>() / units))
}

/// The 95 % interval of a mean score: normal, or Wilson's where that one
/// would touch the ends of the scale.
fn interval(mean: f64, error: f64, games: f64) -> (f64, f64) {
    let (low, high) = (mean - Z95 * error, mean + Z95 * error);
    if error > 0.0 && low > 0.0 && high < 1.0 {
        return (low, high);
    }
    wilson(mean, games)
}

fn wilson(mean: f64, games: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let scale = 1.0 + z2 / games;
    let centre = (mean + z2 / (2.0 * games)) / scale;
    let root = (mean * (1.0 - mean) / games + z2 / (4.0 * games * games)).sqrt();
    let half = Z95 * root / scale;
    let low = if mean <= 0.0 { 0.0 } else { centre - half };
    let high = if mean >= 1.0 { 1.0 } else { centre + half };
    (low.max(0.0), high.min(1.0))
}

fn normalized(mean: f64, game_variance: f64, games: f64) -> Elo {
    let value = if mean == 0.5 {
        0.0
    } else {
        NELO_PER_SIGMA * (mean - 0.5) / game_variance.sqrt()
    };
    let error = NELO_PER_SIGMA * Z95 / games.sqrt();
    Elo {
        value,
        low: value - error,
        high: value + error,
    }
}

fn superiority(mean: f64, error: f64) -> f64 {
    if mean == 0.5 {
        return 0.5;
    }
    normal_cdf((mean - 0.5) / error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, published: f64) {
        let tolerance = 0.001 * published.abs().max(1.0) * 10.0;
        assert!((found - published).abs() < tolerance, "{found} {published}");
    }

    /// The examples of fastchess's unit tests (`app/tests/elo_test.cpp`).
    #[test]
    fn published_examples_of_single_games() {
        let of = |wins, losses, draws| {
            let wdl = Wdl {
                wins,
                draws,
                losses,
            };
            Estimate::of_games(wdl).unwrap()
        };
        let e = of(76, 89, 123);
        close(e.normalized.value, -20.76);
        close(e.normalized.error(), 40.13);
        close(e.los, 0.1553);
        close(e.score, 0.477);
        let e = of(136, 96, 111);
        close(e.elo.value, 40.70);
        close(e.elo.error(), 30.43);
        close(e.los, 0.9960);
        let e = of(34, 356, 0);
        close(e.normalized.value, -508.44);
        close(e.score, 0.087);
    }

    /// From the same file; the middle cell there is split in WL and DD.
    #[test]
    fn published_examples_of_pairs() {
        let e = Estimate::of_pairs(Pentanomial([34, 54, 63, 64, 75])).unwrap();
        close(e.normalized.value, 57.94);
        close(e.normalized.error(), 28.28);
        close(e.elo.value, 55.58);
        close(e.elo.error(), 27.65);
        close(e.score, 0.579);
        let e = Estimate::of_pairs(Pentanomial([332, 433, 498, 333, 334])).unwrap();
        close(e.elo.value, -8.64);
        close(e.elo.error(), 10.33);
        close(e.los, 0.0505);
        let e = Estimate::of_pairs(Pentanomial([7895, 8757, 5685, 568, 9999])).unwrap();
        close(e.normalized.value, -19.01);
        close(e.elo.value, -21.04);
        close(e.elo.error(), 2.95);
    }

    #[test]
    fn one_sided_samples_have_an_open_interval() {
        let e = Estimate::of_pairs(Pentanomial([0, 0, 0, 0, 10])).unwrap();
        assert_eq!(e.elo.value, f64::INFINITY);
        assert_eq!(e.elo.high, f64::INFINITY);
        // Wilson, 20 of 20: the lower end is n / (n + z^2) = 0.8389.
        assert!((e.elo.low - elo_of_score(0.838_87)).abs() < 0.1);
        assert_eq!(e.los, 1.0);
        assert!(Estimate::of_pairs(Pentanomial::default()).is_none());
        let level = Estimate::of_pairs(Pentanomial([0, 0, 7, 0, 0])).unwrap();
        assert_eq!((level.elo.value, level.los), (0.0, 0.5));
        assert!(level.elo.low < -30.0 && level.elo.high > 30.0);
    }

    /// Of many simulated samples of 100 games with a known chance, 95 % of
    /// the intervals must hold the true difference.
    #[test]
    fn intervals_hold_the_truth_as_often_as_promised() {
        let mut rng = fastrand::Rng::with_seed(11);
        let (win, draw) = (0.35, 0.4);
        let truth = elo_of_score(win + draw / 2.0);
        let mut held = 0;
        for _ in 0..4000 {
            let mut wdl = Wdl::default();
            for _ in 0..100 {
                let x = rng.f64();
                wdl.add(match x {
                    x if x < win => super::super::Outcome::Win,
                    x if x < win + draw => super::super::Outcome::Draw,
                    _ => super::super::Outcome::Loss,
                });
            }
            let elo = Estimate::of_games(wdl).unwrap().elo;
            held += usize::from(elo.low <= truth && truth <= elo.high);
        }
        assert!((3740..3860).contains(&held), "{held} of 4000");
    }
}
