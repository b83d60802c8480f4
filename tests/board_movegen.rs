//! The generator against the slow reference, and the known traps by name.

mod common;
mod reference;

use chuhe::board::{Move, MoveList, Position, Square, perft};
use common::{Random, random_game, random_placement};
use reference::Board;

fn sorted(mut moves: MoveList) -> Vec<Move> {
    moves.sort();
    moves.to_vec()
}

/// Everything the generator says about a position, against the reference.
fn compare(pos: &Position) {
    let board = Board::of(pos);
    let expected = board.legal_moves();
    assert_eq!(sorted(pos.legal_moves()), expected, "{pos}");
    assert_eq!(pos.count_legal_moves(), expected.len(), "{pos}");
    assert_eq!(pos.has_legal_move(), !expected.is_empty(), "{pos}");
    let checkers: Vec<Square> = pos.checkers().into_iter().collect();
    assert_eq!(checkers, board.checkers(pos.side_to_move()), "{pos}");

    let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
    pos.captures(&mut captures);
    pos.quiets(&mut quiets);
    assert!(captures.iter().all(|&mv| pos.is_capture(mv)), "{pos}");
    assert!(quiets.iter().all(|&mv| !pos.is_capture(mv)), "{pos}");
    captures.extend(quiets);
    assert_eq!(sorted(captures), expected, "{pos}");

    for &mv in &expected {
        assert_eq!(pos.gives_check(mv), board.gives_check(mv), "{pos} {mv}");
    }
}

/// `is_legal` and `destinations` over all pairs of squares.
fn compare_all_pairs(pos: &Position) {
    let board = Board::of(pos);
    let legal = board.legal_moves();
    for from in Square::all() {
        for to in Square::all() {
            let mv = Move::new(from, to);
            assert_eq!(
                pos.is_legal(mv),
                legal.binary_search(&mv).is_ok(),
                "{pos} {mv}"
            );
        }
        let mut reach = board.destinations((from.file() as i32, from.rank() as i32));
        reach.sort_by_key(|&(file, rank)| (rank, file));
        let reach: Vec<Square> = reach
            .into_iter()
            .map(|(f, r)| Square::at(f as usize, r as usize))
            .collect();
        assert_eq!(
            pos.destinations(from).into_iter().collect::<Vec<_>>(),
            reach,
            "{pos} {from}"
        );
    }
}

#[test]
fn random_games_agree_with_the_reference() {
    let mut random = Random(2);
    for game in 0..40 {
        let positions = random_game(&mut random, Position::startpos(), 120);
        positions.iter().for_each(compare);
        if game < 4 {
            positions.iter().step_by(8).for_each(compare_all_pairs);
        }
    }
}

#[test]
fn random_placements_agree_with_the_reference() {
    let mut random = Random(3);
    for n in 0..6000 {
        let men = [3, 6, 10, 15][n % 4];
        let pos = random_placement(&mut random, men);
        compare(&pos);
        if n % 60 == 0 {
            compare_all_pairs(&pos);
        }
        random_game(&mut random, pos, 4).iter().for_each(compare);
    }
}

/// Compares the counts of depths 1, 2, ... with the reference's move count at
/// the first and with the generator's at all.
fn counts(fen: &str, expected: &[u64]) {
    let mut pos: Position = fen.parse().unwrap();
    assert_eq!(
        Board::of(&pos).legal_moves().len() as u64,
        expected[0],
        "{fen}"
    );
    for (depth, &count) in (1..).zip(expected) {
        assert_eq!(perft::perft(&mut pos, depth), count, "{fen} depth {depth}");
    }
}

#[test]
fn a_piece_bound_twice_obeys_both() {
    // The rook may not take the rook, the cannon behind would check.
    counts("3k5/4c4/9/4r4/9/9/4R4/9/9/4K4 w", &[6, 150, 1239, 35122]);
    // One leg, two knights.
    counts("3k5/9/9/9/9/9/9/5n3/5Rn2/4K4 w", &[2, 23, 229, 2517]);
    // A cannon checks over the rook, another stands behind it.
    counts("3k5/9/4c4/4c4/9/9/4R4/9/9/4K4 w", &[1, 23, 334, 9551]);
}

#[test]
fn two_checking_pawns_cannot_both_be_taken() {
    counts("3k5/9/9/9/9/9/9/9/9/R2pKp3 w", &[2, 9, 112, 424]);
}
