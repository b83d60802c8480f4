//! What a GUI may expect of an engine, statement by statement, in memory.

mod protocol_support;

use chuhe::board::Position;
use chuhe::protocol::{Dialect, Info, Reply};
use chuhe::search::{Bound, Score};
use protocol_support::{
    Gui, MATE_IN_ONE, MATED, ONE_MOVE, START, after, in_both, is_answer, is_red,
};
use std::time::{Duration, Instant};

fn uci() -> Gui {
    Gui::new(Dialect::Uci)
}

fn ucci() -> Gui {
    Gui::new(Dialect::Ucci)
}

fn infos(dialect: Dialect, lines: &[String]) -> Vec<Info> {
    let read = |line: &String| match dialect.read_reply(line) {
        Ok(Reply::Info(info)) => Some(*info),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

/// The news with a line of play of a search.
fn lines_of_play(gui: &mut Gui) -> (Vec<Info>, String) {
    let mut lines = gui.answer();
    let answer = lines.pop().unwrap();
    let infos = infos(gui.dialect, &lines);
    (
        infos
            .into_iter()
            .filter(|info| info.score.is_some())
            .collect(),
        answer,
    )
}

#[test]
fn s01_s02_the_introduction() {
    for (dialect, limit) in [(Dialect::Uci, 48), (Dialect::Ucci, 40)] {
        let mut gui = Gui::with(chuhe::search::Engine::new);
        let lines = gui.introduce(dialect);
        assert!(lines.len() <= limit, "{} lines", lines.len());
        let version = env!("CARGO_PKG_VERSION");
        let head = lines[..2].join(" ");
        assert!(lines[0].starts_with("id name Chuhe"));
        assert!(head.contains(version), "{head}");
        let net = chuhe::eval::nnue::Network::embedded();
        assert!(head.contains(&format!("({} {:08x})", net.name(), net.hash())));
        let options: Vec<&String> = lines.iter().filter(|l| l.starts_with("option ")).collect();
        for line in &options {
            let reply = dialect.read_reply(line);
            assert!(matches!(reply, Ok(Reply::Option(_))), "{line}");
            assert_eq!(line.starts_with("option name "), !dialect.is_ucci());
            assert!(
                !dialect.is_ucci() || line.split(' ').nth(2) == Some("type"),
                "{line}"
            );
        }
        let wanted = if dialect.is_ucci() {
            "option usemillisec type check default true"
        } else {
            "option name UCI_Variant type combo default xiangqi var xiangqi"
        };
        assert!(options.iter().any(|line| line.starts_with(wanted)));
    }
}

#[test]
fn s03_s04_isready_idle_and_thinking() {
    in_both(|gui| {
        gui.ready();
        gui.think();
        let asked = Instant::now();
        gui.ready();
        assert!(asked.elapsed() < Duration::from_secs(2));
        gui.put("stop");
        assert!(is_red(gui.best()));
    });
}

#[test]
fn s05_stop_when_idle() {
    let mut gui = ucci();
    assert_eq!(gui.ask(&["stop"]), None);
    let mut gui = uci();
    gui.put("stop");
    gui.no_move_for(300);
}

#[test]
fn s06_s07_depth_and_nodes() {
    in_both(|gui| {
        gui.put("position startpos");
        gui.put("go depth 4");
        let (infos, answer) = lines_of_play(gui);
        assert!(infos.iter().any(|info| info.depth == Some(4)));
        assert!(matches!(
            gui.dialect.read_reply(&answer),
            Ok(Reply::BestMove(_))
        ));
        assert!(is_red(gui.ask(&["go nodes 3000"])));
    });
}

#[test]
fn s08_s09_clocks_and_several_limits() {
    in_both(|gui| {
        let (clock, started) = (gui.go_clock(1000), Instant::now());
        assert!(is_red(gui.ask(&["position startpos", &clock])));
        assert!(started.elapsed() < Duration::from_millis(1200));
        let both = if gui.dialect.is_ucci() {
            "go time 30000 depth 3"
        } else {
            "go movetime 30000 depth 3"
        };
        let started = Instant::now();
        assert!(is_red(gui.ask(&[both])));
        assert!(started.elapsed() < Duration::from_secs(10));
    });
}

#[test]
fn s10_to_s14_positions_in_all_their_forms() {
    let fen = |rest: &str| format!("position fen {START} {rest}");
    let letters = "position fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR \
                   w - - 0 1 moves h0g2";
    for (line, red) in [
        ("position startpos moves h2e2 h9g7".to_owned(), true),
        (fen("w - - 0 1 moves"), true),
        (fen("b"), false),
        (fen("r - - 0 1"), true),
        (fen(""), true),
        (fen("w - - 0"), true),
        (letters.to_owned(), false),
        (fen("r moves H2-E2"), false),
    ] {
        in_both(|gui| assert_eq!(is_red(gui.ask(&[&line, "go depth 2"])), red, "{line}"));
    }
}

#[test]
fn s15_a_mated_side_has_no_move() {
    in_both(|gui| {
        gui.put(&format!("position fen {MATED}"));
        gui.put("go depth 3");
        let (infos, answer) = lines_of_play(gui);
        assert_eq!(infos[0].score, Some((Score::MatedIn(0), Bound::Exact)));
        let none = if gui.dialect.is_ucci() {
            "nobestmove"
        } else {
            "bestmove (none)"
        };
        assert_eq!(answer, none);
    });
}

#[test]
fn s16_s62_mate_in_one() {
    in_both(|gui| {
        gui.put(&format!("position fen {MATE_IN_ONE}"));
        gui.put("go depth 4");
        let (infos, answer) = lines_of_play(gui);
        assert!(answer.starts_with("bestmove e2d2"));
        let last = infos.last().unwrap();
        assert_eq!(last.score, Some((Score::MateIn(1), Bound::Exact)));
    });
    let mut gui = uci();
    let position = format!("position fen {MATE_IN_ONE}");
    let mate = "e2d2".parse().ok();
    assert_eq!(gui.ask(&[&position, "go mate 1"]), mate);
    gui.put("position startpos");
    gui.put("go mate 1");
    let said = gui.answer();
    let told = |line: &String| line.starts_with("info string no mate in 1 found");
    assert!(said.iter().any(told), "{said:?}");
}

#[test]
fn s17_s18_line_ends_and_blanks() {
    in_both(|gui| {
        assert!(is_red(gui.ask(&["position startpos\r", "go depth 2\r"])));
        assert!(is_red(
            gui.ask(&["  position   startpos\t", "go \t depth  2"])
        ));
    });
}

#[test]
fn s19_s20_unknown_input_and_long_lines() {
    for dialect in [Dialect::Uci, Dialect::Ucci] {
        let mut gui = Gui::new(dialect);
        for line in ["foo bar", "", "   ", "象棋", "# remark"] {
            gui.put(line);
        }
        gui.raw(b"\xff\xfe\0\n\0\0\0\n");
        gui.put(&"foo ".repeat(50_000));
        gui.put(&"x".repeat(3 << 20));
        let said = gui.ready();
        let info = |line: &&String| line.starts_with("info string") && line.len() < 400;
        assert_eq!(said.iter().filter(info).count(), said.len() - 1, "{said:?}");
        assert_eq!(said.len() > 1, !dialect.is_ucci());
    }
}

#[test]
fn s21_a_thousand_moves() {
    let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(250);
    in_both(|gui| {
        gui.put(&format!("position startpos moves {moves}"));
        gui.ready();
        assert!(is_red(gui.ask(&["go depth 2"])));
    });
}

#[test]
fn s22_bad_positions_have_no_move() {
    let no_red_king = START.replace('K', "1");
    let rank_of_8 = &START[..START.len() - 1];
    for fen in [
        "xyz w",
        "",
        rank_of_8,
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        &no_red_king,
        &format!("{START} w - - 999999999999 1"),
        &format!("{START} x"),
    ] {
        in_both(|gui| {
            assert!(is_red(gui.ask(&["position startpos", "go depth 1"])));
            gui.put(&format!("position fen {fen}"));
            let said = gui.ready();
            assert!(said[0].starts_with("info "), "{fen}: {said:?}");
            assert!(said[0].contains("Unsupported position"), "{fen}: {said:?}");
            assert_eq!(gui.ask(&["go depth 1"]), None, "{fen}");
            assert_eq!(gui.ask(&["go infinite"]), None, "{fen}");
            assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
        });
    }
}

#[test]
fn s23_an_illegal_move_is_named_and_spoils_the_position() {
    for (moves, named) in [
        ("h2e2 a0a5 h9g7", "a0a5"),
        ("h2e2 xyz", "xyz"),
        ("a9a8", "a9a8"),
    ] {
        in_both(|gui| {
            gui.put(&format!("position startpos moves {moves}"));
            let said = gui.ready();
            assert!(said[0].contains(named), "{said:?}");
            assert_eq!(gui.ask(&["go depth 2"]), None);
            assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
        });
    }
}

#[test]
fn s24_go_without_a_position() {
    in_both(|gui| assert!(is_red(gui.ask(&["go depth 2"]))));
}

#[test]
fn s25_to_s28_the_end() {
    in_both(|gui| {
        gui.close();
        gui.end();
    });
    in_both(|gui| {
        gui.think();
        gui.close();
        gui.end();
    });
    in_both(|gui| {
        gui.think();
        gui.put("quit");
        gui.end();
    });
    let mut gui = ucci();
    gui.put("quit");
    gui.until(|line| line == "bye");
    gui.end();
}

#[test]
fn s29_options_while_thinking() {
    in_both(|gui| {
        gui.think();
        for line in [
            "setoption name Hash value 32",
            "setoption hashsize 8",
            "setoption name Threads value 2",
            "setoption newgame",
            "ucinewgame",
        ] {
            gui.put(line);
        }
        gui.ready();
        gui.put("stop");
        assert!(is_red(gui.best()));
        gui.ready();
        assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
    });
}

#[test]
fn s30_a_position_while_thinking() {
    in_both(|gui| {
        gui.think();
        gui.put("position startpos moves h2e2");
        gui.put("stop");
        assert!(is_red(gui.best()));
        let next = gui.ask(&["go depth 2"]);
        assert_eq!(is_red(next), gui.dialect.is_ucci());
    });
}

#[test]
fn s31_go_while_thinking() {
    let mut gui = uci();
    gui.think();
    gui.put("go depth 2");
    assert!(is_red(gui.best()) && is_red(gui.best()));
    gui.put("stop");
    gui.ready();
    let mut gui = ucci();
    gui.think();
    gui.put("go depth 2");
    gui.no_move_for(300);
    gui.put("stop");
    assert!(is_red(gui.best()));
    gui.no_move_for(300);
}

#[test]
fn s32_one_answer_for_one_go() {
    let mut gui = uci();
    gui.think();
    gui.put("stop");
    gui.put("stop");
    assert!(is_red(gui.best()));
    gui.no_move_for(300);
}

#[test]
fn s33_s34_pondering() {
    in_both(|gui| {
        let ponder = if gui.dialect.is_ucci() {
            "go ponder time 200 increment 0"
        } else {
            "go ponder wtime 200 btime 200"
        };
        gui.put("position startpos moves h2e2 h9g7");
        gui.put(ponder);
        gui.no_move_for(500);
        gui.put("ponderhit");
        assert!(is_red(gui.best()));
        gui.put(ponder);
        gui.put("stop");
        assert!(is_red(gui.best()));
        gui.put("ponderhit");
        gui.no_move_for(100);
        assert!(is_red(gui.ask(&["go ponder", "ponderhit"])));
    });
}

#[test]
fn s35_bad_option_values() {
    in_both(|gui| {
        for line in [
            "setoption name Hash value 0",
            "setoption name Hash value abc",
            "setoption name NoSuch value 1",
            "setoption name",
            "setoption",
            "setoption hashsize abc",
            "setoption nosuch 1",
            "setoption style",
            "setoption batch",
        ] {
            gui.put(line);
        }
        let said = gui.ready();
        let unknown = said.iter().any(|line| line == "No such option: NoSuch");
        assert_eq!(unknown, !gui.dialect.is_ucci());
        assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
    });
}

#[test]
fn s36_bad_go_values_end_the_search() {
    in_both(|gui| {
        let ucci = gui.dialect.is_ucci();
        let negative = if ucci {
            "go time -50 increment 0"
        } else {
            "go wtime -50 btime -50"
        };
        for line in [
            "go depth abc",
            "go depth -3",
            "go nodes -1",
            "go movetime",
            "go movetime 0",
            "go depth xyz infinite",
            negative,
            "go time 0 opptime 0 movestogo 40",
            "go wtime 0 btime 0 movestogo 40 depth 4",
        ] {
            gui.put("position startpos");
            let started = Instant::now();
            assert!(is_red(gui.ask(&[line])), "{line}");
            assert!(started.elapsed() < Duration::from_secs(2), "{line}");
        }
        gui.put("go depth abc");
        let said = gui.answer();
        assert!(
            said[0].contains("depth") && said[0].contains("abc"),
            "{said:?}"
        );
    });
}

#[test]
fn s37_new_game() {
    in_both(|gui| {
        for line in ["ucinewgame", "uccinewgame", "newgame", "setoption newgame"] {
            gui.put(line);
        }
        assert_eq!(gui.ready(), ["readyok"]);
        assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
    });
}

#[test]
fn s38_s60_several_lines() {
    let mut gui = uci();
    gui.put("setoption name MultiPV value 3");
    gui.put("position startpos");
    gui.put("go depth 4");
    let (infos, _) = lines_of_play(&mut gui);
    let last: Vec<&Info> = infos.iter().filter(|info| info.depth == Some(4)).collect();
    let ranks: Vec<_> = last[last.len() - 3..]
        .iter()
        .map(|info| info.multipv)
        .collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3)]);
    let mut firsts: Vec<_> = last[last.len() - 3..]
        .iter()
        .map(|info| info.pv[0])
        .collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 3);
    assert!(infos.iter().all(|info| info.multipv.is_some()));
}

#[test]
fn s39_searchmoves() {
    let mut gui = uci();
    gui.put("position startpos");
    let best = gui.ask(&["go depth 3 searchmoves a0a1 a3a4"]).unwrap();
    assert!(["a0a1", "a3a4"].contains(&best.to_string().as_str()));
    assert_eq!(gui.ask(&["go depth 3 searchmoves a9a8"]), None);
}

#[test]
fn s39_bad_words_among_searchmoves_are_named_and_the_others_count() {
    let mut gui = uci();
    gui.put("position startpos");
    gui.put("go depth 2 searchmoves xyz a0a1 a9a8");
    let said = gui.answer();
    for word in ["xyz", "a9a8"] {
        let named = |line: &&String| line.starts_with("info string") && line.contains(word);
        assert_eq!(said.iter().filter(named).count(), 1, "{said:?}");
    }
    assert!(
        said.last().unwrap().starts_with("bestmove a0a1"),
        "{said:?}"
    );
    for line in ["go depth 2 searchmoves xyz", "go searchmoves a9a8 depth 2"] {
        gui.put(line);
        let said = gui.answer();
        let end = &said[said.len() - 2..];
        assert_eq!(
            end,
            ["info depth 0 score mate 0", "bestmove (none)"],
            "{line}"
        );
    }
    gui.put("go infinite searchmoves xyz");
    gui.no_move_for(200);
    gui.put("stop");
    assert_eq!(gui.best(), None);
    let many = "xyz ".repeat(1000);
    gui.put(&format!("go depth 1 searchmoves {many}"));
    assert!(gui.answer().len() < 20);
}

#[test]
fn s40_perft() {
    let mut gui = uci();
    gui.put("position startpos");
    gui.put("go perft 1");
    let lines = gui.until(|line| line.starts_with("Nodes searched"));
    assert_eq!(
        lines.iter().filter(|line| line.ends_with(": 1")).count(),
        44
    );
    assert_eq!(lines.last().unwrap(), "Nodes searched: 44");
    gui.ready();
}

#[test]
fn s41_d_eval_flip_help() {
    let mut gui = uci();
    gui.put("position startpos moves h2e2");
    gui.put("d");
    let lines = gui.until(|line| line.starts_with("Checkers:"));
    let fen = format!("Fen: {}", after("h2e2"));
    assert!(lines.contains(&fen), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Key: ")));
    gui.put("flip");
    gui.put("d");
    let fen = format!("Fen: {}", after("h2e2").flipped());
    gui.until(|line| line == fen);
    gui.put("eval");
    gui.until(|line| line.contains("centipawns for the side to move"));
    gui.put("help");
    gui.until(|line| line.contains("Move Overhead"));
}

#[test]
fn s42_infinite_waits_for_stop() {
    let mut gui = uci();
    for position in [MATED, MATE_IN_ONE] {
        gui.put(&format!("position fen {position}"));
        gui.put("go infinite");
        gui.no_move_for(300);
        gui.put("stop");
        assert_eq!(gui.best().is_some(), position == MATE_IN_ONE);
    }
    gui.put("go infinite depth 2");
    gui.no_move_for(300);
    gui.put("stop");
    assert!(gui.best().is_some());
    let mut gui = ucci();
    gui.put(&format!("position fen {MATED}"));
    assert_eq!(gui.ask(&["go infinite"]), None);
}

#[test]
fn s43_cyclone() {
    let mut gui = uci();
    for (line, red) in [
        (format!("fen {START} r moves"), true),
        (format!("fen {START} r moves h2e2"), false),
        ("startpos moves h2e2 h9g7".to_owned(), true),
        ("startpos".to_owned(), true),
    ] {
        gui.put(&line);
        assert_eq!(gui.ready(), ["readyok"]);
        assert_eq!(is_red(gui.ask(&["go depth 2"])), red, "{line}");
    }
}

#[test]
fn s44_ucci_scores_are_plain_numbers() {
    let mut gui = ucci();
    gui.put("position startpos");
    gui.put("go depth 4");
    let lines = gui.answer();
    assert!(!lines.iter().any(|line| line.contains(" cp ")));
    let depth_first = |line: &String| line.split(' ').nth(1) == Some("depth");
    assert!(
        lines[..lines.len() - 1].iter().all(depth_first),
        "{lines:?}"
    );
}

#[test]
fn s45_depth_0_is_the_evaluation() {
    let mut gui = ucci();
    gui.put("position startpos");
    gui.put("go depth 0");
    let (infos, answer) = lines_of_play(&mut gui);
    assert_eq!((infos[0].depth, answer.as_str()), (Some(0), "nobestmove"));
}

#[test]
fn s46_s47_banmoves() {
    let mut gui = ucci();
    let first = gui.ask(&["position startpos", "go depth 2"]).unwrap();
    let ban = format!("banmoves {first}");
    let second = gui.ask(&["position startpos", &ban, "go depth 2"]).unwrap();
    assert_ne!(first, second);
    let more = format!("banmoves {second}");
    let third = gui.ask(&[&more, "go depth 2"]).unwrap();
    assert!(third != first && third != second);
    let again = ["setoption newgame", "position startpos", "go depth 2"];
    assert_eq!(gui.ask(&again), Some(first));
    let position = format!("position fen {ONE_MOVE}");
    let ban_all: String = ONE_MOVE
        .parse::<Position>()
        .unwrap()
        .legal_moves()
        .iter()
        .fold("banmoves".to_owned(), |line, mv| format!("{line} {mv}"));
    assert_eq!(gui.ask(&[&position, &ban_all, "go depth 2"]), None);
    assert!(gui.ask(&[&position, "go depth 2"]).is_some());
}

#[test]
fn s46_bad_words_among_banmoves_are_named_and_the_others_count() {
    let mut gui = ucci();
    let first = gui.ask(&["position startpos", "go depth 2"]).unwrap();
    gui.put("position startpos");
    gui.put(&format!("banmoves xyz {first} a9a8"));
    let said = gui.ready();
    assert!(
        said[0].contains("xyz") && said[1].contains("a9a8"),
        "{said:?}"
    );
    let second = gui.ask(&["go depth 2"]).unwrap();
    assert!(first != second && is_red(Some(second)));
    let only = "position fen 4k4/9/9/9/9/9/9/9/9/3RK4 b - - 0 1";
    assert_eq!(gui.ask(&[only, "banmoves xyz e9f9", "go infinite"]), None);
}

#[test]
fn s47_kings_that_face_each_other() {
    let facing = "position fen 4k4/9/9/9/9/9/9/9/9/3RK4 b - - 0 1";
    let mut gui = ucci();
    assert_eq!(gui.ask(&[facing, "banmoves e9f9", "go depth 2"]), None);
    let only = gui.ask(&[facing, "go depth 2"]).map(|mv| mv.to_string());
    assert_eq!(only.as_deref(), Some("e9f9"));
    assert_eq!(uci().ask(&[facing, "go depth 2"]), None);
}

#[test]
fn every_prefix_of_an_ending_is_played() {
    let fen = "4P4/9/3k1a3/2N6/2b6/9/9/9/9/4K4 w - - 0 0";
    let moves = ["e0e1", "f7e8", "c6e5", "d7d8", "e1e0", "e8f7"];
    let mut gui = uci();
    for count in 0..=moves.len() {
        let line = format!("position fen {fen} moves {}", moves[..count].join(" "));
        assert!(gui.ask(&[&line, "go movetime 50"]).is_some(), "{line}");
    }
}

#[test]
fn the_first_illegal_move_is_named_with_its_number() {
    let fen = "1Cba1rb2/4kn3/1R7/p2R4p/4p4/2p6/P1r5P/4B4/9/2BAKA3 w - - 0 1";
    in_both(|gui| {
        gui.put(&format!("position fen {fen} moves b7e7 b0c2"));
        let said = gui.ready();
        assert!(
            said[0].contains("b0c2") && said[0].contains("number 2"),
            "{said:?}"
        );
        assert_eq!(gui.ask(&["go depth 1"]), None);
    });
}

#[test]
fn s48_draw_offers() {
    let mut gui = ucci();
    let clock = "go draw time 300 increment 0 opptime 300 oppincrement 0";
    assert!(is_red(gui.ask(&["position startpos", clock])));
    gui.put("position startpos");
    gui.put("go ponder time 300 increment 0");
    assert!(is_red(gui.ask(&["ponderhit draw"])));
}

#[test]
fn s48_a_draw_is_accepted_in_a_bad_position_unless_switched_off() {
    let lost = "position fen 3ak4/4a4/9/9/9/r8/4r4/9/9/3K5 w - - 0 1";
    let said = |draw: bool| {
        let mut gui = ucci();
        if !draw {
            gui.put("setoption drawresign false");
        }
        gui.put(lost);
        gui.put("go draw depth 3");
        gui.answer().pop().unwrap()
    };
    assert!(said(true).ends_with(" draw"), "{}", said(true));
    assert!(!said(false).ends_with(" draw"));
}

#[test]
fn s49_seconds() {
    let mut gui = ucci();
    gui.put("setoption usemillisec false");
    gui.put("position startpos");
    let started = Instant::now();
    gui.put("go time 20 increment 0");
    assert!(is_red(gui.best()));
    assert!(started.elapsed() > Duration::from_millis(100));
}

#[test]
fn s50_probe() {
    let mut gui = ucci();
    gui.put("probe startpos");
    assert_eq!(gui.until(|line| line.starts_with("pophash")), ["pophash"]);
    gui.ask(&["position startpos", "go depth 4"]);
    gui.put("probe startpos");
    let line = gui.until(|line| line.starts_with("pophash")).pop().unwrap();
    let Ok(Reply::PopHash(known)) = gui.dialect.read_reply(&line) else {
        panic!("{line}")
    };
    assert!(known.best.is_some() && known.lower.is_some(), "{line}");
    gui.put("probe fen xyz");
    assert_eq!(gui.until(|line| line.starts_with("pophash")), ["pophash"]);
}

#[test]
fn s51_batch() {
    for quit in [true, false] {
        let mut gui = ucci();
        let lines = "setoption batch true\nposition startpos\ngo depth 4\nisready\n\
                     position startpos moves h2e2\ngo depth 4\n";
        gui.raw(lines.as_bytes());
        if quit {
            gui.put("quit");
        }
        gui.close();
        let first = gui.answer();
        assert!(!first.contains(&"readyok".to_owned()));
        gui.until(|line| line == "readyok");
        assert!(!is_red(gui.best()));
        gui.until(|line| line == "bye");
        gui.end();
    }
}

#[test]
fn s51_batch_does_not_outlive_its_gui() {
    let mut gui = ucci();
    gui.put("setoption batch true");
    gui.think();
    gui.close();
    gui.end();
}

#[test]
fn s52_the_long_form_of_setoption_in_ucci() {
    let mut gui = ucci();
    gui.put("setoption name hashsize value 32");
    gui.put("setoption name syzygyPath value <empty>");
    assert_eq!(gui.ready(), ["readyok"]);
}

#[test]
fn s53_a_bare_go_is_endless() {
    in_both(|gui| {
        gui.put("position startpos");
        gui.put("go");
        gui.no_move_for(300);
        gui.put("stop");
        assert!(is_red(gui.best()));
    });
}

#[test]
fn s54_a_repeated_position_is_played_on() {
    let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(3);
    in_both(|gui| {
        gui.put(&format!("position startpos moves {moves}"));
        assert!(is_red(gui.ask(&["go depth 3"])));
    });
}

#[test]
fn s56_s57_s59_lines_of_play_are_legal_and_end_exact() {
    for fen in [
        format!("{START} w - - 0 1"),
        MATE_IN_ONE.to_owned(),
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1".to_owned(),
    ] {
        in_both(|gui| {
            gui.put("setoption name UCI_ShowWDL value true");
            gui.put(&format!("position fen {fen}"));
            gui.put("go depth 6");
            let (infos, answer) = lines_of_play(gui);
            let pos: Position = fen.parse().unwrap();
            for info in &infos {
                assert!(!info.pv.is_empty());
                play(&pos, &info.pv);
                let sum = info.wdl.map(|wdl| wdl.iter().sum::<u16>());
                assert_eq!(sum, (!gui.dialect.is_ucci()).then_some(1000));
            }
            let Ok(Reply::BestMove(best)) = gui.dialect.read_reply(&answer) else {
                panic!("{answer}")
            };
            let last = infos.last().unwrap();
            assert_eq!((last.pv[0], last.score.unwrap().1), (best.mv, Bound::Exact));
            play(
                &pos,
                &[Some(best.mv), best.ponder]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>(),
            );
        });
    }
}

fn play(start: &Position, moves: &[chuhe::board::Move]) {
    moves.iter().fold(start.clone(), |pos, &mv| {
        assert!(pos.is_legal(mv), "{mv} in {pos}");
        pos.after(mv)
    });
}

#[test]
fn s58_clearing_the_table_restores_the_node_count() {
    let nodes = |gui: &mut Gui| {
        gui.put("position startpos");
        gui.put("go depth 6");
        lines_of_play(gui).0.last().unwrap().nodes
    };
    in_both(|gui| {
        let first = nodes(gui);
        for clear in ["setoption name Clear Hash", "setoption newgame"] {
            gui.put(clear);
            gui.ready();
            assert_eq!(nodes(gui), first, "{clear}");
        }
    });
}

#[test]
fn s61_clocks_by_side_and_the_last_move_of_a_control() {
    let mut gui = uci();
    for line in [
        "go wtime 300",
        "go wtime 300 btime 1",
        "go wtime 300 movestogo 1",
        "go btime 300",
    ] {
        gui.put("position startpos");
        let started = Instant::now();
        assert!(is_red(gui.ask(&[line])), "{line}");
        assert!(started.elapsed() < Duration::from_millis(900), "{line}");
    }
}

/// The whole of a clock that only this move may use, and clocks that are all
/// but empty: the answer comes before the flag falls, or at once.
#[test]
fn s61_no_clock_runs_out() {
    const OVERLOAD: Duration = Duration::from_millis(500);
    in_both(|gui| {
        for overhead in [0, 10, 5000] {
            gui.put(&format!("setoption name Move Overhead value {overhead}"));
            for millis in [0, 1, 5, 20, 300] {
                let clock = gui.go_clock(millis);
                let alone = match gui.dialect {
                    Dialect::Ucci => format!("go time {millis}"),
                    _ => format!("go movetime {millis}"),
                };
                let last = format!("{clock} movestogo 1");
                for line in [clock, alone, last] {
                    gui.put("position startpos moves h2e2 h9g7");
                    let asked = Instant::now();
                    assert!(is_red(gui.ask(&[&line])), "{line}");
                    let taken = asked.elapsed();
                    assert!(
                        taken < Duration::from_millis(millis) + OVERLOAD,
                        "{line}: {taken:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn s63_a_long_game_is_taken_in_at_once() {
    let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(80);
    in_both(|gui| {
        let line = format!("position fen {START} w - - 0 1 moves {moves}");
        gui.put(&line);
        let started = Instant::now();
        gui.ready();
        assert!(started.elapsed() < Duration::from_millis(500));
    });
}

#[test]
fn a_go_on_the_line_of_the_position_is_obeyed() {
    in_both(|gui| {
        assert!(!is_red(
            gui.ask(&["position startpos moves h2e2 go depth 3"])
        ));
        gui.ready();
    });
}

#[test]
fn dialects_may_change_at_any_time() {
    let mut gui = Gui::with(chuhe::search::Engine::new);
    gui.put("");
    gui.ready();
    gui.introduce(Dialect::Ucci);
    gui.introduce(Dialect::Uci);
    gui.put("ucicyclone");
    gui.until(|line| line == "uciok");
    assert!(is_red(gui.ask(&["startpos", "go depth 1"])));
}

#[test]
fn news_is_not_a_flood() {
    in_both(|gui| {
        gui.put("position startpos");
        gui.put("go infinite");
        let lines = gui.listen(Duration::from_secs(2));
        assert!(lines.len() <= 70, "{} lines in 2 s", lines.len());
        gui.put("stop");
        assert!(lines.iter().any(|line| is_answer(line)) || gui.best().is_some());
    });
}
