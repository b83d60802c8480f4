//! The training loop: epochs of shuffled batches on several threads.

use super::adam::Adam;
use super::metrics::{Metrics, measure};
use super::model::{Model, sigmoid};
use super::sample::{Sample, Samples};
use std::f32::consts::PI;

/// How to train.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Times through the samples.
    pub epochs: u32,
    /// Samples per step.
    pub batch: usize,
    /// Learning rate after the warm-up.
    pub rate: f32,
    /// Learning rate at the end.
    pub final_rate: f32,
    /// Steps in which the rate grows from nothing.
    pub warm_up: u64,
    /// Share of the result in the target, the rest is the score, 0 to 1.
    pub blend: f32,
    /// Points per unit of the output: `sigmoid(score / scale)` is the
    /// chance of winning.
    pub scale: f32,
    /// Seed of the weights and of the order.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Learn from mirror images as well, one or the other at random.
    pub mirror: bool,
    /// One output for any number of pieces, instead of one for each bucket.
    pub one_output: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            epochs: 4,
            batch: 16_384,
            rate: 1e-3,
            final_rate: 1e-5,
            warm_up: 100,
            blend: 0.15,
            scale: 220.0,
            seed: 1,
            threads: 1,
            mirror: true,
            one_output: false,
        }
    }
}

impl Plan {
    /// What the net shall say about a sample, a chance of winning.
    #[inline]
    pub fn target(&self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        let result = f32::from(sample.result + 1) / 2.0;
        self.blend * result + (1.0 - self.blend) * score
    }

    /// The rate of a step: warm-up, then half a cosine wave down.
    pub fn rate_at(&self, step: u64, steps: u64) -> f32 {
        if step < self.warm_up.min(steps / 2) {
            return self.rate * (step + 1) as f32 / self.warm_up as f32;
        }
        let done = step as f32 / steps.max(1) as f32;
        self.final_rate + (self.rate - self.final_rate) * 0.5 * (1.0 + (PI * done).cos())
    }
}

/// Model and optimiser between two epochs.
#[derive(Debug, Clone, PartialEq)]
pub struct State<const H: usize> {
    /// The weights.
    pub model: Model<H>,
    /// The optimiser.
    pub adam: Adam<H>,
    /// Epochs done.
    pub epoch: u32,
}

/// One line of the loss curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpochReport {
    /// Epochs done.
    pub epoch: u32,
    /// Mean loss on the samples of this epoch while they were learnt.
    pub training_loss: f32,
    /// The samples held out.
    pub validation: Metrics,
}

impl<const H: usize> State<H> {
    /// Before the first epoch.
    pub fn new(plan: &Plan) -> Self {
        Self {
            model: Model::random(plan.seed),
            adam: Adam::new(),
            epoch: 0,
        }
    }

    /// One more epoch. `progress` is told the samples done in it, and says
    /// whether to go on; the report is none, and the state useless, where it
    /// does not.
    ///
    /// The result depends on seed, plan and samples; the number of threads
    /// changes it only by rounding.
    pub fn run_epoch(
        &mut self,
        plan: &Plan,
        samples: &Samples,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<EpochReport> {
        let training = &samples.training;
        let mut random = fastrand::Rng::with_seed(plan.seed ^ u64::from(self.epoch + 1) << 32);
        let mut order: Vec<u32> = (0..training.len() as u32).collect();
        random.shuffle(&mut order);
        let mut gradients = vec![Model::zero(); plan.threads.max(1)];
        let steps = training.len().div_ceil(plan.batch) as u64 * u64::from(plan.epochs);
        let (mut loss, mut done) = (0.0, 0);
        for batch in order.chunks(plan.batch) {
            let flips = random.u64(..);
            loss += self.gradient(plan, training, batch, flips, &mut gradients);
            let rate = plan.rate_at(self.adam.steps, steps);
            self.adam.step(&mut self.model, &gradients[0], rate);
            done += batch.len();
            if !progress(done) {
                return None;
            }
        }
        self.epoch += 1;
        Some(EpochReport {
            epoch: self.epoch,
            training_loss: (loss / training.len().max(1) as f64) as f32,
            validation: measure(plan, &samples.validation, |s| self.model.output(s, false)),
        })
    }

    /// The mean gradient of a batch, in the first of `gradients`, and the sum
    /// of the losses.
    fn gradient(
        &self,
        plan: &Plan,
        training: &[Sample],
        batch: &[u32],
        flips: u64,
        gradients: &mut [Model<H>],
    ) -> f64 {
        let share = batch.len().div_ceil(gradients.len());
        let weight = 1.0 / batch.len() as f32;
        let model = &self.model;
        let learn = |part: &[u32], gradient: &mut Model<H>| {
            gradient.clear();
            let mut loss = 0.0;
            for &index in part {
                let sample = &training[index as usize];
                let target = plan.target(sample);
                let mirror = plan.mirror && flip(flips, index);
                let output = model.backward(sample, mirror, target, weight, gradient);
                loss += f64::from((sigmoid(output) - target).powi(2));
            }
            loss
        };
        let (first, others) = gradients.split_at_mut(1);
        let mut parts = batch.chunks(share);
        let own = parts.next().unwrap_or_default();
        let loss = std::thread::scope(|scope| {
            let threads: Vec<_> = others
                .iter_mut()
                .map(|gradient| {
                    let part = parts.next().unwrap_or_default();
                    scope.spawn(move || learn(part, gradient))
                })
                .collect();
            let mut loss = learn(own, &mut first[0]);
            for thread in threads {
                loss += thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            loss
        });
        others.iter().for_each(|other| first[0].add(other));
        if plan.one_output {
            first[0].pool_buckets();
        }
        loss
    }
}

/// A coin for a sample, the same for any number of threads.
fn flip(flips: u64, index: u32) -> bool {
    /// Odd constant of Steele's SplitMix64.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    (flips ^ u64::from(index)).wrapping_mul(SPREAD) >> 63 != 0
}
