//! Books made and read, by the library and on the command line.

use chuhe::board::{Position, START_FEN};
use chuhe::opening::{Book, BookError, BookMaker, Choice, MakeOptions};
use chuhe::record::pgn::read_game;
use std::process::Command;

fn book(options: MakeOptions, games: &[&str]) -> Book {
    let mut maker = BookMaker::new(options);
    for game in games {
        maker.add_game(&read_game(game, 1).record);
    }
    Book::from_bytes(&maker.finish().to_bytes()).unwrap()
}

const GAMES: [&str; 4] = [
    "1. C2=5 H8+7 2. H2+3 1-0",
    "1. C8=5 H2+3 2. H8+7 1-0",
    "1. P7+1 P7+1 0-1",
    "1. C2=5 H2+3 1/2-1/2",
];

fn texts(book: &Book, pos: &Position) -> Vec<String> {
    let moves = book.moves(pos);
    let texts = moves
        .iter()
        .map(|m| format!("{} {} {:?}", m.mv, m.weight, m.results));
    texts.collect()
}

#[test]
fn mirror_images_are_counted_and_found_as_one() {
    let book = book(MakeOptions::default(), &GAMES);
    let start = Position::startpos();
    let cannon = "5 [2, 1, 0]";
    let pawn = "1 [0, 0, 1]";
    let expected = [
        format!("b2e2 {cannon}"),
        format!("h2e2 {cannon}"),
        format!("c3c4 {pawn}"),
        format!("g3g4 {pawn}"),
    ];
    assert_eq!(texts(&book, &start), expected);
    let one = start.after("h2e2".parse().unwrap());
    assert_eq!(texts(&book, &one), ["b9c7 1 [0, 1, 0]", "h9g7 1 [0, 0, 2]"]);
    assert_eq!(
        texts(&book, &one.mirrored()),
        ["b9c7 1 [0, 0, 2]", "h9g7 1 [0, 1, 0]"]
    );
}

#[test]
fn counts_depth_and_shares_thin_a_book_out() {
    let only = |options: MakeOptions| book(options, &GAMES).len();
    let all = MakeOptions::default();
    let often = MakeOptions {
        min_count: 2,
        ..all
    };
    let shallow = MakeOptions { depth: 1, ..all };
    let shared = MakeOptions {
        min_share: 500,
        ..shallow
    };
    assert!(only(all) > only(often));
    assert_eq!((only(shallow), only(shared)), (2, 1));
}

#[test]
fn weighted_choice_follows_the_weights() {
    let book = book(MakeOptions::default(), &GAMES);
    let start = Position::startpos();
    let pawns = |random: u64| {
        let mv = book.choose(&start, Choice::Weighted, random).unwrap();
        mv.to_string().starts_with(['c', 'g'])
    };
    assert_eq!((0..12).filter(|&n| pawns(n)).count(), 2);
    assert_eq!(book.choose(&start, Choice::Best, 11), "b2e2".parse().ok());
    let empty: Position = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1".parse().unwrap();
    assert_eq!(book.choose(&empty, Choice::Best, 0), None);
}

#[test]
fn lines_of_position_and_move_are_read() {
    let mut maker = BookMaker::new(MakeOptions::default());
    maker
        .add_line(&format!("{START_FEN}\t炮二平五\t1-0\t3"))
        .unwrap();
    maker.add_line(&format!("{START_FEN}\th2e2\t0-1")).unwrap();
    assert!(
        maker
            .add_line(START_FEN)
            .unwrap_err()
            .to_string()
            .contains("missing")
    );
    assert!(maker.add_line(&format!("{START_FEN}\ta0a9")).is_err());
    assert!(maker.add_line(&format!("{START_FEN}\th2e2\twon")).is_err());
    let book = Book::from_bytes(&maker.finish().to_bytes()).unwrap();
    assert_eq!(book.moves(&Position::startpos())[0].results, [3, 0, 1]);
}

#[test]
fn files_that_are_no_book_are_refused() {
    let good = {
        let mut maker = BookMaker::new(MakeOptions::default());
        maker.add_game(&read_game(GAMES[0], 1).record);
        maker.finish().to_bytes()
    };
    let mut damaged = good.clone();
    damaged[20] ^= 1;
    assert!(matches!(
        Book::from_bytes(&damaged),
        Err(BookError::Damaged)
    ));
    assert!(matches!(
        Book::from_bytes(&good[..12]),
        Err(BookError::Damaged)
    ));
    assert!(matches!(
        Book::from_bytes(b"SQLite format 3\0"),
        Err(BookError::Obk)
    ));
    assert!(matches!(
        Book::from_bytes(b"hello"),
        Err(BookError::UnknownFormat)
    ));
    assert!(matches!(
        Book::from_bytes(b""),
        Err(BookError::UnknownFormat)
    ));
}

#[test]
fn the_command_makes_and_shows() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    std::fs::create_dir_all(&folder).unwrap();
    let (games, book) = (folder.join("games.pgn"), folder.join("a.book"));
    let text: String = GAMES
        .iter()
        .map(|g| format!("[Event \"x\"]\n\n{g}\n\n"))
        .collect();
    std::fs::write(&games, text).unwrap();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(args)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (games, book) = (games.to_str().unwrap(), book.to_str().unwrap());
    assert_eq!(run(&["book", "make", games, "-o", book]).0, Some(0));
    let (code, shown) = run(&["book", "show", "--book", book]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("h2e2 炮二平五 weight 5"), "{shown}");
    assert_eq!(run(&["book", "show", "--book", games]).0, Some(1));
}

/// What the engine answers to lines.
fn session(lines: &str) -> String {
    use std::io::Write;
    use std::process::Stdio;
    let mut engine = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    engine
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn the_engine_plays_from_the_book_when_it_may() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("play.book");
    let mut maker = BookMaker::new(MakeOptions::default());
    // A first move that no search would choose.
    maker.add_line(&format!("{START_FEN}\te0e1\t1-0")).unwrap();
    std::fs::write(&path, maker.finish().to_bytes()).unwrap();
    let path = path.display();
    let set = |name: &str, value: &str| format!("setoption name {name} value {value}\n");
    let file = set("BookFile", &path.to_string());
    let on = set("OwnBook", "true");
    let go = "position startpos\ngo depth 1\n";
    let book = "bestmove e0e1";
    assert!(session(&format!("uci\n{file}{on}{go}quit\n")).contains(book));
    assert!(
        !session(&format!("uci\n{file}{go}quit\n")).contains(book),
        "off by default"
    );
    let analysis = set("MultiPV", "2");
    let answer = session(&format!("uci\n{file}{on}{analysis}{go}quit\n"));
    assert!(!answer.contains(book), "not in analysis");
    let ucci = format!("ucci\nsetoption bookfiles {path}\n{go}quit\n");
    assert!(session(&ucci).contains(book), "on by default in UCCI");
    let off = format!("ucci\nsetoption bookfiles {path}\nsetoption usebook off\n{go}quit\n");
    assert!(!session(&off).contains(book));
    let wrong = session(&format!(
        "uci\n{}{on}{go}quit\n",
        set("BookFile", "no/such.book")
    ));
    assert!(wrong.contains("info string no/such.book"));
}
