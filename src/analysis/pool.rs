//! Work on several threads whose results come out in the order of the input.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What a thread does with an item; `None` when it was told to stop.
pub type Work<'a, T, R> = Box<dyn FnMut(T) -> Option<R> + 'a>;

/// Works on `items` with as many threads as `jobs` (1 or more), each with
/// work made by `worker`, and hands the results to `deliver` in the order of
/// the items, each as soon as all before it are there. Whether all were
/// worked on is returned.
///
/// # Errors
/// The first one of `deliver`, after which no new item is begun; `abort` is
/// called then, to end the work that is going on.
pub fn in_order<T: Send, R: Send, E: Send>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    worker: &(dyn Fn() -> Work<'static, T, R> + Sync),
    abort: &(dyn Fn() + Sync),
    deliver: &mut (dyn FnMut(R) -> Result<(), E> + Send),
) -> Result<bool, E> {
    let items = Mutex::new(items.enumerate());
    let stopped = AtomicBool::new(false);
    let outbox = Mutex::new(Outbox {
        next: 0,
        waiting: BTreeMap::new(),
        deliver,
        failure: None,
    });
    let run = || {
        let mut work = worker();
        while !stopped.load(Ordering::Acquire) {
            let Some((number, item)) = lock(&items).next() else {
                return;
            };
            let sent = match work(item) {
                Some(result) => lock(&outbox).send(number, result),
                None => false,
            };
            if !sent {
                stopped.store(true, Ordering::Release);
                abort();
            }
        }
    };
    std::thread::scope(|scope| {
        (0..jobs.max(1)).for_each(|_| {
            scope.spawn(run);
        });
    });
    let outbox = outbox.into_inner().unwrap_or_else(|e| e.into_inner());
    match outbox.failure {
        Some(error) => Err(error),
        None => Ok(!stopped.into_inner()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Results that wait for those before them.
struct Outbox<'a, R, E> {
    next: usize,
    waiting: BTreeMap<usize, R>,
    deliver: &'a mut (dyn FnMut(R) -> Result<(), E> + Send),
    failure: Option<E>,
}

impl<R, E> Outbox<'_, R, E> {
    /// Takes in a result and hands on what is due; whether all went well.
    fn send(&mut self, number: usize, result: R) -> bool {
        self.waiting.insert(number, result);
        while self.failure.is_none() {
            let Some(result) = self.waiting.remove(&self.next) else {
                return true;
            };
            self.next += 1;
            self.failure = (self.deliver)(result).err();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn slow_double() -> Work<'static, u64, u64> {
        Box::new(|n| {
            std::thread::sleep(Duration::from_millis(n * 7 % 5));
            Some(2 * n)
        })
    }

    #[test]
    fn results_keep_the_order() {
        for jobs in [1, 3, 8] {
            let mut seen = Vec::new();
            let mut deliver = |n| -> Result<(), ()> {
                seen.push(n);
                Ok(())
            };
            let done = in_order(0..50, jobs, &slow_double, &|| {}, &mut deliver);
            assert_eq!(done, Ok(true));
            assert_eq!(seen, (0..50).map(|n| 2 * n).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn a_failure_ends_the_work() {
        let mut seen = 0;
        let mut deliver = |n| {
            seen += 1;
            if n < 20 { Ok(()) } else { Err("full") }
        };
        let done = in_order(0..1000, 2, &slow_double, &|| {}, &mut deliver);
        assert_eq!((done, seen), (Err("full"), 11));
    }

    #[test]
    fn work_that_stops_ends_all() {
        let worker = || -> Work<'static, u64, u64> { Box::new(|n| (n < 5).then_some(n)) };
        let mut seen = Vec::new();
        let mut deliver = |n| -> Result<(), ()> {
            seen.push(n);
            Ok(())
        };
        assert_eq!(in_order(0..9, 1, &worker, &|| {}, &mut deliver), Ok(false));
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }
}
