//! Output that never holds anybody up: a queue and a thread that empties it.
//!
//! Replies are never dropped. News of the search is: of the lines that wait,
//! only the latest of each kind is kept, and only so many a second are
//! printed, so that a slow reader or a fast search floods nobody.

use super::transcript::Transcript;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// News lines printed a second in the long run.
const NEWS_PER_SECOND: u32 = 20;
/// News lines printed at once before the limit bites.
const NEWS_BURST: f64 = 12.0;

/// A handle to the output. Clones share it.
#[derive(Debug, Clone)]
pub struct Printer {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug)]
struct Queue {
    /// What must be printed.
    lines: VecDeque<String>,
    /// News that waits for its turn, by kind.
    news: BTreeMap<usize, String>,
    /// How many news lines may be printed now, and since when it is so.
    allowance: f64,
    counted: Instant,
    /// The thread is writing.
    writing: bool,
    /// Nothing more is printed: the reader has gone, or the session is over.
    broken: bool,
}

impl Queue {
    fn refill(&mut self) {
        let now = Instant::now();
        let gained = (now - self.counted).as_secs_f64() * f64::from(NEWS_PER_SECOND);
        self.allowance = (self.allowance + gained).min(NEWS_BURST);
        self.counted = now;
    }

    /// Moves all news that waits to the lines.
    fn release_news(&mut self) {
        self.allowance = (self.allowance - self.news.len() as f64).max(-NEWS_BURST);
        self.lines
            .extend(std::mem::take(&mut self.news).into_values());
    }

    /// Takes what is to be printed now.
    fn take(&mut self) -> VecDeque<String> {
        self.refill();
        if self.allowance >= 1.0 {
            self.release_news();
        }
        std::mem::take(&mut self.lines)
    }

    /// Whether all is printed that must be.
    fn is_done(&self) -> bool {
        self.lines.is_empty() && !self.writing
    }
}

impl Printer {
    /// Starts the thread that writes to `output`. `on_broken` is called when
    /// the output takes no more.
    pub fn start(
        output: impl Write + Send + 'static,
        transcript: Transcript,
        on_broken: impl FnOnce() + Send + 'static,
    ) -> Self {
        let queue = Queue {
            lines: VecDeque::new(),
            news: BTreeMap::new(),
            allowance: NEWS_BURST,
            counted: Instant::now(),
            writing: false,
            broken: false,
        };
        let shared = Arc::new(Shared {
            queue: Mutex::new(queue),
            changed: Condvar::new(),
        });
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            if own.write_all(output, &transcript).is_err() {
                own.lock().broken = true;
                own.changed.notify_all();
                on_broken();
            }
        });
        Self { shared }
    }

    /// Prints a text.
    pub fn say(&self, text: String) {
        self.shared.change(|queue| queue.lines.push_back(text));
    }

    /// Prints a line of news when its turn comes, unless a later one of the
    /// same `kind` takes its place.
    pub fn news(&self, kind: usize, line: String) {
        self.shared.change(|queue| {
            queue.news.insert(kind, line);
        });
    }

    /// Prints the news that waits, then a text.
    pub fn conclude(&self, text: String) {
        self.shared.change(|queue| {
            queue.release_news();
            queue.lines.push_back(text);
        });
    }

    /// Prints nothing more; the thread ends.
    pub fn close(&self) {
        self.shared.lock().broken = true;
        self.shared.changed.notify_all();
    }

    /// Waits until all but the news that waits is printed, not longer than
    /// `patience`.
    pub fn drain(&self, patience: Duration) {
        let queue = self.shared.lock();
        let wait = self
            .shared
            .changed
            .wait_timeout_while(queue, patience, |queue| !queue.is_done() && !queue.broken);
        drop(wait);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the queue and wakes the thread, unless nobody listens.
    fn change(&self, change: impl FnOnce(&mut Queue)) {
        let mut queue = self.lock();
        if !queue.broken {
            change(&mut queue);
            self.changed.notify_all();
        }
    }

    /// Writes until the output fails or is closed.
    fn write_all(&self, mut output: impl Write, transcript: &Transcript) -> io::Result<()> {
        while let Some(lines) = self.next() {
            for text in lines {
                transcript.said(&text);
                output.write_all((text + "\n").as_bytes())?;
            }
            output.flush()?;
        }
        Ok(())
    }

    /// Waits for something to print; `None` when it is closed.
    fn next(&self) -> Option<VecDeque<String>> {
        let mut queue = self.lock();
        queue.writing = false;
        while !queue.broken {
            let lines = queue.take();
            if !lines.is_empty() {
                queue.writing = true;
                return Some(lines);
            }
            self.changed.notify_all();
            queue = self.wait(queue);
        }
        None
    }

    fn wait<'a>(&self, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        if queue.news.is_empty() {
            return self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let seconds = (1.0 - queue.allowance).max(0.0) / f64::from(NEWS_PER_SECOND);
        self.changed
            .wait_timeout(queue, Duration::from_secs_f64(seconds))
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};

    struct Pipe(Sender<String>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let sent = self.0.send(text);
            sent.map_or(Err(io::ErrorKind::BrokenPipe.into()), |()| Ok(bytes.len()))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn replies_are_all_printed_in_order_and_news_is_thinned_out() {
        let (sender, receiver) = channel();
        let printer = Printer::start(Pipe(sender), Transcript::default(), || {});
        for i in 0..1000 {
            printer.news(0, format!("news {i}"));
            if i % 100 == 0 {
                printer.say(format!("reply {i}"));
            }
        }
        printer.conclude("bestmove".into());
        printer.drain(Duration::from_secs(5));
        let lines: Vec<String> = receiver.try_iter().collect();
        let (news, replies): (Vec<_>, Vec<_>) =
            lines.iter().partition(|line| line.starts_with("news"));
        assert_eq!(replies.len(), 11);
        assert!(news.len() < 100, "{}", news.len());
        assert_eq!(lines[lines.len() - 2..], ["news 999\n", "bestmove\n"]);
    }

    #[test]
    fn news_that_waits_is_printed_in_the_end() {
        let (sender, receiver) = channel();
        let printer = Printer::start(Pipe(sender), Transcript::default(), || {});
        for i in 0..200 {
            printer.news(i, "news".into());
        }
        let count = || receiver.recv_timeout(Duration::from_secs(20)).is_ok();
        assert_eq!((0..200).filter(|_| count()).count(), 200);
    }

    #[test]
    fn a_reader_that_has_gone_is_told_and_nothing_blocks() {
        let (sender, receiver) = channel();
        let (told, heard) = channel();
        let printer = Printer::start(Pipe(sender), Transcript::default(), move || {
            let _ = told.send(());
        });
        drop(receiver);
        printer.say("x".into());
        assert!(heard.recv_timeout(Duration::from_secs(5)).is_ok());
        printer.say("y".into());
        printer.drain(Duration::from_secs(5));
    }
}
