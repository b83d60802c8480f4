//! Tunes the evaluation of the Game of the Seven Kingdoms: plays games of
//! seven equal engines, with some random moves, and fits the weights by
//! multinomial logistic regression (who of the living wins, given the features
//! of all), with Adam (Kingma and Ba 2015).
//!
//! ```text
//! cargo run --release --example kingdoms_tune -- --games 1000 --player brs:depth=2
//! ```
//!
//! Prints the loss (mean negative log likelihood) on games kept aside, before
//! and after, and the weights.

use chuhe::kingdoms::{
    FEATURES, Features, Options, Player, Position, Random, SEATS, Values, WEIGHTS, chances,
    features,
};
use clap::Parser;
use std::error::Error;
use std::io::Write;

#[derive(Parser)]
#[command(about = "Tune the evaluation of the Game of the Seven Kingdoms")]
struct Args {
    /// The player of all seats.
    #[arg(long, default_value = "brs:depth=2")]
    player: String,
    /// Number of games.
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Random moves among a hundred.
    #[arg(long, default_value_t = 10)]
    random_percent: usize,
    /// Random moves at the start.
    #[arg(long, default_value_t = 14)]
    random_plies: usize,
    /// Rounds of the fit.
    #[arg(long, default_value_t = 600)]
    epochs: usize,
    /// Strength of the pull towards the present weights.
    #[arg(long, default_value_t = 1e-4)]
    pull: f32,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A position of a game and what became of it.
struct Sample {
    features: [Features; SEATS],
    /// The share of the win, by team.
    won: Values,
}

/// Every so many games one is kept aside.
const HELD_OUT_EVERY: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let mut player: Vec<Player> = args
        .player
        .split('+')
        .map(|t| t.parse())
        .collect::<Result<_, _>>()?;
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
    for game in 0..args.games {
        let set = match game % HELD_OUT_EVERY {
            0 => &mut held_out,
            _ => &mut train,
        };
        set.extend(play(&args, &mut player, args.seed + game as u64));
    }
    let fitted = fit(&args, &train);
    let mut out = std::io::stdout();
    let before = loss(&held_out, &WEIGHTS);
    let after = loss(&held_out, &fitted);
    writeln!(
        out,
        "{} positions, held-out loss {before:.4} -> {after:.4}",
        train.len()
    )?;
    writeln!(out, "{}", fitted.map(|w| format!("{w:.3}")).join(" "))?;
    for (i, weight) in fitted.iter().enumerate() {
        writeln!(out, "{i:2} {weight:8.4} (was {:8.4})", WEIGHTS[i])?;
    }
    Ok(())
}

/// One game, as samples.
fn play(args: &Args, player: &mut [Player], seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    for (i, p) in player.iter_mut().enumerate() {
        p.begin(seed * 8 + i as u64);
    }
    let who: Vec<usize> = (0..7).map(|_| random.below(player.len())).collect();
    let mut position = Position::start(Options::ENGLISH);
    let mut seen = Vec::new();
    let mut plies = 0;
    while position.outcome().is_none() {
        let at_random = plies < args.random_plies || random.below(100) < args.random_percent;
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        if plies >= args.random_plies {
            seen.push(features(&position));
        }
        let chosen = match at_random {
            true => Some(moves[random.below(moves.len())]),
            false => player[who[position.turn().unwrap().index()]].choose(&position),
        };
        position = position.after(chosen.unwrap_or(moves[0]));
        plies += 1;
    }
    let won = shares(&position);
    seen.into_iter()
        .map(|features| Sample { features, won })
        .collect()
}

/// The shares of a finished game of seven players.
fn shares(end: &Position) -> Values {
    let mut won = [0.0; SEATS];
    if let Some(outcome) = end.outcome() {
        let winners = outcome.winners().count() as f32;
        outcome
            .winners()
            .for_each(|p| won[p as usize - 1] = 1.0 / winners);
    }
    won
}

fn loss(samples: &[Sample], weights: &Features) -> f64 {
    let of = |s: &Sample| {
        let p = chances(&s.features, weights);
        let terms = s.won.iter().zip(p).filter(|(w, _)| **w > 0.0);
        terms
            .map(|(w, p)| f64::from(-w * p.max(1e-9).ln()))
            .sum::<f64>()
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

/// Adam with its usual constants.
fn fit(args: &Args, samples: &[Sample]) -> Features {
    const RATE: f32 = 0.01;
    const MOMENTS: (f32, f32) = (0.9, 0.999);
    let mut weights = WEIGHTS;
    let (mut first, mut second) = ([0.0f32; FEATURES], [0.0f32; FEATURES]);
    for epoch in 1..=args.epochs {
        let gradient = gradient(samples, &weights);
        for i in 0..FEATURES {
            let g = gradient[i] + args.pull * (weights[i] - WEIGHTS[i]);
            first[i] = MOMENTS.0 * first[i] + (1.0 - MOMENTS.0) * g;
            second[i] = MOMENTS.1 * second[i] + (1.0 - MOMENTS.1) * g * g;
            let m = first[i] / (1.0 - MOMENTS.0.powi(epoch as i32));
            let v = second[i] / (1.0 - MOMENTS.1.powi(epoch as i32));
            weights[i] -= RATE * m / (v.sqrt() + 1e-8);
        }
    }
    weights
}

/// The gradient of the mean loss.
fn gradient(samples: &[Sample], weights: &Features) -> Features {
    let mut sum = [0.0f64; FEATURES];
    for sample in samples {
        let p = chances(&sample.features, weights);
        let errors = p.iter().zip(&sample.won).map(|(p, won)| p - won);
        for (error, features) in errors.zip(&sample.features) {
            for (s, f) in sum.iter_mut().zip(features) {
                *s += f64::from(error * f);
            }
        }
    }
    sum.map(|s| (s / samples.len().max(1) as f64) as f32)
}
