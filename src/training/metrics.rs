//! How well a net knows games that it has not seen.

use super::model::sigmoid;
use super::sample::Sample;
use super::trainer::Plan;

/// Errors and correlations of a net's outputs, as chances of winning.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Metrics {
    /// Mean squared error to the target of the plan.
    pub loss: f32,
    /// Mean squared error to the chance by the score.
    pub score_error: f32,
    /// Mean squared error to the result.
    pub result_error: f32,
    /// Correlation with the chance by the score.
    pub score_correlation: f32,
    /// Correlation with the result.
    pub result_correlation: f32,
}

/// Sums for a correlation.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
    error: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
        self.error += (x - y) * (x - y);
    }

    fn mean_error(&self) -> f32 {
        (self.error / self.count.max(1.0)) as f32
    }

    /// Pearson's correlation, 0 where nothing varies.
    fn correlation(&self) -> f32 {
        let covariance = self.count * self.xy - self.x * self.y;
        let spread = |sum: f64, squares: f64| self.count * squares - sum * sum;
        let scale = (spread(self.x, self.xx) * spread(self.y, self.yy)).sqrt();
        if scale > 0.0 {
            (covariance / scale) as f32
        } else {
            0.0
        }
    }
}

/// Measures `output` (before the sigmoid) on `samples`.
pub fn measure(plan: &Plan, samples: &[Sample], output: impl Fn(&Sample) -> f32) -> Metrics {
    let [mut target, mut score, mut result] = [Sums::default(); 3];
    for sample in samples {
        let chance = f64::from(sigmoid(output(sample)));
        target.add(chance, f64::from(plan.target(sample)));
        score.add(
            chance,
            f64::from(sigmoid(f32::from(sample.score) / plan.scale)),
        );
        result.add(chance, f64::from(sample.result + 1) / 2.0);
    }
    Metrics {
        loss: target.mean_error(),
        score_error: score.mean_error(),
        result_error: result.mean_error(),
        score_correlation: score.correlation(),
        result_correlation: result.correlation(),
    }
}

/// The scale (points per unit before the sigmoid) with which the scores
/// predict the results best, by golden-section search.
pub fn fit_scale(samples: &[Sample]) -> f32 {
    /// Where to look.
    const RANGE: (f32, f32) = (50.0, 1000.0);
    const STEPS: usize = 30;
    const RATIO: f32 = 0.618_034;
    let error = |scale: f32| -> f64 {
        let square = |s: &Sample| {
            let chance = sigmoid(f32::from(s.score) / scale);
            f64::from(chance - f32::from(s.result + 1) / 2.0).powi(2)
        };
        samples.iter().map(square).sum()
    };
    let (mut low, mut high) = RANGE;
    for _ in 0..STEPS {
        let step = RATIO * (high - low);
        if error(high - step) < error(low + step) {
            high = low + step;
        } else {
            low = high - step;
        }
    }
    (low + high) / 2.0
}
