//! Commands and replies survive the way through their text in every dialect.

use chuhe::board::{Move, SQUARES, Square};
use chuhe::protocol::dialect::split_glued;
use chuhe::protocol::{
    BestMove, Command, CommandError, Dialect, Go, IdKey, Info, Offer, OptionKind, OptionLine,
    PopHash, PositionText, Reply, SideClock, Start,
};
use chuhe::search::{Bound, Score};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

const FENS: [&str; 3] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 119 60",
    "4k4/9/9/9/9/9/9/9/9/3RK4 w",
];

const KEY_WORDS: [&str; 8] = [
    "name", "value", "type", "default", "min", "max", "var", "newgame",
];

fn a_move() -> impl Strategy<Value = Move> {
    (0..SQUARES, 0..SQUARES)
        .prop_filter("two squares", |(from, to)| from != to)
        .prop_map(|(from, to)| Move::new(Square::new(from), Square::new(to)))
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    vec(a_move(), 0..6)
}

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z_][A-Za-z_0-9]{0,9}".prop_filter("no key word", |word| {
        !KEY_WORDS.contains(&word.to_lowercase().as_str())
    })
}

fn text() -> impl Strategy<Value = String> {
    "[!-~]{1,8}( [!-~]{1,8}){0,3}"
}

fn option_name(dialect: Dialect) -> BoxedStrategy<String> {
    if dialect.is_ucci() {
        return word().boxed();
    }
    vec(word(), 1..3).prop_map(|words| words.join(" ")).boxed()
}

fn position() -> impl Strategy<Value = PositionText> {
    let start = prop_oneof![
        Just(Start::Startpos),
        (0..FENS.len()).prop_map(|i| Start::Fen(FENS[i].to_owned())),
    ];
    (start, moves()).prop_map(|(start, moves)| PositionText { start, moves })
}

fn clock(with_moves: bool) -> impl Strategy<Value = SideClock> {
    let number = || of(-1000..100_000_000_i64);
    (number(), number(), number()).prop_map(move |(time, increment, moves_to_go)| SideClock {
        time,
        increment,
        moves_to_go: moves_to_go.filter(|_| with_moves),
    })
}

fn go(dialect: Dialect) -> impl Strategy<Value = Command> {
    let ucci = dialect.is_ucci();
    let number = || of(any::<i64>());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let limits = (number(), number(), number(), number());
    let clocks = (clock(ucci), clock(ucci), number());
    (flags, limits, clocks, moves()).prop_map(move |(flags, limits, clocks, search_moves)| {
        let mut go = Go {
            ponder: flags.0,
            infinite: flags.1,
            draw: flags.2 && ucci,
            depth: limits.0,
            nodes: limits.1,
            movetime: limits.2,
            mate: limits.3,
            search_moves: search_moves.into(),
            ..Go::default()
        };
        if ucci {
            (go.own, go.opponent) = (clocks.0, clocks.1);
        } else {
            (go.red, go.black) = (clocks.0, clocks.1);
            go.own.moves_to_go = clocks.2;
        }
        Command::Go(Box::new(go))
    })
}

fn command(dialect: Dialect) -> impl Strategy<Value = Command> {
    prop_oneof![
        (0..3_usize).prop_map(|i| Command::Hello(Dialect::ALL[i])),
        Just(Command::IsReady),
        Just(Command::NewGame),
        Just(Command::Stop),
        Just(Command::Quit),
        Just(Command::Display),
        Just(Command::Eval),
        Just(Command::Flip),
        Just(Command::Help),
        any::<bool>().prop_map(Command::Debug),
        any::<bool>().prop_map(move |draw| Command::PonderHit {
            draw: draw && dialect.is_ucci()
        }),
        (option_name(dialect), of(text()))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        position().prop_map(Command::Position),
        position().prop_map(Command::Probe),
        moves().prop_map(|moves| Command::BanMoves(moves.into())),
        go(dialect),
        (0..=64u32).prop_map(Command::Perft),
        vec(word(), 0..3).prop_map(Command::Bench),
    ]
}

fn score(dialect: Dialect) -> impl Strategy<Value = Score> {
    let cp = if dialect.is_ucci() { 28_000 } else { i32::MAX };
    prop_oneof![
        (-cp..cp).prop_map(Score::Cp),
        (0..200_u32).prop_map(|n| Score::MateIn(2 * n + 1)),
        (0..200_u32).prop_map(|n| Score::MatedIn(2 * n)),
    ]
}

fn info(dialect: Dialect) -> impl Strategy<Value = Reply> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let counts = (of(0..9_u32), of(0..9_u32), of(1..9_usize), of(0..9_u32));
    let large = (of(any::<u64>()), of(any::<u64>()), of(any::<u64>()));
    let wdl = of((0..500_u16, 0..500_u16).prop_map(|(w, l)| [w, 1000 - w - l, l]));
    let current = (of(a_move()), of(1..90_usize));
    let score = of((score(dialect), bound));
    (counts, score, wdl, large, current, moves()).prop_map(
        move |(counts, score, wdl, large, current, pv)| {
            let uci = !dialect.is_ucci();
            Reply::Info(Box::new(Info {
                depth: counts.0,
                seldepth: counts.1.filter(|_| uci),
                multipv: counts.2.filter(|_| uci),
                score,
                wdl: wdl.filter(|_| uci),
                nodes: large.0,
                nps: large.1.filter(|_| uci),
                hashfull: counts.3.filter(|_| uci),
                tbhits: large.2.filter(|_| uci),
                time: large.2,
                currmove: current.0,
                currmovenumber: current.1,
                pv,
            }))
        },
    )
}

fn option_kind() -> impl Strategy<Value = OptionKind> {
    let number = any::<i64>;
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        (number(), number(), number()).prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        vec(word(), 1..4).prop_map(|values| OptionKind::Combo {
            default: values[0].clone(),
            values
        }),
        Just(OptionKind::Button),
        Just(OptionKind::Label),
        of(word()).prop_map(|word| OptionKind::Text {
            default: word.unwrap_or_default()
        }),
    ]
}

fn best_move(dialect: Dialect) -> impl Strategy<Value = Reply> {
    let offer = of(prop_oneof![Just(Offer::Draw), Just(Offer::Resign)]);
    (a_move(), of(a_move()), offer).prop_map(move |(mv, ponder, offer)| {
        Reply::BestMove(BestMove {
            mv,
            ponder,
            offer: offer.filter(|_| dialect.is_ucci()),
        })
    })
}

fn reply(dialect: Dialect) -> BoxedStrategy<Reply> {
    let bound = || of((score(Dialect::Ucci), 0..60_u32));
    let common = prop_oneof![
        (0..IdKey::ALL.len(), text()).prop_map(|(i, text)| Reply::Id {
            key: IdKey::ALL[i],
            text
        }),
        (option_name(dialect), option_kind())
            .prop_map(|(name, kind)| Reply::Option(OptionLine { name, kind })),
        Just(Reply::Ok),
        Just(Reply::ReadyOk),
        Just(Reply::NoBestMove),
        info(dialect),
        text().prop_map(Reply::Message),
        best_move(dialect),
        Just(Reply::Text("Nodes searched: 44".to_owned())),
    ];
    if !dialect.is_ucci() {
        return common.boxed();
    }
    let pop_hash = (of(a_move()), bound(), bound())
        .prop_map(|(best, lower, upper)| Reply::PopHash(PopHash { best, lower, upper }));
    prop_oneof![8 => common, 1 => pop_hash, 1 => Just(Reply::Bye)].boxed()
}

fn dialect() -> impl Strategy<Value = Dialect> {
    (0..3_usize).prop_map(|i| Dialect::ALL[i])
}

fn key_word() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "position",
        "fen",
        "startpos",
        "moves",
        "go",
        "depth",
        "abc",
        "h2e2",
        "setoption",
        "name",
        "value",
        "info",
        "score",
        "cp",
        "mate",
        "wdl",
        "pv",
        "bestmove",
        "ponder",
        "option",
        "type",
        "spin",
        "var",
        "pophash",
        "lowerbound",
        "-3",
        "99999999999999999999",
        "é",
        "",
    ])
}

fn cases() -> ProptestConfig {
    ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn commands_round_trip((dialect, command) in dialect().prop_flat_map(|d| (Just(d), command(d)))) {
        let line = dialect.write_command(&command);
        prop_assert_eq!(dialect.read_command(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn replies_round_trip((dialect, reply) in dialect().prop_flat_map(|d| (Just(d), reply(d)))) {
        let line = dialect.write_reply(&reply).expect("this dialect has the reply");
        prop_assert_eq!(dialect.read_reply(&line), Ok(reply), "{}", line);
    }

    #[test]
    fn no_line_panics(dialect in dialect(), line in "\\PC{0,60}") {
        let _ = dialect.read_command(&line);
        let _ = dialect.read_reply(&line);
        let _ = split_glued(&line);
    }

    #[test]
    fn no_words_panic(dialect in dialect(), words in vec(key_word(), 0..8)) {
        let line = words.join(" ");
        let _ = dialect.read_command(&line);
        let _ = dialect.read_reply(&line);
        let (first, rest) = split_glued(&line);
        prop_assert!(line.starts_with(first) && line.trim_end().ends_with(rest));
    }
}

fn uci(line: &str) -> Result<Option<Command>, CommandError> {
    Dialect::Uci.read_command(line)
}

fn go_of(line: &str) -> Go {
    match uci(line) {
        Ok(Some(Command::Go(go))) => *go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn positions_in_all_their_forms() {
    let start = |moves: &[&str]| {
        Ok(Some(Command::Position(PositionText {
            start: Start::Startpos,
            moves: moves.iter().map(|mv| mv.parse().unwrap()).collect(),
        })))
    };
    assert_eq!(uci("position startpos"), start(&[]));
    assert_eq!(uci("  position \t startpos  moves\r"), start(&[]));
    assert_eq!(uci("startpos moves h2e2"), start(&["h2e2"]));
    assert_eq!(
        uci("position startpos moves H2-E2 H9g7"),
        start(&["h2e2", "h9g7"])
    );
    let fen = |line| match uci(line) {
        Ok(Some(Command::Position(text))) => text.start,
        other => panic!("{line}: {other:?}"),
    };
    let expected = Start::Fen("4k4/9 w".into());
    assert_eq!(fen("position fen 4k4/9 r moves"), expected);
    assert_eq!(fen("fen 4k4/9  r  moves h2e2"), expected);
    assert_eq!(fen("position fen"), Start::Fen(String::new()));
}

#[test]
fn errors_name_the_text() {
    for (line, text, spoils) in [
        ("foo bar", "foo bar", false),
        ("position", "startpos", true),
        ("position here", "here", true),
        ("position startpos moves h2e2 xyz", "xyz", true),
        ("fen 4k4 w moves j0j1", "j0j1", true),
        ("startpos moves 1", "1", true),
        ("probe", "startpos", false),
        ("setoption", "name", false),
        ("setoption name", "name", false),
    ] {
        let error = uci(line).unwrap_err();
        assert!(error.to_string().contains(text), "{line}: {error}");
        assert_eq!(error.spoils_position(), spoils, "{line}");
    }
}

#[test]
fn blank_lines_and_comments_are_nothing() {
    for line in ["", "   ", "\t\r", "# a remark"] {
        assert_eq!(uci(line), Ok(None));
    }
}

#[test]
fn go_reads_words_in_any_order_and_reports_what_it_cannot_read() {
    let go = go_of("go time 60000 opptime 50000 oppincrement 0 increment 10 depth 4");
    assert_eq!((go.own.time, go.own.increment), (Some(60_000), Some(10)));
    assert_eq!((go.opponent.time, go.depth), (Some(50_000), Some(4)));
    let go = go_of("go depth abc nodes 99999999999999999999 movetime");
    assert_eq!((go.depth, go.nodes), (None, Some(i64::MAX)));
    let texts: Vec<String> = go.unreadable.iter().map(ToString::to_string).collect();
    assert!(texts[0].contains("depth") && texts[0].contains("abc"));
    assert!(texts[1].contains("movetime"), "{texts:?}");
    let go = go_of("go searchmoves a0a1 a3a4 depth -3");
    assert_eq!((go.search_moves.moves.len(), go.depth), (2, Some(-3)));
    assert_eq!(uci("go perft 3"), Ok(Some(Command::Perft(3))));
    assert_eq!(uci("go"), Ok(Some(Command::Go(Box::default()))));
}

#[test]
fn a_bad_word_in_a_list_of_moves_costs_only_itself() {
    let go = go_of("go searchmoves a0a1 xyz a3a4 nodes 5");
    assert_eq!(go.search_moves.unreadable, ["xyz"]);
    assert_eq!((go.search_moves.moves.len(), go.nodes), (2, Some(5)));
    let Ok(Some(Command::BanMoves(list))) = uci("banmoves a0a1 j0j1 A3-A4 h2") else {
        panic!("a list")
    };
    assert_eq!((list.moves.len(), list.unreadable.len()), (2, 2));
    assert!(go_of("go searchmoves").search_moves.is_empty());
}

#[test]
fn options_in_both_forms_in_every_dialect() {
    let option = |name: &str, value: Option<&str>| {
        Ok(Some(Command::SetOption {
            name: name.into(),
            value: value.map(str::to_owned),
        }))
    };
    for (line, name, value) in [
        ("setoption hashsize 32", "hashsize", Some("32")),
        ("setoption name hashsize value 32", "hashsize", Some("32")),
        (
            "setoption bookfiles C:\\My Books\\a.obk;b.obk",
            "bookfiles",
            Some("C:\\My Books\\a.obk;b.obk"),
        ),
        (
            "setoption name Debug Log File value a b.log",
            "Debug Log File",
            Some("a b.log"),
        ),
        ("setoption name Clear Hash", "Clear Hash", None),
    ] {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.read_command(line), option(name, value));
        }
    }
    assert_eq!(uci("setoption newgame"), Ok(Some(Command::NewGame)));
}

#[test]
fn a_go_glued_to_a_position_is_a_line_of_its_own() {
    assert_eq!(
        split_glued("position startpos moves h2e2 go depth 3"),
        ("position startpos moves h2e2 ", "go depth 3")
    );
    for whole in ["go depth 3", "position startpos", "setoption name go"] {
        assert_eq!(split_glued(whole), (whole, ""));
    }
}

#[test]
fn scores_and_no_moves_in_the_words_of_each_dialect() {
    let line = |dialect: Dialect, score| {
        let info = Info {
            score: Some((score, Bound::Exact)),
            ..Info::default()
        };
        dialect.write_reply(&Reply::Info(Box::new(info))).unwrap()
    };
    for (score, uci, ucci) in [
        (Score::Cp(-35), "cp -35", "-35"),
        (Score::MateIn(1), "mate 1", "29999"),
        (Score::MateIn(5), "mate 3", "29995"),
        (Score::MatedIn(0), "mate 0", "-30000"),
        (Score::MatedIn(4), "mate -2", "-29996"),
    ] {
        assert_eq!(line(Dialect::Uci, score), format!("info score {uci}"));
        assert_eq!(line(Dialect::Ucci, score), format!("info score {ucci}"));
    }
    let none = |dialect: Dialect| dialect.write_reply(&Reply::NoBestMove);
    assert_eq!(none(Dialect::Uci).as_deref(), Some("bestmove (none)"));
    assert_eq!(none(Dialect::Ucci).as_deref(), Some("nobestmove"));
    assert_eq!(Dialect::Uci.write_reply(&Reply::Bye), None);
}

fn read(dialect: Dialect, line: &str) -> Reply {
    dialect.read_reply(line).unwrap()
}

fn read_info(dialect: Dialect, line: &str) -> Info {
    match read(dialect, line) {
        Reply::Info(info) => *info,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn info_of_other_engines_is_read() {
    let info = read_info(
        Dialect::Uci,
        "info depth 5 seldepth 4 multipv 1 score cp 83 lowerbound nodes 1141 nps 570500 \
         hashfull 0 tbhits 0 time 2 pv b2b6 d9e8",
    );
    assert_eq!(info.score, Some((Score::Cp(83), Bound::Lower)));
    assert_eq!((info.time, info.pv.len()), (Some(2), 2));
    for line in [
        "info depth 9 score 7 pv g3g4 i9h9",
        "info depth 9 score cp 7 pv g3g4",
    ] {
        let info = read_info(Dialect::Ucci, line);
        assert_eq!(info.score, Some((Score::Cp(7), Bound::Exact)));
    }
}

#[test]
fn other_replies_of_other_engines_are_read() {
    let Reply::BestMove(best) = read(Dialect::Ucci, "bestmove f9e8 ponder d8d9 draw") else {
        panic!("no move")
    };
    assert_eq!(best.offer, Some(Offer::Draw));
    assert_eq!(read(Dialect::Uci, "bestmove 0000"), Reply::NoBestMove);
    assert_eq!(
        read(Dialect::Uci, "Pikafish by X"),
        Reply::Text("Pikafish by X".into())
    );
    let Reply::Option(OptionLine { name, kind }) = read(
        Dialect::Ucci,
        "option style type combo var solid var normal default normal",
    ) else {
        panic!("no option")
    };
    assert_eq!(name, "style");
    assert!(matches!(kind, OptionKind::Combo { values, .. } if values.len() == 2));
    for line in [
        "bestmove",
        "bestmove xyz",
        "option",
        "option Hash",
        "option Hash type foo",
    ] {
        let error = Dialect::Uci.read_reply(line).unwrap_err();
        assert!(error.to_string().contains(line));
    }
}
