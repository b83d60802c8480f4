//! Text of the Game of the Seven Kingdoms: faults are named, options read
//! back, and the rules that no source spells out hold.

use chuhe::kingdoms::{
    Ending, Move, OPTIONS, Options, ParseError, PlayError, Position, Random, Record, START, Seat,
    Square, historical_players,
};

fn fault(text: &str) -> ParseError {
    text.parse::<Position>().expect_err(text)
}

/// The start line with one field replaced.
fn with_field(index: usize, text: &str) -> String {
    let mut fields: Vec<&str> = START.split(' ').collect();
    fields[index] = text;
    fields.join(" ")
}

/// The start line with some text of its board replaced.
fn with_board(from: &str, to: &str) -> String {
    assert!(START.contains(from));
    START.replacen(from, to, 1)
}

#[test]
fn faults_of_the_line_are_named() {
    assert_eq!(fault(""), ParseError::FieldCount(0));
    assert_eq!(fault("a b c"), ParseError::FieldCount(3));
    assert_eq!(fault(&format!("{START} 1")), ParseError::FieldCount(9));
    assert_eq!(fault(&with_field(0, "19/19")), ParseError::RankCount(2));
    let cases = [
        (
            1,
            "x",
            "bad side to move `x`, expected one of w r o b g p k, or -",
        ),
        (
            1,
            "ww",
            "bad side to move `ww`, expected one of w r o b g p k, or -",
        ),
        (
            2,
            "wrobgp",
            "bad command `wrobgp`, expected seven of w r o b g p k or -",
        ),
        (
            2,
            "wrobgpx",
            "bad command `wrobgpx`, expected seven of w r o b g p k or -",
        ),
        (2, "wkobgpw", "kingdom k commands pieces but not its own"),
        (
            2,
            "wrobgp-",
            "kingdom k has pieces on the board but no commander",
        ),
        (
            2,
            "rrobgpk",
            "bad side to move `w`, expected a living kingdom that is played",
        ),
        (
            3,
            "0234567",
            "bad side to move `w`, expected a living kingdom that is played",
        ),
        (
            3,
            "123456",
            "bad players `123456`, expected seven digits from 0 to 7",
        ),
        (
            3,
            "1234568",
            "bad players `1234568`, expected seven digits from 0 to 7",
        ),
        (
            4,
            "wr3,bx1",
            "bad captures `bx1`, expected taker, victim and a count, as in wr3",
        ),
        (
            4,
            "wr0",
            "bad captures `wr0`, expected taker, victim and a count, as in wr3",
        ),
        (
            4,
            "wr+3",
            "bad captures `wr+3`, expected taker, victim and a count, as in wr3",
        ),
        (
            4,
            "wr3,wr4",
            "bad captures `wr4`, expected each pair of kingdoms once",
        ),
        (
            5,
            "000000",
            "bad conquests `000000`, expected seven digits from 0 to 7",
        ),
        (
            6,
            "-1",
            "bad plies since the last capture `-1`, expected a number that is not too large",
        ),
        (
            7,
            "ten",
            "bad plies played `ten`, expected a number that is not too large",
        ),
    ];
    for (index, text, message) in cases {
        assert_eq!(fault(&with_field(index, text)).to_string(), message);
    }
}

#[test]
fn faults_of_the_board_are_named() {
    let cases = [
        ("4yE9", "14", "no emperor yE on j10"),
        ("4yE9", "3yE10", "emperor on i10, expected on j10"),
        ("4yE9", "4yG9", "bad piece `yG`"),
        ("4yE9", "4wE9", "bad piece `wE`"),
        ("4yE9", "4wS9", "no emperor yE on j10"),
        (
            "5kA7",
            "6kA7",
            "rank 16 `6kA7pA3gNgS` does not have 19 points",
        ),
        (
            "5kA7",
            "20kA7",
            "rank 16 `20kA7pA3gNgS` does not have 19 points",
        ),
        (
            "5kA7",
            "0kA7",
            "rank 16 `0kA7pA3gNgS` does not have 19 points",
        ),
        ("2kNkS", "2kQkS", "bad piece `kQ`"),
        ("2kNkS", "2k", "bad piece `kk`"),
        ("2kNkS", "1日日kS", "bad piece `日日`"),
        ("kRkSkN1", "kGkSkN1", "kingdom k has two generals"),
        ("5kA7", "4kAkA7", "kingdom k has more than 17 pieces"),
    ];
    for (from, to, message) in cases {
        let got = fault(&with_board(from, to)).to_string();
        assert!(got.starts_with(message), "{got}, expected {message}");
    }
}

#[test]
fn squares_and_moves() {
    for square in Square::all() {
        assert_eq!(square.to_string().parse(), Ok(square));
        assert_eq!(Square::at(square.file(), square.rank()), square);
    }
    for text in [
        "",
        "a",
        "a0",
        "a20",
        "t1",
        "A1",
        "a01",
        "a1b",
        "é1",
        "a+1",
        "a１",
        "a99999999999",
    ] {
        assert_eq!(
            text.parse::<Square>(),
            Err(ParseError::Square(text.to_owned()))
        );
    }
    let m: Move = "a13b15".parse().unwrap();
    assert_eq!(
        (m.from.to_string(), m.to.to_string()),
        ("a13".into(), "b15".into())
    );
    assert_eq!(m.to_string(), "a13b15");
    for text in ["", "a1", "a1a1", "a13b", "a1b2c3", "a13b20", "0000", "日本"] {
        assert_eq!(text.parse::<Move>(), Err(ParseError::Move(text.to_owned())));
    }
}

#[test]
fn moves_that_cannot_be_played() {
    let start = Position::start(Options::ENGLISH);
    for text in ["a13a14", "f5f6", "b10b11", "j10j11", "c1d3"] {
        let m: Move = text.parse().unwrap();
        assert_eq!(start.play(m).unwrap_err(), PlayError::Illegal(m));
    }
    let over: Position = with_field(1, "-").parse().unwrap();
    let m: Move = "a13b15".parse().unwrap();
    assert_eq!(over.play(m).unwrap_err(), PlayError::GameOver(m));
    assert_eq!(over.turn(), None);
}

#[test]
fn options_are_read_and_written_by_name() {
    let mut options = Options::ENGLISH;
    for preset in ["russian", "ludii", "english"] {
        let wanted = Options::preset(preset).unwrap();
        for option in OPTIONS {
            let value = wanted.get(option.name).unwrap();
            options.set(option.name, &value).unwrap();
        }
        assert_eq!(options, wanted);
    }
    for (name, value) in [
        ("loss_limit", "x"),
        ("loss_limit", "101"),
        ("kingdoms_to_win", "0"),
        ("fall", "vanish"),
        ("inherited_count", "1"),
        ("teams", "12345"),
        ("teams", "0123456"),
        ("wine", "true"),
    ] {
        assert!(options.set(name, value).is_err(), "{name}={value}");
        assert_eq!(options, Options::ENGLISH);
    }
    assert!(Options::preset("chinese").is_err());
    assert_eq!(options.get("wine"), None);
}

/// Plays moves from a position line.
fn played(line: &str, rules: Options, moves: &str) -> Position {
    let start = Position::parse(line, rules).expect(line);
    moves.split_whitespace().fold(start, |p, m| {
        p.play(m.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"))
    })
}

/// Ten losses of Chu, and a sword on d1 that Qin's chancellor can take.
fn chu_about_to_fall(captures: &str, players: &str) -> String {
    format!(
        "5kG7pG5/19/19/19/19/18gG/19/19/19/wG8yE9/19/19/19/18bG/rG3rM14/3wR15/19/19/3rS9oG5 \
         w wrobgpk {players} {captures} 0000000 0 0"
    )
}

#[test]
fn conquest_by_a_single_player() {
    let rules = |text: &str| {
        let mut rules = Options::ENGLISH;
        rules.set("conquest", text).unwrap();
        rules
    };
    let shared = chu_about_to_fall("wr3,br6,gr1", "1234567");
    let after = played(&shared, rules("single"), "d4d1");
    assert_eq!(after.commander(Seat::CHU), None);
    assert!(after.men(Seat::CHU).is_empty());
    assert_eq!(after.conquests(Seat::QIN) + after.conquests(Seat::QI), 0);
    let alone = chu_about_to_fall("wr10", "1234567");
    let after = played(&alone, rules("single"), "d4d1");
    assert_eq!(after.commander(Seat::CHU), Some(Seat::QIN));
    assert_eq!(after.conquests(Seat::QIN), 1);
}

#[test]
fn captures_of_a_players_seats_add_up_for_the_heir() {
    // Player 4 holds Qi (4) and Wei (2), more than Qin's 3 + 1 and Han's 1.
    let line = chu_about_to_fall("wr3,or1,br4,gr2", "1234467");
    let after = played(&line, Options::ENGLISH, "d4d1");
    assert_eq!(after.commander(Seat::CHU), Some(Seat::QI));
    assert_eq!(after.conquests_of_player(4), 1);
}

#[test]
fn a_vacant_seat_is_skipped_and_can_be_taken() {
    let line = with_field(3, "1034567");
    let after = played(&line, Options::ENGLISH, "a13b15");
    assert_eq!(after.turn(), Some(Seat::HAN));
    let line = "19/19/19/19/19/19/19/19/19/wG8yE9/19/19/19/19/rG18/19/19/19/wR12oG5 \
                w wro---- 1030000 - 0000000 0 0";
    let after = played(line, Options::ENGLISH, "a1a5");
    assert_eq!(after.conquests(Seat::QIN), 1);
    assert_eq!(after.turn(), Some(Seat::HAN));
}

#[test]
fn team_mates_spare_each_other_and_win_together() {
    let mut rules = Options::ENGLISH;
    rules.set("teams", "1231231").unwrap();
    let line = "19/19/19/19/19/19/19/19/19/wG8yE9/19/19/19/19/bG18/19/19/19/wR12oG5 \
                w w-ob--- 1234567 - 0000000 0 0";
    let position = Position::parse(line, rules).unwrap();
    let a5: Square = "a5".parse().unwrap();
    let a1: Square = "a1".parse().unwrap();
    assert!(!position.destinations(a1).contains(&a5));
    let after = played(line, rules, "a1n1");
    let outcome = after.outcome().expect("one team is left");
    assert_eq!(outcome.by, Ending::Last);
    assert_eq!(outcome.winners().collect::<Vec<_>>(), [1, 4, 7]);
}

#[test]
fn a_hegemon_may_have_to_play_on() {
    let line = "19/19/19/19/19/19/19/19/19/wG8yE9/19/19/19/19/rG18/19/18bG/19/wR12oG5 \
                w wrob--- 1234567 wr1 1000000 0 0";
    let mut rules = Options::ENGLISH;
    assert_eq!(
        played(line, rules, "a1a5").outcome().map(|o| o.by),
        Some(Ending::Kingdoms)
    );
    rules.set("hegemon", "plays_on").unwrap();
    assert_eq!(played(line, rules, "a1a5").outcome(), None);
}

#[test]
fn points_count_by_historical_value() {
    let line = "19/19/19/19/19/19/19/19/19/wG8yE9/19/19/19/19/rR18/19/18bG/19/wR4rG7oG5 \
                w wrob--- 1234567 - 0000000 0 0";
    let mut rules = Options::ENGLISH;
    rules.set("count", "points").unwrap();
    let after = played(line, rules, "a1a5");
    assert_eq!(after.captures(Seat::QIN, Seat::CHU), 5);
    let after = played(line, rules, "a1f1");
    assert_eq!(after.captures(Seat::QIN, Seat::CHU), 0);
    assert_eq!(after.commander(Seat::CHU), Some(Seat::QIN));
}

#[test]
fn fewer_players_by_the_historical_scheme() {
    for (players, holders) in [(7, 7), (6, 6), (5, 5), (4, 4), (3, 3)] {
        let seats = historical_players(players).unwrap();
        let mut held = seats.to_vec();
        held.sort_unstable();
        held.dedup();
        assert_eq!(held.len(), holders);
        let lords = [Seat::QIN, Seat::CHU, Seat::QI].map(|s| seats[s.index()]);
        assert!(lords[0] != lords[1] && lords[1] != lords[2] && lords[0] != lords[2]);
    }
    assert_eq!(historical_players(2), None);
}

#[test]
fn the_diagram_shows_the_board() {
    let diagram = Position::start(Options::ENGLISH).diagram();
    let lines: Vec<&str> = diagram.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!(
        lines[9],
        "10 wG wC wX wA wM .. .. .. .. yE .. .. .. .. .. .. .. .. .."
    );
    assert!(lines[19].starts_with("   a  b  c"));
}

/// A game of random moves, some with comments.
fn random_record(options: Options, plies: usize, seed: u64) -> Record {
    let mut random = Random::new(seed);
    let mut record = Record::new(Position::start(options));
    record.set_tag("Event", "a \"quoted\" \\ name");
    record.set_tag("Wei", "鬼谷子");
    for ply in 0..plies {
        let moves = record.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        record.play(moves[random.below(moves.len())]).unwrap();
        if ply % 5 == 0 {
            record.comment(&format!("remark {ply} of some length, in braces"));
        }
    }
    record
}

#[test]
fn records_go_to_text_and_back() {
    let mut over = 0;
    for seed in 0..20 {
        let options = [Options::ENGLISH, Options::RUSSIAN, Options::LUDII][seed % 3];
        let record = random_record(options, 40 + 60 * seed, seed as u64);
        let text = record.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80));
        let games = Record::read_all(&text).unwrap();
        assert_eq!(games.len(), 1);
        let again = &games[0];
        assert_eq!(again.to_string(), text);
        assert_eq!(again.moves(), record.moves());
        assert_eq!(again.comments(), record.comments());
        assert_eq!(again.tag("wei"), Some("鬼谷子"));
        assert_eq!(again.position().to_string(), record.position().to_string());
        assert_eq!(again.start().options(), &options);
        over += usize::from(record.position().outcome().is_some());
    }
    assert!(over > 5, "{over}");
}

#[test]
fn a_file_may_hold_many_games() {
    let games: Vec<Record> = (1..4)
        .map(|s| random_record(Options::ENGLISH, 30, s))
        .collect();
    let text: String = games.iter().map(Record::to_string).collect();
    let again = Record::read_all(&text).unwrap();
    let texts: Vec<String> = again.iter().map(Record::to_string).collect();
    assert_eq!(texts.concat(), text);
    assert!(Record::read_all("").unwrap().is_empty());
}

#[test]
fn records_of_people_are_read() {
    let text = "[Game \"Seven Kingdoms\"]\n[Rules \"english fall=remove\"]\n[Qin \"Li\"]\n\n\
                1.a13b15 {one}{two\nlines} c1b3\n 2. k1l3{x} Wei+Qin\n";
    let games = Record::read_all(text).unwrap();
    assert_eq!(games[0].moves().len(), 3);
    assert_eq!(games[0].comments(), ["one two lines", "", "x"]);
    assert_eq!(games[0].result_text(), "Wei+Qin");
    assert_eq!(
        games[0].start().options().to_string(),
        "english fall=remove"
    );
    assert_eq!(games[0].mover(2), Some(Seat::HAN));
}

#[test]
fn faults_of_records_name_line_and_text() {
    for (text, line, part) in [
        ("[Game \"Go\"]\n\na13b15\n", 3, "`Go`"),
        ("[Event x]\n", 1, "[Event x]"),
        ("[Rules \"martian\"]\n\n*\n", 3, "martian"),
        ("[FEN \"x\"]\n\na13b15\n", 3, "fields"),
        ("a13b15\nc1b3 zz\n", 2, "`zz`"),
        ("a13b15\na13b15\n", 2, "illegal move `a13b15`"),
        ("a13b15 {never\nends\n", 2, "}"),
    ] {
        let error = Record::read_all(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn the_record_of_the_guide_is_one() {
    let guide = include_str!("../book/src/seven-kingdoms.md");
    let text = guide
        .split("```text\n")
        .find(|t| t.starts_with("[Game"))
        .unwrap();
    let text = text.split("```").next().unwrap();
    let games = Record::read_all(text).unwrap();
    assert_eq!(games[0].moves().len(), 9);
    assert_eq!(games[0].to_string().trim_end(), text.trim_end());
}
