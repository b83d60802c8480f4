//! One engine process: lines in, lines out, each with the time it came.

use super::reason::Reason;
use super::spec::EngineSpec;
use crate::platform::processes::{self, Guard};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Lines kept for the report of a fault.
const LINES_KEPT: usize = 50;
/// Characters of such a line that are kept.
const LINE_KEPT: usize = 500;
/// A longer line is a flood.
const LONGEST_LINE: usize = 1 << 20;
/// More output than this in a second is a flood.
const MOST_PER_SECOND: usize = 1 << 20;
/// More output than this while one answer is awaited is a flood.
const MOST_PER_ANSWER: usize = 1 << 26;
/// How often a wait looks whether the match is over.
const ABORT_CHECK: Duration = Duration::from_millis(50);
/// How long an engine may leave its input unread.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// How long a process that closed its output may take to end.
const EXIT_PATIENCE: Duration = Duration::from_secs(1);

/// What an engine did wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The name of it.
    pub reason: Reason,
    /// The circumstances.
    pub detail: String,
}

/// Why something could not be finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The engine is at fault.
    Fault(Fault),
    /// The match was ended meanwhile; nobody is to blame.
    Aborted,
}

impl Trouble {
    /// A fault.
    pub fn fault(reason: Reason, detail: impl Into<String>) -> Self {
        Self::Fault(Fault {
            reason,
            detail: detail.into(),
        })
    }
}

/// What the processes of a match share.
#[derive(Debug, Default)]
pub struct Launch {
    /// Ends the engines when this process is killed.
    pub guard: Option<Guard>,
    /// Set to end the match; every wait ends with [`Trouble::Aborted`] then.
    pub abort: AtomicBool,
}

impl Launch {
    /// Whether the match is to end.
    pub fn is_aborted(&self) -> bool {
        self.abort.load(Ordering::Acquire)
    }
}

/// What the reader of the output tells.
#[derive(Debug)]
enum Event {
    Line(Instant, String),
    Flood,
    Closed,
}

/// The last lines of an engine, shared with the threads that read them.
type Tail = Arc<Mutex<VecDeque<String>>>;

/// A running engine.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: ChildStdin,
    events: Receiver<Event>,
    tail: Tail,
    unanswered: Arc<AtomicUsize>,
    launch: Arc<Launch>,
}

impl Process {
    /// Starts the engine on these cores (all when empty).
    ///
    /// # Errors
    /// [`Reason::StartFailure`] when the program cannot be run.
    pub fn start(
        spec: &EngineSpec,
        launch: &Arc<Launch>,
        cores: &[usize],
    ) -> Result<Self, Trouble> {
        let failure = |error: io::Error| {
            let program = spec.command.join(" ");
            Trouble::fault(
                Reason::StartFailure,
                format!("cannot run `{program}`: {error}"),
            )
        };
        let mut child = command(spec).spawn().map_err(failure)?;
        if let Some(guard) = &launch.guard {
            guard.add(child.id());
        }
        if !cores.is_empty() {
            processes::pin(&child, cores);
        }
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failure(io::ErrorKind::BrokenPipe.into()));
        };
        processes::unblock(&stdin).map_err(failure)?;
        let tail = Tail::default();
        let unanswered = Arc::new(AtomicUsize::new(0));
        let (sender, events) = channel();
        let mut output = Output::new(sender, tail.clone(), unanswered.clone());
        std::thread::spawn(move || output.read(stdout));
        let errors = tail.clone();
        std::thread::spawn(move || read_errors(stderr, &errors));
        Ok(Self {
            child,
            stdin,
            events,
            tail,
            unanswered,
            launch: launch.clone(),
        })
    }

    /// Writes lines and returns when the last byte is written.
    ///
    /// # Errors
    /// [`Reason::Hang`] when the engine does not read, a crash when it is gone.
    pub fn send(&mut self, text: &str) -> Result<Instant, Trouble> {
        self.unanswered.store(0, Ordering::Relaxed);
        let deadline = Instant::now() + WRITE_PATIENCE;
        match processes::write_before(&mut self.stdin, text.as_bytes(), deadline) {
            Ok(()) => Ok(Instant::now()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                Err(Trouble::fault(Reason::Hang, "it does not read its input"))
            }
            Err(_) => Err(self.gone()),
        }
    }

    /// The next line and when it came; `None` when there is none until the
    /// deadline.
    ///
    /// # Errors
    /// A flood, a closed pipe, a crash, or the end of the match.
    pub fn line_before(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Trouble> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(ABORT_CHECK)) {
                Ok(Event::Line(time, line)) => return Ok(Some((time, line))),
                Ok(Event::Flood) => {
                    return Err(Trouble::fault(Reason::Flood, "it writes without end"));
                }
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                Err(RecvTimeoutError::Timeout) if self.launch.is_aborted() => {
                    return Err(Trouble::Aborted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// What it means that the output has ended.
    fn gone(&mut self) -> Trouble {
        match self.wait(EXIT_PATIENCE) {
            Some(status) => Trouble::fault(Reason::Crash, ending(status)),
            None => Trouble::fault(Reason::ClosedPipe, "it closed its output but runs on"),
        }
    }

    /// Waits for the process to end.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        const STEP: Duration = Duration::from_millis(2);
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(STEP),
                _ => return None,
            }
        }
    }

    /// CPU time used so far.
    pub fn cpu_time(&self) -> Option<Duration> {
        processes::cpu_time(self.child.id())
    }

    /// The last lines it wrote, those of its standard error marked.
    pub fn tail(&self) -> Vec<String> {
        locked(&self.tail).iter().cloned().collect()
    }

    /// Asks the engine to leave, and ends it when it does not.
    pub fn quit(mut self, command: &str, patience: Duration) {
        let deadline = Instant::now() + patience;
        if processes::write_before(&mut self.stdin, command.as_bytes(), deadline).is_ok() {
            self.wait(patience);
        }
    }
}

/// Ends the process and its children.
impl Drop for Process {
    fn drop(&mut self) {
        processes::kill_group(&mut self.child);
        let _ = self.child.wait();
        if let Some(guard) = &self.launch.guard {
            guard.remove(self.child.id());
        }
    }
}

fn command(spec: &EngineSpec) -> Command {
    let mut command = Command::new(spec.command.first().map_or("", String::as_str));
    command
        .args(spec.command.iter().skip(1))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(dir) = &spec.dir {
        command.current_dir(dir);
    }
    processes::isolate(&mut command);
    command
}

fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it ended with exit code {code}"),
        None => format!("it was ended: {status}"),
    }
}

fn locked(tail: &Tail) -> MutexGuard<'_, VecDeque<String>> {
    tail.lock().unwrap_or_else(|broken| broken.into_inner())
}

fn keep(tail: &Tail, mut line: String) {
    let end = (0..=LINE_KEPT.min(line.len()))
        .rev()
        .find(|&i| line.is_char_boundary(i));
    line.truncate(end.unwrap_or(0));
    let mut lines = locked(tail);
    if lines.len() == LINES_KEPT {
        lines.pop_front();
    }
    lines.push_back(line);
}

/// The thread that cuts the output into lines.
struct Output {
    events: Sender<Event>,
    tail: Tail,
    unanswered: Arc<AtomicUsize>,
    rest: Vec<u8>,
    second: (Instant, usize),
}

impl Output {
    fn new(events: Sender<Event>, tail: Tail, unanswered: Arc<AtomicUsize>) -> Self {
        Self {
            events,
            tail,
            unanswered,
            rest: Vec::new(),
            second: (Instant::now(), 0),
        }
    }

    fn read(&mut self, mut pipe: impl Read) {
        const CHUNK: usize = 1 << 16;
        let mut chunk = vec![0; CHUNK];
        let last = loop {
            match pipe.read(&mut chunk) {
                Ok(0) => break Event::Closed,
                Ok(size) => {
                    let time = Instant::now();
                    if self.is_flood(time, size) {
                        break Event::Flood;
                    }
                    self.take(time, &chunk[..size]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break Event::Closed,
            }
        };
        if matches!(last, Event::Closed) && !self.rest.is_empty() {
            self.take(Instant::now(), b"\n");
        }
        let _ = self.events.send(last);
    }

    fn take(&mut self, time: Instant, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|&b| b == b'\n') {
            self.rest.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned();
            let line = line.trim_end_matches('\r').to_owned();
            keep(&self.tail, line.clone());
            let _ = self.events.send(Event::Line(time, line));
        }
        self.rest.extend_from_slice(bytes);
    }

    fn is_flood(&mut self, now: Instant, size: usize) -> bool {
        const SECOND: Duration = Duration::from_secs(1);
        if now.duration_since(self.second.0) > SECOND {
            self.second = (now, 0);
        }
        self.second.1 += size;
        let unanswered = self.unanswered.fetch_add(size, Ordering::Relaxed) + size;
        self.second.1 > MOST_PER_SECOND
            || unanswered > MOST_PER_ANSWER
            || self.rest.len() > LONGEST_LINE
    }
}

/// The thread that empties the standard error, so that the engine never
/// waits for it.
fn read_errors(pipe: impl Read, tail: &Tail) {
    use std::io::BufRead;
    let mut reader = io::BufReader::new(pipe.take(u64::MAX));
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = reader.by_ref().take(LONGEST_LINE as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                keep(tail, format!("stderr: {}", text.trim_end()));
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(script: &str) -> Process {
        let spec = EngineSpec {
            command: ["sh", "-c", script].map(str::to_owned).to_vec(),
            ..EngineSpec::default()
        };
        Process::start(&spec, &Arc::default(), &[]).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    fn reason(trouble: Trouble) -> Reason {
        match trouble {
            Trouble::Fault(fault) => fault.reason,
            Trouble::Aborted => panic!("aborted"),
        }
    }

    #[test]
    fn lines_go_in_and_out() {
        let mut process = start(r"read x; printf 'got %s\r\nno end' $x; echo oops >&2");
        process.send("abc\n").unwrap();
        assert_eq!(process.line_before(soon()).unwrap().unwrap().1, "got abc");
        assert_eq!(process.line_before(soon()).unwrap().unwrap().1, "no end");
        assert_eq!(
            reason(process.line_before(soon()).unwrap_err()),
            Reason::Crash
        );
        let tail = process.tail();
        assert!(tail.contains(&"got abc".to_owned()));
    }

    #[test]
    fn silence_is_no_fault_until_somebody_asks() {
        let mut process = start("read x");
        let deadline = Instant::now() + Duration::from_millis(20);
        assert_eq!(process.line_before(deadline).unwrap(), None);
        process.launch.abort.store(true, Ordering::Release);
        assert_eq!(process.line_before(soon()).unwrap_err(), Trouble::Aborted);
    }

    #[test]
    fn floods_and_closed_pipes_have_their_names() {
        let mut flood = start("while :; do echo 0123456789012345678901234567890123456789; done");
        let fault = loop {
            match flood.line_before(soon()) {
                Ok(line) => assert!(line.is_some()),
                Err(trouble) => break reason(trouble),
            }
        };
        assert_eq!(fault, Reason::Flood);
        assert_eq!(flood.tail().len(), LINES_KEPT);
        let mut closed = start("exec >&-; read x");
        assert_eq!(
            reason(closed.line_before(soon()).unwrap_err()),
            Reason::ClosedPipe
        );
        let mut crash = start("kill -9 $$");
        let trouble = crash.line_before(soon()).unwrap_err();
        assert!(format!("{trouble:?}").contains("signal"));
        assert_eq!(reason(trouble), Reason::Crash);
    }

    #[test]
    fn a_missing_program_is_named() {
        let spec: EngineSpec = "cmd=/no/such/engine".parse().unwrap();
        let trouble = Process::start(&spec, &Arc::default(), &[]).unwrap_err();
        assert!(format!("{trouble:?}").contains("/no/such/engine"));
    }
}
