//! The numbers of the evaluation.

use super::KINDS;
use super::evaluate::{FEATURES, Features};

/// What taking a piece is worth, by kind, in units of a typical light piece.
/// The general here is one of a fallen kingdom, an ordinary piece.
pub(super) const GAIN: [f32; KINDS] = [7.0, 5.0, 3.5, 3.5, 0.0, 3.0, 3.5, 1.0, 1.0, 2.0, 0.0];

/// The weight of each feature, in units of log odds.
///
/// A regression over 1200 games of the engine against itself
/// (`kingdoms_tune --games 1200`) gave all of them; those groups of it were
/// kept that also win more games against greedy players: material, gains and
/// hanging pieces. The others it gets wrong, since it sees what goes together
/// with winning and not what brings it about (a mobile army is an exposed one
/// too; fitted mobility alone costs ten per cent of the games): those are
/// set by hand and tested by matches.
#[rustfmt::skip]
pub const WEIGHTS: Features = {
    let weights: [f32; FEATURES] = [
        // Material: general, chancellor, diplomat, cannon, go-between.
        0.286, 0.159, 0.060, 0.147, 0.054,
        // Archer, crossbow, dagger, sword, knight.
        0.103, 0.086, 0.0, 0.008, 0.032,
        // Captures, their square, conquests, losses, living, mobility.
        1.0, 2.0, 1.2, -0.8, 0.3, 0.3,
        // Gains now, before, after.
        0.0, 0.013, 0.0,
        // Hits now, before, after.
        1.0, 0.6, 0.3,
        // Wins now, later.
        3.0, 1.0,
        // Hanging before, after.
        -0.017, -0.015,
        // Falling before, after.
        -1.8, -0.3,
    ];
    weights
};
