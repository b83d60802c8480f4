//! PGN in the dialects and encodings that players have.

#[path = "common/records.rs"]
mod records;

use chuhe::notation::Notation;
use chuhe::record::pgn::{Reader, read_game, write};
use chuhe::record::{NodeId, ProblemKind, ReadGame, Record, encode};
use records::{Random, random_record};

fn games(text: &str) -> Vec<Record> {
    let read = |game: std::io::Result<ReadGame>| {
        let game = game.unwrap();
        assert_eq!(game.problems, [], "{text}");
        game.record
    };
    Reader::new(text.as_bytes()).map(read).collect()
}

fn line(record: &Record) -> String {
    let moves = record.main_line();
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[test]
fn every_notation_is_read() {
    let expected = "h2e2 h9g7 h0g2 i9h9";
    for text in [
        "1. 炮二平五 马８进７ 2. 马二进三 车９平８",
        "1. 炮二平五 馬8進7\r\n2. 傌二進三 車9平8 *",
        "1、炮二平五　马８进７　2、马二进三　车９平８",
        "炮二平五马８进７马二进三车９平８",
        "1. C2=5 H8+7 2. H2+3 R9=8 1-0",
        "1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８",
        "1.h2e2 h9g7 2.h0g2 i9h9",
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "1. h3e3 h10g8 2. h1g3 i10h10",
        "1. Пh3-e3 Кh10-g8 2. Кh1-g3 Лi10-h10",
        "1. Che2 {+0,10/7} Hg7 {x} 2. Hg2 Rh9",
        "1. C2.5 n8+7 2. N2+3 r9.8",
    ] {
        let games = games(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(line(&games[0]), expected, "{text}");
    }
}

#[test]
fn tags_in_all_their_forms() {
    let text = "[Event \"a \"quoted\" cup\"] [Site 'Hanoi']\n[White \"A\"]\n[Black \"B]\n\
                [DATE \"2024.01.02\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/R3K4 w\"]\n\n1. R9=6 1/2-1/2\n\
                ====\nVisit us for more (1. C2=5)\n";
    let mut all = Reader::new(text.as_bytes());
    let game = all.next().unwrap().unwrap();
    let tag = |name: &str| game.record.tags.get(name).unwrap().to_owned();
    assert_eq!(tag("event"), "a \"quoted\" cup");
    assert_eq!(tag("Site"), "Hanoi");
    assert_eq!(tag("Red"), "A");
    assert_eq!(tag("Black"), "B");
    assert_eq!(tag("Date"), "2024.01.02");
    assert_eq!(tag("Result"), "1/2-1/2");
    assert_eq!(line(&game.record), "a0d0");
    assert!(all.next().is_none());
}

#[test]
fn games_part_at_tags_with_or_without_results() {
    let text = "[Red \"A\"]\n1. C2=5\n[Red \"B\"]\n1. C8=5 1-0\n\n[Red \"C\"]\n\n1. P7+1 {[Red \
                \"no\n[Red: not a tag}\n*\n";
    let games = games(text);
    assert_eq!(games.len(), 3);
    assert_eq!(line(&games[2]), "c3c4");
    assert!(games[2].node(NodeId::ROOT).comment.is_empty());
}

#[test]
fn brackets_are_variations_when_they_can_be_played() {
    let text = "1. C2=5 (1. C8=5 H2+3 (1... H8+7) 2. H8+7) (better) H8+7 （名局） 2. H2+3! $14";
    let record = &games(text)[0];
    assert_eq!(line(record), "h2e2 h9g7 h0g2");
    let lines = record.lines();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        (lines[1].parent, lines[1].ply, lines[1].nodes.len()),
        (0, 1, 3)
    );
    assert_eq!(
        (lines[2].parent, lines[2].ply, lines[2].nodes.len()),
        (1, 2, 1)
    );
    let main = record.continuation(NodeId::ROOT);
    assert_eq!(record.node(main[0]).comment, "(better)");
    assert_eq!(record.node(main[1]).comment, "名局");
    assert_eq!(record.node(main[2]).glyphs, [1, 14]);
}

#[test]
fn the_side_to_move_is_the_one_that_can_move() {
    let text = "[FEN \"3k5/9/9/9/9/9/9/9/8r/R3K4 w - - 0 1\"]\n1. 车９退３ *";
    let game = read_game(text, 1);
    assert_eq!(line(&game.record), "i1i4");
    assert_eq!(game.problems[0].kind, ProblemKind::SideCorrected);
}

#[test]
fn a_bad_move_ends_its_line_and_is_reported() {
    let text = "[Red \"A\"]\n\n1. C2=5 H8+7\n2. C2=5 R9=8 1-0\n";
    let game = read_game(text, 10);
    assert_eq!(line(&game.record), "h2e2 h9g7");
    let [problem] = &game.problems[..] else {
        panic!("{:?}", game.problems);
    };
    assert!(
        problem.to_string().starts_with("line 13: ply 3: `C2=5`"),
        "{problem}"
    );
    assert_eq!(game.record.tags.get("Result"), Some("1-0"));
}

#[test]
fn a_bad_start_keeps_the_tags() {
    let game = read_game("[Red \"A\"]\n[FEN \"9/9/9 w\"]\n1. C2=5", 1);
    assert_eq!(game.record.tags.get("Red"), Some("A"));
    assert!(game.record.is_empty());
    assert!(matches!(
        game.problems[0].kind,
        ProblemKind::BadStart { .. }
    ));
}

#[test]
fn all_encodings_are_found() {
    let text =
        "[Red \"胡榮華\"]\n[Site \"功\"]\n1. 炮二平五 馬８進７ {許多} 2. 馬二進三 車９平８\n";
    for name in ["utf-8", "gb18030", "big5", "utf-16le", "utf-16be"] {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
        let mark: &[u8] = match name {
            "utf-16le" => &[0xFF, 0xFE],
            "utf-16be" => &[0xFE, 0xFF],
            _ => &[],
        };
        let bytes = [mark, &encode(encoding, text)].concat();
        let game = Reader::new(&bytes[..]).next().unwrap().unwrap();
        assert_eq!(game.problems, [], "{name}");
        assert_eq!(game.record.tags.get("Red"), Some("胡榮華"), "{name}");
        assert_eq!(game.record.len(), 4, "{name}");
    }
}

#[test]
fn random_trees_come_back_in_every_notation() {
    let mut random = Random(7);
    for round in 0..60 {
        let record = random_record(&mut random);
        let notation = Notation::ALL[round % Notation::ALL.len()];
        let mut text = Vec::new();
        write(&mut text, &record, notation).unwrap();
        let text = String::from_utf8(text).unwrap();
        let game = read_game(&text, 1);
        assert_eq!(game.problems, [], "{notation}\n{text}");
        assert!(game.record.same_tree(&record), "{notation}\n{text}");
        assert_eq!(game.record.tags.get("Red"), record.tags.get("Red"));
    }
}
