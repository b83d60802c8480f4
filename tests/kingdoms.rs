//! The rules of the Game of the Seven Kingdoms against worked cases, counts
//! and games of an independent reference model (`tests/data/kingdoms`).

use chuhe::kingdoms::{
    ARMY, Ending, Move, Options, Position, SEATS, START, START_MIRRORED_SOUTH, Seat, Square,
    divide, perft,
};

const PERFT: &str = include_str!("data/kingdoms/perft.txt");
const DIVIDE: &str = include_str!("data/kingdoms/divide2.txt");
const DESTINATIONS: &str = include_str!("data/kingdoms/destinations.txt");
const SEQUENCES: &str = include_str!("data/kingdoms/sequences.txt");
const GAMES: &str = include_str!("data/kingdoms/games.txt");

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| l.split(" ; ").collect())
}

fn options(text: &str) -> Options {
    let mut options = Options::ENGLISH;
    for item in text.split_whitespace().filter(|i| *i != "-") {
        let (name, value) = item.split_once('=').expect("name=value");
        options.set(name, value).expect("a known option");
    }
    options
}

fn position(text: &str, rules: &str) -> Position {
    let position = Position::parse(text, options(rules)).expect(text);
    assert_eq!(position.to_string(), text);
    position
}

fn square(text: &str) -> Square {
    text.parse().expect(text)
}

#[test]
fn the_formation_gives_the_start_line() {
    let start = Position::start(Options::ENGLISH);
    assert_eq!(start.to_string(), START);
    let mobility: Vec<usize> = Seat::ALL.map(|s| start.moves_of(s).len()).to_vec();
    assert_eq!(mobility, [96, 96, 90, 90, 90, 90, 96]);
    let mirrored: Position = START_MIRRORED_SOUTH.parse().unwrap();
    let differ = Square::all().filter(|&s| mirrored.piece(s) != start.piece(s));
    let differ: Vec<String> = differ.map(|s| s.to_string()).collect();
    assert_eq!(differ, ["e1", "g1", "m1", "o1"]);
}

#[test]
fn perft_counts() {
    for row in rows(PERFT) {
        let position = position(row[1], row[0]);
        for (depth, count) in (1..).zip(row[2].split(' ')) {
            let count: u64 = count.parse().unwrap();
            if count < 2_000_000 {
                assert_eq!(perft(&position, depth), count, "{row:?} depth {depth}");
            }
        }
    }
}

#[test]
#[ignore = "72 million positions, about a second; run with --release -- --ignored"]
fn perft_four_from_the_start() {
    assert_eq!(perft(&Position::start(Options::ENGLISH), 4), 72_156_795);
}

#[test]
fn perft_split_by_first_move() {
    let start = Position::start(Options::ENGLISH);
    let split = divide(&start, 2);
    let lines = DIVIDE.lines().filter(|l| !l.starts_with('#'));
    let mut expected: Vec<String> = lines.map(str::to_owned).collect();
    let mut got: Vec<String> = split.iter().map(|(m, n)| format!("{m} {n}")).collect();
    expected.sort();
    got.sort();
    assert_eq!(got, expected);
}

#[test]
fn worked_cases_of_single_pieces() {
    let mut cases = 0;
    for row in rows(DESTINATIONS) {
        let position = position(row[2], row[1]);
        let mut got = position.destinations(square(row[3]));
        let squares = row.get(4).map_or("", |t| t).split_whitespace();
        let mut expected: Vec<Square> = squares.map(square).collect();
        got.sort();
        expected.sort();
        assert_eq!(got, expected, "{}", row[0]);
        cases += 1;
    }
    assert_eq!(cases, 21);
}

#[test]
fn worked_cases_of_falls_and_victories() {
    let mut cases = 0;
    for row in rows(SEQUENCES) {
        let mut position = position(row[2], row[1]);
        for m in row[3].split(' ') {
            position = position.play(m.parse().unwrap()).expect(row[0]);
        }
        for item in row[4].split(' ') {
            let (key, value) = item.split_once('=').unwrap();
            check(&position, key, value, row[0]);
        }
        cases += 1;
    }
    assert_eq!(cases, 18);
}

/// Compares one expectation of a worked case.
fn check(position: &Position, key: &str, value: &str, id: &str) {
    let line = position.to_string();
    let fields: Vec<&str> = line.split(' ').collect();
    let stands = |item: &str| {
        let piece = position.piece(square(&item[2..]));
        piece.is_some_and(|p| p.to_string() == item[..2])
    };
    match key {
        "turn" => assert_eq!(fields[1], value, "{id}"),
        "ctrl" => assert_eq!(fields[2], value, "{id}"),
        "caps" => assert_eq!(fields[4], value, "{id}"),
        "conq" => assert_eq!(fields[5], value, "{id}"),
        "result" => assert_eq!(result(position), value, "{id}"),
        "board_has" => assert!(value.split(',').all(stands), "{id}: {value}"),
        "board_lacks" => assert!(!value.split(',').any(stands), "{id}: {value}"),
        _ => panic!("{id}: unknown key {key}"),
    }
}

/// `1,2:quiet`, or `-` while the game goes on.
fn result(position: &Position) -> String {
    let Some(outcome) = position.outcome() else {
        return "-".to_owned();
    };
    let winners: Vec<String> = outcome.winners().map(|p| p.to_string()).collect();
    format!("{}:{}", winners.join(","), outcome.by.name())
}

#[test]
fn games_of_the_reference_model() {
    let (mut rules, mut moves, mut games) = ("", "", 0);
    let mut marks: Vec<&str> = Vec::new();
    for line in GAMES.lines().filter(|l| !l.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "options" => (rules, marks) = (rest, Vec::new()),
            "moves" => moves = rest,
            "after" => marks.push(rest),
            _ => {
                replay(rules, moves, &marks, rest);
                games += 1;
            }
        }
    }
    assert_eq!(games, 20);
}

/// Plays a game of the model; the number of legal moves must agree before
/// each move, and the position at every mark.
fn replay(rules: &str, moves: &str, marks: &[&str], expected: &str) {
    let mut position = Position::start(options(rules));
    let mut marks = marks.iter();
    let mut mark = marks.next();
    for item in moves.split(' ') {
        let (text, count) = item.split_once(':').unwrap();
        assert_eq!(position.count_moves().to_string(), count, "{position}");
        position = position.play(text.parse().unwrap()).unwrap();
        if mark.is_some_and(|m| m.ends_with(&format!(" {}", position.ply()))) {
            assert_eq!(Some(&position.to_string().as_str()), mark);
            mark = marks.next();
        }
    }
    assert_eq!((mark, result(&position).as_str()), (None, expected));
}

/// A small generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

#[test]
fn random_games_keep_the_invariants() {
    let mut random = Random(1);
    let mut endings = Vec::new();
    for _ in 0..500 {
        let mut position = Position::start(Options::ENGLISH);
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            position = position.play(moves[random.below(moves.len())]).unwrap();
            check_invariants(&position);
        }
        assert_eq!(position.legal_moves(), []);
        endings.push(position.outcome().unwrap().by);
    }
    assert!(endings.contains(&Ending::Kingdoms));
}

/// 119 pieces accounted for, text round trip, key equal to one from scratch.
fn check_invariants(position: &Position) {
    let on_board: usize = Seat::ALL.iter().map(|&k| position.men(k).len()).sum();
    let taken: u32 = Seat::ALL.iter().map(|&k| position.losses(k)).sum();
    assert_eq!(on_board + taken as usize, SEATS * ARMY, "{position}");
    for kingdom in Seat::ALL {
        let colour = |s: &Square| position.piece(*s).and_then(|p| p.kingdom());
        assert!(
            position
                .men(kingdom)
                .iter()
                .all(|s| colour(s) == Some(kingdom))
        );
    }
    if position.ply().is_multiple_of(16) || position.outcome().is_some() {
        let text = position.to_string();
        let again: Position = text.parse().unwrap();
        assert_eq!(again.to_string(), text);
        if position.outcome().is_none() {
            assert_eq!(again.key(), position.key(), "{text}");
            assert_eq!(sorted(again.legal_moves()), sorted(position.legal_moves()));
        }
    }
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

#[test]
fn random_games_end_under_every_preset_and_number_of_players() {
    let mut random = Random(2);
    for preset in ["english", "russian", "ludii"] {
        for players in 3..=7 {
            for inherit in ["false", "true"] {
                let mut rules = Options::preset(preset).unwrap();
                rules.set("inherited_count", inherit).unwrap();
                let mut position = Position::start_for(players, rules).unwrap();
                while position.outcome().is_none() {
                    let moves = position.legal_moves();
                    position = position.play(moves[random.below(moves.len())]).unwrap();
                }
                let text = position.to_string();
                assert_eq!(Position::parse(&text, rules).unwrap().to_string(), text);
                assert!(position.outcome().unwrap().winners().count() > 0, "{text}");
            }
        }
    }
}
