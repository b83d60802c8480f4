//! Notations against the shared rows, skipped where they are absent.

use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, NotationErrorKind, read};
use serde_json::Value;

const SHARED: &str = "../shared/data/notation_shared.jsonl";

fn rows() -> Vec<Value> {
    let text = std::fs::read_to_string(SHARED).unwrap_or_default();
    let row = |line| serde_json::from_str(line).unwrap();
    text.lines().map(row).collect()
}

fn texts<'a>(row: &'a Value, field: &str) -> Vec<&'a str> {
    let list = row[field].as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

fn case(row: &Value) -> (Position, Move) {
    let text = |field: &str| row[field].as_str().unwrap();
    (text("fen").parse().unwrap(), text("uci0").parse().unwrap())
}

#[test]
fn all_accepted_texts_are_read() {
    for row in rows() {
        let (pos, expected) = case(&row);
        let single = ["iccs", "uci0", "cn_official", "cn_trad"];
        let single = single.iter().filter_map(|f| row[*f].as_str());
        let listed = [texts(&row, "wxf_accept"), texts(&row, "cn_accept")].concat();
        for text in single.chain(listed) {
            let got = read(&pos, text).map(|hit| hit.0);
            assert_eq!(got, Ok(expected), "{} {text}", row["id"]);
        }
        let uci1 = row["uci1"].as_str().unwrap();
        let got = Notation::Algebraic.parse(&pos, uci1);
        assert_eq!(got, Ok(expected), "{} {uci1}", row["id"]);
    }
}

#[test]
fn ambiguous_texts_are_refused() {
    for row in rows() {
        let (pos, _) = case(&row);
        for text in texts(&row, "ambiguous_text") {
            let text = text.split_once(':').map_or(text, |(_, text)| text);
            let error = read(&pos, text).unwrap_err();
            let ambiguous = matches!(error.kind, NotationErrorKind::Ambiguous { .. });
            assert!(ambiguous, "{} {error}", row["id"]);
        }
    }
}

/// Digits of both widths are one.
fn ascii_digits(text: &str) -> String {
    let shift = |c: char| match c {
        '１'..='９' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(shift).collect()
}

#[test]
fn our_own_texts_are_among_the_accepted() {
    let plain = |text: &str| text.replace('.', "=").replace('N', "H").replace('B', "E");
    for row in rows() {
        let (pos, mv) = case(&row);
        let chinese = Notation::Chinese.write(&pos, mv);
        let official = row["cn_official"].as_str().unwrap();
        assert_eq!(
            ascii_digits(&chinese),
            ascii_digits(official),
            "{}",
            row["id"]
        );
        let wxf = Notation::Wxf.write(&pos, mv);
        let accepted = texts(&row, "wxf_accept");
        let fits = accepted.iter().any(|t| plain(t) == plain(&wxf));
        assert!(fits, "{} {wxf} {accepted:?}", row["id"]);
    }
}
