//! The sequential probability ratio test on pairs of games.
//!
//! A. Wald, *Sequential tests of statistical hypotheses* (1945), with the
//! generalised likelihood ratio for the five kinds of pair: each hypothesis is
//! represented by the distribution of greatest likelihood that satisfies it.
//! M. Van den Bergh, *The generalized maximum likelihood ratio for the
//! expectation value of a distribution* (proposition 1.1), and for normalised
//! Elo *Comments on normalized Elo* (section 4.1).

use super::{Pentanomial, score_of_elo};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// In which unit the two hypotheses are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo of the logistic curve.
    #[default]
    Logistic,
    /// Normalised Elo.
    Normalized,
}

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative, greater than `elo0`.
    pub elo1: f64,
    /// Chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
    /// The unit of both.
    pub model: EloModel,
}

/// What the test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The null hypothesis is accepted: the patch fails.
    AcceptH0,
    /// The alternative is accepted: the patch passes.
    AcceptH1,
}

/// The log-likelihood ratio between its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtState {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Accept the null hypothesis at or below.
    pub lower: f64,
    /// Accept the alternative at or above.
    pub upper: f64,
    /// The decision.
    pub decision: Decision,
}

/// A text that describes no test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SprtError(String);

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no test: expected elo0,elo1[,alpha,beta] with elo0 < elo1 \
             and 0 < alpha, beta < 0.5, such as 0,15 or -10,5,0.05,0.05",
            self.0
        )
    }
}

impl std::error::Error for SprtError {}

/// Error rates where none are given.
const DEFAULT_RATE: f64 = 0.05;

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let fail = || SprtError(text.to_owned());
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.map_err(|_| fail())?[..] {
            [elo0, elo1] => (elo0, elo1, DEFAULT_RATE, DEFAULT_RATE),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(fail()),
        };
        let rate = |r: f64| r > 0.0 && r < 0.5;
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite() && rate(alpha) && rate(beta)) {
            return Err(fail());
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model: EloModel::Logistic,
        })
    }
}

/// `[0, 15]`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.elo0, self.elo1)
    }
}

/// A probability for each of the scores 0, 1/4, ... 1 of a pair.
type Distribution = [f64; 5];

const SCORES: Distribution = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Stands for a cell that was never met, so that its logarithm exists.
const EMPTY_CELL: f64 = 1e-3;

/// Normalised Elo per standard deviation of a pair's mean score:
/// 800 / ln 10 divided by the square root of 2.
const NELO_PER_PAIR_SIGMA: f64 = 245.674_058_499_164_92;

impl Sprt {
    /// Wald's bounds: accept the null hypothesis at the first, the
    /// alternative at the second.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of the alternative over the null hypothesis.
    pub fn llr(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let cells = pairs.0.map(|count| (count as f64).max(EMPTY_CELL));
        let total: f64 = cells.iter().sum();
        let seen = cells.map(|cell| cell / total);
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| self.most_likely(&seen, elo));
        let ratio = |i: usize| cells[i] * (p1[i] / p0[i]).ln();
        (0..SCORES.len()).map(ratio).sum()
    }

    /// Where the test stands.
    pub fn state(&self, pairs: Pentanomial) -> SprtState {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        let decision = match llr {
            llr if llr >= upper => Decision::AcceptH1,
            llr if llr <= lower => Decision::AcceptH0,
            _ => Decision::Continue,
        };
        SprtState {
            llr,
            lower,
            upper,
            decision,
        }
    }

    fn most_likely(&self, seen: &Distribution, elo: f64) -> Distribution {
        match self.model {
            EloModel::Logistic => {
                let score = score_of_elo(elo);
                constrained(seen, SCORES.map(|a| a - score))
            }
            EloModel::Normalized => with_deviation(seen, elo / NELO_PER_PAIR_SIGMA),
        }
    }
}

/// The distribution `p` of greatest likelihood for `seen` among those with
/// `sum p[i] * zero[i] = 0`: `seen[i] / (1 + x * zero[i])` for the root x of
/// that equation. `zero` must have values of both signs.
fn constrained(seen: &Distribution, zero: Distribution) -> Distribution {
    let x = root(seen, &zero);
    std::array::from_fn(|i| seen[i] / (1.0 + x * zero[i]))
}

/// The root is unique, as the sum falls with x between its poles: bisection.
fn root(seen: &Distribution, zero: &Distribution) -> f64 {
    const STEPS: usize = 60;
    let least = zero.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = zero.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let sum = |x: f64| -> f64 {
        let term = |(p, z): (&f64, &f64)| p * z / (1.0 + x * z);
        seen.iter().zip(zero).map(term).sum()
    };
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The distribution of greatest likelihood whose mean is `t` standard
/// deviations above a half. The condition is not linear in the probabilities:
/// it is linearised at the last estimate, again and again.
fn with_deviation(seen: &Distribution, t: f64) -> Distribution {
    const STEPS: usize = 20;
    const ENOUGH: f64 = 1e-9;
    let mut p = [0.2; 5];
    for _ in 0..STEPS {
        let mean: f64 = p.iter().zip(SCORES).map(|(p, a)| p * a).sum();
        let spread = |(p, a): (&f64, f64)| p * (a - mean).powi(2);
        let sigma = p.iter().zip(SCORES).map(spread).sum::<f64>().sqrt();
        let zero = SCORES.map(|a| a - 0.5 - t * sigma * (1.0 + ((mean - a) / sigma).powi(2)) / 2.0);
        let next = constrained(seen, zero);
        let change = p.iter().zip(next).map(|(p, q)| (p - q).abs());
        let change = change.fold(0.0, f64::max);
        p = next;
        if change < ENOUGH {
            break;
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::Outcome;

    fn llr(test: &str, model: EloModel, pairs: [u64; 5]) -> f64 {
        let test = Sprt {
            model,
            ..test.parse().unwrap()
        };
        test.llr(Pentanomial(pairs))
    }

    fn close(found: f64, published: f64) {
        assert!(
            (found - published).abs() < 0.01 * published.abs().max(1.0),
            "{found} {published}"
        );
    }

    /// The examples of fastchess's unit tests (`app/tests/sprt_test.cpp`),
    /// its two middle cells (WL and DD) put together.
    #[test]
    fn published_examples() {
        use EloModel::{Logistic, Normalized};
        close(
            llr("0.5,2.5", Logistic, [223, 9863, 21279, 10037, 246]),
            -3.07,
        );
        close(llr("0,2", Logistic, [871, 26175, 55983, 26678, 821]), -4.98);
        close(
            llr("0,2", Normalized, [365, 16618, 36229, 16974, 390]),
            2.25,
        );
        close(
            llr("-1.75,0.25", Normalized, [127, 4883, 10712, 5150, 104]),
            3.01,
        );
        close(llr("0,5", Normalized, [0, 0, 0, 0, 5550]), 111.82);
    }

    #[test]
    fn the_ratio_changes_sign_with_the_players() {
        let pairs = Pentanomial([10, 30, 50, 44, 17]);
        let (up, down): (Sprt, Sprt) = ("0,20".parse().unwrap(), "-20,0".parse().unwrap());
        assert!((up.llr(pairs) + down.llr(pairs.reversed())).abs() < 1e-9);
        assert_eq!(up.llr(Pentanomial::default()), 0.0);
        let (lower, upper) = up.bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn texts() {
        let test: Sprt = "-10, 5".parse().unwrap();
        assert_eq!((test.elo0, test.elo1, test.alpha), (-10.0, 5.0, 0.05));
        assert_eq!("0,5,0.1,0.2".parse::<Sprt>().unwrap().beta, 0.2);
        for bad in [
            "",
            "5",
            "5,0",
            "0,5,0.1",
            "0,5,0,0.1",
            "0,5,0.6,0.1",
            "a,b",
            "0,inf",
        ] {
            assert!(bad.parse::<Sprt>().unwrap_err().to_string().contains(bad));
        }
    }

    /// A pair of games in which the opening favours one side by `bias` (a
    /// chance moved from losses to wins for whoever has it).
    fn pair(rng: &mut fastrand::Rng, win: f64, loss: f64, bias: f64) -> (Outcome, Outcome) {
        let mut game = |bias: f64| match rng.f64() {
            x if x < win + bias => Outcome::Win,
            x if x < win + loss => Outcome::Loss,
            _ => Outcome::Draw,
        };
        (game(bias), game(-bias))
    }

    /// How many of `runs` tests accept the alternative at a true difference.
    fn passes(test: &Sprt, elo: f64, runs: usize, seed: u64) -> usize {
        const DRAWS: f64 = 0.4;
        const BIAS: f64 = 0.05;
        let mut rng = fastrand::Rng::with_seed(seed);
        let win = score_of_elo(elo) - DRAWS / 2.0;
        let loss = 1.0 - DRAWS - win;
        let mut run = || {
            let mut pairs = Pentanomial::default();
            loop {
                let (first, second) = pair(&mut rng, win, loss, BIAS);
                pairs.add(first, second);
                match test.state(pairs).decision {
                    Decision::Continue => {}
                    decision => return decision == Decision::AcceptH1,
                }
            }
        };
        (0..runs).filter(|_| run()).count()
    }

    /// With a true difference at either hypothesis the test errs as seldom as
    /// it promises, 5 % (up to the chance of 400 runs: three deviations of a
    /// binomial are 3.3 %), and half way between it is undecided.
    #[test]
    fn error_rates_are_as_promised() {
        const RUNS: usize = 400;
        const MOST_ERRORS: usize = 33;
        let test: Sprt = "0,40".parse().unwrap();
        let false_passes = passes(&test, 0.0, RUNS, 1);
        let false_failures = RUNS - passes(&test, 40.0, RUNS, 2);
        assert!((4..=MOST_ERRORS).contains(&false_passes), "{false_passes}");
        assert!(
            (4..=MOST_ERRORS).contains(&false_failures),
            "{false_failures}"
        );
        let undecided = passes(&test, 20.0, RUNS, 3);
        assert!((150..=250).contains(&undecided), "{undecided}");
    }

    /// The same at other rates, in normalised Elo.
    #[test]
    fn other_error_rates_are_as_promised() {
        const RUNS: usize = 200;
        let test = Sprt {
            model: EloModel::Normalized,
            ..("0,60,0.2,0.02".parse::<Sprt>().unwrap())
        };
        let false_passes = passes(&test, 0.0, RUNS, 4);
        assert!((20..=57).contains(&false_passes), "{false_passes}");
        // 40 % of draws: a deviation of 0.387 per game, 60 normalised Elo are
        // a score of 0.5669.
        let at_h1 = crate::arena::stats::elo_of_score(0.5669);
        let false_failures = RUNS - passes(&test, at_h1, RUNS, 5);
        assert!(false_failures <= 10, "{false_failures}");
    }
}
