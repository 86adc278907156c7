//! CPU time, and the interleaved repetitions whose medians are compared.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// Reads the time that the threads of this process have spent on a processor.
#[derive(Clone, Copy)]
pub struct Clock {
    pub started: Instant,
    /// True if the system reports the CPU time of each thread. Otherwise wall time is used.
    pub cpu: bool,
}

impl Clock {
    pub fn new() -> Self {
        let started = Instant::now();
        let cpu = on_processor().is_some();
        Self { started, cpu }
    }

    fn now(self) -> f64 {
        // The system brings its books up to date when a thread is descheduled.
        thread::sleep(Duration::from_micros(100));
        let wall = || self.started.elapsed().as_nanos() as f64;
        match self.cpu {
            true => on_processor().unwrap_or_else(wall),
            false => wall(),
        }
    }

    /// The CPU time of `work` in nanoseconds, of threads that outlive it only.
    pub fn time(self, work: impl FnOnce()) -> f64 {
        let before = self.now();
        work();
        self.now() - before
    }
}

/// Nanoseconds that all living threads have spent on a processor.
fn on_processor() -> Option<f64> {
    let mut sum = 0.0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let stat = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        sum += stat.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(sum)
}

/// The times of several ways to do the same, taken in turns: row r holds those of repetition r.
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// Does everything once unmeasured, and then `repetitions` times in turns.
    pub fn take<const N: usize>(repetitions: usize, mut measure: impl FnMut(usize) -> f64) -> Self {
        for way in 0..N {
            measure(way);
        }
        let rows = (0..repetitions).map(|_| (0..N).map(&mut measure).collect());
        Self(rows.collect())
    }

    /// The median over the repetitions of a number made of each one's times.
    pub fn median(&self, number: impl Fn(&[f64]) -> f64) -> f64 {
        let mut numbers: Vec<f64> = self.0.iter().map(|row| number(row)).collect();
        numbers.sort_by(f64::total_cmp);
        let middle = numbers.len() / 2;
        if numbers.len() % 2 == 1 {
            numbers[middle]
        } else {
            (numbers[middle - 1] + numbers[middle]) / 2.0
        }
    }
}
