//! Where the net comes from: games of the engine against itself, and the
//! trainer that learns from them.

/// The optimiser.
pub mod adam;
/// The state of the trainer in a file.
pub mod checkpoint;
/// The loss curve.
pub mod curve;
/// Many games on several threads, into one file.
pub mod datagen;
/// The format of stored games.
pub mod games;
/// A net that knows material only.
pub mod material;
/// How well a net knows games that it has not seen.
pub mod metrics;
/// The net in floating point.
pub mod model;
/// Lines over a pair of axes as SVG.
pub mod plot;
/// When a game of self-play is over.
mod referee;
/// Positions picked out of games.
pub mod sample;
/// One game of the engine against itself.
pub mod selfplay;
/// What a file of games holds.
pub mod stats;
/// The training loop.
pub mod trainer;
/// Does a net or a setting of the search play better?
pub mod trial;
/// Better numbers for the search.
pub mod tune;
/// The chances behind a score, fitted to the games.
pub mod wdl;
