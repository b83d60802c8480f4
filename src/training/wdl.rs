//! The chances of win, draw and loss behind a score, fitted to the games.
//!
//! The form of the model is that of [`crate::eval::wdl::Model`], the fit is by
//! maximum likelihood. What it finds is copied into `eval::wdl`, which the
//! engine goes by.

use super::plot::{self, Series};
use super::sample::Sample;
use crate::eval::wdl::{KNOTS, Model, REFERENCE_PIECES};
use std::collections::BTreeMap;
use std::fmt;

/// Scores are put in bins of so many points.
const BIN: i16 = 20;
/// Scores beyond are left out: decided games say nothing about the middle.
const MAX_SCORE: i16 = 1000;

/// The fitted model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WdlFit {
    /// The chances.
    pub model: Model,
    /// Mean log-likelihood of a result.
    pub log_likelihood: f64,
}

/// Losses, draws and wins of the positions with this (pieces, score bin).
type Bins = BTreeMap<(u8, i16), [f64; 3]>;

/// Numbers of a model: for each knot one of each kind.
const PARAMETERS: usize = 3 * KNOTS.len();
/// Where the search for the best begins, at every knot.
const START: Model = Model {
    even_win: [250.0; KNOTS.len()],
    below: [250.0; KNOTS.len()],
    above: [250.0; KNOTS.len()],
};

impl WdlFit {
    /// The points of an even chance to win at the reference number of pieces.
    fn even_win(&self) -> f64 {
        self.model.at(REFERENCE_PIECES.into())[0]
    }

    /// Fits the model to the results of `samples`.
    pub fn of(samples: &[Sample]) -> Self {
        let bins = bins(samples);
        let (best, log_likelihood) = climb(numbers(&START), |p| likelihood(&bins, &model(p)));
        Self {
            model: model(&best),
            log_likelihood,
        }
    }
}

/// The points of an even chance to win and the spread, by pieces.
impl fmt::Display for WdlFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |values: [f64; KNOTS.len()]| values.map(|value| format!("{value:.0}")).join(" / ");
        write!(
            f,
            "with {} pieces: win as likely as not at {} points; spread below {}, above {} points; \
             log-likelihood {:.4}",
            list(KNOTS.map(f64::from)),
            list(self.model.even_win),
            list(self.model.below),
            list(self.model.above),
            self.log_likelihood
        )
    }
}

fn numbers(model: &Model) -> [f64; PARAMETERS] {
    let kinds = [model.even_win, model.below, model.above];
    std::array::from_fn(|i| kinds[i / KNOTS.len()][i % KNOTS.len()])
}

/// The model of these numbers, those without a meaning put right.
fn model(numbers: &[f64; PARAMETERS]) -> Model {
    /// No narrower, whatever the numbers say.
    const LEAST_SPREAD: f64 = 10.0;
    /// No greater, where a few games would let a number grow without end.
    const MOST: f64 = 4000.0;
    let kind = |kind: usize, least: f64| {
        std::array::from_fn(|knot| numbers[kind * KNOTS.len() + knot].clamp(least, MOST))
    };
    Model {
        even_win: kind(0, 0.0),
        below: kind(1, LEAST_SPREAD),
        above: kind(2, LEAST_SPREAD),
    }
}

fn bins(samples: &[Sample]) -> Bins {
    let mut bins = Bins::new();
    for sample in samples.iter().filter(|s| s.score.abs() <= MAX_SCORE) {
        let bin = bins
            .entry((sample.pieces, sample.score.div_euclid(BIN)))
            .or_default();
        bin[(sample.result + 1) as usize] += 1.0;
    }
    bins
}

/// The middle of a bin.
fn bin_score(bin: i16) -> f64 {
    f64::from(bin * BIN) + f64::from(BIN) / 2.0
}

fn likelihood(bins: &Bins, model: &Model) -> f64 {
    /// No chance is smaller.
    const FLOOR: f64 = 1e-6;
    let (mut sum, mut count) = (0.0, 0.0);
    for (&(pieces, bin), [losses, draws, wins]) in bins {
        let [win, draw, loss] = model.chances(bin_score(bin), f64::from(pieces));
        let ln = |chance: f64| chance.max(FLOOR).ln();
        sum += wins * ln(win) + draws * ln(draw) + losses * ln(loss);
        count += wins + draws + losses;
    }
    sum / f64::max(count, 1.0)
}

/// Pattern search: steps along each parameter, halved when none helps.
fn climb<const N: usize>(start: [f64; N], value: impl Fn(&[f64; N]) -> f64) -> ([f64; N], f64) {
    const FIRST_STEP: f64 = 64.0;
    const LAST_STEP: f64 = 0.5;
    let (mut best, mut height, mut step) = (start, value(&start), FIRST_STEP);
    while step >= LAST_STEP {
        let mut better = false;
        for (i, sign) in (0..start.len()).flat_map(|i| [(i, 1.0), (i, -1.0)]) {
            let mut next = best;
            next[i] += sign * step;
            let reached = value(&next);
            if reached > height {
                (best, height, better) = (next, reached, true);
            }
        }
        if !better {
            step /= 2.0;
        }
    }
    (best, height)
}

/// What became of the positions with about the reference number of pieces and
/// this score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// Middle of the range of scores.
    pub score: f64,
    /// Positions.
    pub positions: f64,
    /// Shares of wins, draws and losses.
    pub shares: [f64; 3],
}

/// The shares by score near the reference number of pieces.
pub fn observed(samples: &[Sample]) -> Vec<Observed> {
    /// Bins put together.
    const TOGETHER: i16 = 5;
    /// Pieces more or fewer that are near.
    const NEAR: u8 = 2;
    let near = |s: &&Sample| s.pieces.abs_diff(REFERENCE_PIECES) <= NEAR;
    let near: Vec<Sample> = samples.iter().filter(near).copied().collect();
    let mut by_score: BTreeMap<i16, [f64; 3]> = BTreeMap::new();
    for (&(_, bin), counts) in &bins(&near) {
        let sums = by_score.entry(bin.div_euclid(TOGETHER)).or_default();
        sums.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
    }
    let row = |(bin, [losses, draws, wins]): (i16, [f64; 3])| {
        let positions = losses + draws + wins;
        let score = f64::from(BIN * TOGETHER) * (f64::from(bin) + 0.5);
        let shares = [wins, draws, losses].map(|count| count / positions);
        Observed {
            score,
            positions,
            shares,
        }
    };
    by_score.into_iter().map(row).collect()
}

/// Observed (dots) and fitted (lines) chances near the reference number of
/// pieces, over the score in centipawns by this fit, as SVG.
pub fn svg(samples: &[Sample], fit: &WdlFit) -> String {
    let rows = observed(samples);
    let names = [("win", "#2f855a"), ("draw", "#4a5568"), ("loss", "#c53030")];
    let centipawns = |row: &Observed| (100.0 * row.score / fit.even_win()) as f32;
    let series: Vec<Series> = (0..names.len())
        .flat_map(|i| {
            let dots = rows
                .iter()
                .map(|row| (centipawns(row), row.shares[i] as f32));
            let line = rows.iter().map(|row| {
                let chance = fit.model.chances(row.score, REFERENCE_PIECES.into())[i];
                (centipawns(row), chance as f32)
            });
            let (name, colour) = names[i];
            [
                Series {
                    name: "",
                    colour,
                    dots: true,
                    points: dots.collect(),
                },
                Series {
                    name,
                    colour,
                    dots: false,
                    points: line.collect(),
                },
            ]
        })
        .collect();
    plot::svg("Chances by centipawns", &series, (0, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions whose results are drawn by a model.
    fn drawn(planted: &Model, count: usize) -> Vec<Sample> {
        let mut random = fastrand::Rng::with_seed(1);
        let mut draw = || {
            let (pieces, score) = (random.u8(2..=32), random.i16(-900..900));
            let [win, draw, _] = planted.chances(f64::from(score), f64::from(pieces));
            let drawn_at = random.f64();
            let result = i8::from(drawn_at < win) - i8::from(drawn_at >= win + draw);
            Sample {
                inputs: [0; 32],
                pieces,
                result,
                score,
            }
        };
        (0..count).map(|_| draw()).collect()
    }

    #[test]
    fn a_planted_model_is_found_again() {
        /// Points that chance may shift a number by.
        const NEAR: f64 = 16.0;
        let planted = Model {
            even_win: [420.0, 350.0, 250.0, 200.0, 130.0],
            below: [130.0, 140.0, 160.0, 200.0, 210.0],
            above: [100.0, 110.0, 120.0, 150.0, 160.0],
        };
        let samples = drawn(&planted, 200_000);
        let fit = WdlFit::of(&samples);
        let pairs = numbers(&planted).into_iter().zip(numbers(&fit.model));
        for (wanted, found) in pairs {
            assert!((wanted - found).abs() < NEAR, "{fit}");
        }
        assert!((fit.even_win() - 200.0).abs() < NEAR);
        let rows = observed(&samples);
        assert!(rows.len() > 15 && rows.is_sorted_by_key(|row| row.shares[0] > 0.5));
        assert_eq!(svg(&samples, &fit).matches("<polyline").count(), 3);
    }

    #[test]
    fn numbers_and_models_go_round() {
        assert_eq!(model(&numbers(&START)), START);
        let nonsense = model(&[-5.0; PARAMETERS]);
        assert_eq!((nonsense.even_win[0], nonsense.above[4]), (0.0, 10.0));
    }
}
