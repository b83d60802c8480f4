//! The rules of Club Xiangqi, one test for each numbered rule of the guide's
//! chapter "Rules".

use chuhe::board::{Color, Move, Position};
use chuhe::rules::{Breach, Counter, Game, Illegality, Outcome, RuleSet, Tally, judge};

fn position(fen: &str) -> Position {
    fen.parse().expect("a position")
}

/// The verdict after `moves`, or why the last one is illegal.
fn verdict(fen: &str, moves: &str) -> &'static str {
    let mut game = Game::new(position(fen));
    for word in moves.split_whitespace() {
        if let Err(error) = game.play(word.parse().expect("a move")) {
            return error.reason.name();
        }
    }
    judge(&game, RuleSet::Cxq).map_or("none", |ruling| ruling.outcome.name())
}

/// The tally after `moves`, repeated `times`.
fn tally(fen: &str, moves: &str, times: usize) -> Tally {
    let (mut pos, mut tally) = (position(fen), Tally::default());
    for _ in 0..times {
        for word in moves.split_whitespace() {
            let mv = word.parse().expect("a move");
            assert!(pos.is_legal(mv), "{word} in {pos}");
            let next = pos.after(mv);
            tally.play(&pos, mv, &next);
            pos = next;
        }
    }
    tally
}

fn destinations(fen: &str, from: &str) -> String {
    let moves = position(fen).legal_moves();
    let mut squares: Vec<String> = moves
        .iter()
        .filter(|mv| mv.from().to_string() == from)
        .map(|mv| mv.to().to_string())
        .collect();
    squares.sort();
    squares.join(" ")
}

#[test]
fn rule_1_1_king() {
    assert_eq!(
        destinations("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", "f0"),
        "e0 f1"
    );
}

#[test]
fn rule_1_2_advisor() {
    let fen = "3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1";
    assert_eq!(destinations(fen, "e1"), "d0 d2 f0 f2");
}

#[test]
fn rule_1_3_elephant() {
    let fen = "3k5/9/9/9/9/2B6/3P5/9/9/4K4 w - - 0 1";
    assert_eq!(destinations(fen, "c4"), "a2");
}

#[test]
fn rule_1_4_rook() {
    let fen = "3k5/9/9/9/9/9/9/9/R1p6/4K4 w - - 0 1";
    assert_eq!(destinations(fen, "a1"), "a0 a2 a3 a4 a5 a6 a7 a8 a9 b1 c1");
}

#[test]
fn rule_1_5_horse_and_its_leg() {
    let fen = "3k5/9/9/9/9/2P6/2N6/9/9/4K4 w - - 0 1";
    assert_eq!(destinations(fen, "c3"), "a2 a4 b1 d1 e2 e4");
}

#[test]
fn rule_1_6_cannon_takes_over_one_piece() {
    let fen = "3k5/9/9/r8/9/P8/9/C8/9/4K4 w - - 0 1";
    assert_eq!(verdict(fen, "a2a6"), "none");
    let bare = "3k5/9/9/r8/9/9/9/C8/9/4K4 w - - 0 1";
    assert_eq!(verdict(bare, "a2a6"), "illegal_geometry");
}

#[test]
fn rule_1_7_pawn() {
    assert_eq!(
        destinations("3k5/9/9/9/9/2P6/9/9/9/4K4 w - - 0 1", "c4"),
        "c5"
    );
    assert_eq!(
        destinations("3k5/9/9/9/2P6/9/9/9/9/4K4 w - - 0 1", "c5"),
        "b5 c6 d5"
    );
}

#[test]
fn rule_1_8_taking() {
    let pos = position("3k5/9/9/9/p8/P8/9/9/9/5K3 w - - 0 1");
    let after = pos.after("a4a5".parse().expect("a move"));
    assert_eq!(after.color(Color::Black).len(), 1);
}

#[test]
fn rule_1_9_facing_kings() {
    let fen = "4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1";
    assert_eq!(verdict(fen, "e5c6"), Illegality::FacingKings.name());
}

#[test]
fn rule_1_10_king_left_in_check() {
    let fen = "3k5/9/9/9/4r4/9/9/9/4N4/4K4 w - - 0 1";
    assert_eq!(verdict(fen, "e1c2"), Illegality::SelfCheck.name());
}

#[test]
fn rule_1_11_mate() {
    let fen = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 0 1";
    assert_eq!(verdict(fen, "b1b9"), "black_loses");
}

#[test]
fn rule_1_12_who_cannot_move_loses() {
    let fen = "3k5/9/9/9/9/9/9/9/9/4KR3 w - - 0 1";
    // The king on d9 can go to d8 only; e-file and d8 are then both barred.
    assert_eq!(verdict(fen, "f0f8"), "black_loses");
}

const CHECKS: &str = "4k4/8R/9/9/9/9/9/9/9/3K5 w - - 0 1";
const CHECK_ROUND: &str = "i8i9 e9e8 i9i8 e8e9";

#[test]
fn rule_1_13_and_3_3_the_one_side_in_violation_loses() {
    let moves = format!("{}i8i9", format!("{CHECK_ROUND} ").repeat(3));
    assert_eq!(verdict(CHECKS, &moves), "red_loses");
}

#[test]
fn rule_2_1_check() {
    assert_eq!(tally(CHECKS, CHECK_ROUND, 2).checks(Color::Red).count(), 4);
    assert_eq!(
        tally(CHECKS, CHECK_ROUND, 2).checks(Color::Black).count(),
        0
    );
}

#[test]
fn rule_2_2_exchange_is_no_attack() {
    let fen = "4k4/9/9/9/r8/9/9/1R7/9/3K5 w - - 0 1";
    let tally = tally(fen, "b2a2 a5b5 a2b2 b5a5", 5);
    assert!(tally.longest_attack(Color::Red).is_none());
}

const ATTACKS: &str = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1";
const ATTACK_ROUND: &str = "h6i6 i0h0 i6h6 h0i0";

#[test]
fn rule_2_3_attack() {
    let attack = |fen, moves, times| {
        let tally = tally(fen, moves, times);
        tally
            .longest_attack(Color::Red)
            .map_or(0, |streak| streak.count())
    };
    assert_eq!(attack(ATTACKS, ATTACK_ROUND, 2), 4);
    // (a) A king makes no attack, (b) a pawn on its own bank suffers none.
    let king = "4ka3/4a4/4b4/p7p/9/4C4/4P4/4B4/3K5/3Ac1B2 w - - 0 1";
    assert_eq!(attack(king, "d1e1 e0f0", 1), 0);
    let pawn = "4k4/9/9/7R1/p8/9/9/9/9/3K5 w - - 0 1";
    assert_eq!(attack(pawn, "h6h5", 1), 0);
}

#[test]
fn rule_2_3_attack_by_becoming_a_screen() {
    let fen = "3k5/9/9/9/r8/9/4P4/9/C8/1N2K4 w - - 0 1";
    let tally = tally(fen, "b0a2", 1);
    assert_eq!(
        tally
            .longest_attack(Color::Red)
            .map(|streak| streak.count()),
        Some(1)
    );
}

#[test]
fn rule_2_4_protection() {
    // The horse is protected by the pawn behind it; a rook would not be.
    let horse = "3k5/9/9/p8/n8/9/9/9/1R7/4K4 w - - 0 1";
    assert!(tally(horse, "b1a1", 1).longest_attack(Color::Red).is_none());
    let rook = "3k5/9/9/p8/r8/9/P8/9/1C7/4K4 w - - 0 1";
    assert!(tally(rook, "b1a1", 1).longest_attack(Color::Red).is_some());
}

#[test]
fn rule_3_1_perpetual_check() {
    let after = tally(CHECKS, "i8i9 e9e8 i9i8 e8e9", 3);
    assert_eq!(after.breach(), None);
    assert!(after.checks(Color::Red).used_up());
}

#[test]
fn rule_3_2_perpetual_attack() {
    let moves = format!("{}h6i6", format!("{ATTACK_ROUND} ").repeat(3));
    assert_eq!(verdict(ATTACKS, &moves), "red_loses");
}

#[test]
fn rule_3_4_both_check() {
    let fen = "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 0 1";
    let moves = format!("{}e3d3", "e3d3 d6e6 d3e3 e6d6 ".repeat(6));
    assert_eq!(verdict(fen, &moves), "draw");
}

#[test]
fn rule_3_5_the_checker_loses_against_an_attacker() {
    let fen = "3k5/9/9/9/9/5p3/9/5p3/5K3/5C3 w - - 0 1";
    let moves = format!("{}f1e1 f2e2", "f1e1 f2e2 e1f1 e2f2 ".repeat(3));
    assert_eq!(verdict(fen, &moves), "black_loses");
    assert_eq!(
        Breach::CheckAgainstAttack(Color::Red).loser(),
        Some(Color::Red)
    );
}

#[test]
fn rule_3_6_allowance() {
    let one = tally(CHECKS, CHECK_ROUND, 1);
    assert_eq!(one.checks(Color::Red).allowance(), 6);
    let two = tally(
        "9/4k4/b7R/9/2R2N3/9/9/9/5K3/9 w - - 0 1",
        "f5g7 e8e7 g7i8 e7e8 i8g7 e8e7 g7f5 e7e8",
        1,
    );
    assert_eq!(two.checks(Color::Red).allowance(), 12);
    let three = tally(
        "9/8R/4Nk3/9/4C4/9/9/9/9/4K4 w - - 0 1",
        "i8i7 f7f8 e7g6 f8e8 g6e7 e8f8",
        1,
    );
    assert_eq!(three.checks(Color::Red).allowance(), 18);
}

/// The game of a case of the data file.
fn case(id: &str) -> Game {
    let line = include_str!("data/rules_cases.jsonl")
        .lines()
        .find(|line| line.contains(&format!("\"id\": \"{id}\"")))
        .expect("the case");
    let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let text = |field: &str| case[field].as_str().expect("a text");
    let mut game = Game::new(position(text("fen")));
    for word in text("moves").split_whitespace() {
        game.play(word.parse().expect("a move")).expect("legal");
    }
    game
}

/// The rulings before and after one more quiet move.
fn before_and_after_a_quiet_move(mut game: Game) -> [Option<String>; 2] {
    let number = |game: &Game| judge(game, RuleSet::Cxq).map(|r| r.article.number.to_owned());
    let before = number(&game);
    let pos = game.position();
    let quiet = |mv: &Move| !pos.is_capture(*mv) && !pos.gives_check(*mv);
    let mv = pos.legal_moves().into_iter().find(quiet).expect("a move");
    game.play(mv).expect("legal");
    [before, number(&game)]
}

#[test]
fn rule_4_1_effectiveness() {
    let drawn = before_and_after_a_quiet_move(case("cxq-eff-239"));
    assert_eq!(drawn, [None, Some("CXQ 4.1".to_owned())]);
}

#[test]
fn rule_4_2_progress() {
    let drawn = before_and_after_a_quiet_move(case("cxq-prog-59"));
    assert_eq!(drawn, [None, Some("CXQ 4.2".to_owned())]);
    assert_eq!(Breach::Automatic(Counter::Progress).loser(), None);
}

#[test]
fn rule_4_3_length() {
    let drawn = before_and_after_a_quiet_move(case("cxq-300-599"));
    assert_eq!(drawn, [None, Some("CXQ 4.3".to_owned())]);
}

/// Play goes on after forty and more plies of what is permitted.
fn is_permitted(id: &str) {
    let game = case(id);
    assert!(game.moves().len() > 40);
    assert_eq!(judge(&game, RuleSet::Cxq), None, "{id}");
}

#[test]
fn rule_5_1_checks_and_one_idle_move() {
    is_permitted("cxq-chk-idle");
}

#[test]
fn rule_5_2_and_5_3_checks_and_attacks_in_turn() {
    is_permitted("cxq-chk-att-3");
    is_permitted("cxq-chk-att-4");
}

#[test]
fn rule_5_4_attacks_and_one_idle_move() {
    let fen = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1";
    let broken = format!(
        "{} h6g6 i0h0 g6h6 h0i0 h6i6",
        format!("{ATTACK_ROUND} ").repeat(2)
    );
    assert_eq!(verdict(fen, &broken), "none");
}

#[test]
fn rule_5_5_checks_and_mate_threats() {
    is_permitted("cxq-chk-mate-8");
}

#[test]
fn rule_5_6_attacks_on_several_pieces() {
    is_permitted("cxq-att-many-1");
}

#[test]
fn rule_5_7_blocking() {
    is_permitted("cxq-block");
}

#[test]
fn rule_5_8_what_is_forbidden_under_one_heading_stays_forbidden() {
    // Every attack is an exchange offer too.
    let mut game = case("cxq-att1-13-6");
    assert_eq!(judge(&game, RuleSet::Cxq), None);
    game.play("b4a4".parse().expect("a move")).expect("legal");
    let ruling = judge(&game, RuleSet::Cxq).expect("a ruling");
    assert_eq!(ruling.outcome, Outcome::Loss(Color::Red));
}
