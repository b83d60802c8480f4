//! `chuhe match --variant sevenkingdoms`: whole games between programs.

mod common;

use chuhe::kingdoms::Record;
use common::folder::Folder;
use std::path::Path;
use std::process::{Command, Output};

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(CHUHE);
    command
        .args(["match", "--variant", "sevenkingdoms"])
        .args(args);
    command.current_dir(folder).output().unwrap()
}

fn engine(name: &str, more: &str) -> String {
    format!("name={name},cmd={CHUHE}{more}")
}

#[test]
fn seats_rotate_and_the_match_goes_on_after_a_break() {
    let folder = Folder::new("seven-match");
    let (a, b) = (
        engine("A", ",depth=1"),
        engine("B", ",depth=1,option.Hash=1"),
    );
    let (log, records) = (folder.path("games.jsonl"), folder.path("games.txt"));
    let (page, summary) = (folder.path("page.html"), folder.path("summary.json"));
    let order = |games: &'static str| {
        vec![
            "--engine",
            &a,
            "--engine",
            &b,
            "--players",
            "3",
            "--seats",
            "A,B,B",
            "--games",
            games,
            "--json",
            &log,
            "--pgn",
            &records,
            "--html",
            &page,
            "--summary",
            &summary,
            "--resume",
        ]
    };
    let first = run(&folder.0, &order("2"));
    assert!(first.status.success(), "{first:?}");
    let logged = folder.read("games.jsonl");
    // Half a line is what a kill leaves.
    std::fs::write(folder.0.join("games.jsonl"), &logged[..logged.len() - 9]).unwrap();
    let second = run(&folder.0, &order("3"));
    assert!(second.status.success(), "{second:?}");
    let table = String::from_utf8(second.stdout).unwrap();
    assert!(
        table.starts_with("3 of 3 games") && table.contains("wins by seat"),
        "{table}"
    );
    let games = Record::read_all(&folder.read("games.txt")).unwrap();
    assert_eq!(games.len(), 3);
    // Players 1 to 3 have Qin, Chu and Qi: each is A once.
    for (game, seat) in games.iter().zip(["Qin", "Qi", "Chu"]) {
        assert!(game.position().outcome().is_some());
        assert_eq!(game.tag(seat), Some("A"), "{:?}", game.tags);
        assert_ne!(game.result_text(), "*");
    }
    assert!(
        folder
            .read("games.jsonl")
            .starts_with(logged.lines().next().unwrap())
    );
    assert!(folder.read("page.html").contains("chance %"));
    let summary: serde_json::Value = serde_json::from_str(&folder.read("summary.json")).unwrap();
    let shares = summary["engines"].as_array().unwrap().iter();
    let won: f64 = shares.map(|e| e["won"]["value"].as_f64().unwrap()).sum();
    assert!((won - 1.0).abs() < 1e-9);
}

#[test]
fn a_record_is_drawn() {
    let folder = Folder::new("seven-diagram");
    let a = engine("A", ",depth=1");
    let args = ["--engine", &a, "--games", "1", "--pgn", "game.txt"];
    assert!(run(&folder.0, &args).status.success());
    let draw = |more: &[&str]| {
        let mut command = Command::new(CHUHE);
        command.args(["diagram", "--variant", "sevenkingdoms"]);
        command.args(more).current_dir(&folder.0).output().unwrap()
    };
    let svg = draw(&["--game", "game.txt"]);
    let svg = String::from_utf8(svg.stdout).unwrap();
    // Somebody has conquered somebody, and the last move is marked.
    assert!(svg.contains("badge of-") && svg.contains("class=\"mark\""));
    assert!(!svg.contains("<text"));
    let start = draw(&["--game", "game.txt", "--ply", "0", "--symbols", "western"]);
    let start = String::from_utf8(start.stdout).unwrap();
    assert!(!start.contains("badge") && !start.contains("class=\"mark\""));
    let png = draw(&[
        "--moves",
        "a13b15 c1b3",
        "--width",
        "300",
        "-o",
        "start.png",
    ]);
    assert!(png.status.success(), "{png:?}");
    let bytes = std::fs::read(folder.0.join("start.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    // Width and height stand at the head of the file.
    assert_eq!(bytes[16..24], [0, 0, 1, 44, 0, 0, 1, 44]);
    for (args, part) in [
        (["--moves", "a13a13"], "a13a13"),
        (["--game", "none.txt"], "none.txt"),
        (["--fen", "x"], "--fen"),
    ] {
        let output = draw(&args);
        assert!(!output.status.success());
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(part),
            "{output:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_misbehaves_ends_the_game_and_is_last() {
    let folder = Folder::new("seven-fault");
    let script = folder.0.join("mute.sh");
    let lines = "#!/bin/sh\nwhile read line; do\ncase $line in\nuci) echo uciok;;\n\
                 isready) echo readyok;;\ngo*) echo bestmove a1a1;;\nquit) exit;;\nesac\ndone\n";
    std::fs::write(&script, lines).unwrap();
    let bad = format!("name=bad,cmd=sh {},depth=1", script.display());
    let good = engine("good", ",depth=1");
    let args = [
        "--engine",
        &bad,
        "--engine",
        &good,
        "--seats",
        "bad,good,good,good,good,good,good",
    ];
    let args = [&args[..], &["--games", "1", "--pgn", "out.txt"]].concat();
    let output = run(&folder.0, &args);
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    let row = table.lines().find(|l| l.starts_with("bad")).unwrap();
    assert!(
        row.contains(" 7.00 ") && row.trim_end().ends_with('1'),
        "{table}"
    );
    assert!(table.contains("garbage 1"), "{table}");
}

#[cfg(unix)]
#[test]
fn a_late_answer_loses_by_time() {
    let folder = Folder::new("seven-late");
    let script = folder.0.join("slow.sh");
    // A legal move of Qin, then an illegal one.
    let lines = "#!/bin/sh\nwhile read line; do\ncase $line in\nuci) echo uciok;;\n\
                 isready) echo readyok;;\ngo*) sleep 0.3; echo bestmove a13b15;;\n\
                 quit) exit;;\nesac\ndone\n";
    std::fs::write(&script, lines).unwrap();
    let slow = format!("name=slow,cmd=sh {},movetime=0.05", script.display());
    let good = engine("good", ",depth=1");
    let order = ["--engine", &slow, "--engine", &good, "--games", "1"];
    let seats = ["--seats", "slow,good,good,good,good,good,good"];
    let start = ["--random-plies", "0"];
    for (margin, reason) in [("50", "time-forfeit 1"), ("60000", "illegal-move 1")] {
        let args = [&order[..], &seats, &start, &["--margin", margin]].concat();
        let output = run(&folder.0, &args);
        assert!(output.status.success(), "{output:?}");
        let table = String::from_utf8(output.stdout).unwrap();
        let row = table.lines().find(|l| l.starts_with("slow")).unwrap();
        assert!(row.trim_end().ends_with('1'), "{table}");
        assert!(table.contains(reason), "{table}");
    }
}

#[test]
fn bad_orders_are_refused() {
    let folder = Folder::new("seven-refused");
    let a = engine("A", ",depth=1");
    for (args, part) in [
        (vec![], "expected 1 to 7 engines"),
        (vec!["--engine", &a, "--players", "9"], "expected 3 to 7"),
        (vec!["--engine", &a, "--seats", "A,B,A,A,A,A,A"], "`B`"),
        (vec!["--engine", &a, "--sprt", "0,5"], "--sprt: not with"),
        (vec!["--engine", &a, "--clock", "cpu"], "--clock: not with"),
        (vec!["--engine", &a, "--rules", "asian"], "asian"),
    ] {
        let output = run(&folder.0, &args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(part), "{error}");
    }
    let other = Command::new(CHUHE)
        .args(["match", "--variant", "go"])
        .output()
        .unwrap();
    assert_eq!(other.status.code(), Some(2));
}
