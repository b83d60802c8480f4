//! The numbers of the evaluation.

use super::KINDS;
use super::evaluate::{FEATURES, Features};

/// What taking a piece is worth, by kind, in units of a typical light piece.
/// The general here is one of a fallen kingdom, an ordinary piece.
pub(super) const GAIN: [f32; KINDS] = [7.0, 5.0, 3.5, 3.5, 0.0, 3.0, 3.5, 1.0, 1.0, 2.0, 0.0];

/// The weight of each feature, in units of log odds.
///
/// They were chosen by matches. Fits to who won (`kingdoms_tune`) predict
/// results better but play worse: a fit finds what goes together with winning,
/// such as an exposed army that has many moves, rather than what leads to it.
#[rustfmt::skip]
pub const WEIGHTS: Features = {
    let weights: [f32; FEATURES] = [
        // Material: general, chancellor, diplomat, cannon, go-between.
        0.25, 0.20, 0.14, 0.14, 0.02,
        // Archer, crossbow, dagger, sword, knight.
        0.12, 0.14, 0.02, 0.02, 0.06,
        // Captures, their square, conquests, losses, living, mobility.
        1.0, 2.0, 1.2, -0.8, 0.3, 0.3,
        // Gains now, before, after.
        0.08, 0.04, 0.02,
        // Hits now, before, after.
        1.0, 0.6, 0.3,
        // Wins now, later.
        3.0, 1.0,
        // Hanging before, after.
        -0.06, -0.02,
        // Falling before, after.
        -1.8, -0.3,
    ];
    weights
};
