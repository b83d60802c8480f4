//! `chuhe match` with engines that misbehave, end to end.

#![cfg(unix)]

mod mock;

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// The first argument that makes this program an engine.
const MOCK: &str = "mock-engine";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == MOCK) {
        return mock::main(&arguments[1..]);
    }
    let trial = |&(name, test): &(&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = TESTS.iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

macro_rules! tests {
    ($($name:ident),* $(,)?) => { &[$((stringify!($name), $name as fn())),*] };
}

const TESTS: &[(&str, fn())] = tests![
    an_engine_that_does_not_start,
    an_engine_that_hangs_at_the_start,
    an_engine_that_crashes,
    an_engine_that_leaves,
    an_engine_that_hangs_at_stop,
    an_engine_that_is_late,
    an_engine_that_does_not_answer,
    an_engine_that_floods,
    an_engine_whose_line_has_no_end,
    an_engine_that_closes_its_pipe,
    an_engine_that_answers_garbage,
    an_engine_that_plays_an_illegal_move,
    an_engine_that_answers_twice,
    an_engine_without_a_move,
    faults_of_a_ucci_engine_that_is_recognised,
    the_match_ends_after_too_many_faults,
    ucci_resignations_and_draws_are_honoured,
    ucci_times_are_sent_in_the_unit_that_was_announced,
    a_perpetual_check_loses_and_ucci_engines_are_warned,
    every_rule_set_judges_a_perpetual_check,
    engines_ponder_and_take_hits_and_misses,
    a_tournament_has_a_cross_table_and_ratings,
    a_gauntlet_is_ordered_in_a_file,
    the_page_escapes_what_it_shows,
    wrong_usage_is_exit_code_2_and_old_games_are_safe,
    no_process_survives_a_signal,
    killed_ten_times_and_resumed,
    the_page_works_in_a_browser,
    other_rules_code_agrees_with_the_games,
];

/// The command line of the mock engine.
fn mock() -> String {
    format!("{} {MOCK}", std::env::current_exe().unwrap().display())
}

/// A folder that is removed with its match.
struct Arena {
    folder: PathBuf,
}

impl Arena {
    fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(format!("chuhe-{name}-{}-{}", unique.0, unique.1));
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(CHUHE);
        command
            .current_dir(&self.folder)
            .arg("match")
            .args(shlex::split(arguments).unwrap())
            .args([
                "--start-timeout",
                "4",
                "--stop-timeout",
                "1",
                "--move-timeout",
                "4",
            ])
            .args(["--json", "games.jsonl", "--max-plies", "20"]);
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    fn games(&self) -> Vec<Value> {
        let lines: Vec<Value> = self
            .text("games.jsonl")
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        lines
            .into_iter()
            .filter(|line| line["type"] == "game")
            .collect()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn engine(name: &str, mode: &str, more: &str) -> String {
    format!("--engine 'name={name},cmd={} {mode}{more}'", mock())
}

/// Two games of a bad engine against a good one: the bad one loses both for
/// the reason, with its last lines saved.
fn loses_both(mode: &str, more: &str, limit: &str, reason: &str) {
    let arena = Arena::new(&format!("fault-{}", mode.replace(' ', "-")));
    let engines = [
        engine("good", "good", ",proto=uci"),
        engine("bad", mode, more),
    ]
    .join(" ");
    let output = arena.run(&format!("{engines} --games 2 {limit}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{mode}: {errors}");
    let games = arena.games();
    assert_eq!(games.len(), 2, "{mode}: {errors}");
    for game in &games {
        assert_eq!(game["reason"], reason, "{mode}: {game}");
        let winner = if game["red"] == "good" { "1-0" } else { "0-1" };
        assert_eq!(game["result"], winner, "{mode}: {game}");
        assert_eq!(game["fault"]["engine"], "bad", "{mode}: {game}");
    }
    let spoke = !mode.contains("at-start");
    let lines = games[0]["fault"]["lines"].as_array().unwrap();
    assert_eq!(!lines.is_empty(), spoke, "{mode}");
    assert!(lines.len() <= 50);
    let report = arena.text("match-faults.log");
    assert!(
        report.contains(reason) && report.contains("bad"),
        "{report}"
    );
    let summary = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(summary.contains(&format!("{reason} 2")), "{summary}");
}

const NODES: &str = "--nodes 100";
const UCI: &str = ",proto=uci";

fn an_engine_that_does_not_start() {
    loses_both("exit-at-start", UCI, NODES, "start-failure");
}

fn an_engine_that_hangs_at_the_start() {
    loses_both("hang-at-start", UCI, NODES, "start-hang");
}

fn an_engine_that_crashes() {
    loses_both("crash", UCI, NODES, "crash");
}

fn an_engine_that_leaves() {
    loses_both("exit", UCI, NODES, "crash");
}

fn an_engine_that_hangs_at_stop() {
    loses_both("stop-hang", UCI, "--movetime 0.3", "stop-hang");
}

fn an_engine_that_is_late() {
    loses_both("slow", UCI, "--movetime 0.3", "time-forfeit");
}

fn an_engine_that_does_not_answer() {
    loses_both("slow", UCI, NODES, "hang");
}

fn an_engine_that_floods() {
    loses_both("flood", UCI, NODES, "flood");
}

fn an_engine_whose_line_has_no_end() {
    loses_both("long-line", UCI, NODES, "flood");
}

fn an_engine_that_closes_its_pipe() {
    loses_both("close", UCI, NODES, "closed-pipe");
}

fn an_engine_that_answers_garbage() {
    loses_both("garbage", UCI, NODES, "garbage");
}

fn an_engine_that_plays_an_illegal_move() {
    loses_both("illegal", UCI, NODES, "illegal-move");
}

fn an_engine_that_answers_twice() {
    loses_both("twice", UCI, NODES, "two-bestmoves");
}

fn an_engine_without_a_move() {
    loses_both("none", UCI, NODES, "no-move");
}

fn faults_of_a_ucci_engine_that_is_recognised() {
    loses_both("crash ucci", "", NODES, "crash");
}

fn the_match_ends_after_too_many_faults() {
    let arena = Arena::new("max-faults");
    let engines = [engine("good", "good", UCI), engine("bad", "crash", UCI)].join(" ");
    let output = arena.run(&format!("{engines} --games 20 {NODES} --max-faults 3"));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("too many faults"));
    assert_eq!(arena.games().len(), 3);
}

/// One game of two engines; its reason and result.
fn one_game(name: &str, engines: [String; 2], more: &str) -> (String, String) {
    let arena = Arena::new(name);
    let output = arena.run(&format!("{} --games 1 {more}", engines.join(" ")));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let games = arena.games();
    assert_eq!(games.len(), 1, "{errors}");
    let text = |key: &str| games[0][key].as_str().unwrap().to_owned();
    (text("reason"), text("result"))
}

fn ending(reason: &str, result: &str) -> (String, String) {
    (reason.to_owned(), result.to_owned())
}

fn ucci_resignations_and_draws_are_honoured() {
    let pair = |a: &str, b: &str| [engine("a", a, ""), engine("b", b, "")];
    let resigned = one_game("resign", pair("resign ucci", "good ucci"), NODES);
    assert_eq!(resigned, ending("resignation", "0-1"));
    let silent = one_game("silent", pair("good ucci", "none ucci"), NODES);
    assert_eq!(silent, ending("resignation", "1-0"));
    let agreed = one_game("agreed", pair("draw ucci", "accept ucci"), NODES);
    assert_eq!(agreed, ending("agreement", "1/2-1/2"));
    let offered = one_game("offered", pair("draw ucci", "good ucci"), NODES);
    assert_eq!(offered, ending("length", "1/2-1/2"));
}

fn ucci_times_are_sent_in_the_unit_that_was_announced() {
    let engines = [
        engine("a", "seconds ucci", ""),
        engine("b", "seconds ucci", ""),
    ];
    assert_eq!(
        one_game("seconds", engines, "--tc 60+1"),
        ending("length", "1/2-1/2")
    );
}

/// A game in which Red checks with every move; its reason and plies.
fn perpetual_check(protocol: &str, rules: &str) -> (String, usize) {
    let arena = Arena::new(&format!("perpetual-{protocol}-{rules}"));
    std::fs::write(arena.folder.join("book.epd"), "3k5/9/9/9/9/9/9/9/9/R2AK4 w").unwrap();
    let mode = format!("repeat {protocol}");
    let engines = [engine("a", &mode, UCI), engine("b", &mode, UCI)].join(" ");
    let engines = engines.replace(UCI, &format!(",proto={protocol}"));
    let more = format!("--games 1 --openings book.epd --rules {rules}");
    let output = arena.run(&format!("{engines} {NODES} {more}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{rules}: {errors}");
    let game = &arena.games()[0];
    let plies = game["moves"].as_str().unwrap().split(' ').count();
    (game["reason"].as_str().unwrap().to_owned(), plies)
}

fn a_perpetual_check_loses_and_ucci_engines_are_warned() {
    let loses = ("perpetual".to_owned(), 9);
    assert_eq!(perpetual_check("uci", "asian"), loses);
    // The ninth ply, which would lose, is among the moves banned.
    assert!(perpetual_check("ucci", "asian").1 > 9);
}

/// At the third or fourth occurrence, after six checks, or not at all.
fn every_rule_set_judges_a_perpetual_check() {
    for (rules, reason, plies) in [
        ("asian", "perpetual", 9),
        ("wxf", "perpetual", 9),
        ("chinese", "perpetual", 9),
        ("classic-prc", "perpetual", 13),
        ("classic_hk", "perpetual", 13),
        ("computer", "perpetual", 13),
        ("SimpleRule", "perpetual", 13),
        ("cxq", "perpetual", 13),
        ("sky", "perpetual", 13),
        ("none", "length", 20),
        ("basic", "length", 20),
        ("sixty", "length", 20),
    ] {
        let expected = (reason.to_owned(), plies);
        assert_eq!(perpetual_check("uci", rules), expected, "{rules}");
    }
}

fn engines_ponder_and_take_hits_and_misses() {
    let arena = Arena::new("ponder");
    let engines = [
        engine("a", "good", UCI),
        engine("b", "good ucci", ",proto=ucci"),
    ]
    .join(" ");
    let output = arena.run(&format!("{engines} --games 2 --tc 20+1 --ponder"));
    assert!(output.status.success());
    for game in arena.games() {
        assert_eq!(game["reason"], "length", "{game}");
    }
}

fn a_tournament_has_a_cross_table_and_ratings() {
    let arena = Arena::new("tournament");
    let engines: Vec<String> = ["a", "b", "c"]
        .map(|name| engine(name, "good", UCI))
        .to_vec();
    let more = "--games 2 --cycles 2 --pgn games.pgn --html page.html --summary summary.json";
    let output = arena.run(&format!("{} {NODES} {more}", engines.join(" ")));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(arena.games().len(), 12);
    let pgn = arena.text("games.pgn");
    assert_eq!(pgn.matches("[Termination \"length\"]").count(), 12);
    assert!(
        pgn.contains("[Format \"ICCS\"]") && pgn.contains("/5 0."),
        "{pgn}"
    );
    let summary: Value = serde_json::from_str(&arena.text("summary.json")).unwrap();
    assert_eq!(summary["ratings"]["ratings"].as_array().unwrap().len(), 3);
    assert_eq!(summary["meetings"].as_array().unwrap().len(), 3);
    assert!(arena.text("page.html").contains("Cross table"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("4/8"));
}

/// The file says who plays, the command line how often; one engine counts
/// ranks from 1.
fn a_gauntlet_is_ordered_in_a_file() {
    let arena = Arena::new("gauntlet");
    let engine = |name: &str, mode: &str, more: &str| {
        let program = mock();
        format!("[[engine]]\nname = '{name}'\ncmd = '{program} {mode}'\n{more}\n")
    };
    let file = [
        "format = 'gauntlet'\nnodes = 100\ngames = 6\npgn = 'games.pgn'\n".to_owned(),
        engine("a", "good", "proto = 'uci'"),
        engine("b", "from-one", "proto = 'uci'\nranks = 1\nrestart = true"),
        engine("c", "good ucci", "options = { usemillisec = true }"),
    ];
    std::fs::write(arena.folder.join("cup.toml"), file.concat()).unwrap();
    let output = arena.run("--config cup.toml --games 2");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    let games = arena.games();
    assert_eq!(games.len(), 4);
    for game in &games {
        assert!(game["red"] == "a" || game["black"] == "a", "{game}");
        assert_eq!(game["reason"], "length", "{game}");
    }
    assert_eq!(arena.text("games.pgn").matches("[Event ").count(), 4);
}

fn the_page_escapes_what_it_shows() {
    let arena = Arena::new("escape");
    let engines = [engine("<b>&a", "good", UCI), engine("b", "good", UCI)].join(" ");
    let more = "--event </script><script>x --html page.html";
    arena.run(&format!("{engines} {NODES} --games 2 {more}"));
    let page = arena.text("page.html");
    assert!(!page.contains("<b>") && !page.contains("<script>x"));
    assert!(page.contains("&lt;b&gt;&amp;a") && page.contains("\\u003cb\\u003e"));
}

fn wrong_usage_is_exit_code_2_and_old_games_are_safe() {
    let arena = Arena::new("usage");
    let engines = [engine("a", "good", UCI), engine("b", "good", UCI)].join(" ");
    assert_eq!(arena.run("--nodes 5").status.code(), Some(2));
    assert_eq!(
        arena.run(&format!("{engines} --tc x")).status.code(),
        Some(2)
    );
    assert!(
        arena
            .run(&format!("{engines} {NODES} --games 2"))
            .status
            .success()
    );
    let before = arena.text("games.jsonl");
    let again = arena.run(&format!("{engines} {NODES} --games 2"));
    assert_eq!(again.status.code(), Some(1));
    let other = arena.run(&format!("{engines} --nodes 7 --games 2 --resume"));
    assert_eq!(other.status.code(), Some(1));
    assert_eq!(arena.text("games.jsonl"), before);
    assert!(
        arena
            .run(&format!("{engines} {NODES} --games 4 --resume"))
            .status
            .success()
    );
    assert!(arena.text("games.jsonl").starts_with(&before));
    assert_eq!(arena.games().len(), 4);
}

/// Whether a process with this word among its arguments runs.
fn runs(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines =
        processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| {
        line.split(|&b| b == 0)
            .any(|argument| argument == word.as_bytes())
    })
}

fn eventually(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1000 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("never: {what}");
}

fn no_process_survives_a_signal() {
    for (i, signal) in ["INT", "TERM", "KILL"].into_iter().enumerate() {
        // Its own number of seconds is what the engine's child is known by.
        let marker = format!("300.{}{i}", std::process::id());
        let arena = Arena::new(&format!("signal-{signal}"));
        let mode = format!("orphan {marker}");
        let engines = [engine("a", &mode, UCI), engine("b", &mode, UCI)].join(" ");
        let mut child = arena
            .command(&format!("{engines} --tc 600 --games 1000"))
            .args(["--concurrency", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        eventually("the engines start", || runs(&marker));
        std::thread::sleep(Duration::from_millis(300));
        let kill = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        assert!(!child.wait().unwrap().success());
        eventually("all processes end", || !runs(&marker));
    }
}

/// Killed at random moments and resumed: no game is lost, none played twice.
fn killed_ten_times_and_resumed() {
    const GAMES: usize = 120;
    let arena = Arena::new("resume");
    let engines = [
        engine("a", "good", UCI),
        engine("b", "good ucci", ",proto=ucci"),
    ]
    .join(" ");
    let order =
        format!("{engines} {NODES} --games {GAMES} --concurrency 2 --pgn games.pgn --resume");
    let mut rng = fastrand::Rng::with_seed(u64::from(std::process::id()));
    for _ in 0..10 {
        let mut child = arena
            .command(&order)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(rng.u64(20..400)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = arena.run(&order);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let numbers: Vec<u64> = arena
        .games()
        .iter()
        .map(|g| g["number"].as_u64().unwrap())
        .collect();
    let distinct: HashSet<u64> = numbers.iter().copied().collect();
    assert_eq!((numbers.len(), distinct.len()), (GAMES, GAMES));
    assert_eq!(arena.text("games.pgn").matches("[Event ").count(), GAMES);
    assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("{GAMES} of {GAMES} games")));
}

/// Runs a script of this folder; false, with a word about it, when
/// what it needs is not installed.
fn script(name: &str, needs: &[&str], arguments: &[&str]) -> bool {
    let works = |words: &&str| {
        let run = Command::new("sh")
            .args(["-c", words])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .status();
        run.is_ok_and(|status| status.success())
    };
    if let Some(missing) = needs.iter().find(|words| !works(words)) {
        eprintln!("skipped: `{missing}` fails");
        return false;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
    let output = Command::new("python3")
        .arg(path)
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    true
}

/// Loads the page in headless Chromium and clicks through it.
fn the_page_works_in_a_browser() {
    let arena = Arena::new("browser");
    let engines: Vec<String> = ["a", "<b>", "c"]
        .map(|name| engine(name, "good", UCI))
        .to_vec();
    arena.run(&format!(
        "{} {NODES} --games 6 --html page.html",
        engines.join(" ")
    ));
    let needs = ["python3 -V", "chromium --version"];
    let page = arena.folder.join("page.html").display().to_string();
    script("match_page.py", &needs, &[&page]);
}

/// Replays mates, stalemates, repetitions and draws by length with pyffish.
fn other_rules_code_agrees_with_the_games() {
    let arena = Arena::new("replay");
    std::fs::write(
        arena.folder.join("book.epd"),
        "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w\n4k4/9/3P5/9/9/9/9/9/9/5K3 w\n3k5/9/9/9/9/9/9/9/9/R2AK4 w\n\
         rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n",
    )
    .unwrap();
    let chuhe = |name: &str| format!("--engine name={name},cmd={CHUHE},depth=3");
    let engines = [chuhe("a"), chuhe("b"), engine("mock", "good", UCI)].join(" ");
    let more = "--games 8 --openings book.epd --pgn games.pgn";
    let output = arena.run(&format!("{engines} {NODES} {more}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let reasons: HashSet<String> = arena
        .games()
        .iter()
        .map(|game| game["reason"].as_str().unwrap().to_owned())
        .collect();
    for reason in ["mate", "stalemate"] {
        assert!(reasons.contains(reason), "{reasons:?}");
    }
    let needs = ["python3 -c 'import pyffish'"];
    let pgn = arena.folder.join("games.pgn").display().to_string();
    script("replay_pgn.py", &needs, &[&pgn, "--length", "20"]);
}
