//! A net that knows what pieces are worth and nothing else: the yardstick for
//! the first nets that somebody trains.

use crate::board::{Piece, PieceKind, SQUARES};
use crate::eval::nnue::features::{BUCKETS, INPUTS};
use crate::eval::nnue::{Network, Parameters, QA, QB};
use std::sync::Arc;

/// The name that stands for it on the command line.
pub const MATERIAL: &str = "material";

/// What a piece is worth by kind, in the order of [`PieceKind::ALL`], in units
/// so small that the difference of two armies stays below half of [`QA`].
const WORTH: [i16; 7] = [0, 4, 4, 9, 20, 10, 2];
/// What the pawn's worth is called, in points.
const PAWN_POINTS: i32 = 100;
/// The smallest layer that all kernels can do.
const HIDDEN: usize = 32;
/// The largest output weight.
const FULL: i16 = QB - 1;

/// The net. Two hidden values see the balance `m` with opposite signs, and
/// `(1/2 + m)^2 - (1/2 - m)^2 = 2 m` makes it linear again.
pub fn material() -> Arc<Network> {
    let mut input_weights = vec![0; INPUTS * HIDDEN];
    for piece in Piece::ALL {
        let worth = WORTH[piece.kind().index()] * [1, -1][piece.color().index()];
        let rows = piece.index() * SQUARES * HIDDEN;
        for row in input_weights[rows..rows + SQUARES * HIDDEN].chunks_mut(HIDDEN) {
            (row[0], row[1]) = (worth, -worth);
        }
    }
    let mut input_bias = vec![0; HIDDEN];
    input_bias[..2].fill(QA / 2);
    let mut output = [0; 2 * HIDDEN];
    (output[0], output[1]) = (FULL, -FULL);
    let net = Network::new(Parameters {
        name: MATERIAL.to_owned(),
        hidden: HIDDEN,
        scale: scale(),
        input_weights,
        input_bias,
        output_weights: output.repeat(BUCKETS),
        output_bias: vec![0; BUCKETS],
    });
    Arc::new(net.expect("weights within their ranges"))
}

/// Points per unit of the output, of which a pawn makes `2 m * FULL / QB`.
fn scale() -> i32 {
    let pawn = i32::from(WORTH[PieceKind::Pawn.index()]);
    PAWN_POINTS * i32::from(QA) * i32::from(QB) / (2 * pawn * i32::from(FULL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_material_counts() {
        let net = material();
        let value = |fen: &str| net.evaluate(&fen.parse().unwrap());
        assert_eq!(value("3k5/9/9/p8/9/9/P8/9/9/4K4 w - - 0 1").abs(), 0);
        for (fen, points) in [
            ("3k5/9/9/9/9/9/P8/9/9/4K4 w - - 0 1", 100),
            ("3k5/9/9/9/9/9/P8/9/9/4K4 b - - 0 1", -100),
            ("3k5/9/9/9/9/9/9/R8/9/4K4 w - - 0 1", 1000),
            ("3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1", 1000),
            ("3k5/4n4/9/9/9/9/9/9/9/4K1B2 w - - 0 1", -250),
            ("3k5/9/9/9/9/9/9/C8/9/4K4 w - - 0 1", 500),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/9/9/4K4 w - - 0 1", -5200),
        ] {
            assert!(
                (value(fen) - points).abs() <= points.abs() / 50,
                "{fen}: {}",
                value(fen)
            );
        }
    }
}
