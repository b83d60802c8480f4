//! Tunes the parameters of the search by simultaneous perturbation (SPSA;
//! Spall, IEEE Transactions on Automatic Control 37, 1992), with the schedule
//! that engine testers use: the gains of the last step are given, those of the
//! first follow from the exponents.

use super::datagen::game_seed;
use super::trial::{Player, Trial};
use crate::arena::stats::Outcome;
use crate::clock::Stop;
use crate::search::{Engine, ParamInfo, Params};
use std::sync::{Mutex, PoisonError};

/// Exponents of the falling gains (Spall 1998, practical values).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Part of the steps by which the first gains are damped.
const STABILITY: f64 = 0.1;
/// The last perturbation as a part of a parameter's range.
const LAST_STEP: f64 = 1.0 / 20.0;
/// The least last perturbation, so that rounding lets it through.
const LEAST_STEP: f64 = 0.5;
/// How far a won pair moves a parameter at the end, in perturbations. Runs of
/// tens of thousands of pairs take 0.002; a few thousand go nowhere with that.
pub const DEFAULT_GAIN: f64 = 0.01;
/// Bits of a random number that become a fraction.
const FRACTION_BITS: u32 = 53;

/// What is tuned and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// Name, default and range.
    pub info: ParamInfo,
    /// The present value.
    pub value: f64,
}

impl Tuned {
    /// A parameter at its default.
    pub fn new(info: ParamInfo) -> Self {
        Self {
            info,
            value: f64::from(info.default),
        }
    }

    fn range(&self) -> f64 {
        f64::from(self.info.max) - f64::from(self.info.min)
    }

    fn last_step(&self) -> f64 {
        (self.range() * LAST_STEP).max(LEAST_STEP)
    }

    fn shifted(&self, by: f64) -> f64 {
        let (min, max) = (f64::from(self.info.min), f64::from(self.info.max));
        (self.value + by).clamp(min, max)
    }
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// Pairs of games played.
    pub done: u64,
    /// Their parameters.
    pub params: Vec<Tuned>,
    /// How far a won pair moves a parameter at the end, in perturbations.
    pub gain: f64,
}

/// The gains of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Gains {
    /// Perturbation, as a multiple of the last one.
    perturbation: f64,
    /// Movement for a result of one, in perturbations.
    rate: f64,
}

impl Gains {
    /// Those of step `number` of `steps`, from 0, where the last one has the
    /// gain `last`.
    fn of(number: u64, steps: u64, last: f64) -> Self {
        let (k, n) = (number as f64 + 1.0, steps.max(1) as f64);
        let stability = STABILITY * n;
        let perturbation = (n / k).powf(GAMMA);
        let gain = last * ((stability + n) / (stability + k)).powf(ALPHA);
        Self {
            perturbation,
            rate: gain / (perturbation * perturbation),
        }
    }
}

/// One step: who plays whom.
struct Step {
    players: [Params; 2],
    shifts: Vec<f64>,
    gains: Gains,
}

impl Tuning {
    /// The parameters of these names at their defaults.
    pub fn new(infos: impl IntoIterator<Item = ParamInfo>) -> Self {
        Self {
            done: 0,
            params: infos.into_iter().map(Tuned::new).collect(),
            gain: DEFAULT_GAIN,
        }
    }

    /// The step `number` of `steps`; the seed decides the directions.
    fn step(&self, number: u64, steps: u64, random: &mut fastrand::Rng) -> Step {
        let gains = Gains::of(number, steps, self.gain);
        let shifts: Vec<f64> = self
            .params
            .iter()
            .map(|p| p.last_step() * gains.perturbation * if random.bool() { 1.0 } else { -1.0 })
            .collect();
        let players = [1.0, -1.0].map(|sign| {
            let mut params = Params::default();
            for (tuned, shift) in self.params.iter().zip(&shifts) {
                if let Some(value) = params.get_mut(tuned.info.name) {
                    *value = round_at_random(tuned.shifted(sign * shift), random);
                }
            }
            params
        });
        Step {
            players,
            shifts,
            gains,
        }
    }

    /// Moves the parameters by the result of a step: points of the first
    /// player less those of the second.
    fn learn(&mut self, step: &Step, result: f64) {
        for (tuned, shift) in self.params.iter_mut().zip(&step.shifts) {
            tuned.value = tuned.shifted(step.gains.rate * result * shift);
        }
        self.done += 1;
    }
}

/// The whole number below or above, so that the mean is right.
fn round_at_random(value: f64, random: &mut fastrand::Rng) -> i32 {
    let fraction =
        (random.u64(..) >> (u64::BITS - FRACTION_BITS)) as f64 / (1_u64 << FRACTION_BITS) as f64;
    (value + fraction).floor() as i32
}

/// What the threads of a run share.
struct Run {
    /// The step that is to be played next.
    next: u64,
    tuning: Tuning,
}

impl Run {
    /// The next step and its number, if there is one.
    fn take_step(&mut self, trial: &Trial) -> Option<(u64, Step)> {
        let number = self.next;
        if number >= trial.pairs {
            return None;
        }
        self.next += 1;
        let mut random = fastrand::Rng::with_seed(game_seed(!trial.seed, number));
        Some((number, self.tuning.step(number, trial.pairs, &mut random)))
    }
}

/// Plays the steps from `tuning.done` to `trial.pairs`, each a pair of games
/// between two perturbed settings, on `trial.threads` threads; `progress` is
/// told the state after each. It ends early when `stop` is set; pairs that are
/// not finished then do not count.
pub fn tune(
    trial: &Trial,
    base: &Player,
    tuning: Tuning,
    stop: &Stop,
    progress: &(dyn Fn(&Tuning) + Sync),
) -> Tuning {
    let shared = Mutex::new(Run {
        next: tuning.done,
        tuning,
    });
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut engines = [trial.engine(base), trial.engine(base)];
        loop {
            let Some((number, step)) = lock().take_step(trial) else {
                return;
            };
            let Some(result) = play(trial, &mut engines, &step, number, stop) else {
                return;
            };
            let mut run = lock();
            run.tuning.learn(&step, result);
            progress(&run.tuning);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..trial.threads.max(1) {
            scope.spawn(work);
        }
    });
    shared
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .tuning
}

/// The points of the first player less those of the second; `None` when
/// stopped.
fn play(
    trial: &Trial,
    engines: &mut [Engine; 2],
    step: &Step,
    number: u64,
    stop: &Stop,
) -> Option<f64> {
    for (engine, params) in engines.iter_mut().zip(&step.players) {
        engine.configure(trial.settings_of(params));
    }
    let points = |outcome| match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    };
    let pair = trial.pair(engines, game_seed(trial.seed, number), stop)?;
    Some(pair.into_iter().map(points).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: ParamInfo = ParamInfo {
        name: "rfp_margin",
        default: 90,
        min: 30,
        max: 160,
    };

    #[test]
    fn gains_fall_to_their_last_values() {
        let steps = 1000;
        let last = Gains::of(steps - 1, steps, DEFAULT_GAIN);
        assert!((last.perturbation - 1.0).abs() < 1e-9);
        assert!((last.rate - DEFAULT_GAIN).abs() < 1e-9);
        let first = Gains::of(0, steps, DEFAULT_GAIN);
        assert!(first.perturbation > last.perturbation && first.rate > last.rate);
    }

    /// A made-up game in which the value 120 is best: the run finds it.
    #[test]
    fn a_planted_optimum_is_found() {
        let mut tuning = Tuning::new([INFO]);
        let mut random = fastrand::Rng::with_seed(3);
        let steps = 4_000;
        for number in 0..steps {
            let step = tuning.step(number, steps, &mut random);
            let error = |params: &Params| (f64::from(params.rfp_margin) - 120.0).abs();
            let [a, b] = step.players.each_ref().map(error);
            let result = if a < b {
                2.0
            } else if a > b {
                -2.0
            } else {
                0.0
            };
            tuning.learn(&step, result);
        }
        assert!((tuning.params[0].value - 120.0).abs() < 4.0, "{tuning:?}");
    }

    #[test]
    fn rounding_is_right_on_average() {
        let mut random = fastrand::Rng::with_seed(1);
        let sum: i32 = (0..4000).map(|_| round_at_random(-2.25, &mut random)).sum();
        assert!((f64::from(sum) / 4000.0 + 2.25).abs() < 0.05);
    }
}
