//! Child processes: groups, pipes that do not block, CPU time and CPU cores.
//!
//! On systems other than Unix the same functions exist and do what the
//! standard library can do.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal};

/// Makes the command's process the leader of a group of its own, so that it
/// can be ended with all its children, and so that Ctrl-C does not reach it.
pub fn isolate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a process that was isolated, and all its children, at once.
pub fn kill_group(child: &mut Child) {
    kill_group_of(child.id());
    let _ = child.kill();
}

fn kill_group_of(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// Makes writes to a pipe return when it is full.
pub fn unblock(pipe: &ChildStdin) -> io::Result<()> {
    #[cfg(unix)]
    rustix::io::ioctl_fionbio(pipe, true)?;
    #[cfg(not(unix))]
    let _ = pipe;
    Ok(())
}

/// Writes all of `bytes` to a pipe that was unblocked, or fails with
/// `TimedOut`.
pub fn write_before(pipe: &mut ChildStdin, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        match pipe.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                wait_writable(pipe, deadline)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn wait_writable(pipe: &ChildStdin, deadline: Instant) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let timeout = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(pipe, PollFlags::OUT)], timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    #[cfg(not(unix))]
    std::thread::sleep(left.min(Duration::from_millis(1)));
    Ok(())
}

/// The cores that this process may use.
pub fn cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        return all.filter(|&core| set.is_set(core)).collect();
    }
    (0..super::processors()).collect()
}

/// Lets a process that has just started use only these cores; where that is
/// not possible it uses all.
pub fn pin(child: &Child, cores: &[usize]) {
    #[cfg(target_os = "linux")]
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let mut set = rustix::thread::CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        if let Err(error) = rustix::thread::sched_setaffinity(Some(pid), &set) {
            log::debug!("pinning to cores {cores:?}: {error}");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (child, cores);
}

/// CPU time that a process, its threads and its children have used so far;
/// `None` where the system does not tell.
pub fn cpu_time(pid: u32) -> Option<Duration> {
    #[cfg(target_os = "linux")]
    return linux::cpu_time(pid);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        None
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::time::Duration;

    /// Two sources: the scheduler's figures are exact but forget threads that
    /// have ended; those of `stat` remember them in ticks of some 10 ms.
    pub fn cpu_time(pid: u32) -> Option<Duration> {
        let ticks = by_ticks(pid)?;
        let exact = by_scheduler(pid).unwrap_or_default();
        let children = children(pid).into_iter().filter_map(cpu_time);
        Some(ticks.max(exact) + children.sum())
    }

    /// Fields 14 to 17 of `/proc/PID/stat`, counted after the name, which may
    /// hold blanks and brackets: user and system time, own and of children
    /// that were waited for.
    fn by_ticks(pid: u32) -> Option<Duration> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        let times = fields.split_ascii_whitespace().skip(11).take(4);
        let ticks: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
        let per_second = rustix::param::clock_ticks_per_second();
        Some(Duration::from_secs_f64(ticks as f64 / per_second as f64))
    }

    /// The first field of each thread's `schedstat`: nanoseconds on a core.
    fn by_scheduler(pid: u32) -> Option<Duration> {
        let nanoseconds = |thread: fs::DirEntry| -> Option<u64> {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_ascii_whitespace().next()?.parse().ok()
        };
        let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
        let sum = threads.flatten().filter_map(nanoseconds).sum();
        Some(Duration::from_nanos(sum))
    }

    fn children(pid: u32) -> Vec<u32> {
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            return Vec::new();
        };
        let of_thread = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("children"));
        let texts = threads
            .flatten()
            .filter_map(|thread| of_thread(thread).ok());
        let pids = |text: String| -> Vec<u32> {
            text.split_ascii_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect()
        };
        texts.flat_map(pids).collect()
    }
}

/// A small process that outlives this one by a moment and then ends every
/// engine that is still there. It needs no signal, so it works after SIGKILL
/// too: it waits for its standard input to close.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts `program guard`, which must end up in [`Guard::serve`].
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &Path, subcommand: &str) -> io::Result<Self> {
        let mut command = Command::new(program);
        command
            .arg(subcommand)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        isolate(&mut command);
        let mut child = command.spawn()?;
        let pipe = Mutex::new(child.stdin.take());
        Ok(Self { child, pipe })
    }

    /// Guards a process that was isolated.
    pub fn add(&self, pid: u32) {
        self.tell(&format!("+{pid}\n"));
    }

    /// Forgets a process that has ended.
    pub fn remove(&self, pid: u32) {
        self.tell(&format!("-{pid}\n"));
    }

    fn tell(&self, line: &str) {
        let mut pipe = self
            .pipe
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        if let Some(pipe) = pipe.as_mut() {
            let _ = pipe.write_all(line.as_bytes());
        }
    }

    /// The guard's own work: reads which processes to guard until the input
    /// ends, then ends them.
    pub fn serve(input: impl BufRead) {
        let mut guarded = std::collections::BTreeSet::new();
        for line in input.lines().map_while(Result::ok) {
            match (line.get(..1), line.get(1..).map(str::parse::<u32>)) {
                (Some("+"), Some(Ok(pid))) => drop(guarded.insert(pid)),
                (Some("-"), Some(Ok(pid))) => drop(guarded.remove(&pid)),
                _ => {}
            }
        }
        guarded.into_iter().for_each(kill_group_of);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let pipe = self
            .pipe
            .get_mut()
            .unwrap_or_else(|broken| broken.into_inner());
        drop(pipe.take());
        let _ = self.child.wait();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped());
        isolate(&mut command);
        command.spawn().unwrap()
    }

    #[test]
    fn a_group_dies_with_its_children() {
        let mut child = shell("sleep 60 & sleep 60");
        std::thread::sleep(Duration::from_millis(50));
        let group = child.id();
        kill_group(&mut child);
        child.wait().unwrap();
        let alive = |pid: u32| {
            let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
            rustix::process::test_kill_process_group(pid).is_ok()
        };
        let start = Instant::now();
        while alive(group) {
            assert!(start.elapsed() < Duration::from_secs(5), "a child survives");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn cpu_time_counts_work_and_not_sleep() {
        let mut worker = shell("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; read x");
        let mut sleeper = shell("read x");
        let start = Instant::now();
        let enough = Duration::from_millis(20);
        while cpu_time(worker.id()).unwrap() < enough {
            assert!(start.elapsed() < Duration::from_secs(30));
        }
        assert!(cpu_time(sleeper.id()).unwrap() < enough);
        for child in [&mut worker, &mut sleeper] {
            kill_group(child);
            child.wait().unwrap();
        }
    }

    #[test]
    fn a_full_pipe_times_out() {
        let mut child = shell("sleep 60");
        let mut pipe = child.stdin.take().unwrap();
        unblock(&pipe).unwrap();
        let deadline = Instant::now() + Duration::from_millis(30);
        let error = write_before(&mut pipe, &[b'x'; 1 << 20], deadline).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        kill_group(&mut child);
        child.wait().unwrap();
    }

    #[test]
    fn the_guard_ends_what_is_left() {
        let mut kept = shell("sleep 60");
        let mut left = shell("sleep 60");
        let script = format!("+{}\n+{}\nnonsense\n-{}\n", kept.id(), left.id(), kept.id());
        Guard::serve(script.as_bytes());
        assert!(!left.wait().unwrap().success());
        assert!(kept.try_wait().unwrap().is_none());
        kill_group(&mut kept);
        kept.wait().unwrap();
    }

    #[test]
    fn there_are_cores() {
        assert!(!cores().is_empty());
    }
}
