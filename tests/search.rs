//! What every search must keep, whatever its parameters.

use chuhe::board::{Move, PieceKind, Position, START_FEN};
use chuhe::clock::{Clock, Limits, Stop};
use chuhe::eval::wdl;
use chuhe::rules::{Game, RuleSet};
use chuhe::search::{Bound, Engine, Line, Outcome, Report, Score, Settings};
use std::time::{Duration, Instant};

const MIDDLE_GAME: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";

struct Thought {
    outcome: Outcome,
    lines: Vec<Line>,
}

fn think_with(engine: &mut Engine, game: &Game, limits: &Limits) -> Thought {
    let mut lines = Vec::new();
    let outcome = engine.search(
        game,
        limits,
        Instant::now(),
        &Stop::default(),
        &mut |report| {
            if let Report::Line(line) = report {
                lines.push(line);
            }
        },
    );
    Thought { outcome, lines }
}

fn think(fen: &str, limits: &Limits) -> Thought {
    think_with(&mut Engine::new(Settings::default()), &game(fen), limits)
}

fn game(fen: &str) -> Game {
    Game::new(fen.parse().unwrap())
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// The rows of the file of mates: FEN, moves, first moves.
fn mates() -> Vec<(String, u32, Vec<Move>)> {
    let rows = include_str!("data/mates.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let [fen, moves, first] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns expected: {row}");
        };
        let first = first
            .split_whitespace()
            .map(|mv| mv.parse().unwrap())
            .collect();
        (fen.to_owned(), moves.parse().unwrap(), first)
    })
    .collect()
}

fn assert_legal(fen: &str, pv: &[Move]) -> Position {
    pv.iter().fold(fen.parse().unwrap(), |pos: Position, &mv| {
        assert!(pos.is_legal(mv), "{mv} in {pos}");
        pos.after(mv)
    })
}

#[test]
fn equal_searches_count_equal_nodes() {
    for fen in [START_FEN, MIDDLE_GAME] {
        let mut engine = Engine::new(Settings::default());
        let first = think_with(&mut engine, &game(fen), &depth(8));
        engine.clear();
        let second = think_with(&mut engine, &game(fen), &depth(8));
        assert_eq!(first.outcome, second.outcome);
        assert_eq!(first.outcome, think(fen, &depth(8)).outcome);
    }
}

#[test]
fn lines_are_legal_and_the_last_one_is_what_is_played() {
    for fen in [START_FEN, MIDDLE_GAME] {
        for limit in [1, 200, 3_000, 50_001] {
            let Thought { outcome, lines } = think(fen, &nodes(limit));
            lines
                .iter()
                .for_each(|line| _ = assert_legal(fen, &line.pv));
            let last = lines.last().unwrap();
            assert_eq!(last.bound, Bound::Exact);
            assert_eq!(Some(last.pv[0]), outcome.best);
            if let Some(ponder) = outcome.ponder {
                assert_legal(fen, &[outcome.best.unwrap(), ponder]);
            }
        }
    }
}

#[test]
fn node_limits_are_kept() {
    for limit in [5_000, 20_000] {
        assert!(think(MIDDLE_GAME, &nodes(limit)).outcome.nodes <= limit);
    }
}

#[test]
fn only_moves_that_are_allowed_are_played() {
    let wanted: Vec<Move> = ["a0a1", "a3a4"].map(|m| m.parse().unwrap()).into();
    let limits = Limits {
        search_moves: Some(wanted.clone()),
        ..depth(5)
    };
    let best = think(START_FEN, &limits).outcome.best.unwrap();
    assert!(wanted.contains(&best));
    let limits = Limits {
        ban_moves: vec![best],
        ..limits
    };
    let other = think(START_FEN, &limits).outcome.best.unwrap();
    assert!(wanted.contains(&other) && other != best);
    let limits = Limits {
        ban_moves: wanted,
        ..limits
    };
    assert_eq!(think(START_FEN, &limits).outcome.best, None);
}

#[test]
fn several_lines_begin_with_different_moves_in_order_of_value() {
    let mut engine = Engine::new(Settings {
        multi_pv: 3,
        ..Settings::default()
    });
    let thought = think_with(&mut engine, &game(START_FEN), &depth(6));
    for depth in 1..=6 {
        let lines: Vec<_> = thought.lines.iter().filter(|l| l.depth == depth).collect();
        assert_eq!(
            lines.iter().map(|l| l.multipv).collect::<Vec<_>>(),
            [1, 2, 3]
        );
        let mut first: Vec<_> = lines.iter().map(|l| l.pv[0]).collect();
        first.dedup();
        assert_eq!(first.len(), 3);
        let value = |line: &Line| match line.score {
            Score::Cp(cp) => cp,
            other => panic!("{other:?}"),
        };
        assert!(lines.windows(2).all(|w| value(w[0]) >= value(w[1])));
    }
}

#[test]
fn chances_sum_to_one_thousand() {
    for line in think(MIDDLE_GAME, &depth(6)).lines {
        assert_eq!(line.wdl.iter().sum::<u16>(), 1000);
    }
}

#[test]
fn chances_agree_with_the_centipawns_told() {
    let pieces = game(MIDDLE_GAME).position().occupied().len();
    let lines = think(MIDDLE_GAME, &depth(8)).lines;
    for line in &lines {
        let Score::Cp(cp) = line.score else {
            panic!("{:?}", line.score)
        };
        let mut points = (-1000..1000).filter(|&points| wdl::centipawns(points) == cp);
        let agree = points.any(|points| wdl::wdl(points, pieces) == line.wdl);
        assert!(agree, "{cp} and {:?}", line.wdl);
    }
    assert!(!lines.is_empty());
}

#[test]
fn the_start_position_is_a_small_plus() {
    let Thought { outcome, lines } = think(START_FEN, &nodes(200_000));
    assert!(
        matches!(outcome.score, Score::Cp(0..40)),
        "{:?}",
        outcome.score
    );
    let [win, _, loss] = lines.last().unwrap().wdl;
    assert!(loss < win && win < 500, "{win} {loss}");
}

#[test]
fn a_side_without_moves_has_lost() {
    let mated = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1";
    let stalemated = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";
    for fen in [mated, stalemated] {
        let thought = think(fen, &depth(3));
        assert_eq!(thought.outcome.best, None, "{fen}");
        assert_eq!(thought.outcome.score, Score::MatedIn(0));
    }
}

/// A stalemate that ends in a mate score: the last move leaves none.
#[test]
fn stalemate_counts_as_mate() {
    let thought = think("4k4/3P5/9/9/9/9/9/9/3K5/9 w - - 0 1", &depth(8));
    assert!(
        matches!(thought.outcome.score, Score::MateIn(_)),
        "{:?}",
        thought.outcome
    );
}

fn check_mate(fen: &str, moves: u32, first: &[Move], limits: Limits) -> Result<(), String> {
    let thought = think(
        fen,
        &Limits {
            mate: Some(moves),
            ..limits
        },
    );
    let line = thought.lines.last().ok_or("no line")?;
    let end = assert_legal(fen, &line.pv);
    if line.score != Score::MateIn(2 * moves - 1) {
        return Err(format!("{fen}: mate in {moves}, found {:?}", line.score));
    }
    assert!(!end.has_legal_move() && line.pv.len() as u32 == 2 * moves - 1);
    assert!(
        first.is_empty() || first.contains(&line.pv[0]),
        "{fen}: {}",
        line.pv[0]
    );
    Ok(())
}

/// Solves the mates in at most `longest` moves; at least 95 % must be right.
fn solve_mates(longest: u32, limits: &Limits) {
    let rows: Vec<_> = mates().into_iter().filter(|row| row.1 <= longest).collect();
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(fen, moves, first)| check_mate(fen, *moves, first, limits.clone()).err())
        .collect();
    eprintln!(
        "{} of {} mates solved\n{}",
        rows.len() - failures.len(),
        rows.len(),
        failures.join("\n")
    );
    assert!(rows.len() >= 20 && failures.len() * 20 <= rows.len());
}

#[test]
fn short_mates_are_found() {
    solve_mates(3, &nodes(300_000));
}

#[test]
#[ignore = "takes a minute; the figure of the guide"]
fn mates_in_four_are_found_within_two_seconds() {
    solve_mates(
        4,
        &Limits {
            movetime: Some(Duration::from_secs(2)),
            ..Limits::default()
        },
    );
}

#[test]
fn a_mate_is_all_that_ends_a_search_for_it() {
    for (fen, moves, first) in mates().into_iter().filter(|row| row.1 == 2) {
        check_mate(&fen, moves, &first, Limits::default()).unwrap();
    }
}

#[test]
fn a_search_for_a_mate_that_is_not_there_ends() {
    for fen in [START_FEN, &mates()[0].0] {
        let limits = Limits {
            mate: Some(1),
            ..Limits::default()
        };
        let outcome = think(fen, &limits).outcome;
        assert!(outcome.best.is_some());
        assert_ne!(outcome.score, Score::MateIn(1));
    }
}

#[test]
fn images_of_a_mate_are_solved_alike() {
    for (fen, moves, _) in mates().into_iter().filter(|row| row.1 == 2) {
        let pos: Position = fen.parse().unwrap();
        for image in [pos.mirrored(), pos.flipped()] {
            check_mate(&image.to_string(), moves, &[], nodes(200_000)).unwrap();
        }
    }
}

/// Every mate told on the way must be real (public bug reports of other
/// engines: a mate in one claimed although a reply was left).
#[test]
fn mates_are_told_only_with_the_line_that_proves_them() {
    for fen in ["c3k2C1/4a4/6R2/9/9/9/9/9/9/3K5 w - - 0 1", MIDDLE_GAME] {
        for line in think(fen, &depth(10)).lines {
            let end = assert_legal(fen, &line.pv);
            if let Score::MateIn(plies) | Score::MatedIn(plies) = line.score {
                assert!(
                    line.bound != Bound::Exact
                        || line.pv.len() as u32 == plies && !end.has_legal_move()
                );
            }
        }
    }
}

#[test]
fn an_ending_that_crashed_another_engine_is_played_through() {
    let moves = ["e0e1", "f7e8", "c6e5", "d7d8", "e1e0", "e8f7"];
    let mut game = game("4P4/9/3k1a3/2N6/2b6/9/9/9/9/4K4 w - - 0 0");
    let mut engine = Engine::new(Settings::default());
    for mv in moves {
        let best = think_with(&mut engine, &game, &nodes(5_000))
            .outcome
            .best
            .unwrap();
        assert!(game.position().is_legal(best));
        game.play(mv.parse().unwrap()).unwrap();
    }
}

/// A search that has nothing left to find out goes on until it is released.
fn assert_waits(settings: Settings, limits: Limits, release: fn(&Stop)) {
    let stop = Stop::default();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let mut engine = Engine::new(settings);
            engine.search(
                &Game::default(),
                &limits,
                Instant::now(),
                &stop,
                &mut |_| {},
            )
        });
        std::thread::sleep(Duration::from_millis(50));
        assert!(!search.is_finished());
        release(&stop);
        assert!(search.join().unwrap().best.is_some());
    });
}

#[test]
fn a_stop_ends_an_endless_search() {
    let limits = Limits {
        infinite: true,
        ..Limits::default()
    };
    let settings = Settings {
        threads: 2,
        ..Settings::default()
    };
    assert_waits(settings, limits, Stop::stop);
}

#[test]
fn pondering_waits_for_the_ponder_hit() {
    let limits = Limits {
        ponder: true,
        ..depth(2)
    };
    assert_waits(Settings::default(), limits, Stop::ponder_hit);
}

/// Without time a sane move is played all the same: the rook is taken.
#[test]
fn no_time_still_gives_a_sane_move() {
    let fen = "4k4/9/9/9/4r4/9/9/4R4/9/3K5 w - - 0 1";
    for millis in [0, 1] {
        let clock = Clock {
            left: Duration::from_millis(millis),
            ..Clock::default()
        };
        let limits = Limits {
            clock: Some(clock),
            ..Limits::default()
        };
        let outcome = think(fen, &limits).outcome;
        assert!(outcome.depth >= 1);
        assert_eq!(outcome.best, Some("e2e5".parse().unwrap()));
    }
}

/// From a game lost that way: the third occurrence came with the 120th ply.
#[test]
fn a_repetition_that_is_complete_at_the_limit_goes_before_the_draw() {
    let value = |clock: u16| {
        let fen = format!("6c2/3k5/9/9/2N6/2B6/9/8B/4K4/9 w - - {clock} 156");
        let mut game = game(&fen);
        for mv in ["c5b7", "d8d7", "b7c5", "d7d8", "c5b7", "d8d7"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let limits = Limits {
            search_moves: Some(vec!["b7c5".parse().unwrap()]),
            ..depth(3)
        };
        think_with(&mut Engine::new(Settings::default()), &game, &limits)
            .outcome
            .value
    };
    /// No evaluation is as low, and no mate is near.
    const LOST_BY_RULE: i32 = -19_000;
    assert!(value(100) < LOST_BY_RULE, "in the middle of the count");
    assert!(value(112) < LOST_BY_RULE, "with the last ply of the count");
    assert_eq!(value(113), 0, "the count is complete before");
}

#[test]
fn repetition_of_checks_is_not_sought() {
    // Red could check for ever with the rook and would lose by rule; the
    // value must not pretend otherwise.
    let mut game = game("4k4/8R/9/9/9/9/9/9/9/3K5 w - - 0 1");
    let mut engine = Engine::new(Settings::default());
    for mv in [
        "i8i9", "e9e8", "i9i8", "e8e9", "i8i9", "e9e8", "i9i8", "e8e9",
    ] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let best = think_with(&mut engine, &game, &nodes(20_000))
        .outcome
        .best
        .unwrap();
    assert_ne!(best.to_string(), "i8i9");
}

/// Club Xiangqi allows one piece 6 checks in a row, two pieces 12. Red can mate
/// by a check of the rook and a step of the pawn, and is mated at once
/// otherwise; but when the rook's check is one too many there is no mate.
#[test]
fn a_mate_by_more_checks_than_allowed_is_not_told() {
    const ROUND: &str = "i8i9 e9e8 i9i8 e8e9";
    let rook_alone = ("4k4/2P5R/5P3/9/9/9/9/r8/1r7/3K5 w", "", 3);
    let after_a_pawn = (
        "9/2P6/4k1P1R/9/9/9/9/r8/1r7/3K5 w",
        "g7f7 e7e8 i7i8 e8e9",
        5,
    );
    for (fen, lead, rounds) in [rook_alone, after_a_pawn] {
        for used_up in [false, true] {
            let count = rounds - usize::from(!used_up);
            let mut game = game(fen);
            let round = [ROUND].into_iter().cycle().take(count);
            for mv in [lead]
                .into_iter()
                .chain(round)
                .flat_map(str::split_whitespace)
            {
                game.play(mv.parse().unwrap()).unwrap();
            }
            let mut engine = Engine::new(Settings {
                rules: RuleSet::Cxq,
                ..Settings::default()
            });
            let thought = think_with(&mut engine, &game, &depth(8));
            let mates = |line: &Line| matches!(line.score, Score::MateIn(_));
            assert_eq!(thought.lines.iter().any(mates), !used_up, "{fen} {count}");
            if !used_up {
                assert_eq!(thought.outcome.score, Score::MateIn(3));
            }
        }
    }
}

/// The Chinese rules forbid the cannon to threaten mate with every move. The
/// third occurrence is seen by the side that completes it and by the one that
/// would let it be completed.
#[test]
fn chinese_rulings_are_seen_at_the_root() {
    let round = ["i0h0", "i8h8", "h0i0", "h8i8"];
    let after = |plies: usize| {
        let mut game = game("2bak1c2/4aRN1r/4b4/9/9/9/3pp4/2n1B4/9/2B1K3C w - - 0 1");
        for mv in round.iter().cycle().take(plies) {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let mut engine = Engine::new(Settings {
            rules: RuleSet::Chinese,
            ..Settings::default()
        });
        think_with(&mut engine, &game, &depth(6)).outcome
    };
    let completes = after(7);
    assert_eq!(completes.best.unwrap().to_string(), "h8i8");
    assert!(
        matches!(completes.score, Score::Cp(19_000..)),
        "{:?}",
        completes.score
    );
    assert_ne!(after(6).best.unwrap().to_string(), "h0i0");
}

/// Random moves from the start, none of which loses a piece at once.
fn sound_position(random: &mut fastrand::Rng) -> Position {
    let mut pos = Position::startpos();
    for _ in 0..random.usize(10..50) {
        let moves = pos.legal_moves().into_iter();
        let sound: Vec<Move> = moves.filter(|&mv| pos.see_ge(mv, 0)).collect();
        match random.choice(&sound) {
            Some(&mv) => pos = pos.after(mv),
            None => break,
        }
    }
    pos
}

/// Whether `mv` leaves a rook to be taken for less than half of it, takes none
/// itself, and costs that much by the judgement of a full search.
fn gives_a_rook_away(pos: &Position, mv: Move) -> bool {
    const HALF_A_ROOK: i32 = 450;
    let next = pos.after(mv);
    let is_rook = |pos: &Position, sq| {
        pos.piece_on(sq)
            .is_some_and(|p| p.kind() == PieceKind::Rook)
    };
    if is_rook(pos, mv.to()) {
        return false;
    }
    let mut replies = next.legal_moves().into_iter();
    if !replies.any(|reply| is_rook(&next, reply.to()) && next.see_ge(reply, HALF_A_ROOK)) {
        return false;
    }
    let value = |search_moves| {
        let limits = Limits {
            search_moves,
            ..depth(7)
        };
        let game = Game::new(pos.clone());
        think_with(&mut Engine::new(Settings::default()), &game, &limits)
            .outcome
            .value
    };
    value(None) - value(Some(vec![mv])) >= HALF_A_ROOK
}

/// From level 3 on a weak player is weak, not blind.
#[test]
fn no_rook_is_given_away_from_level_three_on() {
    let mut random = fastrand::Rng::with_seed(1);
    let positions: Vec<Position> = (0..200).map(|_| sound_position(&mut random)).collect();
    let tempting = positions.iter().filter(|pos| {
        let mut moves = pos.legal_moves().into_iter();
        moves.any(|mv| gives_a_rook_away(pos, mv))
    });
    let tempting = tempting.count();
    assert!(tempting >= 100, "only {tempting} positions tempt");
    for skill_level in [3, 4, 6, 10, 15, 19] {
        let mut engine = Engine::new(Settings {
            skill_level,
            ..Settings::default()
        });
        for pos in positions.iter().filter(|pos| pos.has_legal_move()) {
            let outcome = think_with(&mut engine, &Game::new(pos.clone()), &depth(2)).outcome;
            let mv = outcome.best.unwrap();
            assert!(
                !gives_a_rook_away(pos, mv),
                "level {skill_level}: {mv} in {pos}"
            );
        }
    }
}
