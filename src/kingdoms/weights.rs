//! The numbers of the evaluation.

use super::KINDS;
use super::evaluate::{FEATURES, Features};

/// What taking a piece is worth, by kind, in units of a typical light piece.
/// The general here is one of a fallen kingdom, an ordinary piece.
pub(super) const GAIN: [f32; KINDS] = [7.0, 5.0, 3.5, 3.5, 0.0, 3.0, 3.5, 1.0, 1.0, 2.0, 0.0];

/// The weight of each feature, in units of log odds, as fitted to 1200 games
/// of `brs:depth=2` (`kingdoms_tune --games 1200 --seed 5000 --pull 0.001`).
/// An unexplained negative sign has a cause: a mobile army is an exposed one,
/// and captures that do not win yet make nobody safer.
#[rustfmt::skip]
pub const WEIGHTS: Features = {
    let weights: [f32; FEATURES] = [
        // Material: general, chancellor, diplomat, cannon, go-between.
        0.286, 0.159, 0.060, 0.147, 0.054,
        // Archer, crossbow, dagger, sword, knight.
        0.103, 0.086, 0.0, 0.008, 0.032,
        // Captures, their square, conquests, losses, living, mobility.
        -0.214, 1.013, 0.620, -1.620, 0.300, -0.152,
        // Gains now, before, after.
        0.0, 0.013, 0.0,
        // Hits now, before, after.
        0.703, 0.681, 0.180,
        // Wins now, later.
        2.914, 0.007,
        // Hanging before, after.
        -0.017, -0.015,
        // Falling before, after.
        -1.199, -0.296,
    ];
    weights
};
