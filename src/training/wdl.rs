//! The chances of win, draw and loss behind a score, fitted to the games.
//!
//! Model: the chance to win is `1 / (1 + exp((a - score) / b))`, the chance to
//! lose the same of the negated score, the rest is a draw; `a` (the score of
//! an even chance to win) and `b` (the spread) are straight lines in the
//! number of pieces. The form is that of the Stockfish project's win rate
//! model, the fit is by maximum likelihood.

use super::plot::{self, Series};
use super::sample::Sample;
use std::collections::BTreeMap;

/// The number of pieces at which the lines are anchored.
pub const REFERENCE_PIECES: f64 = 24.0;
/// Pieces per unit of the slopes.
const PIECES_UNIT: f64 = 8.0;
/// Scores are put in bins of so many centipawns.
const BIN: i16 = 20;
/// Scores beyond are left out: decided games say nothing about the middle.
const MAX_SCORE: i16 = 1500;

/// The fitted lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WdlFit {
    /// `a` at the reference, and its change for eight pieces more.
    pub even_win: [f64; 2],
    /// `b` at the reference, and its change for eight pieces more.
    pub spread: [f64; 2],
    /// Mean log-likelihood of a result.
    pub log_likelihood: f64,
}

/// Losses, draws and wins of the positions with this (pieces, score bin).
type Bins = BTreeMap<(u8, i16), [f64; 3]>;

impl WdlFit {
    /// Fits the lines to the results of `samples`.
    pub fn of(samples: &[Sample]) -> Self {
        let bins = bins(samples);
        let start = [300.0, 0.0, 150.0, 0.0];
        let (best, log_likelihood) = climb(start, |p| likelihood(&bins, p));
        let [a, a_slope, b, b_slope] = best;
        Self {
            even_win: [a, a_slope],
            spread: [b, b_slope],
            log_likelihood,
        }
    }

    /// Chances of win, draw and loss.
    pub fn chances(&self, score: f64, pieces: f64) -> [f64; 3] {
        let [a, a_slope] = self.even_win;
        let [b, b_slope] = self.spread;
        chances([a, a_slope, b, b_slope], score, pieces)
    }
}

fn chances([a, a_slope, b, b_slope]: [f64; 4], score: f64, pieces: f64) -> [f64; 3] {
    /// No narrower, whatever the line says.
    const LEAST_SPREAD: f64 = 10.0;
    let more = (pieces - REFERENCE_PIECES) / PIECES_UNIT;
    let even = (a + a_slope * more).max(0.0);
    let spread = (b + b_slope * more).max(LEAST_SPREAD);
    let win = |score: f64| 1.0 / (1.0 + ((even - score) / spread).exp());
    let (win, loss) = (win(score), win(-score));
    [win, (1.0 - win - loss).max(0.0), loss]
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

fn likelihood(bins: &Bins, parameters: [f64; 4]) -> f64 {
    /// No chance is smaller.
    const FLOOR: f64 = 1e-6;
    let (mut sum, mut count) = (0.0, 0.0);
    for (&(pieces, bin), [losses, draws, wins]) in bins {
        let [win, draw, loss] = chances(parameters, bin_score(bin), f64::from(pieces));
        let ln = |chance: f64| chance.max(FLOOR).ln();
        sum += wins * ln(win) + draws * ln(draw) + losses * ln(loss);
        count += wins + draws + losses;
    }
    sum / f64::max(count, 1.0)
}

/// Pattern search: steps along each parameter, halved when none helps.
fn climb(start: [f64; 4], value: impl Fn([f64; 4]) -> f64) -> ([f64; 4], f64) {
    const FIRST_STEP: f64 = 64.0;
    const LAST_STEP: f64 = 0.5;
    let (mut best, mut height, mut step) = (start, value(start), FIRST_STEP);
    while step >= LAST_STEP {
        let mut better = false;
        for (i, sign) in (0..start.len()).flat_map(|i| [(i, 1.0), (i, -1.0)]) {
            let mut next = best;
            next[i] += sign * step;
            let reached = value(next);
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
    let near = |s: &&Sample| (f64::from(s.pieces) - REFERENCE_PIECES).abs() <= PIECES_UNIT / 2.0;
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

/// Observed (dots) and fitted (lines) chances over the score, as SVG.
pub fn svg(samples: &[Sample], fit: &WdlFit) -> String {
    let rows = observed(samples);
    let names = [("win", "#2f855a"), ("draw", "#4a5568"), ("loss", "#c53030")];
    let series: Vec<Series> = (0..names.len())
        .flat_map(|i| {
            let dots = rows
                .iter()
                .map(|row| (row.score as f32, row.shares[i] as f32));
            let line = rows.iter().map(|row| {
                let chance = fit.chances(row.score, REFERENCE_PIECES)[i];
                (row.score as f32, chance as f32)
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
    plot::svg("Chances by score", &series, (0, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_lines_are_found_again() {
        let planted = [250.0, 40.0, 120.0, -15.0];
        let mut random = fastrand::Rng::with_seed(1);
        let samples: Vec<Sample> = (0..60_000)
            .map(|_| {
                let (pieces, score) = (random.u8(8..=32), random.i16(-900..900));
                let [win, draw, _] = chances(planted, f64::from(score), f64::from(pieces));
                let draw_at = random.f64();
                let result = if draw_at < win {
                    1
                } else if draw_at < win + draw {
                    0
                } else {
                    -1
                };
                Sample {
                    inputs: [0; 32],
                    pieces,
                    result,
                    score,
                }
            })
            .collect();
        let fit = WdlFit::of(&samples);
        assert!((fit.even_win[0] - 250.0).abs() < 10.0, "{fit:?}");
        assert!((fit.even_win[1] - 40.0).abs() < 10.0, "{fit:?}");
        assert!((fit.spread[0] - 120.0).abs() < 8.0, "{fit:?}");
        let rows = observed(&samples);
        assert!(rows.len() > 15 && rows.is_sorted_by_key(|row| row.shares[0] > 0.5));
        assert_eq!(svg(&samples, &fit).matches("<polyline").count(), 3);
    }

    #[test]
    fn chances_sum_to_one() {
        for score in [-800.0, 0.0, 120.0] {
            let sum: f64 = chances([250.0, 10.0, 100.0, 5.0], score, 20.0).iter().sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }
}
