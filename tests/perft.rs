//! Counts of the move tree that two other engines agree on.

use chuhe::board::{Position, perft::perft};

/// The largest count checked in the normal run.
const NORMAL: u64 = 1_000_000;

/// Position, depth and count of every entry of the data file.
fn entries() -> Vec<(Position, u32, u64)> {
    let mut entries = Vec::new();
    for line in include_str!("data/perft.epd").lines() {
        let (fen, counts) = line.split_once(" ;").unwrap();
        for count in counts.split(" ;") {
            let (depth, count) = count[1..].split_once(' ').unwrap();
            entries.push((
                fen.parse().unwrap(),
                depth.parse().unwrap(),
                count.parse().unwrap(),
            ));
        }
    }
    assert_eq!(entries.len(), 279);
    entries
}

fn check(wanted: impl Fn(u64) -> bool) {
    for (mut pos, depth, count) in entries() {
        if wanted(count) {
            assert_eq!(perft(&mut pos, depth), count, "{pos} depth {depth}");
        }
    }
}

#[test]
fn counts_up_to_a_million_are_exact() {
    check(|count| count <= NORMAL);
}

#[test]
#[ignore = "some 20 seconds; the deep counts, among them the start position to depth 6"]
fn deep_counts_are_exact() {
    check(|count| count > NORMAL);
}
