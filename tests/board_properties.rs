//! What holds in every position of every game.

mod common;

use chuhe::board::{Move, MoveList, Position};
use common::{Random, random_game, random_placement};
use proptest::prelude::*;

/// The position built anew from its text: pieces, occupancy, lines, kings,
/// checkers, bound pieces and key all come from scratch.
fn rebuilt(pos: &Position) -> Position {
    pos.to_string().parse().unwrap()
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

fn check_images(pos: &Position) {
    let moves = pos.legal_moves();
    let mirrored = pos.mirrored();
    assert_eq!(mirrored, rebuilt(&mirrored));
    assert_eq!(mirrored.mirrored(), *pos);
    let expected = sorted(moves.iter().map(|mv| mv.mirrored()));
    assert_eq!(sorted(mirrored.legal_moves()), expected, "{pos}");

    let flipped = pos.flipped();
    assert_eq!(flipped, rebuilt(&flipped));
    assert_eq!(flipped.flipped(), *pos);
    let expected = sorted(moves.iter().map(|mv| mv.flipped()));
    assert_eq!(sorted(flipped.legal_moves()), expected, "{pos}");
}

fn check_moves(pos: &Position) {
    for mv in pos.legal_moves() {
        let mut played = pos.clone();
        let undo = played.make(mv);
        assert_eq!(played, rebuilt(&played), "{pos} {mv}");
        assert_eq!(played, pos.after(mv));
        assert_eq!(played.key(), pos.key_after(mv), "{pos} {mv}");
        assert_eq!(played.in_check(), pos.gives_check(mv), "{pos} {mv}");
        assert_eq!(undo.captured, pos.piece_on(mv.to()));
        played.unmake(mv, undo);
        assert_eq!(played, *pos, "{mv}");
    }
}

fn check_quiet_checks(pos: &Position) {
    let mut found = MoveList::new();
    pos.quiet_checks(&mut found);
    let is_wanted = |mv: &Move| !pos.is_capture(*mv) && pos.gives_check(*mv);
    let expected = sorted(pos.legal_moves().into_iter().filter(is_wanted));
    assert_eq!(sorted(found), expected, "{pos}");
}

fn check_null_move(pos: &Position) {
    if pos.in_check() {
        return;
    }
    let mut passed = pos.clone();
    let undo = passed.make_null();
    assert_eq!(passed, rebuilt(&passed), "{pos}");
    passed.unmake_null(undo);
    assert_eq!(passed, *pos);
}

fn check(pos: &Position) {
    assert_eq!(*pos, rebuilt(pos));
    check_images(pos);
    check_moves(pos);
    check_null_move(pos);
    check_quiet_checks(pos);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn along_random_games(seed: u64) {
        let mut random = Random(seed);
        random_game(&mut random, Position::startpos(), 60).iter().for_each(check);
    }

    #[test]
    fn along_games_from_random_placements(seed: u64, men in 1_usize..15) {
        let mut random = Random(seed);
        let start = random_placement(&mut random, men);
        random_game(&mut random, start, 20).iter().for_each(check);
    }
}

#[test]
fn fifteen_sliders_fit_the_list_of_moves() {
    let mut random = Random(4);
    let mut most = 0;
    for n in 0..3000 {
        // A black king behind three pieces, so that Red may be to move.
        let mut board = [['1'; 9]; 10];
        (board[0][3..6]).copy_from_slice(&['p', 'k', 'p']);
        board[1][4] = 'p';
        board[9][4] = 'K';
        let mut sliders = 15;
        while sliders > 0 {
            let point = &mut board[1 + random.below(9)][random.below(9)];
            if *point == '1' {
                *point = ['R', 'C'][n % 2];
                sliders -= 1;
            }
        }
        let ranks = board.map(|rank| rank.iter().collect::<String>());
        if let Ok(pos) = format!("{} w", ranks.join("/")).parse::<Position>() {
            let moves = pos.legal_moves().len();
            assert_eq!(moves, pos.count_legal_moves());
            most = most.max(moves);
        }
    }
    assert!(most > 120, "{most}");
}
