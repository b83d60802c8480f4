//! Static exchange evaluation.

mod common;

use chuhe::board::{Move, Position};
use common::{Random, random_game};

#[test]
fn exchanges_worked_out_by_hand() {
    for (fen, mv, value, what) in [
        ("3k5/9/9/p8/9/9/R8/9/9/4K4 w", "a3a6", 100, "a free pawn"),
        (
            "r3k4/9/9/p8/9/9/R8/9/9/3K5 w",
            "a3a6",
            -800,
            "a rook for a pawn",
        ),
        (
            "r3k4/9/9/p8/9/9/R8/9/9/R2K5 w",
            "a3a6",
            100,
            "the second rook stands behind the first",
        ),
        (
            "c3k4/9/p8/p8/9/9/R8/9/9/3K5 w",
            "a3a6",
            -800,
            "a cannon guards over a screen",
        ),
        (
            "c3k4/9/9/p8/9/9/R8/9/9/3K5 w",
            "a3a6",
            100,
            "a cannon without a screen does not",
        ),
        (
            "3k5/9/9/r3p4/4P4/9/9/4C4/9/5K3 w",
            "e5e6",
            0,
            "the cannon's screen has left",
        ),
        (
            "3k5/9/9/r3p4/4P4/4P4/9/4C4/9/5K3 w",
            "e5e6",
            100,
            "one of two screens has left",
        ),
        (
            "4k4/4a4/9/9/4R4/9/9/9/9/3K5 w",
            "e5e8",
            -700,
            "the king takes back",
        ),
        (
            "4k4/4a4/9/9/4R4/9/9/4R4/9/3K5 w",
            "e5e8",
            200,
            "the king may not take back",
        ),
        (
            "3k5/9/9/r8/9/9/9/9/9/R3K4 w",
            "a0a5",
            -900,
            "a quiet move to a guarded square",
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/R3K4 w",
            "a0a5",
            0,
            "a quiet move to a safe square",
        ),
    ] {
        let pos: Position = fen.parse().unwrap();
        let mv: Move = mv.parse().unwrap();
        assert!(pos.is_legal(mv), "{fen} {mv}");
        assert_eq!(pos.see(mv), value, "{what}: {fen} {mv}");
    }
}

#[test]
fn the_threshold_test_agrees_with_the_value() {
    let mut random = Random(1);
    for _ in 0..20 {
        for pos in random_game(&mut random, Position::startpos(), 150) {
            for mv in pos.legal_moves() {
                let value = pos.see(mv);
                for threshold in [-900, -100, 0, 1, 100, value, value + 1] {
                    assert_eq!(
                        pos.see_ge(mv, threshold),
                        value >= threshold,
                        "{pos} {mv} {value} {threshold}"
                    );
                }
            }
        }
    }
}
