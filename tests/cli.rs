//! The command line, through the program.

mod common;

use common::folder::Folder;
use std::process::{Command, Output, Stdio};

fn chuhe(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn said(arguments: &[&str]) -> String {
    let output = chuhe(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_and_version() {
    let net = chuhe::eval::nnue::Network::embedded();
    let version = format!("chuhe {} (net {net})\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(said(&["--version"]), version);
    let help = said(&["--help"]);
    for word in ["bench", "perft", "eval", "go depth 10", "--log-file"] {
        assert!(help.contains(word), "{word} in {help}");
    }
}

#[test]
fn perft_counts() {
    assert!(said(&["perft", "3"]).starts_with("perft 3 = 79666 "));
    assert!(said(&["perft", "1", "--divide"]).contains("h2e2: 1\n"));
    let fen = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b";
    assert!(said(&["perft", "1", fen]).starts_with("perft 1 = 0 "));
}

#[test]
fn eval_shows_its_terms() {
    let text = said(&["eval"]);
    assert!(
        text.contains("material") && text.contains("centipawns"),
        "{text}"
    );
}

#[test]
fn bench_is_the_same_each_time_and_reports_on_standard_output() {
    let nodes = || {
        let text = said(&["bench", "1", "1", "2"]);
        assert!(text.contains("\nNodes/second: "));
        let line = text
            .lines()
            .find(|line| line.starts_with("Nodes searched: "));
        line.unwrap().to_owned()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn bench_in_the_protocol_reports_on_standard_error() {
    let output = chuhe(&["bench 1 1 2"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("Nodes searched: ") && output.stdout.is_empty(),
        "{text}"
    );
}

#[test]
fn another_net_can_judge() {
    use chuhe::eval::nnue::{Network, Parameters};
    let path = std::env::temp_dir().join(format!("chuhe-cli-{}.nnue", std::process::id()));
    let parameters = Parameters::random(32, 5);
    std::fs::write(&path, parameters.encode()).unwrap();
    let file = path.to_str().unwrap();
    let net = format!("Net: {}\n", Network::new(parameters).unwrap());
    assert!(said(&["eval", "--eval-file", file]).contains(&net));
    let bench = said(&["bench", "1", "1", "1", "--eval-file", file]);
    assert!(bench.contains(&net), "{bench}");
    assert!(!said(&["bench", "1", "1", "1"]).contains(&net));
    std::fs::remove_file(&path).unwrap();
    fails(2, NO_FILE, &["eval", "--eval-file", NO_FILE]);
    fails(1, NO_SENSE, &["bench", "--eval-file", NO_SENSE]);
}

#[test]
fn arguments_are_commands_of_the_protocol() {
    for arguments in [&["go depth 3"][..], &["go", "depth", "3"]] {
        let text = said(arguments);
        assert!(
            text.lines().last().unwrap().starts_with("bestmove "),
            "{text}"
        );
    }
    assert!(said(&["go mate 1"]).contains("\nbestmove "));
    let text = said(&["position startpos moves h2e2", "d", "go depth 2"]);
    assert!(text.contains("Black to move") && text.contains("bestmove "));
    let text = said(&["ucci", "position startpos", "go depth 2"]);
    assert!(text.contains("ucciok") && text.ends_with("bye\n"), "{text}");
}

/// Commands of the other game are checked and run to their end as well.
#[test]
fn arguments_are_commands_of_the_seven_kingdoms_too() {
    const SEVEN: &str = "setoption name UCI_Variant value sevenkingdoms";
    let text = said(&[SEVEN, "go nodes 3000", "go perft 2"]);
    let answer = text.find("\nbestmove ").expect("an answer");
    let count = text.find("\nNodes searched: 9045").expect("a count");
    assert!(answer < count && text.contains(" nodes 3001 "), "{text}");
    assert!(said(&[SEVEN, "go infinite"]).contains("\nbestmove "));
    fails(2, "`dpeth`", &[SEVEN, "go dpeth 2"]);
    fails(2, "`a13b16`", &[SEVEN, "position startpos moves a13b16"]);
    fails(
        2,
        "`wine`",
        &[SEVEN, "setoption name Kingdoms_Wine value 3"],
    );
    fails(
        2,
        "--skill",
        &["play", "--variant", "sevenkingdoms", "--skill", "3"],
    );
    fails(2, "--players", &["play", "--players", "3"]);
    let engine = concat!("name=a,cmd=", env!("CARGO_BIN_EXE_chuhe"));
    let seven = ["match", "--variant", "sevenkingdoms", "--engine", engine];
    fails(2, "--no-pin", &[&seven[..], &["--no-pin"]].concat());
    fails(2, "--seats", &["match", "--engine", engine, "--seats", "a"]);
}

#[test]
fn wrong_arguments_are_named_and_end_with_status_2() {
    for (arguments, named) in [
        (&["nonsense"][..], "nonsense"),
        (&["--nonsense"], "--nonsense"),
        (&["perft"], "DEPTH"),
        (&["perft", "x"], "'x'"),
        (&["perft", "1", "xyz w"], "xyz"),
        (&["eval", "9/9 w"], "9/9"),
        (&["bench", "0"], "0"),
    ] {
        let output = chuhe(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(named) && output.stdout.is_empty(), "{text}");
    }
}

/// Runs the program and checks that it fails with this status and a message on
/// standard error that names what is wrong.
fn fails(status: i32, named: &str, arguments: &[&str]) {
    let output = chuhe(arguments);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
    assert!(text.starts_with("error: "), "{arguments:?}: {text}");
    assert!(text.contains(named), "{arguments:?}: {text}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
}

const NO_FILE: &str = "no-such-file";
/// A file that is neither a book, a game, a net nor anything else.
const NO_SENSE: &str = "Cargo.toml";

#[test]
fn input_that_is_not_there_ends_with_status_2() {
    for arguments in [
        &["book", "show", "--book", NO_FILE][..],
        &["book", "make", NO_FILE, "-o", "target/no.book"],
        &["convert", NO_FILE, "--to", "pgn"],
        &["rules", "--batch", NO_FILE],
        &["rules", NO_FILE],
        &["datagen", NO_FILE, "--stats"],
        &["datagen", NO_FILE, "--verify"],
        &["datagen", "target/no.xqg", "--net", NO_FILE],
        &["train", NO_FILE, "--out", "target/no-net"],
        &["trial", NO_FILE],
        &["match", "--config", NO_FILE],
    ] {
        fails(2, NO_FILE, arguments);
    }
    fails(2, "folder", &["book", "show", "--book", "src"]);
    fails(2, "folder", &["rules", "--batch", "src"]);
}

#[test]
fn moves_and_positions_that_make_no_sense_end_with_status_2() {
    for (named, arguments) in [
        ("xyz", &["rules", "--fen", "xyz"][..]),
        ("h2x2", &["rules", "--moves", "h2e2 h2x2"]),
        ("chess", &["rules", "--rules", "chess"]),
        (
            "h2h3",
            &["convert", "--move", "h2h3", "--from", "wxf", "--to", "iccs"],
        ),
        ("a0a9", &["convert", "--move", "a0a9", "--to", "wxf"]),
        ("xyz", &["book", "show", "xyz", "--book", NO_SENSE]),
        ("xyz", &["perft", "1", "xyz"]),
        ("xyz", &["eval", "xyz"]),
    ] {
        fails(2, named, arguments);
    }
}

#[test]
fn input_that_makes_no_sense_ends_with_status_1() {
    for arguments in [
        &["book", "show", "--book", NO_SENSE][..],
        &["datagen", NO_SENSE, "--stats"],
        &["datagen", NO_SENSE, "--verify"],
        &["trial", NO_SENSE],
    ] {
        fails(1, NO_SENSE, arguments);
    }
}

#[test]
fn output_that_cannot_be_written_ends_with_status_1() {
    const NOWHERE: &str = "/no/such/folder/x";
    for arguments in [
        &["--log-file", NOWHERE, "eval"][..],
        &["export-net", NOWHERE],
        &["openings", "--out", NOWHERE],
        &["book", "analyse", "-o", NOWHERE],
        &["datagen", NOWHERE],
    ] {
        fails(1, NOWHERE, arguments);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_with_status_1() {
    const FULL: &str = "/dev/full";
    fails(1, FULL, &["--log-file", FULL, "eval"]);
    fails(1, FULL, &["export-net", FULL]);
    for arguments in [
        &["eval"][..],
        &["perft", "2"],
        &["bench", "1", "1", "1"],
        &["rules", "--moves", "h2e2"],
        &["convert", "--move", "h2e2", "--to", "wxf"],
    ] {
        let full = std::fs::File::options().write(true).open(FULL).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(arguments)
            .stdout(full)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.starts_with("error: "), "{text}");
    }
}

/// A file that is read before it is added to could have no end.
#[cfg(target_os = "linux")]
#[test]
fn what_is_no_plain_file_is_not_gone_on_from() {
    const ENDLESS: &str = "/dev/full";
    const ONE: &str = concat!("name=a,cmd=", env!("CARGO_BIN_EXE_chuhe"));
    const OTHER: &str = concat!("name=b,cmd=", env!("CARGO_BIN_EXE_chuhe"));
    for arguments in [
        &["openings", "--out", ENDLESS][..],
        &["datagen", ENDLESS, "--positions", "1"],
        &["analyze", "tests/data/records/club.pgn", "-o", ENDLESS],
        &[
            "match", "--engine", ONE, "--engine", OTHER, "--games", "2", "--nodes", "1", "--json",
            ENDLESS,
        ],
    ] {
        fails(1, "not a plain file", arguments);
    }
}

/// As in `chuhe ... | head -1`.
#[test]
fn a_reader_that_has_gone_is_no_failure() {
    for arguments in [
        &["eval"][..],
        &["perft", "2", "--divide"],
        &["bench", "1", "1", "2"],
        &["rules", "--rules", "all", "--moves", "h2e2"],
        &["convert", "tests/data/records/club.pgn", "--to", "json"],
        &["--help"],
        &["go depth 2"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(writer)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn the_log_is_silent_unless_asked_for() {
    assert!(chuhe(&["go depth 2"]).stderr.is_empty());
    let loud = chuhe(&["-vv", "go depth 2"]);
    assert!(
        String::from_utf8(loud.stderr)
            .unwrap()
            .contains("> go depth 2")
    );
    let path = std::env::temp_dir().join(format!("chuhe-cli-{}", std::process::id()));
    let output = chuhe(&["--log-file", path.to_str().unwrap(), "go depth 2"]);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(
        output.stderr.is_empty() && text.contains("< bestmove"),
        "{text}"
    );
}

#[test]
fn the_guide_names_every_option() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/book/src/options.md");
    let guide = std::fs::read_to_string(path).unwrap();
    for row in chuhe::protocol::options::OPTIONS {
        for name in [row.uci, row.ucci] {
            assert!(guide.contains(name), "{name} is not in {path}");
        }
    }
}

/// A game in a file is judged by the first ruling on its way.
#[test]
fn rules_answers_the_games_of_a_file() {
    let round = "I8-I9 E9-E8 I9-I8 E8-E9";
    let moves = [round; 3].join(" ");
    let pgn = format!(
        "[Red \"A\"]\n[Black \"B\"]\n[FEN \"4k4/8R/9/9/9/9/9/9/9/3K5 w - - 0 1\"]\n\n{moves} *\n\n\
         [Red \"C\"]\n[Black \"D\"]\n\n1. H2-E2 H9-G7 *\n"
    );
    let path = std::env::temp_dir().join(format!("chuhe-rules-{}.pgn", std::process::id()));
    std::fs::write(&path, pgn).unwrap();
    let file = path.to_str().unwrap();
    let words = said(&["rules", file]);
    for part in [
        "game 1: A - B, 12 moves\nRed loses",
        "moves 1 to 8",
        "game 2: C - D, 2 moves\nPlay goes on",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let lines = said(&["rules", file, "--json", "--rules", "cxq"]);
    let games: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["verdict"], "none");
    assert_eq!(
        (&games[1]["game"], &games[1]["red"]),
        (&2.into(), &"C".into())
    );
    assert_eq!(chuhe(&["rules", file, "--fen", "x"]).status.code(), Some(2));
    std::fs::remove_file(&path).unwrap();
    let missing = chuhe(&["rules", file]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains(file));
}

#[test]
fn what_cannot_be_taken_whole_is_an_error_of_usage() {
    for line in [
        "go dpeth 3",
        "go depth three",
        "go searchmoves h2e2 x depth 3",
        "position startpos moves h2e9",
        "position fen 9/9 w",
    ] {
        let output = chuhe(&[line]);
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert!(output.stdout.is_empty(), "{line}: {output:?}");
    }
    for arguments in [
        &["perft", "99999"][..],
        &["match", "--games", "18446744073709551615"],
        &["match", "--concurrency", "99999"],
        &["openings", "--concurrency", "99999", "--out", "none"],
        &["play", "--keep", "/dev/null"],
    ] {
        let output = chuhe(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
}

/// The path of some games to learn from, played in a moment.
fn few_games(folder: &Folder) -> String {
    let games = folder.path("games.xqg");
    let play = ["datagen", &games, "--positions", "20000", "--nodes", "10"];
    said(&[&play[..], &["--hash", "1", "--net", "material"]].concat());
    games
}

#[test]
fn a_trained_net_is_not_replaced_by_oversight() {
    let folder = Folder::new("train-twice");
    let (games, out) = (few_games(&folder), folder.path("net"));
    let train = [
        "train", &games, "--out", &out, "--hidden", "32", "--epochs", "1",
    ];
    said(&train);
    let net = std::fs::read(folder.path("net/net.nnue")).unwrap();
    fails(1, "--resume", &train);
    assert_eq!(std::fs::read(folder.path("net/net.nnue")).unwrap(), net);
    said(&[&train[..], &["--resume"]].concat());
    said(&[&train[..], &["--overwrite", "--seed", "2"]].concat());
    assert_ne!(std::fs::read(folder.path("net/net.nnue")).unwrap(), net);
}

#[test]
fn learning_begins_with_a_net_of_the_same_size_only() {
    let folder = Folder::new("train-start");
    let (games, first) = (few_games(&folder), folder.path("first"));
    let train = ["train", &games, "--hidden", "32", "--epochs", "1", "--out"];
    said(&[&train[..], &[&first]].concat());
    let (net, next) = (folder.path("first/net.nnue"), folder.path("next"));
    said(&[&train[..], &[&next, "--start", &net]].concat());
    let other = folder.path("other");
    let embedded = [&train[..], &[&other, "--start", "embedded"]].concat();
    fails(1, "expected 32 (--hidden)", &embedded);
    fails(
        2,
        NO_FILE,
        &[&train[..], &[&other, "--start", NO_FILE]].concat(),
    );
    let no_net = [&train[..], &[&other, "--start", NO_SENSE]].concat();
    fails(1, "no checkpoint, or a damaged one", &no_net);
}

#[test]
fn the_mean_of_nets_is_a_net() {
    use chuhe::eval::nnue::Parameters;
    let folder = Folder::new("mean");
    let (first, second) = (Parameters::random(32, 1), Parameters::random(32, 2));
    let other = Parameters {
        scale: 300,
        ..Parameters::random(32, 3)
    };
    for (name, net) in [("first", &first), ("second", &second), ("other", &other)] {
        std::fs::write(folder.path(name), net.encode()).unwrap();
    }
    let [a, b, c, out] = ["first", "second", "other", "out"].map(|name| folder.path(name));
    said(&["export-net", &out, "--name", "both", "--mean", &a, &b]);
    let mean = Parameters::decode(&std::fs::read(&out).unwrap()).unwrap();
    assert_eq!((&mean.name[..], mean.scale), ("both", first.scale));
    let doubled = |all: &[i16], one: &[i16], two: &[i16]| {
        let close = |i: usize| (2 * all[i] - one[i] - two[i]).abs() <= 1;
        (0..all.len()).all(close)
    };
    let (m, f, s) = (
        &mean.input_weights,
        &first.input_weights,
        &second.input_weights,
    );
    assert!(doubled(m, f, s) && m != f);
    let (m, f, s) = (
        &mean.output_weights,
        &first.output_weights,
        &second.output_weights,
    );
    assert!(doubled(m, f, s) && m != f);
    said(&["export-net", &out, "--mean", &a]);
    let alone = Parameters::decode(&std::fs::read(&out).unwrap()).unwrap();
    assert_eq!(alone.input_weights, first.input_weights);
    fails(1, "size and scale", &["export-net", &out, "--mean", &a, &c]);
    fails(1, NO_SENSE, &["export-net", &out, "--mean", &a, NO_SENSE]);
    fails(2, NO_FILE, &["export-net", &out, "--mean", &a, NO_FILE]);
    fails(2, "--mean", &["export-net", &out, "--name", "both"]);
}

/// A line, a text and a stream without an end are refused while there is memory.
#[cfg(target_os = "linux")]
#[test]
fn input_without_an_end_is_refused() {
    fails(1, "1 MiB", &["analyze", "--nodes", "1", "/dev/zero"]);
    fails(1, "1 MiB", &["rules", "--batch", "/dev/zero"]);
    let tune = ["tune", "lmr_base", "--games", "2", "--nodes", "10"];
    fails(
        1,
        "plain file",
        &[&tune[..], &["--state", "/dev/zero"]].concat(),
    );
}

#[test]
fn a_trial_goes_on_as_it_was_begun() {
    let folder = Folder::new("cli-trial");
    let state = folder.path("trial.txt");
    let trial = |games| {
        let play = [
            "trial",
            "material",
            "--against",
            "classical",
            "--nodes",
            "20",
        ];
        [&play[..], &["--games", games, "--state", &state]].concat()
    };
    let whole = said(&trial("8"));
    let lines = std::fs::read_to_string(&state).unwrap();
    assert_eq!(lines.lines().count(), 1 + 4, "{lines}");
    // Two pairs are lost, one of them half written.
    let kept: usize = lines.split_inclusive('\n').take(3).map(str::len).sum();
    std::fs::write(&state, &lines[..kept + 3]).unwrap();
    assert_eq!(said(&trial("8")), whole);
    assert_eq!(std::fs::read_to_string(&state).unwrap(), lines);
    assert_eq!(said(&trial("8")), whole, "nothing left to play");
    fails(1, "--seed 1", &[&trial("8")[..], &["--seed", "2"]].concat());
    std::fs::write(&state, lines.replace("3 ", "three ")).unwrap();
    fails(1, "Win Draw", &trial("8"));
    std::fs::write(&state, "something else\n").unwrap();
    fails(1, "another kind of file", &trial("8"));
    assert_eq!(std::fs::read(&state).unwrap(), b"something else\n");
}

#[test]
fn a_tuning_run_goes_on_as_it_was_begun() {
    let folder = Folder::new("cli-tune");
    let state = folder.file("state.txt");
    let state = state.to_str().unwrap();
    let tune = |rest: &[&'static str]| {
        let first = ["tune", "--games", "2", "--nodes", "10", "--state", state];
        [&first[..], rest].concat()
    };
    assert!(said(&tune(&["lmr_base"])).starts_with("2 games"));
    let text = std::fs::read_to_string(state).unwrap();
    assert!(
        text.starts_with("pairs 1\nnodes 10\nseed 1\nlmr_base "),
        "{text}"
    );
    fails(
        1,
        "was begun with --seed 1",
        &tune(&["lmr_base", "--seed", "2"]),
    );
    fails(2, "twice", &tune(&["lmr_base", "lmr_root", "lmr_base"]));
    std::fs::write(state, "pairs 0\nlmr_base nan\n").unwrap();
    fails(1, "lmr_base nan", &tune(&["lmr_base"]));
    let nowhere = [
        "tune",
        "lmr_base",
        "--nodes",
        "10",
        "--state",
        "/no/such/folder/x",
    ];
    fails(1, "/no/such/folder/x", &nowhere);
}

#[test]
fn what_is_no_file_of_the_kind_is_not_added_to() {
    let folder = Folder::new("cli-notes");
    let file = folder.file("notes.txt");
    let name = file.to_str().unwrap();
    let engine = format!("name=a,cmd={}", env!("CARGO_BIN_EXE_chuhe"));
    let engines = [
        "--engine",
        &engine,
        "--engine",
        "name=b,cmd=b",
        "--nodes",
        "10",
        "--games",
        "2",
    ];
    for (status, arguments) in [
        (
            1,
            &[&["match", "--resume", "--json", name][..], &engines].concat()[..],
        ),
        (1, &["openings", "--resume", "--count", "1", "--out", name]),
        (
            1,
            &[
                "book",
                "analyse",
                "--positions",
                "1",
                "--nodes",
                "10",
                "-o",
                name,
            ],
        ),
        (1, &["datagen", name, "--positions", "1"]),
    ] {
        for notes in ["my notes", "my\nnotes"] {
            std::fs::write(&file, notes).unwrap();
            fails(status, "notes.txt", arguments);
            assert_eq!(
                std::fs::read_to_string(&file).unwrap(),
                notes,
                "{arguments:?}"
            );
        }
    }
}
