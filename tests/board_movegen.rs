//! The generator against the slow reference, and the known traps by name.

mod common;
mod reference;

use chuhe::board::perft::{LastPly, perft_by};
use chuhe::board::{Move, MoveList, Position, Square};
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
    for n in 0..2400 {
        let men = [3, 6, 10, 15][n % 4];
        let pos = random_placement(&mut random, men);
        compare(&pos);
        if n % 60 == 0 {
            compare_all_pairs(&pos);
        }
        random_game(&mut random, pos, 4).iter().for_each(compare);
    }
}

/// Compares the moves of the reference at depth 1, and the counts of depths 1,
/// 2, ... (found by another engine too) with all ways of counting.
fn counts(fen: &str, expected: &[u64]) {
    let mut pos: Position = fen.parse().unwrap();
    compare(&pos);
    for (depth, &count) in (1..).zip(expected) {
        for last in LastPly::ALL {
            assert_eq!(
                perft_by(&mut pos, depth, last),
                count,
                "{fen} depth {depth} {last}"
            );
        }
    }
}

/// One test for each trap of legality, with the counts of depths 1 to 4.
macro_rules! traps {
    ($($name:ident: $fen:literal $counts:expr;)*) => {
        mod traps {
            $(#[test] fn $name() { super::counts($fen, &$counts); })*
        }
    };
}

traps! {
    both_own_pieces_before_a_cannon_are_bound:
        "3k5/9/9/4c4/9/9/4N4/4B4/9/4K4 w" [2, 32, 306, 5214];
    a_bound_piece_may_not_take_the_other_screen:
        "3k5/9/9/4c4/9/4p4/9/4R4/9/4K4 w" [4, 72, 677, 12628];
    a_bound_piece_may_slide_and_take_the_cannon:
        "3k5/9/9/4c4/9/4R4/9/9/4A4/4K4 w" [5, 63, 952, 13740];
    a_bound_pawn_may_not_take_the_other_screen:
        "3k5/9/9/4c4/9/9/4P4/4p4/9/4K4 w" [2, 35, 83, 1557];
    an_own_screen_leaves_and_others_add_a_second:
        "3k5/9/9/4c4/9/2N6/4R4/9/9/4K4 w" [11, 158, 3718, 55472];
    a_screen_knight_leaves_the_line:
        "3k5/4c4/9/9/9/9/4N4/9/9/3AKA3 w" [10, 176, 1414, 22521];
    the_own_screen_answers_two_checks_at_once:
        "3k5/9/9/4c4/9/9/9/4Rn3/9/4K4 w" [2, 40, 604, 10605];
    taking_an_enemy_screen_is_no_answer:
        "3k5/9/9/4c4/9/9/R3p4/9/9/4K4 w" [1, 18, 263, 4480];
    nothing_steps_before_a_cannon_without_a_screen:
        "3k5/9/9/4c4/9/2N6/9/9/2N6/4K4 w" [12, 210, 2883, 46966];
    a_piece_before_a_rook_is_bound:
        "3k5/9/9/4r4/9/9/4N4/9/9/R3K4 w" [14, 194, 3909, 60749];
    a_rooks_check_is_answered_by_taking_only:
        "2bk5/9/9/9/9/4R4/9/4r4/9/4K4 w" [2, 18, 267, 3827];
    a_piece_between_the_kings_is_bound:
        "4k4/9/9/9/9/9/9/4N4/9/3AK4 w" [3, 8, 71, 167];
    the_king_cannot_flee_along_the_line_of_the_check:
        "3k5/9/9/9/9/9/9/9/9/r3K4 w" [1, 18, 42, 737];
    a_bound_piece_cannot_answer_another_check:
        "3k5/9/9/4r4/9/9/4R4/9/6n2/4K4 w" [2, 44, 528, 10426];
    the_leg_of_a_knight_is_bound:
        "3k5/9/9/9/9/9/9/5n3/5C3/4K4 w" [2, 15, 167, 1406];
    the_leg_may_take_the_knight:
        "3k5/9/9/9/9/9/9/5n3/5R3/4K4 w" [3, 16, 191, 1330];
    a_knights_check_is_answered_at_its_leg:
        "3k5/9/9/9/9/9/9/5n3/R8/4K4 w" [3, 26, 380, 2647];
    two_checks_over_one_leg_are_answered_there:
        "3k5/9/9/9/9/9/9/5n3/R5n2/4K4 w" [3, 42, 448, 4790];
    two_checks_on_one_line_are_answered_before_both:
        "3k5/4c4/4r4/9/9/9/9/9/R8/4K4 w" [2, 52, 607, 17555];
    two_checking_pawns_cannot_both_be_taken:
        "3k5/9/9/9/9/9/9/9/9/R2pKp3 w" [2, 9, 112, 424];
    bound_twice_by_rook_and_cannon:
        "3k5/4c4/9/4r4/9/9/4R4/9/9/4K4 w" [6, 150, 1239, 35122];
    bound_twice_one_leg_two_knights:
        "3k5/9/9/9/9/9/9/5n3/5Rn2/4K4 w" [2, 23, 229, 2517];
    bound_twice_screen_before_two_cannons:
        "3k5/9/4c4/4c4/9/9/4R4/9/9/4K4 w" [1, 23, 334, 9551];
    pawns_go_sideways_only_over_the_river:
        "3k5/9/9/9/4P4/9/9/9/9/4K4 w" [5, 8, 41, 101];
}
