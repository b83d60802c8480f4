//! AdamW (Loshchilov and Hutter 2019): Adam with the decay of weights apart
//! from the gradient.

use super::model::Model;

/// Decay of the mean of the gradient.
const BETA1: f32 = 0.9;
/// Decay of the mean of its square.
const BETA2: f32 = 0.999;
/// Keeps the step finite.
const EPSILON: f32 = 1e-8;
/// Share of a weight that a step of rate 1 takes away.
const WEIGHT_DECAY: f32 = 0.01;

/// The optimiser's memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Adam<const H: usize> {
    /// Mean of the gradient.
    pub mean: Model<H>,
    /// Mean of its square.
    pub square: Model<H>,
    /// Steps made.
    pub steps: u64,
}

impl<const H: usize> Adam<H> {
    /// Before the first step.
    pub fn new() -> Self {
        Self {
            mean: Model::zero(),
            square: Model::zero(),
            steps: 0,
        }
    }

    /// One step against `gradient`, then the weights clipped.
    pub fn step(&mut self, model: &mut Model<H>, gradient: &Model<H>, rate: f32) {
        self.steps += 1;
        let power = |beta: f32| 1.0 - beta.powi(self.steps.min(i32::MAX as u64) as i32);
        let (mean_scale, square_scale) = (1.0 / power(BETA1), 1.0 / power(BETA2));
        let memory = self
            .mean
            .slices_mut()
            .into_iter()
            .zip(self.square.slices_mut());
        let weights = model.slices_mut().into_iter().zip(gradient.slices());
        for ((mean, square), (weight, gradient)) in memory.zip(weights) {
            let memory = mean.iter_mut().zip(square);
            for ((mean, square), (weight, &slope)) in memory.zip(weight.iter_mut().zip(gradient)) {
                *mean += (1.0 - BETA1) * (slope - *mean);
                *square += (1.0 - BETA2) * (slope * slope - *square);
                let size = (*square * square_scale).sqrt() + EPSILON;
                *weight -= rate * (*mean * mean_scale / size + WEIGHT_DECAY * *weight);
            }
        }
        model.clip();
    }
}

impl<const H: usize> Default for Adam<H> {
    fn default() -> Self {
        Self::new()
    }
}
