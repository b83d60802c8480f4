//! The Game of the Seven Kingdoms in the words of UCI.

use chuhe::kingdoms::protocol::{Choices, Session, announcements, read};
use chuhe::kingdoms::{Options, Position, START, Seat};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A session, and what it has said.
struct Talk {
    session: Session,
    said: Arc<Mutex<Vec<String>>>,
}

impl Talk {
    fn new() -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&said);
        let say = move |text: String| {
            let lines = text.lines().map(str::to_owned);
            heard.lock().unwrap().extend(lines);
        };
        Self {
            session: Session::new(Arc::new(say)),
            said,
        }
    }

    /// Says a line and returns the answers, after waiting for a search.
    fn ask(&mut self, line: &str) -> Vec<String> {
        assert!(self.session.line(line), "{line} is not for this game");
        let patience = Instant::now() + Duration::from_secs(60);
        while self.session.is_thinking() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::mem::take(&mut *self.said.lock().unwrap())
    }
}

fn last(lines: &[String]) -> &str {
    lines.last().map_or("", String::as_str)
}

#[test]
fn a_game_by_uci() {
    let mut talk = Talk::new();
    assert_eq!(talk.ask("ucinewgame"), [""; 0]);
    assert_eq!(
        talk.ask("position startpos moves a13b15 c1e2"),
        ["info string error Unsupported position: illegal move `c1e2` (number 2)"]
    );
    assert_eq!(last(&talk.ask("go depth 1")), "bestmove (none)");
    assert_eq!(talk.ask("position startpos moves a13b15"), [""; 0]);
    let answers = talk.ask("go depth 2");
    let infos: Vec<&String> = answers
        .iter()
        .filter(|l| l.starts_with("info depth"))
        .collect();
    assert_eq!(infos.len(), 2, "{answers:?}");
    assert!(infos[1].contains(" score cp ") && infos[1].contains(" pv "));
    assert!(
        answers[1].starts_with("info string chances w "),
        "{answers:?}"
    );
    assert_eq!(answers[1].matches('%').count(), 7);
    let best = last(&answers).strip_prefix("bestmove ").unwrap().parse();
    assert!(talk.session.position().unwrap().is_legal(best.unwrap()));
}

#[test]
fn the_board_and_its_line() {
    let mut talk = Talk::new();
    let answers = talk.ask("d");
    assert_eq!(answers.len(), 24);
    assert!(answers.contains(&format!("Fen: {START}")), "{answers:?}");
    assert_eq!(last(&answers), "Qin (player 1) to move");
    talk.ask(&format!("position fen {START} moves a13b15"));
    assert_eq!(last(&talk.ask("d")), "Chu (player 2) to move");
    let answers = talk.ask("position fen 19/19 w");
    assert_eq!(
        answers,
        ["info string error Unsupported position: position has 2 fields, expected 8"]
    );
    assert_eq!(talk.ask("d"), ["info string no valid position"]);
}

#[test]
fn counting() {
    let mut talk = Talk::new();
    let answers = talk.ask("go perft 2");
    assert_eq!(answers.len(), 98);
    assert!(answers.contains(&"a7c8: 95".to_owned()));
    assert_eq!(last(&answers), "Nodes searched: 9045");
    assert_eq!(last(&talk.ask("go perft 0")), "Nodes searched: 1");
}

#[test]
fn options_of_the_game() {
    let mut talk = Talk::new();
    talk.ask("setoption name Kingdoms_Preset value ludii");
    assert_eq!(last(&talk.ask("go perft 1")), "Nodes searched: 52");
    talk.ask("setoption name kingdoms_knight value upto");
    assert_eq!(last(&talk.ask("go perft 1")), "Nodes searched: 76");
    talk.ask("setoption name Kingdoms_CannonScreen value any");
    talk.ask("setoption name Kingdoms_Players value 3");
    let players = talk.session.position().unwrap();
    assert_eq!(players.player(Seat::YAN), 1);
    talk.ask("setoption name Kingdoms_Search value maxn");
    assert!(last(&talk.ask("go depth 1")).starts_with("bestmove "));
    assert_eq!(
        talk.ask("setoption name Kingdoms_Wine value 3"),
        ["info string error no rule option `wine`"]
    );
    assert_eq!(
        talk.ask("setoption name Kingdoms_LossLimit value many"),
        ["info string error bad value `many` of loss_limit, expected a number from 0 to 100"]
    );
    assert!(!talk.session.line("setoption name Threads value 2"));
    for mib in ["2", "0", "99999999999999", "many"] {
        let line = format!("setoption name Hash value {mib}");
        assert!(!talk.session.line(&line), "the host's too");
    }
    assert!(last(&talk.ask("go depth 1")).starts_with("bestmove "));
}

#[test]
fn numbers_out_of_range_are_brought_into_it() {
    let mut talk = Talk::new();
    talk.ask("setoption name kingdoms players value 1");
    let three = Position::start_for(3, Options::ENGLISH).unwrap();
    let players = |position: &Position| Seat::ALL.map(|seat| position.player(seat));
    assert_eq!(players(talk.session.position().unwrap()), players(&three));
    talk.ask("setoption name KingdomsLossLimit value 500");
    talk.ask("setoption name Kingdoms_CaptureLimit value -3");
    let options = talk.session.position().unwrap().options();
    assert_eq!((options.loss_limit, options.capture_limit), (100, 0));
}

#[test]
fn a_limit_that_cannot_be_read_does_not_make_the_search_endless() {
    let mut talk = Talk::new();
    for line in ["go depth abc", "go movetime", "go sideways"] {
        let answers = talk.ask(line);
        assert!(last(&answers).starts_with("bestmove "), "{line}");
        assert!(answers[0].starts_with("info string error go"), "{line}");
    }
}

/// Where a search is cut short, too.
#[test]
fn the_last_news_is_about_the_move_played() {
    let mut talk = Talk::new();
    for search in ["maxn", "brs"] {
        talk.ask(&format!("setoption name Kingdoms_Search value {search}"));
        for nodes in (500..8000).step_by(500) {
            talk.ask("position startpos moves a13b15 c1b3");
            let answers = talk.ask(&format!("go nodes {nodes}"));
            let news = answers.iter().rfind(|l| l.starts_with("info depth"));
            let line = news.and_then(|l| l.split_once(" pv ")).unwrap().1;
            let first = line.split(' ').next().unwrap();
            assert_eq!(last(&answers), format!("bestmove {first}"), "{nodes}");
        }
    }
}

/// Qin's only piece that could move is shut in: it is Chu's turn.
#[test]
fn a_side_that_cannot_move_is_skipped_in_a_position_line() {
    let line = "19/19/19/19/19/19/19/19/19/9yE9/19/19/19/19/4rR14/19/19/rM18/wSrM17 \
                w wr----- 1234567 - 0000000 0 0";
    let mut talk = Talk::new();
    talk.ask(&format!("position fen {line}"));
    assert_eq!(last(&talk.ask("d")), "Chu (player 2) to move");
    assert!(last(&talk.ask("go depth 1")).starts_with("bestmove "));
}

#[test]
fn every_announced_option_takes_its_default() {
    let lines = announcements();
    assert_eq!(lines.len(), 17);
    let mut choices = Choices::default();
    for line in lines {
        let (name, rest) = line["option name Kingdoms_".len()..]
            .split_once(' ')
            .unwrap();
        let default = rest
            .split_whitespace()
            .skip_while(|w| *w != "default")
            .nth(1);
        choices.set(name, default.unwrap()).expect(&line);
    }
    assert_eq!(choices.rules, Options::ENGLISH);
}

#[test]
fn a_search_can_be_stopped() {
    let mut talk = Talk::new();
    assert!(talk.session.line("go infinite"));
    std::thread::sleep(Duration::from_millis(50));
    assert!(talk.session.is_thinking());
    let began = Instant::now();
    assert!(last(&talk.ask("stop")).starts_with("bestmove "));
    assert!(began.elapsed() < Duration::from_secs(2));
    assert!(talk.ask("stop").is_empty());
}

#[test]
fn clocks_of_seven() {
    let mut talk = Talk::new();
    let clock = "go wtime 600 rtime 1 otime 1 btime 1 gtime 1 ptime 1 ktime 1 winc 10 movestogo 20";
    assert!(last(&talk.ask(clock)).starts_with("bestmove "));
    talk.ask("position startpos moves a13b15");
    assert!(last(&talk.ask("go rtime -5")).starts_with("bestmove "));
}

#[test]
fn the_host_s_overhead_is_kept_back() {
    let mut talk = Talk::new();
    assert!(!talk.session.line("setoption name Move Overhead value 9900"));
    let began = Instant::now();
    let answer = talk.ask("go wtime 10000 movestogo 1");
    assert!(last(&answer).starts_with("bestmove "));
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn lines_that_are_none() {
    let mut talk = Talk::new();
    for (line, answer) in [
        (
            "setoption value 3",
            "info string error setoption: expected name, found `value`",
        ),
        (
            "position",
            "info string error position: expected startpos or fen, found ``",
        ),
        (
            "position startpos moves h2e2x",
            "info string error position: expected a move such as a13b15, found `h2e2x`",
        ),
    ] {
        assert_eq!(talk.ask(line), [answer]);
    }
    for line in ["uci", "isready", "quit", "", "xyzzy"] {
        assert_eq!(read(line), Ok(None));
        assert!(!talk.session.line(line));
    }
}

#[test]
fn a_go_that_is_partly_unreadable_searches_all_the_same() {
    let mut talk = Talk::new();
    for (line, problem) in [
        ("go depth 1 nodes", "go nodes: expected a number, found ``"),
        (
            "go depth 1 nodes x",
            "go nodes: expected a number, found `x`",
        ),
        ("go ztime 5 depth 1", "go: expected a limit, found `ztime`"),
        (
            "go depth 1 searchmoves a13b15",
            "go: expected a limit, found `a13b15`",
        ),
    ] {
        let answers = talk.ask(line);
        assert!(
            answers.contains(&format!("info string error {problem}")),
            "{answers:?}"
        );
        assert!(last(&answers).starts_with("bestmove "), "{answers:?}");
    }
    assert_eq!(
        talk.ask("go perft x"),
        ["info string error go perft: expected a number, found `x`"]
    );
}

#[test]
fn a_finished_game_has_no_move() {
    let mut talk = Talk::new();
    let over = START.replace(" w wrobgpk", " - wrobgpk");
    talk.ask(&format!("position fen {over}"));
    assert_eq!(
        talk.ask("go depth 3"),
        ["info string over", "bestmove (none)"]
    );
}

/// Talks to the whole engine and returns all that it says.
fn converse(lines: &str) -> String {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let mut engine = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = engine.stdin.take().unwrap();
    let mut output = BufReader::new(engine.stdout.take().unwrap());
    let mut said = String::new();
    for line in lines.lines() {
        writeln!(input, "{line}").unwrap();
        let awaited = match line {
            "isready" => "readyok",
            _ if line.starts_with("go perft") => "Nodes searched",
            _ if line.starts_with("go") => "bestmove",
            _ => continue,
        };
        let begin = said.len();
        while !said[begin..].contains(awaited) && output.read_line(&mut said).unwrap() > 0 {}
    }
    drop(input);
    output.read_to_string(&mut said).unwrap();
    engine.wait().unwrap();
    said
}

#[test]
fn the_engine_plays_both_games() {
    let said = converse(
        "uci\nsetoption name UCI_Variant value sevenkingdoms\nisready\n\
         position startpos moves a13b15\ngo depth 2\nd\ngo perft 1\n\
         setoption name UCI_Variant value xiangqi\nisready\nd\ngo depth 2\nquit",
    );
    let (before, after) = said.split_once("uciok").expect("uciok");
    assert!(before.contains("name UCI_Variant type combo default xiangqi var xiangqi var sevenk"));
    assert!(!before.contains("Kingdoms_"), "{before}");
    assert!(
        after.contains("option name Kingdoms_Preset type combo"),
        "{after}"
    );
    assert!(after.contains("Nodes searched: 96"), "{after}");
    assert!(after.contains("Fen: 2kNkS"), "{after}");
    assert!(
        after.contains("Fen: rnbakabnr/"),
        "the switch resets the board: {after}"
    );
    assert_eq!(after.matches("bestmove ").count(), 2, "{after}");
    assert_eq!(after.matches("readyok").count(), 2);
}

#[test]
fn a_gui_of_xiangqi_notices_nothing() {
    let game = "position startpos moves h2e2\ngo depth 3\nd\nquit";
    let plain = converse(&format!("uci\nisready\n{game}"));
    let told = converse(&format!(
        "uci\nsetoption name UCI_Variant value xiangqi\nisready\n{game}"
    ));
    let steady = |said: &str| {
        let lines = said.lines().filter(|l| !l.starts_with("info"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(steady(&plain), steady(&told));
    assert!(plain.contains("bestmove "), "{plain}");
}
