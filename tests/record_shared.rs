//! The shared game files against their index, skipped where it is absent.

use chuhe::board::Position;
use chuhe::record::{Charset, NodeId, ReadGame, read_file_bytes};

const FOLDER: &str = "../shared/data/games_shared";

/// The rows of the index.
fn index() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(format!("{FOLDER}/INDEX.tsv")).unwrap_or_default();
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(fields).collect()
}

fn board(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The number after a word in the remarks of the index.
fn remark(text: &str, word: &str) -> Option<usize> {
    let rest = text.split_once(word)?.1.trim_start();
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Two files have a broken line each: what can be played of it is kept.
fn check(row: &[String], games: &[ReadGame]) {
    let name = &row[0];
    let record = &games[0].record;
    let line = record.continuation(NodeId::ROOT);
    let last = line.last().copied().unwrap_or(NodeId::ROOT);
    let end: Position = record.position(last);
    let expected: usize = row[3].parse().unwrap();
    assert_eq!(line.len(), expected, "{name} {:?}", games[0].problems);
    assert_eq!(board(&end.to_string()), board(&row[4]), "{name}");
    if let Some(variations) = remark(&row[6], "variations:") {
        assert_eq!(record.lines().len() - 1, variations, "{name}");
    }
    if name.starts_with("utf8_master") || name.starts_with("ascii_master") {
        assert_eq!(games.len(), 15, "{name}");
    }
    let broken = row[6].contains("illegal") || name.contains("139_variations");
    for game in games.iter().filter(|_| !broken) {
        assert_eq!(game.problems, [], "{name}");
    }
}

#[test]
fn all_files_of_the_index_are_read() {
    for row in index() {
        let bytes = std::fs::read(format!("{FOLDER}/{}", row[0])).unwrap();
        let file = read_file_bytes(&bytes, Charset::Auto).unwrap();
        check(&row, &file.games);
    }
}
