//! Texts that are positions and texts that are not.

use chuhe::board::{Color, FenError, Piece, Position, START_FEN};

/// Decodes the escapes `\r \t \xNN \uNNNN \\` of the data file.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    let code = |rest: &mut std::str::Chars, digits: usize| {
        let hex: String = rest.by_ref().take(digits).collect();
        char::from_u32(u32::from_str_radix(&hex, 16).unwrap()).unwrap()
    };
    while let Some(c) = rest.next() {
        out.push(match c {
            '\\' => match rest.next() {
                Some('r') => '\r',
                Some('t') => '\t',
                Some('x') => code(&mut rest, 2),
                Some('u') => code(&mut rest, 4),
                Some('\\') => '\\',
                other => panic!("escape {other:?}"),
            },
            c => c,
        });
    }
    out
}

#[test]
fn every_line_of_the_data_file_has_its_outcome() {
    let mut lines = 0;
    for line in include_str!("data/fens.txt").lines() {
        let [fen, expected, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns expected: {line}");
        };
        let result = unescape(fen).parse::<Position>();
        match (expected.strip_prefix("ok: "), &result) {
            (Some(canonical), Ok(pos)) => assert_eq!(pos.to_string(), canonical),
            (None, Err(error)) => assert!(!error.to_string().is_empty()),
            _ => panic!("{fen}: expected {expected}, found {result:?}"),
        }
        lines += 1;
    }
    assert_eq!(lines, 121);
}

fn error(fen: &str) -> FenError {
    fen.parse::<Position>().unwrap_err()
}

#[test]
fn errors_are_typed_and_quote_what_offends() {
    let board = "4k4/9/9/9/9/9/9/9/9/3K5";
    assert_eq!(error("  "), FenError::Empty);
    assert_eq!(error(&format!("{board} x")), FenError::Side("x".into()));
    assert_eq!(
        error(&format!("{board} w - - 65536 1")).to_string(),
        "half-move count `65536`: expected a number 0-65535"
    );
    assert_eq!(
        error(&format!("{board} w - - 0 1 extra")),
        FenError::Trailing("extra".into())
    );
    assert_eq!(
        error(&format!("{board}[Pp] w")),
        FenError::Hand("[Pp]".into())
    );
    assert_eq!(
        error(&format!("{board} w e3")),
        FenError::Unused("e3".into())
    );
    assert_eq!(
        error("4k4/9/9/9/9/9/9/9/9/8Q w"),
        FenError::UnknownPiece {
            rank: 0,
            letter: 'Q'
        }
    );
    assert_eq!(
        error("4k4/9/9/9/9/9/9/9/9/3K4 w"),
        FenError::RankLength {
            rank: 0,
            text: "3K4".into(),
            found: 8
        }
    );
    assert_eq!(
        error("4k4/9/9/9/9/9/9/9/9/9 w"),
        FenError::KingCount {
            color: Color::Red,
            found: 0
        }
    );
    assert_eq!(
        error("4k4/9/9/9/9/9/9/9/8A/3K5 w"),
        FenError::OffItsPoints {
            piece: Piece::RedAdvisor,
            square: "i1".parse().unwrap()
        }
    );
    assert_eq!(
        error("4k4/9/9/9/9/9/9/9/9/4K4 w"),
        FenError::KingsFacing {
            red: "e0".parse().unwrap(),
            black: "e9".parse().unwrap()
        }
    );
    assert_eq!(
        error("3k5/9/9/9/9/9/9/9/3R5/5K3 w").to_string(),
        "the king on d9 can be taken from d1: expected its side to move"
    );
}

#[test]
fn long_and_strange_texts_are_quoted_short_and_escaped() {
    let message = error(&"9/".repeat(4000)).to_string();
    assert!(message.len() < 200, "{message}");
    assert!(
        error("\u{1b}[2J/x w")
            .to_string()
            .chars()
            .all(|c| !c.is_control())
    );
}

#[test]
fn counters_and_missing_fields() {
    for (fields, canonical) in [
        ("", "w - - 0 1"),
        ("r", "w - - 0 1"),
        ("b - - 65535 65535", "b - - 65535 65535"),
        ("b - 7 9", "b - - 7 9"),
        ("b 7", "b - - 7 1"),
    ] {
        let board = "4k4/9/9/9/9/9/9/9/9/3K5";
        let pos: Position = format!("{board} {fields}").parse().unwrap();
        assert_eq!(pos.to_string(), format!("{board} {canonical}"));
        let with_hand: Position = format!("{board}[] {fields}").parse().unwrap();
        assert_eq!(with_hand, pos);
    }
    assert_eq!(START_FEN.parse::<Position>().unwrap(), Position::startpos());
}

/// UCCI programs play on from facing kings: the side to move is in check.
#[test]
fn facing_kings_are_read_only_on_request() {
    let fen = "4k4/9/9/9/9/9/9/9/9/3RK4 b - - 0 1";
    assert!(fen.parse::<Position>().is_err());
    let pos = Position::from_fen_with_facing_kings(fen).unwrap();
    assert!(pos.in_check());
    let moves: Vec<_> = pos.legal_moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["e9f9"]);
    let bare = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    assert!(Position::from_fen_with_facing_kings(bare).is_err());
    let capturable = "3k5/9/9/9/9/9/9/9/3R5/5K3 w - - 0 1";
    assert!(Position::from_fen_with_facing_kings(capturable).is_err());
}
