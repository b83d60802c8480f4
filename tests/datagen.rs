//! The file of games: round trip, damage, merging, going on, and the play
//! that fills it.

mod common;

use chuhe::board::{Move, Position};
use chuhe::clock::Stop;
use chuhe::search::{Engine, Settings};
use chuhe::training::datagen::{Job, game_seed, generate};
use chuhe::training::games::{
    Block, BlockError, Ending, GameRecord, GameResult, GameWriter, Source, read_blocks,
};
use chuhe::training::sample::{Filter, Samples};
use chuhe::training::selfplay::{Conduct, play_game};
use chuhe::training::stats::{Survey, agreement, verify};
use chuhe::training::trial::{Player, Trial};
use common::folder::Folder;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SOURCE: Source = Source {
    net: 0xABCD_1234,
    engine: 7,
    nodes: 1000,
    seed: 0x0123_4567_89AB_CDEF,
};

/// A random game with made-up scores.
fn game(seed: u64) -> GameRecord {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut pos = Position::startpos();
    let mut moves = Vec::new();
    while moves.len() < 60 {
        let legal = pos.legal_moves();
        let Some(&mv) = random.choice(legal.iter()) else {
            break;
        };
        moves.push(mv);
        pos.make(mv);
    }
    let plies = moves.split_off(8);
    GameRecord {
        opening: moves,
        plies: plies
            .into_iter()
            .map(|mv| (mv, random.i16(-3000..3000)))
            .collect(),
        result: [GameResult::BlackWin, GameResult::Draw, GameResult::RedWin][seed as usize % 3],
        ending: Ending::ALL[seed as usize % Ending::ALL.len()],
    }
}

fn block(first: u64, count: u64) -> Block {
    Block {
        source: SOURCE,
        games: (first..first + count).map(game).collect(),
    }
}

fn read_all(path: &Path) -> Vec<Block> {
    read_blocks(path)
        .unwrap()
        .map(|b| b.map_err(|(_, e)| e.to_string()).unwrap())
        .collect()
}

#[test]
fn blocks_round_trip_in_about_four_bytes_a_position() {
    let block = block(0, 40);
    let bytes = block.encode();
    assert_eq!(Block::read(&mut &bytes[..]).unwrap(), Some(block.clone()));
    let positions: usize = block.games.iter().map(|g| g.plies.len()).sum();
    assert!(bytes.len() < 5 * positions);
}

#[test]
fn damage_is_noticed() {
    let bytes = block(0, 3).encode();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Block::read(&mut &damaged[..]).is_err(), "byte {at}");
    }
    for length in 1..bytes.len() {
        let result = Block::read(&mut &bytes[..length]);
        assert!(
            matches!(result, Err(BlockError::Truncated)),
            "length {length}"
        );
    }
    assert!(Block::read(&mut &bytes[..0]).unwrap().is_none());
}

#[test]
fn an_unfinished_block_is_cut_off_and_writing_goes_on() {
    let folder = Folder::new("unfinished");
    let path = folder.file("games.xqg");
    let (mut writer, present) = GameWriter::open(&path).unwrap();
    assert_eq!(present.games, 0);
    writer.append(&block(0, 3)).unwrap();
    drop(writer);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(&block(3, 3).encode()[..100]);
    std::fs::write(&path, bytes).unwrap();
    let (mut writer, present) = GameWriter::open(&path).unwrap();
    assert_eq!((present.games, present.dropped), (3, 100));
    writer.append(&block(6, 2)).unwrap();
    assert_eq!(read_all(&path), [block(0, 3), block(6, 2)]);
}

#[test]
fn something_else_is_not_written_into() {
    let folder = Folder::new("foreign");
    let path = folder.file("notes.txt");
    std::fs::write(
        &path,
        "these notes are longer than the header of a block of games",
    )
    .unwrap();
    assert!(matches!(GameWriter::open(&path), Err(BlockError::Magic)));
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("these notes")
    );
}

#[test]
fn files_merge_by_putting_one_after_the_other() {
    let folder = Folder::new("merge");
    let path = folder.file("both.xqg");
    std::fs::write(&path, [block(0, 2).encode(), block(5, 4).encode()].concat()).unwrap();
    assert_eq!(read_all(&path), [block(0, 2), block(5, 4)]);
    assert_eq!(verify(&path).unwrap().0, 6);
}

#[test]
fn an_illegal_move_is_found_by_verify() {
    let folder = Folder::new("illegal");
    let path = folder.file("games.xqg");
    let mut bad = block(0, 2);
    let last = bad.games[1].plies.len() - 1;
    bad.games[1].plies[last].0 = "a0i9".parse::<Move>().unwrap();
    std::fs::write(&path, bad.encode()).unwrap();
    let error = verify(&path).unwrap_err();
    assert!(error.contains("illegal move number 60"), "{error}");
}

#[test]
fn positions_are_filtered_split_by_game_and_taken_once() {
    let mut samples = Samples::default();
    samples.add(&block(0, 100), &Filter::default()).unwrap();
    let (learnt, held_out) = (samples.training.len(), samples.validation.len());
    assert!(learnt > 0 && held_out > 0 && held_out * 5 < learnt);
    assert!(samples.training.iter().all(|s| s.score.abs() <= 2000));
    samples.add(&block(0, 100), &Filter::default()).unwrap();
    assert_eq!(
        (samples.training.len(), samples.validation.len()),
        (learnt, held_out)
    );
    let tally = samples.tally;
    assert_eq!(
        tally.positions,
        2 * (tally.filtered / 2 + (learnt + held_out) as u64)
            + (tally.duplicates - (learnt + held_out) as u64)
    );
}

fn small_conduct() -> Conduct {
    Conduct {
        soft_nodes: 100,
        max_plies: 60,
        ..Conduct::default()
    }
}

#[test]
fn a_seed_is_a_game() {
    let mut engine = Engine::new(Settings {
        hash_mb: 1,
        ..Settings::default()
    });
    let conduct = small_conduct();
    let mut play = |seed| play_game(&mut engine, &conduct, seed);
    let (one, other, again) = (play(1), play(2), play(1));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!((6..=12).contains(&one.opening.len()));
    one.replay(|_, _, _| ()).unwrap();
}

#[test]
fn seeds_of_games_differ_between_games_and_runs() {
    let seeds: std::collections::HashSet<u64> = (0..10)
        .flat_map(|run| (0..1000).map(move |game| game_seed(run, game)))
        .collect();
    assert_eq!(seeds.len(), 10_000);
}

#[test]
fn generation_stops_at_its_goal_and_goes_on_later() {
    let folder = Folder::new("generate");
    let path = folder.file("games.xqg");
    let job = |positions| Job {
        threads: 2,
        positions,
        seed: 5,
        settings: Settings {
            hash_mb: 1,
            ..Settings::default()
        },
        conduct: small_conduct(),
        evaluation: None,
    };
    let first = generate(&job(300), &path, &Stop::default(), &|_| ()).unwrap();
    assert!(first.positions >= 300);
    let second = generate(&job(600), &path, &Stop::default(), &|_| ()).unwrap();
    assert!(second.positions >= 600);
    let survey = Survey::of(std::slice::from_ref(&path)).unwrap();
    assert_eq!(survey.stats.positions, second.positions);
    assert_eq!(survey.stats.results.iter().sum::<u64>(), second.games);
    // A run that went on repeats no game.
    let games: Vec<GameRecord> = read_all(&path).into_iter().flat_map(|b| b.games).collect();
    let openings: std::collections::HashSet<_> = games
        .iter()
        .map(|g| (g.opening.clone(), g.plies.clone()))
        .collect();
    assert_eq!(openings.len(), games.len());
    assert!(survey.to_string().contains("seed 5"));
}

#[test]
fn games_of_endings_begin_with_few_pieces() {
    let mut engine = Engine::new(Settings {
        hash_mb: 1,
        ..Settings::default()
    });
    let conduct = Conduct {
        endings: true,
        ..small_conduct()
    };
    let (fewest, most) = conduct.ending_pieces;
    for seed in 0..20 {
        let game = play_game(&mut engine, &conduct, seed);
        let mut pos = Position::startpos();
        for &mv in &game.opening {
            pos.make(mv);
        }
        assert!((fewest..=most).contains(&pos.occupied().len()), "{pos:?}");
        assert!(i32::from(game.plies[0].1).abs() <= conduct.max_ending_score);
        let stored = Block {
            source: SOURCE,
            games: vec![game],
        };
        let bytes = stored.encode();
        assert_eq!(Block::read(&mut &bytes[..]).unwrap(), Some(stored));
    }
}

#[test]
fn scores_with_the_wrong_sign_are_noticed() {
    let mut samples = Samples::default();
    samples.add(&block(0, 50), &Filter::default()).unwrap();
    for sample in &mut samples.training {
        sample.result = if sample.score > 0 { 1 } else { -1 };
    }
    assert!(agreement(&samples.training) > 0.99);
    samples
        .training
        .iter_mut()
        .for_each(|s| s.result = -s.result);
    assert!(agreement(&samples.training) < 0.01);
}

#[test]
fn a_player_against_itself_draws_every_pair() {
    let trial = Trial {
        pairs: 3,
        nodes: 200,
        threads: 2,
        seed: 3,
        settings: Settings {
            hash_mb: 1,
            ..Settings::default()
        },
        conduct: small_conduct(),
    };
    let told = AtomicU64::new(0);
    let players = [Player::default(), Player::default()];
    let score = trial.run(&players, &[], &Stop::default(), &|_, _| {
        told.fetch_add(1, Relaxed);
    });
    // Equal players play the same game with either colour.
    assert_eq!(score.pairs.0, [0, 0, 3, 0, 0]);
    assert_eq!((score.games.games(), told.into_inner()), (6, 3));
    let stop = Stop::default();
    stop.stop();
    let nothing = trial.run(&players, &[], &stop, &|_, _| ());
    assert_eq!(nothing.games.games(), 0);
}
