//! Notations against collected texts and against themselves.

use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, NotationErrorKind, candidates, read};

/// FEN, ICCS, then texts parted by blanks that must be read as that move.
const ROWS: &str = include_str!("data/notation.tsv");

const RANDOM_MOVES: usize = 100_000;
/// After so many plies a new random game starts.
const RANDOM_GAME: usize = 150;

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn collected_texts_are_read() {
    for line in ROWS.lines().filter(|l| !l.starts_with('#')) {
        let [fen, iccs, texts] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three fields: {line}");
        };
        let pos = position(fen);
        let expected: Move = iccs.parse().unwrap();
        for text in texts.split(' ') {
            let got = read(&pos, text).map(|(mv, _)| mv);
            assert_eq!(got, Ok(expected), "{text} in {fen}");
        }
    }
}

#[test]
fn ambiguous_texts_list_their_candidates() {
    let pos = position("3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w - - 0 1");
    let error = read(&pos, "后兵平六").unwrap_err();
    let NotationErrorKind::Ambiguous { mut candidates, .. } = error.kind.clone() else {
        panic!("{error}");
    };
    candidates.sort();
    let texts: Vec<String> = candidates.iter().map(Move::to_string).collect();
    assert_eq!(texts, ["c6d6", "e6d6"]);
    assert!(error.to_string().contains("后兵平六"));
}

#[test]
fn errors_say_what_is_wrong() {
    let pos = Position::startpos();
    let kind = |text: &str| read(&pos, text).unwrap_err().kind;
    assert_eq!(kind("hello"), NotationErrorKind::Syntax);
    assert_eq!(kind(""), NotationErrorKind::Syntax);
    assert_eq!(kind("变兵平五"), NotationErrorKind::Promotion);
    assert!(matches!(kind("炮二平二"), NotationErrorKind::Illegal(_)));
    assert!(matches!(kind("a0a9"), NotationErrorKind::Illegal(_)));
    assert!("klingon".parse::<Notation>().is_err());
}

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Plays random games, all moves of each position shown to `visit`, until
/// `count` moves have been seen.
fn random_moves(count: usize, mut visit: impl FnMut(&Position, Move)) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut seen, mut ply) = (0, 0);
    let mut pos = Position::startpos();
    while seen < count {
        let moves = pos.legal_moves();
        for &mv in &moves {
            visit(&pos, mv);
        }
        seen += moves.len();
        ply += 1;
        pos = match moves.get(random.below(moves.len().max(1))) {
            Some(&mv) if ply % RANDOM_GAME != 0 => pos.after(mv),
            _ => Position::startpos(),
        };
    }
}

#[test]
fn every_random_move_round_trips_in_every_notation() {
    random_moves(RANDOM_MOVES, |pos, mv| {
        for notation in Notation::ALL {
            let text = notation.write(pos, mv);
            let got = notation.parse(pos, &text);
            assert_eq!(got, Ok(mv), "{notation} {text} {pos}");
        }
    });
}

#[test]
fn every_move_of_crowded_pawns_round_trips_in_every_notation() {
    let boards = [
        "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w - - 0 1",
        "3k5/2P6/2P6/2P6/2P6/9/9/9/9/5K3 w - - 0 1",
        "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1",
        "3k5/9/2P1P4/2P1P1P2/9/9/9/9/9/5K3 w - - 0 1",
        "3k5/2P6/2P1P4/2P1P4/9/9/9/9/9/5K3 w - - 0 1",
    ];
    for pos in boards.map(position) {
        for pos in [pos.clone(), pos.flipped(), pos.mirrored()] {
            for mv in pos.legal_moves() {
                for notation in Notation::ALL {
                    let text = notation.write(&pos, mv);
                    let got = notation.parse(&pos, &text);
                    assert_eq!(got, Ok(mv), "{notation} {text} {pos}");
                }
            }
        }
    }
}

#[test]
fn texts_of_random_moves_are_recognised() {
    random_moves(20_000, |pos, mv| {
        for notation in Notation::ALL {
            let text = notation.write(pos, mv);
            let likely = candidates(pos, &text);
            assert!(likely.contains(&mv), "{notation} {text} {pos}");
            // Ranks 1 to 10 may also be a move with ranks 0 to 9.
            let from_one = matches!(notation, Notation::Algebraic | Notation::Russian);
            assert!(from_one || likely[0] == mv, "{notation} {text} {pos}");
        }
    });
}
