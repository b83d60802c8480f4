//! A GUI for the tests: sends lines to an engine and waits for its replies.

#![allow(dead_code, missing_docs)] // each test file uses its own part

use chuhe::board::{Move, Position};
use chuhe::protocol::session::{self, Thinker};
use chuhe::protocol::{Command, Dialect, Options, Reply};
use chuhe::search::{Engine, Settings};
use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
/// Black is mated.
pub const MATED: &str = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1";
/// Red mates by e2d2.
pub const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/4R4/9/3AKR3 w - - 0 1";
/// Black's only move is e9f9.
pub const ONE_MOVE: &str = "4k4/9/9/9/9/9/9/4P4/9/3RK4 b - - 0 1";

/// Time enough for anything on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The other side of the protocol.
pub struct Gui {
    pub dialect: Dialect,
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
    end: Receiver<()>,
    /// The process, where the engine is one.
    pub child: Option<Child>,
    /// All lines received.
    pub log: Vec<String>,
}

impl Drop for Gui {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn line_channel(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

impl Gui {
    /// A session in memory with the real engine, introduced.
    pub fn new(dialect: Dialect) -> Self {
        let mut gui = Self::with(Engine::new);
        gui.introduce(dialect);
        gui
    }

    /// A session in memory with any engine, not introduced.
    pub fn with<T: Thinker>(make: impl Fn(Settings) -> T + Send + 'static) -> Self {
        Self::with_options(make, Options::default())
    }

    /// The same with options.
    pub fn with_options<T: Thinker>(
        make: impl Fn(Settings) -> T + Send + 'static,
        options: Options,
    ) -> Self {
        let (engine_input, input) = pipe().unwrap();
        let (output, engine_output) = pipe().unwrap();
        let (ended, end) = channel();
        thread::spawn(move || {
            session::run_with(engine_input, engine_output, options, make);
            let _ = ended.send(());
        });
        Self {
            dialect: Dialect::Uci,
            input: Some(Box::new(input)),
            lines: line_channel(output),
            end,
            child: None,
            log: Vec::new(),
        }
    }

    /// The program, with arguments, not introduced.
    pub fn program(arguments: &[&str]) -> Self {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_chuhe"));
        program.args(arguments);
        Self::of(program)
    }

    /// The program with so much address space, in KiB, not introduced.
    #[cfg(target_os = "linux")]
    #[allow(dead_code)]
    pub fn program_within(kibibytes: usize) -> Self {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -v $1 && exec $0"]);
        shell.args([env!("CARGO_BIN_EXE_chuhe"), &kibibytes.to_string()]);
        Self::of(shell)
    }

    fn of(mut program: std::process::Command) -> Self {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            dialect: Dialect::Uci,
            input: child
                .stdin
                .take()
                .map(|input| Box::new(input) as Box<dyn Write>),
            lines: line_channel(child.stdout.take().unwrap()),
            end: channel().1,
            child: Some(child),
            log: Vec::new(),
        }
    }

    /// Says hello; the lines of the introduction.
    pub fn introduce(&mut self, dialect: Dialect) -> Vec<String> {
        self.dialect = dialect;
        self.put(&dialect.write_command(&Command::Hello(dialect)));
        let ok = if dialect.is_ucci() { "ucciok" } else { "uciok" };
        self.until(|line| line == ok)
    }

    /// Sends bytes. An engine that has gone is no failure.
    pub fn raw(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Sends a line.
    pub fn put(&mut self, line: &str) {
        self.raw(format!("{line}\n").as_bytes());
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for a line; all lines up to it.
    pub fn until(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let (mut lines, end) = (Vec::new(), Instant::now() + PATIENCE);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no such line after {lines:#?}")
            };
            self.log.push(line.clone());
            lines.push(line);
            if lines.last().is_some_and(|line| wanted(line)) {
                return lines;
            }
        }
    }

    /// All lines for a while.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let (mut lines, end) = (Vec::new(), Instant::now() + time);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return lines,
            }
        }
    }

    /// Fails when the engine says a move within a while.
    pub fn no_move_for(&mut self, millis: u64) {
        let lines = self.listen(Duration::from_millis(millis));
        assert!(!lines.iter().any(|line| is_answer(line)), "{lines:#?}");
    }

    /// Waits for the answer of a search; all lines up to it.
    pub fn answer(&mut self) -> Vec<String> {
        self.until(is_answer)
    }

    /// The move of the answer, `None` when it is that there is none.
    pub fn best(&mut self) -> Option<Move> {
        let line = self.answer().pop().unwrap();
        match self.dialect.read_reply(&line) {
            Ok(Reply::BestMove(best)) => Some(best.mv),
            Ok(Reply::NoBestMove) => None,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// Sends lines and waits for the answer of a search.
    pub fn ask(&mut self, lines: &[&str]) -> Option<Move> {
        for line in lines {
            self.put(line);
        }
        self.best()
    }

    /// `isready` and its answer; the lines before it.
    pub fn ready(&mut self) -> Vec<String> {
        self.put("isready");
        self.until(|line| line == "readyok")
    }

    /// Waits for the end of the session; the exit status of a process.
    pub fn end(&mut self) -> Option<i32> {
        let started = Instant::now();
        let Some(child) = &mut self.child else {
            self.end.recv_timeout(PATIENCE).expect("the session ends");
            return None;
        };
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code();
            }
            assert!(started.elapsed() < PATIENCE, "the program runs on");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The `go` words for a clock.
    pub fn go_clock(&self, millis: u64) -> String {
        if self.dialect.is_ucci() {
            format!("go time {millis} increment 0 opptime {millis} oppincrement 0")
        } else {
            format!("go wtime {millis} btime {millis} winc 0 binc 0")
        }
    }

    /// Starts an endless search and lets it get going.
    pub fn think(&mut self) {
        self.put("position startpos");
        self.put("go infinite");
        self.until(|line| line.starts_with("info depth"));
    }
}

/// Whether a line ends a search.
pub fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove") || line == "nobestmove"
}

/// Whose move it is, by the rank it starts on from the start position.
pub fn is_red(mv: Option<Move>) -> bool {
    mv.is_some_and(|mv| mv.from().rank() < 5)
}

/// The position after moves from the start position.
pub fn after(moves: &str) -> Position {
    moves
        .split_whitespace()
        .fold(Position::startpos(), |pos, mv| {
            pos.after(mv.parse().unwrap())
        })
}

/// Runs a check in both dialects.
pub fn in_both(check: impl Fn(&mut Gui)) {
    for dialect in [Dialect::Uci, Dialect::Ucci] {
        check(&mut Gui::new(dialect));
    }
}
