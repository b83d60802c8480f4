//! Formats other than PGN, over files made here.

#[path = "common/records.rs"]
mod records;

use chuhe::board::{Color, Move, Piece, Position, Square};
use chuhe::notation::Notation;
use chuhe::record::{
    Charset, Format, GameResult, Layout, NodeId, ProblemKind, ReadGame, Record, encode,
    read_file_bytes, write, xqf,
};
use encoding_rs::{GBK, UTF_8};
use records::{Random, random_record};
use std::time::{Duration, Instant};

fn one(bytes: &[u8], format: Format) -> ReadGame {
    let mut file = read_file_bytes(bytes, Charset::Auto).unwrap();
    assert_eq!(file.format, format);
    assert_eq!(file.games.len(), 1);
    file.games.remove(0)
}

fn charset(label: &str) -> Charset {
    label.parse().unwrap()
}

fn line(record: &Record) -> String {
    let texts: Vec<String> = record.main_line().iter().map(ToString::to_string).collect();
    texts.join(" ")
}

/// XQF and its like keep no glyphs.
fn without_glyphs(mut record: Record) -> Record {
    let mut nodes = vec![NodeId::ROOT];
    while let Some(id) = nodes.pop() {
        record.node_mut(id).glyphs.clear();
        nodes.extend(record.children(id).to_vec());
    }
    record
}

#[test]
fn random_trees_come_back_from_xqf() {
    let mut random = Random(11);
    for _ in 0..40 {
        let mut record = without_glyphs(random_record(&mut random));
        record.tags.set("Result", "0-1");
        record.tags.set(
            "Event",
            "一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二",
        );
        let bytes = xqf::write(&record, GBK).unwrap();
        let game = one(&bytes, Format::Xqf);
        assert_eq!(game.problems, []);
        assert!(game.record.same_tree(&record));
        assert_eq!(game.record.result(), GameResult::BlackWins);
        // Cut between characters, 63 bytes at most.
        let event = game.record.tags.get("Event").unwrap();
        assert_eq!(event.chars().count(), 31);
    }
}

#[test]
fn the_first_move_may_have_variations() {
    let mut record = Record::default();
    for text in ["h2e2", "c3c4", "g0e2"] {
        let first = record.play(NodeId::ROOT, text.parse().unwrap()).unwrap();
        record.play(first, "h9g7".parse().unwrap()).unwrap();
    }
    let game = one(&xqf::write(&record, GBK).unwrap(), Format::Xqf);
    assert_eq!(game.record.children(NodeId::ROOT).len(), 3);
    assert_eq!(game.record.len(), 6);
}

/// A plain file turned into a keyed one, as newer versions are.
fn keyed(plain: &[u8], version: u8, rotate: bool) -> Vec<u8> {
    let (mask, or, parts) = (
        0xAF_u8,
        [0x32_u8, 0x2A, 0xDF, 0xC5],
        [0x15_u8, 0x8D, 0x33, 0x2B],
    );
    let mixed = |a: u8| a.wrapping_mul(a).wrapping_mul(54).wrapping_add(221);
    let piece = mixed(parts[1]).wrapping_mul(parts[1]);
    let from = mixed(parts[2]).wrapping_mul(piece);
    let to = mixed(parts[3]).wrapping_mul(from);
    let extra = (u32::from(parts[0]) * 256 + u32::from(parts[1])) % 32000 + 767;
    let mut file = plain[..0x400].to_vec();
    file[2] = version;
    file[3] = mask;
    file[8..12].copy_from_slice(&or);
    file[12..16].copy_from_slice(&parts);
    for slot in 0..32_usize {
        let shift = if rotate { usize::from(piece) + 1 } else { 0 };
        file[0x10 + slot] = plain[0x10 + (slot + shift) % 32].wrapping_add(piece);
    }
    let mut at = 0x400;
    while at < plain.len() {
        let length = u32::from_le_bytes(plain[at + 4..at + 8].try_into().unwrap());
        let flags = plain[at + 2];
        let mut new = if flags & 0xF0 != 0 { 0x80 } else { 0 };
        new |= if flags & 0x0F != 0 { 0x40 } else { 0 };
        new |= if length > 0 { 0x20 } else { 0 } | 0x13;
        file.extend([
            plain[at].wrapping_add(from),
            plain[at + 1].wrapping_add(to),
            new,
            7,
        ]);
        if length > 0 {
            file.extend((length + extra).to_le_bytes());
        }
        let text = at + 8;
        file.extend(&plain[text..text + length as usize]);
        at = text + length as usize;
    }
    let phrase = b"[(C) Copyright Mr. Dong Shiwei.]";
    for (i, byte) in file.iter_mut().enumerate().skip(0x400) {
        let key = phrase[i % 32] & (parts[i % 4] & mask | or[i % 4]);
        *byte = byte.wrapping_add(key);
    }
    file
}

#[test]
fn keyed_versions_are_read() {
    let record = without_glyphs(random_record(&mut Random(5)));
    let plain = xqf::write(&record, GBK).unwrap();
    for (version, rotate) in [(11, false), (11, true), (12, true), (16, true), (18, true)] {
        let game = one(&keyed(&plain, version, rotate), Format::Xqf);
        assert_eq!(game.problems, [], "{version}");
        assert!(game.record.same_tree(&record), "{version}");
    }
    let game = one(&keyed(&plain, 25, true), Format::Xqf);
    assert_eq!(game.problems[0].kind, ProblemKind::UnknownVersion(25));
    assert!(game.record.same_tree(&record));
}

#[test]
fn texts_of_other_encodings_keep_their_bytes() {
    let Charset::Known(cp1258) = charset("cp1258") else {
        panic!("an encoding")
    };
    let mut record = Record::default();
    let name = "L\u{EA} \u{110}\u{E0}m";
    record.tags.set("Red", name);
    let bytes = xqf::write(&record, cp1258).unwrap();
    let (game, found) = xqf::read(&bytes, charset("cp1258")).unwrap();
    assert_eq!((game.record.tags.get("Red"), found), (Some(name), cp1258));
    let (game, found) = xqf::read(&bytes, Charset::Auto).unwrap();
    let red = game.record.tags.get("Red").unwrap();
    assert_eq!(encode(found, red), encode(cp1258, name));
}

/// Text in a field of a record of CCBridge.
fn put(file: &mut [u8], at: usize, text: &str) {
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    file[at..at + bytes.len()].copy_from_slice(&bytes);
}

/// A record of CCBridge: the tree `h2e2 (g0e2) h9g7` with a comment.
fn ccbridge(version: u8) -> Vec<u8> {
    let (side, board, tree, red) = if version == 2 {
        (2112, 2120, 2214, 1076)
    } else {
        (1856, 1864, 1958, 948)
    };
    let mut file = vec![0; tree];
    file[..15].copy_from_slice(b"CCBridge Record");
    file[19] = version;
    put(&mut file, red, "红棋手");
    file[if version == 2 { 2076 } else { 1820 }] = 1;
    file[side] = 1;
    let start = Position::startpos();
    for sq in Square::all() {
        if let Some(piece) = start.piece_on(sq) {
            let order = [5, 4, 3, 2, 1, 6, 7];
            let kind = order[piece.kind().index()];
            let color = if piece.color() == Color::Red {
                0x10
            } else {
                0x20
            };
            file[board + (9 - sq.rank()) * 9 + sq.file()] = color | kind;
        }
    }
    let square = |sq: Square| {
        let row = 9 - sq.rank();
        let byte = if version == 2 {
            row * 9 + sq.file()
        } else {
            sq.file() * 16 + row
        };
        byte as u8
    };
    let mut node = |flags: u8, mv: &str, comment: &str| {
        let mv: Move = mv.parse().unwrap_or(Move::NULL);
        let (from, to) = (square(mv.from()), square(mv.to()));
        file.extend([flags, 1, from, to]);
        if !comment.is_empty() {
            let text: Vec<u8> = comment.encode_utf16().flat_map(u16::to_le_bytes).collect();
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text);
        }
    };
    node(0x04, "", "开局");
    node(0x02, "h2e2", "");
    node(0x01, "h9g7", "");
    node(0x05, "g0e2", "飞相");
    file.extend([0xCC; 40]);
    file
}

fn check_ccbridge(game: &ReadGame) {
    assert_eq!(game.problems, []);
    let record = &game.record;
    assert_eq!(line(record), "h2e2 h9g7");
    assert_eq!(record.tags.get("Red"), Some("红棋手"));
    assert_eq!(record.result(), GameResult::RedWins);
    assert_eq!(record.node(NodeId::ROOT).comment, "开局");
    let other = record.children(NodeId::ROOT)[1];
    assert_eq!(record.node(other).comment, "飞相");
}

#[test]
fn records_of_ccbridge_are_read() {
    for version in [1, 2] {
        check_ccbridge(&one(&ccbridge(version), Format::Cbr));
    }
}

#[test]
fn libraries_of_ccbridge_are_read_with_their_index_or_without() {
    let capacity = 4;
    let blocks = 66_624 + 276 * capacity;
    let mut file = vec![0; blocks + 3 * 4096];
    file[..15].copy_from_slice(b"CCBridgeLibrary");
    file[60] = capacity as u8;
    for (i, block) in [0_u8, 2].into_iter().enumerate() {
        let entry = 66_624 + 276 * i;
        file[entry] = 7;
        file[entry + 4] = block;
        let record = ccbridge(2);
        let start = blocks + 4096 * usize::from(block);
        file[start..start + record.len()].copy_from_slice(&record);
    }
    let mut damaged = file.clone();
    damaged[66_624..blocks].fill(0);
    for bytes in [file, damaged] {
        let library = read_file_bytes(&bytes, Charset::Auto).unwrap();
        assert_eq!((library.format, library.games.len()), (Format::Cbl, 2));
        library.games.iter().for_each(check_ccbridge);
    }
}

fn layout(format: Format) -> Layout {
    Layout {
        format,
        notation: Notation::Wxf,
        encoding: UTF_8,
        crlf: false,
        main_line_only: false,
        no_comments: false,
    }
}

fn written(record: &Record, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, record, &layout(format)).unwrap();
    bytes
}

#[test]
fn main_lines_come_back_from_cbf() {
    let mut random = Random(3);
    for _ in 0..20 {
        let record = without_glyphs(random_record(&mut random)).main_line_record();
        let mut record = record;
        let odd = "a < b & ]]> \"c\"";
        record.node_mut(NodeId::ROOT).comment = odd.into();
        record.tags.set("Event", odd);
        let game = one(&written(&record, Format::Cbf), Format::Cbf);
        assert_eq!(game.problems, []);
        assert!(game.record.same_tree(&record));
        assert_eq!(game.record.tags.get("Event"), Some(odd));
    }
}

#[test]
fn broken_xml_gives_what_it_has() {
    let text = "<?xml version=\"1.0\"?><ChineseChessRecord><Head><Red>a</Red><Odd/></Head><MoveList>\n\
                <Move value=\"77-47\">x</Move><Move value=\"70-62\"/><Move value=\"";
    let game = one(text.as_bytes(), Format::Cbf);
    assert_eq!(line(&game.record), "h2e2 h9g7");
    assert_eq!(game.record.tags.get("Red"), Some("a"));
    assert!(!game.problems.is_empty());
}

#[test]
fn dhtmlxq_with_variations_in_any_order() {
    let text = "<p>[DhtmlXQ][DhtmlXQ_red]A &amp; B[/DhtmlXQ_red]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\
                [DhtmlXQ_move_2_3_1]2625[/DhtmlXQ_move_2_3_1][DhtmlXQ_move_0_2_2]10227967[/DhtmlXQ_move_0_2_2]\
                [DhtmlXQ_move_9_1_3]7747[/DhtmlXQ_move_9_1_3][DhtmlXQ_comment1]一||二[/DhtmlXQ_comment1]\
                [DhtmlXQ_comment2_2]三[/DhtmlXQ_comment2_2][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]";
    let game = one(text.as_bytes(), Format::DhtmlXq);
    let record = &game.record;
    assert_eq!(line(record), "h2e2 h9g7");
    assert_eq!(record.tags.get("Red"), Some("A & B"));
    assert_eq!(record.result(), GameResult::RedWins);
    let lines = record.lines();
    let ends: Vec<usize> = lines.iter().map(|l| l.ply + l.nodes.len() - 1).collect();
    assert_eq!(ends, [2, 3, 3]);
    assert_eq!(record.node(lines[0].nodes[0]).comment, "一\n二");
    assert_eq!(record.node(lines[1].nodes[0]).comment, "三");
    let lost = ProblemKind::LostVariation("move_9_1_3".into());
    assert_eq!(game.problems[0].kind, lost);
}

#[test]
fn dhtmlxq_boards_and_the_side_that_moves_first() {
    // Kings d0 and e9, black rook i1 that moves first.
    let mut slots = vec!["99"; 32];
    (slots[4], slots[20], slots[16]) = ("39", "40", "88");
    let board = slots.concat();
    let text =
        format!("[DhtmlXQ_binit]{board}[/DhtmlXQ_binit][DhtmlXQ_movelist]8889[/DhtmlXQ_movelist]");
    let game = one(text.as_bytes(), Format::DhtmlXq);
    assert_eq!(game.problems, []);
    assert_eq!(game.record.start().side_to_move(), Color::Black);
    assert_eq!(line(&game.record), "i1i0");
    let rook = game.record.start().piece_on("i1".parse().unwrap());
    assert_eq!(rook, Some(Piece::BlackRook));
}

#[test]
fn move_lists_and_lists_of_positions() {
    let start = chuhe::board::START_FEN;
    let two = format!("{start}, h2e2 h9g7, 1-0\n{start}\n炮二平五\n马２进３\n黑胜\n");
    let file = read_file_bytes(two.as_bytes(), Charset::Auto).unwrap();
    assert_eq!((file.format, file.games.len()), (Format::Moves, 2));
    assert_eq!(line(&file.games[0].record), "h2e2 h9g7");
    assert_eq!(file.games[1].record.result(), GameResult::BlackWins);
    let list = format!(
        "# positions\n{start} ; moves: h2e2 ; cp 12\n\n4k4/9/9/9/9/9/9/9/9/3K5 w bm d0d1;\n"
    );
    let file = read_file_bytes(list.as_bytes(), Charset::Auto).unwrap();
    assert_eq!((file.format, file.games.len()), (Format::Fen, 2));
    assert_eq!(file.games[1].record.tags.get("EPD"), Some("bm d0d1;"));
    for format in [Format::Moves, Format::Pgn] {
        let bytes = written(&file.games[1].record, format);
        let again = read_file_bytes(&bytes, Charset::Auto).unwrap();
        assert_eq!(again.games[0].record.start(), file.games[1].record.start());
    }
    assert!(read_file_bytes(b"\x00\x01\x02 nothing", Charset::Auto).is_err());
    assert!(read_file_bytes(b"", Charset::Auto).is_err());
}

/// Samples of every format, for the tests of broken files.
fn samples() -> Vec<Vec<u8>> {
    let record = random_record(&mut Random(9));
    let plain = xqf::write(&record, GBK).unwrap();
    let mut samples = vec![keyed(&plain, 18, true), plain, ccbridge(1), ccbridge(2)];
    let texts = [Format::Pgn, Format::Cbf, Format::Moves];
    samples.extend(texts.map(|format| written(&record, format)));
    samples.push(b"[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_move_0_1_1]6947".to_vec());
    samples
}

#[test]
fn files_cut_anywhere_are_read_as_far_as_they_go() {
    for sample in samples() {
        let step = sample.len() / 50 + 1;
        for length in (0..sample.len()).step_by(step) {
            let _ = read_file_bytes(&sample[..length], Charset::Auto);
        }
    }
}

#[test]
fn files_with_wrong_bytes_never_stop_the_reader() {
    let mut random = Random(2);
    for sample in samples() {
        for _ in 0..100 {
            let mut broken = sample.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(broken.len());
                broken[at] = random.below(256) as u8;
            }
            let _ = read_file_bytes(&broken, Charset::Auto);
        }
    }
}

/// How long the test of many broken files goes on, and what one may take in a
/// development build.
const MANY_BROKEN_FOR: Duration = Duration::from_secs(60);
const ONE_FILE: Duration = Duration::from_secs(1);

/// Processor time of this thread, which other work on the machine does not
/// lengthen; elsewhere than on Linux the time of the clock.
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

#[test]
#[ignore = "runs for a minute"]
fn many_broken_files_are_read_in_time() {
    let mut random = Random(0x5EED);
    let mut samples = samples();
    let shared = std::fs::read_dir("../shared/data/games_shared");
    let shared = shared.into_iter().flatten().flatten();
    samples.extend(shared.filter_map(|file| std::fs::read(file.path()).ok()));
    let (start, mut count, mut slowest) = (Instant::now(), 0, Duration::ZERO);
    while start.elapsed() < MANY_BROKEN_FOR {
        let mut broken = samples[random.below(samples.len())].clone();
        let other = &samples[random.below(samples.len())];
        for _ in 0..=random.below(12) {
            let at = random.below(broken.len());
            match random.below(4) {
                0 => broken[at] = random.below(256) as u8,
                1 => broken.truncate(at.max(1)),
                2 => broken.extend_from_slice(&other[random.below(other.len())..]),
                _ => broken[at] ^= 1 << random.below(8),
            }
            broken.truncate(1 << 16);
        }
        let began = processor_time();
        let file = read_file_bytes(&broken, Charset::Auto);
        let took = processor_time() - began;
        if took > slowest {
            slowest = took;
            let what = file.map(|f| (f.format, f.encoding.name(), f.games.len()));
            eprintln!("{took:?} for {} bytes, {what:?}", broken.len());
        }
        count += 1;
    }
    eprintln!("{count} files, the slowest in {slowest:?}");
    assert!(slowest < ONE_FILE, "{slowest:?}");
}

/// The longest text that is taken as one game.
const LONGEST_GAME: usize = 1 << 21;

/// Texts that search each rest of themselves in vain, or grow what was read,
/// piece by piece.
#[test]
fn long_crafted_games_are_read_in_time() {
    let pieces = [
        "{{}",
        "{}{",
        "{a}",
        "（",
        "（\n",
        "（a）",
        "(",
        ")",
        "(a",
        "(h2e2)",
        "[a]",
        "[a \"b\"]",
        "[a",
        "[a\n",
        "\"]",
        "%\n",
        ";\n",
        "$",
        "$1 ",
        "1. ",
        "h2e2 ",
        "炮",
        "：",
        "红方：a\n",
        "*",
    ];
    for piece in pieces {
        let text = piece.repeat(LONGEST_GAME / piece.len());
        for text in [
            format!("[Event \"a\"]\n{text}"),
            format!("{text}\n1. h2e2 h9g7\n"),
        ] {
            let began = processor_time();
            let _ = read_file_bytes(text.as_bytes(), Charset::Auto);
            let took = processor_time() - began;
            assert!(took < ONE_FILE, "{piece:?} {took:?}");
        }
    }
    let tags: String = (0..100_000).map(|i| format!("[a{i} \"b\"]")).collect();
    let began = processor_time();
    let _ = read_file_bytes(tags.as_bytes(), Charset::Auto);
    assert!(processor_time() - began < ONE_FILE);
}
