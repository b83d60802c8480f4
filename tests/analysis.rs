//! `chuhe analyze`, `annotate` and `diagram` as a user runs them.

mod common;

use chuhe::board::{Move, Position};
use chuhe::record::{Charset, NodeId, Record, read_file_bytes};
use common::{Random, random_game};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CLUB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/records/club.pgn");

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(args).stdin(Stdio::null());
    command
}

fn chuhe(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = chuhe(args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that fails says, with its exit code.
fn failure(args: &[&str]) -> (Option<i32>, String) {
    let output = chuhe(args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analysis-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A file of positions from random games.
fn positions(folder: &Path, count: usize) -> PathBuf {
    let mut random = Random(8);
    let mut lines = String::from("# positions\n");
    while lines.lines().count() <= count {
        let game = random_game(&mut random, Position::startpos(), 60);
        lines += &format!("{} ; c0 \"x\";\n", random.pick(&game));
    }
    let path = folder.join("positions.epd");
    std::fs::write(&path, lines).unwrap();
    path
}

fn lines_of_json(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[test]
fn any_number_of_jobs_gives_the_same_output_in_order() {
    let folder = folder("jobs");
    let file = positions(&folder, 30);
    for format in ["jsonl", "csv", "text"] {
        let run = |jobs: &str| {
            stdout(&[
                "analyze",
                text(&file),
                "--nodes",
                "800",
                "--jobs",
                jobs,
                "--format",
                format,
                "--multipv",
                "2",
                "--notation",
                "wxf,chinese",
                "--no-timing",
            ])
        };
        let one = run("1");
        assert!(one == run("2") && one == run("5"), "{format}");
        if format == "jsonl" {
            let lines = lines_of_json(&one);
            let numbers = lines.iter().map(|line| line["index"].as_u64().unwrap());
            assert!(numbers.eq(0..30));
        }
    }
}

#[test]
fn a_record_has_what_the_guide_says() {
    let fen = "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w - - 0 1";
    let folder = folder("record");
    let file = folder.join("one.fen");
    std::fs::write(&file, fen).unwrap();
    let text = stdout(&["analyze", text(&file), "--depth", "4", "--format", "jsonl"]);
    let line = &lines_of_json(&text)[0];
    assert_eq!((&line["version"], &line["fen"]), (&1.into(), &fen.into()));
    assert_eq!(
        (&line["side"], &line["best"]),
        (&"red".into(), &line["lines"][0]["move"])
    );
    assert_eq!(
        line["lines"][0]["score"],
        serde_json::json!({"cp": null, "mate": 1})
    );
    assert_eq!(line["lines"][0]["wdl"], serde_json::json!([1000, 0, 0]));
    assert_eq!(line["lines"][0]["ends"]["result"], "black_loses");
    assert!(line["time_ms"].is_u64() && line["nps"].is_u64());
    assert_eq!(line["order"]["depth"], 4);
}

#[test]
fn games_have_their_history_and_rulings() {
    let folder = folder("games");
    let file = folder.join("repetition.txt");
    let round = " h2h3 h7h6 h3h2 h6h7".repeat(2);
    std::fs::write(&file, format!("{},{round}\n", chuhe::board::START_FEN)).unwrap();
    let text = stdout(&["analyze", text(&file), "--depth", "2", "--format", "jsonl"]);
    let lines = lines_of_json(&text);
    assert_eq!(lines.len(), 9);
    assert!(lines[..8].iter().all(|line| line["ruling"].is_null()));
    assert_eq!(lines[8]["ruling"]["ground"], "repetition");
    assert_eq!(lines[8]["ruling"]["moves"].as_array().unwrap().len(), 8);
    assert_eq!(
        (&lines[3]["ply"], &lines[3]["played"]),
        (&3.into(), &"h6h7".into())
    );
    let last = stdout(&[
        "analyze",
        file.to_str().unwrap(),
        "--depth",
        "2",
        "--plies",
        "last",
    ]);
    assert!(
        last.starts_with("#0 ") && last.contains("game 1, ply 8"),
        "{last}"
    );
}

#[test]
fn folders_and_standard_input_are_read() {
    let folder = folder("folders");
    std::fs::create_dir_all(folder.join("in/sub")).unwrap();
    std::fs::copy(CLUB, folder.join("in/sub/club.pgn")).unwrap();
    let file = positions(&folder.join("in"), 2);
    std::fs::write(
        folder.join("in/notes.txt"),
        "Nothing to play here, we won 1-0.\n",
    )
    .unwrap();
    let input = folder.join("in");
    let all = stdout(&["analyze", text(&input), "--depth", "1", "--format", "jsonl"]);
    let plies = record(CLUB).main_line().len();
    assert_eq!(all.lines().count(), 2 + plies + 1);
    let sources = lines_of_json(&all);
    let sources: Vec<&str> = sources
        .iter()
        .map(|line| line["source"].as_str().unwrap())
        .collect();
    assert!(
        sources.is_sorted() && sources[2].ends_with("club.pgn"),
        "{sources:?}"
    );
    let notes = folder.join("in/notes.txt");
    let (code, words) = failure(&["analyze", text(&notes)]);
    assert!(
        code == Some(1) && words.contains("notes.txt: neither positions nor a game"),
        "{words}"
    );
    let out = folder.join("in/out.csv");
    let args = [
        "analyze",
        text(&input),
        "--depth",
        "1",
        "--plies",
        "0",
        "--resume",
        "-o",
        text(&out),
    ];
    stdout(&args);
    let whole = std::fs::read(&out).unwrap();
    stdout(&args);
    assert_eq!(
        whole.iter().filter(|&&byte| byte == b'\n').count(),
        1 + 2 + 1
    );
    assert!(
        std::fs::read(&out).unwrap() == whole,
        "the output was read as input"
    );
    // A position above its moves is a game.
    let game = folder.join("game.txt");
    std::fs::write(&game, format!("{}\nh2e2\nh9g7\n", chuhe::board::START_FEN)).unwrap();
    let plies = stdout(&["analyze", text(&game), "--depth", "1", "--format", "jsonl"]);
    assert_eq!(lines_of_json(&plies)[2]["ply"], 2);
    let mut child = command(&[
        "analyze",
        "--depth",
        "1",
        "--format",
        "jsonl",
        "--index-from",
        "7",
    ])
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let lines = std::fs::read(&file).unwrap();
    child.stdin.take().unwrap().write_all(&lines).unwrap();
    let output = child.wait_with_output().unwrap();
    let seen = lines_of_json(std::str::from_utf8(&output.stdout).unwrap());
    assert_eq!(seen.len(), 2);
    assert_eq!(
        (&seen[1]["index"], &seen[1]["source"]),
        (&8.into(), &"-".into())
    );
}

/// Each answer comes before the next question is asked.
#[test]
fn standard_input_is_answered_line_by_line() {
    use std::io::{BufRead, BufReader};
    let mut child = command(&["analyze", "-", "--depth", "2", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for index in 0..3 {
        writeln!(input, "{}", chuhe::board::START_FEN).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["index"], index);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// What can be read only once is.
#[test]
#[cfg(unix)]
fn pipes_can_be_named() {
    for (subcommand, expected) in [
        (&["analyze", "--depth", "1"][..], "ply 10"),
        (&["annotate", "--nodes", "100"], "[Annotator"),
        (&["convert", "--to", "moves"], ", 1-0"),
    ] {
        let (name, options) = (subcommand[0], &subcommand[1..]);
        let mut child = command(&[&[name, "/dev/stdin"], options].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let game = std::fs::read(CLUB).unwrap();
        child.stdin.take().unwrap().write_all(&game).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(expected), "{subcommand:?}: {text}");
    }
}

#[test]
fn bad_lines_have_records_and_fail_the_command() {
    let folder = folder("bad");
    let file = folder.join("bad.fen");
    std::fs::write(&file, format!("{}\n9/9 w\n", chuhe::board::START_FEN)).unwrap();
    let output = chuhe(&["analyze", text(&file), "--depth", "1", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines_of_json(std::str::from_utf8(&output.stdout).unwrap());
    assert!(lines[0].get("error").is_none());
    let error = lines[1]["error"].as_str().unwrap();
    assert!(
        error.starts_with("line 2: ") && error.contains("9/9 w"),
        "{error}"
    );
    let out = folder.join("out.jsonl");
    let args = [
        "analyze",
        text(&file),
        "--depth",
        "1",
        "--resume",
        "-o",
        text(&out),
    ];
    for run in ["first", "resumed"] {
        let (code, words) = failure(&args);
        assert!(
            code == Some(1) && words.contains("1 line is no position"),
            "{run}: {words}"
        );
    }
    std::fs::write(&file, "").unwrap();
    let (code, words) = failure(&["analyze", text(&file)]);
    assert!(
        code == Some(0) && words.contains("no position in the input"),
        "{words}"
    );
    for (args, code, named) in [
        (&["analyze", "no-such-file"][..], 2, "no-such-file"),
        (
            &["analyze", CLUB, "-o", "no-such-folder/x"],
            1,
            "no-such-folder/x",
        ),
        (
            &["annotate", CLUB, "--html", "no-such-folder/x"],
            1,
            "no-such-folder/x",
        ),
        (&["analyze", CLUB, "--format", "xml"], 2, "xml"),
        (&["analyze", CLUB, "--plies", "9-3"], 2, "9-3"),
        (&["analyze", CLUB, "--notation", "klingon"], 2, "klingon"),
        (&["analyze", CLUB, "--movetime", "-1"], 2, "-1"),
        (&["analyze", CLUB, "--resume"], 2, "--output"),
    ] {
        let (found, text) = failure(args);
        assert!(
            found == Some(code) && text.contains(named),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn an_output_is_not_overwritten_and_not_mixed() {
    let folder = folder("mixed");
    let out = folder.join("out.csv");
    let analyze = |more: &[&str]| {
        let args = ["analyze", CLUB, "-o", text(&out)];
        failure(&[&args[..], more].concat())
    };
    assert_eq!(analyze(&["--nodes", "200"]).0, Some(0));
    let (code, words) = analyze(&["--nodes", "200"]);
    assert!(code == Some(1) && words.contains("--resume"), "{words}");
    let (code, words) = analyze(&["--nodes", "300", "--resume"]);
    assert!(code == Some(1) && words.contains("nodes=300"), "{words}");
    assert_eq!(analyze(&["--nodes", "200", "--resume"]).0, Some(0));
}

/// Kills a run ten times at random moments, each time going on from what is
/// there, and compares with a run that was left alone.
#[test]
fn a_run_killed_ten_times_is_as_if_undisturbed() {
    let folder = folder("kills");
    let file = positions(&folder, 150);
    let mut random = Random(20);
    for format in ["jsonl", "csv"] {
        let out = folder.join(format!("out.{format}"));
        let whole = folder.join(format!("whole.{format}"));
        let args = |out: &Path| {
            let args = [
                "analyze",
                text(&file),
                "--nodes",
                "1500",
                "--jobs",
                "2",
                "--no-timing",
                "--resume",
                "-o",
                text(out),
            ];
            args.map(str::to_owned)
        };
        let run = |out: &Path| {
            let args = args(out);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            command(&args).stderr(Stdio::null()).spawn().unwrap()
        };
        let started = Instant::now();
        assert!(run(&whole).wait().unwrap().success());
        let share = started.elapsed().as_micros() as usize / 5;
        let mut killed = 0;
        for _ in 0..10 {
            let mut child = run(&out);
            std::thread::sleep(Duration::from_micros(random.below(share) as u64));
            child.kill().unwrap();
            killed += usize::from(!child.wait().unwrap().success());
        }
        assert!(run(&out).wait().unwrap().success());
        assert!(
            killed >= 5,
            "{killed} of ten runs were killed before their end"
        );
        let same = std::fs::read(&out).unwrap() == std::fs::read(&whole).unwrap();
        assert!(same, "{format}: the output differs after ten kills");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_what_is_done() {
    let folder = folder("interrupt");
    let file = positions(&folder, 100);
    let out = folder.join("out.jsonl");
    let args = [
        "analyze",
        text(&file),
        "--nodes",
        "20000",
        "--no-timing",
        "-o",
        text(&out),
    ];
    let child = command(&args).stderr(Stdio::piped()).spawn().unwrap();
    let lines = || std::fs::read_to_string(&out).unwrap_or_default();
    while lines().lines().count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("interrupted; --resume goes on"), "{words}");
    let text = lines();
    assert!(text.ends_with('\n'));
    let nodes = lines_of_json(&text);
    assert!(nodes.len() < 100 && nodes.iter().all(|line| line["nodes"] == 20_000));
}

fn record(path: &str) -> Record {
    let bytes = std::fs::read(path).unwrap();
    let file = read_file_bytes(&bytes, Charset::Auto).unwrap();
    file.games[0].record.clone()
}

/// Where each line of a record leaves its parent, and its moves.
fn moves_of_lines(record: &Record) -> Vec<(usize, usize, Vec<Move>)> {
    let moves = |nodes: &[NodeId]| nodes.iter().map(|id| record.node(*id).mv).collect();
    let lines = record.lines();
    let lines = lines.iter();
    lines
        .map(|line| (line.parent, line.ply, moves(&line.nodes)))
        .collect()
}

#[test]
fn annotated_games_can_be_read_again() {
    let folder = folder("annotate");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    // Red gives a cannon for a pawn.
    let moves = "1. h2e2 h9g7 2. e2e6 g7e6 *\n";
    std::fs::write(path("game.pgn"), moves).unwrap();
    let arguments = [
        "annotate",
        &path("game.pgn"),
        "--nodes",
        "3000",
        "--jobs",
        "2",
        "--pgn",
        &path("out.pgn"),
        "--xqf",
        &path("out.xqf"),
        "--json",
        &path("out.json"),
        "--html",
        &path("out.html"),
        "--language",
        "chinese",
    ];
    assert_eq!(stdout(&arguments), "");
    let pgn = record(&path("out.pgn"));
    assert_eq!(pgn.main_line(), record(&path("game.pgn")).main_line());
    assert!(pgn.lines().len() > 1, "a better line than the cannon's");
    assert!(pgn.tags.get("Annotator").unwrap().starts_with("Chuhe "));
    let xqf = record(&path("out.xqf"));
    assert_eq!(moves_of_lines(&xqf), moves_of_lines(&pgn));
    let game: Value =
        serde_json::from_str(&std::fs::read_to_string(path("out.json")).unwrap()).unwrap();
    assert_eq!(game["moves"].as_array().unwrap().len(), 4);
    assert_eq!(game["positions"].as_array().unwrap().len(), 5);
    assert!(game["moves"][2]["grade"].is_string(), "a cannon for a pawn");
    assert!(
        game["sides"]["red"]["accuracy"].as_f64() < game["sides"]["black"]["accuracy"].as_f64()
    );
    assert!(
        game["opening"]["chinese"]
            .as_str()
            .unwrap()
            .starts_with("中炮")
    );
    let html = std::fs::read_to_string(path("out.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("id=\"graph\""));
    let text = stdout(&[
        "annotate",
        &path("game.pgn"),
        "--nodes",
        "500",
        "--notation",
        "wxf",
    ]);
    assert!(
        text.contains("1. C2=5") && text.contains("[Annotator \"Chuhe "),
        "{text}"
    );
    let piped = command(&["annotate", "-", "--nodes", "500", "--notation", "wxf"])
        .stdin(std::fs::File::open(path("game.pgn")).unwrap())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), text);
    let (code, words) = failure(&["annotate", &path("game.pgn"), "--number", "2"]);
    assert!(code == Some(2) && words.contains("--number 2"), "{words}");
}

#[test]
fn diagrams_are_drawn() {
    let folder = folder("diagram");
    let svg = stdout(&[
        "diagram",
        "--moves",
        "炮二平五 马８进７",
        "--arrow",
        "h0g2,i9h9:red",
    ]);
    assert!(svg.starts_with("<svg ") && !svg.contains("<text"));
    let file = folder.join("x.png");
    let args = [
        "diagram",
        "--game",
        CLUB,
        "--ply",
        "4",
        "--symbols",
        "western",
        "--flip",
    ];
    stdout(&[&args[..], &["--width", "300", "-o", text(&file)]].concat());
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(bytes[16..20], 300_u32.to_be_bytes());
    for (args, named) in [
        (&["diagram", "9/9", "w"][..], "9/9 w"),
        (&["diagram", "-o", "x.gif"], "x.gif"),
        (&["diagram", "--symbols", "greek"], "greek"),
        (&["diagram", "--mark", "e4:pink"], "pink"),
        (&["diagram", "--moves", "h2h8"], "h2h8"),
        (&["diagram", "--game", CLUB, "--ply", "999"], "--ply 999"),
    ] {
        let (code, words) = failure(args);
        assert!(
            code == Some(2) && words.contains(named),
            "{args:?}: {words}"
        );
    }
}
