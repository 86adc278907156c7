//! The latency of decisions: the time from the handing out of a round to its decision.

use kleroterion_core::lock::locked;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::limits::MOST_STRETCHES;

/// The number of buckets per doubling. A quantile is right to about a fifth.
const STEPS: u32 = 4;
/// The number of buckets, from a microsecond to about an hour.
const BUCKETS: usize = 32 * STEPS as usize;

/// The times at which rounds were handed out.
#[derive(Debug, Default)]
pub struct Handed(Mutex<VecDeque<(u64, Instant)>>);

impl Handed {
    /// Notes that the rounds from `round` on, up to the next call's, are handed out now.
    pub fn from_round(&self, round: u64) {
        let mut times = locked(&self.0);
        if times.len() == MOST_STRETCHES {
            times.pop_front();
        }
        times.push_back((round, Instant::now()));
    }

    /// The time since a round was handed out; `None` if it is not or no longer known.
    #[must_use]
    pub fn since(&self, round: u64) -> Option<Duration> {
        let times = locked(&self.0);
        let after = times.partition_point(|(first, _)| *first <= round);
        let (_, at) = times.get(after.checked_sub(1)?)?;
        Some(at.elapsed())
    }
}

/// A histogram of durations. One task writes it, others read it.
#[derive(Debug)]
pub struct Latency {
    counts: [AtomicU64; BUCKETS],
    /// The sum of all durations, in microseconds.
    sum: AtomicU64,
}

impl Default for Latency {
    fn default() -> Self {
        Self {
            counts: std::array::from_fn(|_| AtomicU64::new(0)),
            sum: AtomicU64::new(0),
        }
    }
}

impl Latency {
    /// Notes that `count` decisions took `took` each.
    pub fn add(&self, took: Duration, count: u64) {
        let micros = (took.as_secs_f64() * 1e6).max(1.0);
        let bucket = (f64::from(STEPS) * libm::log2(micros)).ceil() as usize;
        self.counts[bucket.min(BUCKETS - 1)].fetch_add(count, Ordering::Relaxed);
        self.sum
            .fetch_add((micros as u64).saturating_mul(count), Ordering::Relaxed);
    }

    fn counts(&self) -> Vec<u64> {
        let counts = self.counts.iter();
        counts.map(|n| n.load(Ordering::Relaxed)).collect()
    }

    /// The sum of all durations.
    #[must_use]
    pub fn sum(&self) -> Duration {
        Duration::from_micros(self.sum.load(Ordering::Relaxed))
    }

    /// The histogram by doublings: the upper bound of each bucket in seconds, and its count.
    ///
    /// A bucket counts durations above half of its bound and up to it. The last bucket has an
    /// infinite bound and counts all longer ones.
    #[must_use]
    pub fn doublings(&self) -> Vec<(f64, u64)> {
        let counts = self.counts();
        // The first bucket ends at a microsecond, and the others end on doublings every few
        // steps.
        let doubling = |upto: usize| {
            let from = (upto + 1).saturating_sub(STEPS as usize);
            let seconds = libm::exp2(upto as f64 / f64::from(STEPS)) / 1e6;
            (seconds, counts[from..=upto].iter().sum())
        };
        let last = counts[BUCKETS - STEPS as usize + 1..].iter().sum();
        let whole = (0..BUCKETS).step_by(STEPS as usize).map(doubling);
        whole.chain([(f64::INFINITY, last)]).collect()
    }

    /// The quantile of the durations at `share` (from 0 to 1), right to about a fifth; `None`
    /// without any.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let counts = self.counts();
        let all: u64 = counts.iter().sum();
        let wanted = ((share * all as f64).ceil() as u64).max(1);
        let mut sum = 0;
        let bucket = counts.iter().position(|count| {
            sum += count;
            sum >= wanted
        })?;
        let micros = libm::exp2(bucket as f64 / f64::from(STEPS));
        Some(Duration::from_secs_f64(micros / 1e6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_told_to_about_a_fifth() {
        let latency = Latency::default();
        assert_eq!(latency.quantile(0.5), None);
        for millis in 1..=100 {
            latency.add(Duration::from_millis(millis), 1);
        }
        latency.add(Duration::ZERO, 0);
        for (share, known) in [(0.01, 1.0), (0.5, 50.0), (0.99, 99.0), (1.0, 100.0)] {
            let told = latency.quantile(share).unwrap().as_secs_f64() * 1e3;
            assert!((known..1.2 * known).contains(&told), "{share}: {told}");
        }
        latency.add(Duration::from_secs(1 << 40), 1_000_000);
        assert!(latency.quantile(0.5).is_some());
    }

    #[test]
    fn doublings_count_each_once() {
        let latency = Latency::default();
        for micros in [1, 2, 3, 4, 5, 8, 9, 1000, 1024, 1025] {
            latency.add(Duration::from_micros(micros), 2);
        }
        latency.add(Duration::from_secs(1 << 40), 1);
        let doublings = latency.doublings();
        let counts: Vec<u64> = doublings.iter().map(|(_, count)| *count).collect();
        assert_eq!(counts[..5], [2, 2, 4, 4, 2]);
        assert_eq!((doublings[10], doublings[11].1), ((0.001_024, 4), 2));
        assert_eq!(doublings[32], (f64::INFINITY, 1));
        assert_eq!(counts.iter().sum::<u64>(), 21);
        assert!(latency.sum() >= Duration::from_secs(1 << 40));
    }

    #[test]
    fn a_round_is_as_old_as_the_stretch_it_was_handed_out_in() {
        let handed = Handed::default();
        assert_eq!(handed.since(1), None);
        handed.from_round(3);
        std::thread::sleep(Duration::from_millis(5));
        handed.from_round(7);
        assert_eq!(handed.since(2), None);
        let [first, last, next] = [3, 6, 7].map(|round| handed.since(round).unwrap());
        assert!(first >= Duration::from_millis(5) && last >= first && next < last);
        for round in 8..9 + MOST_STRETCHES as u64 {
            handed.from_round(round);
        }
        assert_eq!(handed.since(7), None);
    }
}
