//! What the games say about strength: score, Elo with its interval, the
//! sequential test, and ratings for many players.

mod estimate;
mod rating;
mod sprt;
mod tally;

pub use estimate::{Elo, Estimate};
pub use rating::{Meeting, Rating, RatingList, rate};
pub use sprt::{Decision, EloModel, Sprt, SprtError, SprtState};
pub use tally::{Outcome, Pentanomial, Wdl};

/// The 97.5 % point of the normal distribution: two-sided 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo points per unit of the natural logarithm of odds.
pub const ELO_PER_LOGIT: f64 = 173.717_792_761_300_73;

/// The distribution function of the standard normal distribution.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The logistic Elo difference that gives this expected score: infinite at 0
/// and 1. Source: A. Elo, *The Rating of Chessplayers* (1978), with the
/// logistic curve.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        ELO_PER_LOGIT * (score / (1.0 - score)).ln()
    }
}

/// The expected score at a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        for elo in [-700.0, -3.5, 0.0, 12.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
    }

    #[test]
    fn the_normal_distribution_at_known_points() {
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-12);
        assert!((normal_cdf(-3.0) - 0.001_349_898_031_630_1).abs() < 1e-15);
    }
}
