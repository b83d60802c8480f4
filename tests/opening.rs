//! Books made and read, by the library and on the command line.

use chuhe::board::{Move, Position, START_FEN};
use chuhe::opening::{
    Book, BookError, BookMaker, Choice, EMBEDDED_NAME, MakeOptions, position_key,
};
use chuhe::record::pgn::read_game;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

fn book(options: MakeOptions, games: &[&str]) -> Book {
    let mut maker = BookMaker::new(options);
    for game in games {
        maker.add_game(&read_game(game, 1).record);
    }
    Book::from_bytes(&maker.finish().to_bytes()).unwrap()
}

/// The embedded book has so many positions at least.
const LEAST_POSITIONS: usize = 500;

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
fn games_do_not_thin_out_what_was_analysed() {
    let options = MakeOptions {
        depth: 1,
        min_count: 3,
        ..MakeOptions::default()
    };
    let mut maker = BookMaker::new(options);
    maker
        .add_line(&format!("{START_FEN}\th2e2\t\t100"))
        .unwrap();
    let games = GAMES.map(|game| read_game(game, 1).record);
    games.iter().take(2).for_each(|game| maker.add_game(game));
    let found = Book::from_bytes(&maker.finish().to_bytes()).unwrap();
    let best = found.moves(&Position::startpos())[0];
    assert_eq!((best.weight, best.results), (104, [2, 0, 0]));
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

/// A folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_command_makes_and_shows() {
    let folder = folder("book");
    let (games, book) = (folder.join("games.pgn"), folder.join("a.book"));
    let text: String = GAMES
        .iter()
        .map(|g| format!("[Event \"x\"]\n\n{g}\n\n"))
        .collect();
    std::fs::write(&games, text).unwrap();
    let run = |args: &[&str]| {
        let output = Command::new(CHUHE).args(args).output().unwrap();
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
    let mut engine = Command::new(CHUHE)
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
    let path = folder("play").join("play.book");
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

/// The positions that play from a book can lead to, with the moves of each.
fn visit(book: &Book, mut each: impl FnMut(&Position, &[Move])) {
    let mut seen = HashSet::new();
    let mut waiting = vec![Position::startpos()];
    while let Some(pos) = waiting.pop() {
        if seen.insert(position_key(&pos).0) {
            let moves: Vec<Move> = book.moves(&pos).iter().map(|entry| entry.mv).collect();
            each(&pos, &moves);
            waiting.extend(moves.iter().map(|&mv| pos.after(mv)));
        }
    }
}

#[test]
fn the_embedded_book_leads_through_legal_moves_only() {
    let book = Book::embedded();
    let (mut positions, mut entries) = (0, 0);
    visit(book, |pos, moves| {
        let legal = |mv: &Move| pos.is_legal(*mv);
        assert!(moves.iter().all(legal), "{pos}: {moves:?}");
        positions += usize::from(!moves.is_empty());
        let symmetric = *pos == pos.mirrored();
        let own = |mv: &&Move| !symmetric || **mv <= mv.mirrored();
        entries += moves.iter().filter(own).count();
    });
    // No entry is out of reach, and none was passed over as illegal.
    assert_eq!(entries, book.len());
    assert!(positions >= LEAST_POSITIONS, "{positions} positions");
}

#[test]
fn the_command_shows_the_embedded_book() {
    let output = Command::new(CHUHE).args(["book", "show"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let moves = Book::embedded().moves(&Position::startpos());
    assert_eq!(text.lines().count(), moves.len(), "{text}");
    let best = format!("{} ", moves[0].mv);
    assert!(text.starts_with(&best), "{text}");
}

/// The line that tells of a move from the embedded book.
fn told(lines: &str) -> bool {
    session(lines).contains(&format!("opening book {EMBEDDED_NAME}"))
}

#[test]
fn the_embedded_book_is_played_when_it_is_asked_for() {
    let go = "position startpos\ngo infinite\n";
    let play = "position startpos\ngo depth 30\nquit\n";
    let on = "setoption name OwnBook value true\n";
    assert!(told(&format!("uci\n{on}{play}")));
    assert!(told(&format!(
        "ucci\nsetoption bookfiles {EMBEDDED_NAME}\n{play}"
    )));
    let short = "position startpos\ngo depth 1\nquit\n";
    assert!(!told(&format!("uci\n{short}")), "off by default");
    assert!(!told(&format!("ucci\nsetoption usebook true\n{short}")));
    assert!(!told(&format!("uci\n{on}{go}stop\nquit\n")), "analysis");
    let other = "setoption name BookFile value no/such.book\n";
    assert!(!told(&format!("uci\n{on}{other}{short}")));
}

#[test]
fn bench_does_not_ask_the_book() {
    let nodes = |commands: &[&str]| {
        let output = Command::new(CHUHE).args(commands).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let line = text.lines().find(|line| line.starts_with("Nodes searched"));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let bench = "bench 1 1 3";
    let with_book = ["setoption name OwnBook value true", bench];
    assert_eq!(nodes(&with_book), nodes(&[bench]));
}

/// The games of a short match of two such engines.
fn match_games(name: &str, options: &str) -> String {
    let games = folder(name).join("games.pgn");
    let _ = std::fs::remove_file(&games);
    let engine =
        |name: &str, proto: &str| format!("name={name},cmd={CHUHE},proto={proto}{options}");
    let (first, second) = (engine("first", "uci"), engine("second", "ucci"));
    let mut command = Command::new(CHUHE);
    command.args(["match", "--engine", &first, "--engine", &second]);
    command.args(["--nodes", "50", "--games", "2", "--max-plies", "4"]);
    command
        .arg("--pgn")
        .arg(&games)
        .args(["--no-pin", "--fault-log"]);
    let output = command.arg(folder(name).join("faults.log")).output();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    std::fs::read_to_string(games).unwrap()
}

#[test]
fn a_match_asks_the_book_only_when_it_is_told_to() {
    // A move that was not searched has neither score nor depth.
    let from_book = |text: &str| text.matches("?/?").count();
    assert_eq!(from_book(&match_games("match-plain", "")), 0);
    let on = ",option.OwnBook=true,option.BookFile=<embedded>";
    assert_eq!(from_book(&match_games("match-book", on)), 8);
}
