//! The session with engines that misbehave, readers that do not read, and the
//! program as a GUI starts it.

mod protocol_support;

use chuhe::board::Position;
use chuhe::clock::{Limits, Stop};
use chuhe::eval::nnue::{Network, Parameters};
use chuhe::protocol::session::{self, Insight, Thinker};
use chuhe::protocol::{Dialect, Options};
use chuhe::rules::Game;
use chuhe::search::{Bound, Engine, Line, Memory, Outcome, Report, Score, Settings};
use protocol_support::{Gui, PATIENCE, is_answer, is_red};
use std::io::{self, Write, pipe};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// An engine that tells of its first move until it is stopped.
#[derive(Clone, Default)]
struct Fake {
    /// It panics at once.
    panics: Arc<AtomicBool>,
    /// Taking settings and clearing takes so long.
    slowness: Duration,
    /// It tells of its lines without a pause.
    floods: bool,
    /// The searches it has ended.
    ended: Option<Sender<Limits>>,
}

fn line(pos: &Position, depth: u32) -> Report {
    Report::Line(Line {
        depth,
        seldepth: depth,
        multipv: 1,
        score: Score::Cp(1),
        bound: Bound::Exact,
        wdl: [0, 1000, 0],
        nodes: u64::from(depth),
        time: Duration::ZERO,
        hashfull: 0,
        pv: pos.legal_moves().into_iter().take(1).collect(),
    })
}

impl Thinker for Fake {
    fn configure(&mut self, _: Settings) {
        thread::sleep(self.slowness);
    }

    fn table_megabytes(&self) -> usize {
        7
    }

    fn clear(&mut self) {
        thread::sleep(self.slowness);
    }

    fn threads(&self) -> usize {
        3
    }

    fn insight(&self) -> Insight {
        Insight {
            memory: Memory::new(1),
            network: Network::embedded(),
        }
    }

    fn set_network(&mut self, _: Arc<Network>) {}

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: Instant,
        stop: &Stop,
        on_report: &mut dyn FnMut(Report),
    ) -> Outcome {
        assert!(!self.panics.swap(false, SeqCst), "as the test wants it");
        let mut depth = 0;
        while !stop.is_stopped() && limits.depth.is_none_or(|limit| depth < limit) {
            depth += 1;
            on_report(line(game.position(), depth));
            if !self.floods {
                thread::sleep(Duration::from_millis(1));
            }
        }
        if let Some(ended) = &self.ended {
            let _ = ended.send(limits.clone());
        }
        Outcome {
            best: game.position().legal_moves().first().copied(),
            ponder: None,
            score: Score::Cp(1),
            value: 1,
            nodes: 1,
            depth,
        }
    }
}

fn fake(fake: &Fake, dialect: Dialect) -> Gui {
    let fake = fake.clone();
    let mut gui = Gui::with(move |_| fake.clone());
    gui.introduce(dialect);
    gui
}

#[test]
fn a_panic_in_the_search_costs_no_game() {
    let engine = Fake::default();
    let mut gui = fake(&engine, Dialect::Uci);
    engine.panics.store(true, SeqCst);
    assert!(is_red(gui.ask(&["position startpos", "go depth 3"])));
    assert!(is_red(gui.ask(&["position startpos", "go depth 3"])));
}

#[test]
fn isready_does_not_wait_for_a_slow_engine() {
    let engine = Fake {
        slowness: Duration::from_secs(2),
        ..Fake::default()
    };
    let mut gui = fake(&engine, Dialect::Uci);
    for line in ["setoption name Hash value 1024", "ucinewgame"] {
        gui.put(line);
        let asked = Instant::now();
        gui.ready();
        assert!(asked.elapsed() < Duration::from_secs(1), "{line}");
    }
    assert!(is_red(gui.ask(&["go depth 1"])));
}

/// What is said within a second of a line, up to the one wanted.
fn said_at_once(gui: &mut Gui, line: &str, wanted: &str) -> Vec<String> {
    let asked = Instant::now();
    gui.put(line);
    let said = gui.until(|line| line.starts_with(wanted));
    assert!(asked.elapsed() < Duration::from_secs(1), "{line}");
    assert!(!said.iter().any(|line| is_answer(line)), "{line}: {said:?}");
    said
}

#[test]
fn questions_are_answered_while_a_search_runs() {
    for dialect in [Dialect::Uci, Dialect::Ucci] {
        let mut gui = fake(&Fake::default(), dialect);
        gui.think();
        said_at_once(&mut gui, "isready", "readyok");
        said_at_once(&mut gui, "d", "Fen: ");
        said_at_once(&mut gui, "eval", "Evaluation by the net: ");
        said_at_once(&mut gui, "help", "uci | ucci");
        if dialect.is_ucci() {
            said_at_once(&mut gui, "foo bar\nprobe startpos", "pophash");
        } else {
            said_at_once(&mut gui, "foo bar", "info string Unknown command");
        }
        gui.put("stop");
        assert!(is_red(gui.best()));
    }
}

#[test]
fn the_table_can_be_asked_while_a_search_runs() {
    let mut gui = Gui::new(Dialect::Ucci);
    gui.think();
    let line = said_at_once(&mut gui, "probe startpos", "pophash").pop();
    assert!(line.is_some_and(|line| line.contains(" bestmove ")));
    let other = "probe fen 4k4/9/9/9/9/9/9/9/4A4/3K1A3 w - - 0 1";
    let line = said_at_once(&mut gui, other, "pophash").pop();
    assert_eq!(line.as_deref(), Some("pophash"));
    gui.put("stop");
    assert!(is_red(gui.best()));
}

#[test]
fn the_table_is_asked_after_what_was_sent_before() {
    let mut gui = Gui::new(Dialect::Ucci);
    assert!(is_red(gui.ask(&["position startpos", "go depth 4"])));
    gui.put("setoption hashsize 200\nsetoption newgame\nprobe startpos");
    let said = gui.until(|line| line.starts_with("pophash"));
    assert_eq!(said.last().map(String::as_str), Some("pophash"));
}

#[test]
fn a_burst_of_options_costs_no_more_than_two() {
    let engine = Fake {
        slowness: Duration::from_millis(500),
        ..Fake::default()
    };
    let mut gui = fake(&engine, Dialect::Uci);
    for size in 1..200 {
        gui.put(&format!("setoption name Hash value {size}"));
    }
    let started = Instant::now();
    assert!(is_red(gui.ask(&["go depth 1"])));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_largest_table_that_fits_is_there_at_once() {
    let mut gui = Gui::new(Dialect::Uci);
    gui.put("setoption name Hash value 33554432");
    gui.ready();
    gui.put("position startpos");
    gui.put("go depth 2");
    let said = gui.answer();
    assert!(is_answer(&said[said.len() - 1]));
}

#[test]
fn the_size_of_a_table_that_is_too_large_is_told_before_readyok() {
    let mut gui = fake(&Fake::default(), Dialect::Uci);
    gui.put("setoption name Hash value 33554432");
    let said = gui.ready();
    assert!(
        said[0].starts_with("info string") && said[0].contains("7 MB"),
        "{said:?}"
    );
}

#[test]
fn the_number_of_threads_is_told() {
    let mut gui = fake(&Fake::default(), Dialect::Uci);
    gui.put("setoption name Threads value 4");
    let said = gui.ready();
    assert!(
        said[0].starts_with("info string Threads 3 (available "),
        "{said:?}"
    );
}

/// More threads than there is memory for: as many as fit, and the program lives.
#[cfg(target_os = "linux")]
#[test]
fn threads_without_memory_are_left_out() {
    const KIBIBYTES: usize = 400_000;
    let mut gui = Gui::program_within(KIBIBYTES);
    gui.introduce(Dialect::Uci);
    gui.put("setoption name Threads value 1000");
    let said = gui.ready().join(" ");
    let told = said.split("info string Threads ").nth(1).expect(&said);
    let threads: usize = told.split(' ').next().unwrap().parse().unwrap();
    assert!((1..1000).contains(&threads), "{said}");
    for _ in 0..3 {
        gui.put("ucinewgame");
        assert!(gui.ask(&["position startpos", "go movetime 50"]).is_some());
    }
    gui.put("quit");
    assert_eq!(gui.end(), Some(0));
}

/// A folder for the nets of a test, removed in the end.
struct Nets(std::path::PathBuf);

impl Nets {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("chuhe {name} {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Nets {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What the session says of its net when it is told to use a file.
fn net_said(gui: &mut Gui, file: &str) -> String {
    gui.put(&if gui.dialect.is_ucci() {
        format!("setoption evalfile {file}")
    } else {
        format!("setoption name EvalFile value {file}")
    });
    let said = gui.until(|line| line.starts_with("info "));
    said.last().unwrap().clone()
}

fn evaluation(gui: &mut Gui) -> String {
    gui.put("eval");
    let mut said = gui.until(|line| line.starts_with("Net: "));
    said.split_off(said.len() - 2).join(" ")
}

#[test]
fn another_net_is_taken_and_given_back() {
    let nets = Nets::new("net");
    let parameters = Parameters::random(64, 9);
    let file = nets.write("other one.nnue", &parameters.encode());
    let net = Network::new(parameters).unwrap().to_string();
    for dialect in [Dialect::Uci, Dialect::Ucci] {
        let mut gui = Gui::new(dialect);
        let own = evaluation(&mut gui);
        assert!(net_said(&mut gui, &file).contains(&net));
        let other = evaluation(&mut gui);
        assert!(other.ends_with(&net) && other != own, "{other}");
        let hello = gui.introduce(dialect).join("\n");
        assert!(hello.contains("(random-9 "), "{hello}");
        assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
        let empty = if dialect.is_ucci() { "" } else { "<empty>" };
        net_said(&mut gui, empty);
        assert_eq!(evaluation(&mut gui), own);
    }
}

#[test]
fn a_bad_net_is_named_with_its_fault_and_the_own_net_goes_on() {
    let nets = Nets::new("bad nets");
    let good = Parameters::random(32, 1).encode();
    let with = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let last = good.len() - 1;
    let mut gui = Gui::new(Dialect::Uci);
    let own = evaluation(&mut gui);
    for (bytes, fault) in [
        (with(0, b'X'), "does not begin with"),
        (with(12, 9), "version is 9"),
        (with(20, 7), "hidden is 7"),
        (with(last, !good[last]), "checksum"),
        (good[..last].to_vec(), "bytes, expected"),
        (Vec::new(), "does not begin with"),
        (vec![0; 20_000_000], "larger than any net"),
    ] {
        let file = nets.write("bad.nnue", &bytes);
        let said = net_said(&mut gui, &file);
        assert!(said.starts_with("info string EvalFile "), "{said}");
        assert!(said.contains(&file) && said.contains(fault), "{said}");
        assert_eq!(evaluation(&mut gui), own, "{fault}");
    }
    let said = net_said(&mut gui, "/no/such dir/x.nnue");
    assert!(said.contains("/no/such dir/x.nnue"), "{said}");
    assert!(net_said(&mut gui, "/dev/null").contains("not a plain file"));
    assert!(is_red(gui.ask(&["position startpos", "go depth 2"])));
}

#[test]
fn what_is_queued_while_thinking_is_done_in_order() {
    let (ended, end) = channel();
    let engine = Fake {
        ended: Some(ended),
        ..Fake::default()
    };
    let mut gui = fake(&engine, Dialect::Uci);
    gui.think();
    gui.put("position startpos moves h2e2");
    gui.put("go infinite");
    assert!(is_red(gui.best()));
    gui.put("stop");
    assert!(!is_red(gui.best()));
    assert_eq!(end.try_iter().count(), 2);
}

/// An output that takes nothing until it is told to.
#[derive(Clone, Default)]
struct Blocked {
    open: Arc<(Mutex<bool>, Condvar)>,
    text: Arc<Mutex<Vec<u8>>>,
}

impl Blocked {
    fn release(&self) {
        *self.open.0.lock().unwrap() = true;
        self.open.1.notify_all();
    }

    fn lines(&self) -> Vec<String> {
        let text = self.text.lock().unwrap();
        String::from_utf8_lossy(&text)
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

impl Write for Blocked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let open = self.open.0.lock().unwrap();
        drop(self.open.1.wait_while(open, |open| !*open).unwrap());
        self.text.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn wait_for<T>(receiver: &Receiver<T>) -> T {
    receiver.recv_timeout(PATIENCE).expect("it happens in time")
}

#[test]
fn a_reader_that_does_not_read_stops_no_search_and_gets_no_flood() {
    let (ended, end) = channel();
    let engine = Fake {
        floods: true,
        ended: Some(ended),
        ..Fake::default()
    };
    let (engine_input, mut input) = pipe().unwrap();
    let output = Blocked::default();
    let engine_output = output.clone();
    thread::spawn(move || {
        session::run_with(engine_input, engine_output, Options::default(), move |_| {
            engine.clone()
        });
    });
    input.write_all(b"uci\ngo infinite\n").unwrap();
    thread::sleep(Duration::from_millis(300));
    input.write_all(b"stop\n").unwrap();
    wait_for(&end);
    output.release();
    let started = Instant::now();
    while !output.lines().last().is_some_and(|line| is_answer(line)) {
        assert!(started.elapsed() < PATIENCE, "{:?}", output.lines());
        thread::sleep(Duration::from_millis(5));
    }
    let news = output
        .lines()
        .iter()
        .filter(|line| line.starts_with("info"))
        .count();
    assert!((1..30).contains(&news), "{news} lines of news");
}

/// An output whose reader has gone.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_has_gone_ends_the_session() {
    let (engine_input, mut input) = pipe().unwrap();
    let (ended, end) = channel();
    thread::spawn(move || {
        session::run_with(engine_input, Broken, Options::default(), Engine::new);
        ended.send(()).unwrap();
    });
    input.write_all(b"go infinite\nuci\n").unwrap();
    wait_for(&end);
}

#[test]
fn the_log_of_lines_has_both_directions() {
    let path = std::env::temp_dir().join(format!("chuhe-log-{}", std::process::id()));
    let mut gui = Gui::new(Dialect::Uci);
    gui.put(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    gui.ready();
    gui.put("setoption name Debug Log File value <empty>");
    gui.ready();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(text.contains("> isready\n< readyok\n"), "{text}");
    gui.put("setoption name Debug Log File value /no/such/folder/x");
    assert!(gui.ready()[0].contains("/no/such/folder/x"));
}

#[test]
fn the_last_line_needs_no_end() {
    let mut gui = Gui::with(Engine::new);
    gui.raw(b"uci\nisready");
    gui.close();
    gui.until(|line| line == "readyok");
    gui.end();
}

// ---- The program ----

#[test]
fn the_program_ends_with_its_input_and_on_quit() {
    for dialect in [Dialect::Uci, Dialect::Ucci] {
        for thinking in [false, true] {
            for quit in [false, true] {
                let mut gui = Gui::program(&[]);
                gui.introduce(dialect);
                if thinking {
                    gui.think();
                }
                if quit {
                    gui.put("quit");
                } else {
                    gui.close();
                }
                assert_eq!(gui.end(), Some(0));
            }
        }
    }
}

#[test]
fn the_program_ends_when_nobody_reads() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"uci\ngo infinite\n").unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(5));
    };
    let mut said = String::new();
    io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

/// A `stop` after some time of thinking; how long the answer takes.
fn time_to_answer(gui: &mut Gui, thinking: Duration) -> Duration {
    gui.put("position startpos");
    gui.put("go infinite");
    thread::sleep(thinking);
    let stopped = Instant::now();
    gui.put("stop");
    gui.answer();
    stopped.elapsed()
}

fn time_to_ready(gui: &mut Gui) -> Duration {
    let asked = Instant::now();
    gui.ready();
    asked.elapsed()
}

fn time_to_end(thinking: bool, quit: bool) -> Duration {
    let mut gui = Gui::program(&[]);
    gui.introduce(Dialect::Uci);
    if thinking {
        gui.think();
    }
    let asked = Instant::now();
    if quit {
        gui.put("quit");
    } else {
        gui.close();
    }
    let mut child = gui.child.take().unwrap();
    assert!(child.wait().unwrap().success());
    asked.elapsed()
}

/// The 99th percentile and the worst.
fn tail(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[(times.len() - 1) * 99 / 100], times[times.len() - 1])
}

fn measure(name: &str, tries: usize, limit_ms: u64, time: impl FnMut(usize) -> Duration) {
    let (p99, worst) = tail((0..tries).map(time).collect());
    eprintln!("{name}: 99th percentile {p99:?}, worst {worst:?} of {tries}");
    assert!(p99 < Duration::from_millis(limit_ms), "{name}: {p99:?}");
}

/// The figures of the guide:
/// `cargo test --release --test protocol_session -- --ignored --nocapture`.
#[test]
#[ignore = "measures for minutes; needs an idle machine"]
fn response_times_on_an_idle_machine() {
    const TRIES: usize = 1000;
    let mut gui = Gui::program(&[]);
    gui.introduce(Dialect::Uci);
    measure("isready when idle", TRIES, 50, |_| time_to_ready(&mut gui));
    measure("isready after setoption Hash", TRIES, 50, |i| {
        gui.put(&format!("setoption name Hash value {}", 64 + i % 2 * 1024));
        time_to_ready(&mut gui)
    });
    gui.put("setoption name Hash value 16");
    gui.think();
    measure("isready while thinking", TRIES, 50, |_| {
        thread::sleep(Duration::from_millis(1));
        time_to_ready(&mut gui)
    });
    gui.put("stop");
    gui.answer();
    measure("stop to bestmove", TRIES, 10, |i| {
        time_to_answer(&mut gui, Duration::from_millis(i as u64 % 40))
    });
    measure("exit after quit when idle", TRIES, 100, |_| {
        time_to_end(false, true)
    });
    measure("exit after quit while thinking", TRIES, 100, |_| {
        time_to_end(true, true)
    });
    measure("exit after the end of input", TRIES, 100, |_| {
        time_to_end(false, false)
    });
    measure("exit after it while thinking", TRIES, 100, |_| {
        time_to_end(true, false)
    });
}

/// The same for any machine: generous, but far below what a hang would take.
#[test]
fn response_times_on_a_busy_machine() {
    const LIMIT_MS: u64 = 3000;
    let mut gui = Gui::program(&[]);
    gui.introduce(Dialect::Uci);
    measure("isready", 20, LIMIT_MS, |_| time_to_ready(&mut gui));
    measure("stop to bestmove", 20, LIMIT_MS, |i| {
        time_to_answer(&mut gui, Duration::from_millis(i as u64))
    });
    measure("exit", 5, LIMIT_MS, |i| time_to_end(true, i % 2 == 0));
}

#[test]
fn words_that_go_does_not_know_are_named_and_passed_over() {
    let mut gui = fake(&Fake::default(), Dialect::Uci);
    gui.put("go dpeth 3");
    let said = gui.until(|line| line.contains("`3` is unknown"));
    assert!(
        said.iter()
            .any(|line| line.contains("go: `dpeth` is unknown, passed over"))
    );
    gui.put("stop");
    assert!(is_red(gui.best()));
}
