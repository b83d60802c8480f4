//! The net in floating point: its value, and the gradient of a loss.

use super::sample::Sample;
use crate::eval::nnue::features::{BUCKETS, INPUTS, MIRRORED, SWAPPED, bucket};
use crate::eval::nnue::{Parameters, QA, QB};

/// Numbers worked on at a time; they stay in registers.
const TILE: usize = 32;

/// Input weights are kept within this, so that no 16-bit sum can overflow.
pub const INPUT_WEIGHT_LIMIT: f32 = 1.98;
/// Output weights are kept within this: 127 of 128ths.
pub const OUTPUT_WEIGHT_LIMIT: f32 = 127.0 / 128.0;

/// The weights of a net of `H` hidden values per view (a multiple of 32), or
/// the gradient of a loss with respect to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Model<const H: usize> {
    /// `[INPUTS]` rows.
    pub input_weights: Vec<[f32; H]>,
    /// Added to each view.
    pub input_bias: [f32; H],
    /// `[BUCKETS][own, other]`.
    pub output_weights: Vec<[[f32; H]; 2]>,
    /// `[BUCKETS]`.
    pub output_bias: [f32; BUCKETS],
}

/// A sample as the net sees it: both views, perhaps mirrored.
#[derive(Debug, Clone, Copy)]
struct Views {
    lists: [[u16; 32]; 2],
    pieces: usize,
}

impl Views {
    fn new(sample: &Sample, mirror: bool) -> Self {
        let mut lists = [[0; 32]; 2];
        for (i, &input) in sample.active().iter().enumerate() {
            let own = if mirror {
                MIRRORED[input as usize]
            } else {
                input
            };
            lists[0][i] = own;
            lists[1][i] = SWAPPED[own as usize];
        }
        Self {
            lists,
            pieces: usize::from(sample.pieces),
        }
    }

    fn list(&self, view: usize) -> &[u16] {
        &self.lists[view][..self.pieces]
    }
}

/// The logistic function.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl<const H: usize> Model<H> {
    /// All zero.
    pub fn zero() -> Self {
        Self {
            input_weights: vec![[0.0; H]; INPUTS],
            input_bias: [0.0; H],
            output_weights: vec![[[0.0; H]; 2]; BUCKETS],
            output_bias: [0.0; BUCKETS],
        }
    }

    /// Small random weights: uniform, of a size that keeps the hidden values
    /// of a full board inside the clipping range.
    pub fn random(seed: u64) -> Self {
        /// Half width for the input weights.
        const INPUT: f32 = 0.1;
        /// Start of the hidden values: in the middle of the steep part.
        const BIAS: f32 = 0.3;
        let mut random = fastrand::Rng::with_seed(seed);
        let mut draw = |width: f32| (2.0 * random.f32() - 1.0) * width;
        let output = 1.0 / (2.0 * H as f32).sqrt();
        let mut model = Self::zero();
        for weight in model.input_weights.as_flattened_mut() {
            *weight = draw(INPUT);
        }
        for bias in &mut model.input_bias {
            *bias = BIAS + draw(INPUT);
        }
        // The same start for all buckets.
        let first: [[f32; H]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| draw(output)));
        model.output_weights.fill(first);
        model
    }

    /// All weights as rows of plain numbers, always in the same order.
    pub fn slices(&self) -> [&[f32]; 4] {
        [
            self.input_weights.as_flattened(),
            &self.input_bias,
            self.output_weights.as_flattened().as_flattened(),
            &self.output_bias,
        ]
    }

    /// The same, to change them.
    pub fn slices_mut(&mut self) -> [&mut [f32]; 4] {
        [
            self.input_weights.as_flattened_mut(),
            &mut self.input_bias,
            self.output_weights.as_flattened_mut().as_flattened_mut(),
            &mut self.output_bias,
        ]
    }

    /// Adds another gradient.
    pub fn add(&mut self, other: &Self) {
        for (to, from) in self.slices_mut().into_iter().zip(other.slices()) {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
    }

    /// Puts the sum over the buckets in the place of each. Of a gradient this
    /// makes that of a net with a single output: buckets that are alike stay so.
    pub fn pool_buckets(&mut self) {
        let mut weights = [[0.0; H]; 2];
        for bucket in &self.output_weights {
            add_row(&mut weights[0], &bucket[0]);
            add_row(&mut weights[1], &bucket[1]);
        }
        self.output_weights.fill(weights);
        self.output_bias = [self.output_bias.iter().sum(); BUCKETS];
    }

    /// Puts the mean of the buckets in the place of each.
    pub fn average_buckets(&mut self) {
        self.pool_buckets();
        let [_, _, weights, biases] = self.slices_mut();
        for number in weights.iter_mut().chain(biases) {
            *number /= BUCKETS as f32;
        }
    }

    /// Sets all to zero.
    pub fn clear(&mut self) {
        for slice in self.slices_mut() {
            slice.fill(0.0);
        }
    }

    /// Brings the weights back into the range that 16 bits hold.
    pub fn clip(&mut self) {
        let [input, _, output, _] = self.slices_mut();
        for weight in input {
            *weight = weight.clamp(-INPUT_WEIGHT_LIMIT, INPUT_WEIGHT_LIMIT);
        }
        for weight in output {
            *weight = weight.clamp(-OUTPUT_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT);
        }
    }

    /// The output for a sample, before the sigmoid.
    pub fn output(&self, sample: &Sample, mirror: bool) -> f32 {
        let views = Views::new(sample, mirror);
        let hidden = [self.hidden(views.list(0)), self.hidden(views.list(1))];
        self.head(&hidden, bucket(views.pieces))
    }

    /// Adds to `gradient` that of `(sigmoid(output) - target)^2 * weight`;
    /// returns the output.
    pub fn backward(
        &self,
        sample: &Sample,
        mirror: bool,
        target: f32,
        weight: f32,
        gradient: &mut Self,
    ) -> f32 {
        let views = Views::new(sample, mirror);
        let bucket = bucket(views.pieces);
        let hidden = [self.hidden(views.list(0)), self.hidden(views.list(1))];
        let output = self.head(&hidden, bucket);
        let chance = sigmoid(output);
        let slope = 2.0 * weight * (chance - target) * chance * (1.0 - chance);
        gradient.output_bias[bucket] += slope;
        for (view, hidden) in hidden.iter().enumerate() {
            let weights = &self.output_weights[bucket][view];
            let change = head_gradient(
                hidden,
                weights,
                slope,
                &mut gradient.output_weights[bucket][view],
            );
            gradient.scatter(views.list(view), &change);
        }
        output
    }

    /// The hidden values of a view before clipping.
    fn hidden(&self, list: &[u16]) -> [f32; H] {
        let mut hidden = self.input_bias;
        for (tile, out) in hidden.chunks_mut(TILE).enumerate() {
            let mut sum = [0.0f32; TILE];
            sum[..out.len()].copy_from_slice(out);
            for &input in list {
                let row = &self.input_weights[input as usize][tile * TILE..][..out.len()];
                for (sum, weight) in sum.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            out.copy_from_slice(&sum[..out.len()]);
        }
        hidden
    }

    fn head(&self, hidden: &[[f32; H]; 2], bucket: usize) -> f32 {
        let weights = &self.output_weights[bucket];
        let mut sums = [0.0f32; TILE];
        for (hidden, weights) in hidden.iter().zip(weights) {
            for (hidden, weights) in hidden.chunks(TILE).zip(weights.chunks(TILE)) {
                for ((sum, value), weight) in sums.iter_mut().zip(hidden).zip(weights) {
                    let clipped = value.clamp(0.0, 1.0);
                    *sum += clipped * clipped * weight;
                }
            }
        }
        sums.iter().sum::<f32>() + self.output_bias[bucket]
    }

    /// Adds the gradient of a view's hidden values to the rows of its inputs.
    fn scatter(&mut self, list: &[u16], change: &[f32; H]) {
        for &input in list {
            add_row(&mut self.input_weights[input as usize], change);
        }
        add_row(&mut self.input_bias, change);
    }

    /// The weights of a net, to learn on from it; none if it has another
    /// number of hidden values.
    pub fn from_net(net: &Parameters) -> Option<Self> {
        if net.hidden != H {
            return None;
        }
        let (qa, qb) = (f32::from(QA), f32::from(QB));
        let mut model = Self::zero();
        let [input, input_bias, output, output_bias] = model.slices_mut();
        for (to, from, unit) in [
            (input, &net.input_weights, qa),
            (input_bias, &net.input_bias, qa),
            (output, &net.output_weights, qb),
        ] {
            for (to, &from) in to.iter_mut().zip(from) {
                *to = f32::from(from) / unit;
            }
        }
        for (to, &from) in output_bias.iter_mut().zip(&net.output_bias) {
            *to = from as f32 / (qa * qb);
        }
        Some(model)
    }

    /// Multiplies the output, as far as the range of the weights allows: for
    /// a net that shall go on saying the same points on another scale.
    pub fn scale_output(&mut self, factor: f32) {
        let [_, _, weights, biases] = self.slices_mut();
        for number in weights.iter_mut().chain(biases) {
            *number *= factor;
        }
        self.clip();
    }

    /// The net in 16-bit numbers.
    ///
    /// `scale` is points per unit of the output.
    pub fn quantised(&self, name: &str, scale: i32) -> Parameters {
        let round = |numbers: &[f32], factor: f32| -> Vec<i16> {
            numbers
                .iter()
                .map(|x| (x * factor).round() as i16)
                .collect()
        };
        let [input, input_bias, output, output_bias] = self.slices();
        let (qa, qb) = (f32::from(QA), f32::from(QB));
        Parameters {
            name: name.to_owned(),
            hidden: H,
            scale,
            input_weights: round(input, qa),
            input_bias: round(input_bias, qa),
            output_weights: round(output, qb),
            output_bias: output_bias
                .iter()
                .map(|x| (x * qa * qb).round() as i32)
                .collect(),
        }
    }
}

#[inline(always)]
fn add_row<const H: usize>(to: &mut [f32; H], from: &[f32; H]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Adds the gradient of one view's output weights; returns that of its hidden
/// values.
#[inline(always)]
fn head_gradient<const H: usize>(
    hidden: &[f32; H],
    weights: &[f32; H],
    slope: f32,
    gradient: &mut [f32; H],
) -> [f32; H] {
    let mut change = [0.0; H];
    for i in 0..H {
        let clipped = hidden[i].clamp(0.0, 1.0);
        gradient[i] += slope * clipped * clipped;
        let inside = if hidden[i] > 0.0 && hidden[i] < 1.0 {
            2.0
        } else {
            0.0
        };
        change[i] = slope * weights[i] * inside * clipped;
    }
    change
}
