//! `chuhe convert` as a user runs it.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn chuhe(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = chuhe(args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

const GAME: &str = "[Event \"Cup\"]\n[Red \"甲\"]\n[Result \"1-0\"]\n\n\
                    1. 炮二平五 {中炮} 马８进７ (1... 马２进３) 2. 马二进三 1-0\n";

#[test]
fn one_move_in_every_notation() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for (to, text) in [
        ("iccs", "h2e2"),
        ("iccs-long", "H2-E2"),
        ("wxf", "C2=5"),
        ("chinese", "炮二平五"),
        ("chinese-traditional", "炮二平五"),
        ("algebraic", "h3e3"),
        ("russian", "Пh3-e3"),
        ("winboard", "Che2"),
    ] {
        for from in ["h2e2", "C2.5", "砲２平５", "Пh3-e3", "Che2"] {
            let args = ["convert", "--fen", fen, "--move", from, "--to", to];
            assert_eq!(stdout(&args).trim(), text, "{from}");
        }
    }
}

#[test]
fn bad_moves_fail_with_the_reason() {
    let output = chuhe(&["convert", "--move", "炮二平二", "--to", "iccs"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("炮二平二"));
    let output = chuhe(&["convert", "--move", "h2e2", "--to", "klingon"]);
    assert_eq!(output.status.code(), Some(2));
    let output = chuhe(&["convert", "--fen", "9/9", "--move", "h2e2", "--to", "wxf"]);
    assert_eq!(output.status.code(), Some(2));
    let output = chuhe(&["convert", "no-such-file.pgn", "--to", "json"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_game_as_json() {
    let folder = folder("convert-json");
    let file = folder.join("game.pgn");
    std::fs::write(&file, GAME).unwrap();
    let text = stdout(&["convert", file.to_str().unwrap(), "--to", "json"]);
    let game: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(game["format"], "pgn");
    assert_eq!(game["encoding"], "UTF-8");
    assert_eq!(game["tags"]["Red"], "甲");
    assert_eq!(game["plies"], 3);
    assert_eq!(game["moves"][0], "h2e2");
    assert_eq!(game["variations"][0]["ply"], 2);
    assert_eq!(game["variations"][0]["moves"][0], "b9c7");
    assert_eq!(game["comments"][0]["text"], "中炮");
    let end = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b";
    assert!(game["final_fen"].as_str().unwrap().starts_with(end));
}

#[test]
fn a_file_goes_through_all_formats() {
    let folder = folder("convert-formats");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(path("game.pgn"), GAME).unwrap();
    for (input, to, output) in [
        ("game.pgn", "xqf", "game.xqf"),
        ("game.xqf", "cbf", "game.cbf"),
        ("game.cbf", "moves", "game.txt"),
        ("game.txt", "pgn", "again.pgn"),
    ] {
        stdout(&["convert", &path(input), "--to", to, "-o", &path(output)]);
        let text = stdout(&["convert", &path(output), "--to", "json"]);
        let game: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            game["moves"],
            serde_json::json!(["h2e2", "h9g7", "h0g2"]),
            "{output}"
        );
    }
    let gbk = [
        "--output-encoding",
        "gbk",
        "--crlf",
        "--notation",
        "chinese",
    ];
    let args = [
        "convert",
        &path("game.xqf"),
        "--to",
        "pgn",
        "-o",
        &path("gbk.pgn"),
    ];
    stdout(&[&args[..], &gbk].concat());
    let bytes = std::fs::read(path("gbk.pgn")).unwrap();
    assert!(
        bytes.windows(4).any(|w| w == [0xC5, 0xDA, 0xB6, 0xFE]),
        "炮二"
    );
    let text = stdout(&["convert", &path("gbk.pgn"), "--to", "fen"]);
    assert!(text.contains(" b - - "));
}

#[test]
fn folders_are_converted_and_bad_files_named() {
    let folder = folder("convert-folder");
    std::fs::create_dir_all(folder.join("in/sub")).unwrap();
    std::fs::write(folder.join("in/a.pgn"), GAME).unwrap();
    std::fs::write(folder.join("in/sub/b.pgn"), GAME.repeat(2)).unwrap();
    let input = folder.join("in");
    let output = folder.join("out");
    let args = [
        "convert",
        input.to_str().unwrap(),
        "--to",
        "xqf",
        "-o",
        output.to_str().unwrap(),
    ];
    stdout(&args);
    for name in ["a.xqf", "sub/b.xqf", "sub/b-2.xqf"] {
        assert!(output.join(name).exists(), "{name}");
    }
    std::fs::write(folder.join("in/bad.xqf"), "XQ\x0Ashort").unwrap();
    let result = chuhe(&args);
    assert_eq!(result.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(errors.contains("bad.xqf"), "{errors}");
    assert!(output.join("a.xqf").exists());
}

#[test]
fn characters_that_an_encoding_lacks_are_told() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["convert", "--to", "pgn", "--output-encoding", "latin1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let game = "[Red \"王天一\"]\n\n1. h2e2 h9g7 *\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(game.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("[Red \"???\"]"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no `"));
}
