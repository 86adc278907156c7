//! How long something took, again and again: counts in fixed buckets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper ends of the buckets, in microseconds: six a decade, from 10 us to 70 s. A last one takes all that is longer.
const ENDS: [u64; 42] = ends();

const fn ends() -> [u64; 42] {
    // Tenths, so that 1.5 is a number.
    let steps = [10, 15, 20, 30, 50, 70];
    let mut ends = [0; 42];
    let (mut at, mut unit) = (0, 1);
    while at < ends.len() {
        ends[at] = steps[at % steps.len()] * unit;
        at += 1;
        if at % steps.len() == 0 {
            unit *= 10;
        }
    }
    ends
}

/// Counts of durations in fixed buckets, written by one task and read by others.
#[derive(Debug)]
pub struct Latency {
    counts: [AtomicU64; ENDS.len() + 1],
    /// In microseconds.
    sum: AtomicU64,
}

impl Default for Latency {
    fn default() -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; ENDS.len() + 1],
            sum: AtomicU64::new(0),
        }
    }
}

impl Latency {
    /// Counts something that took so long.
    pub fn record(&self, took: Duration) {
        self.record_many(took, 1);
    }

    /// Counts `n` things that each took so long.
    pub fn record_many(&self, took: Duration, n: u64) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = ENDS.partition_point(|&end| end < took);
        self.counts[bucket].fetch_add(n, Ordering::Relaxed);
        self.sum
            .fetch_add(took.saturating_mul(n), Ordering::Relaxed);
    }

    /// How many were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .sum()
    }

    /// How long all took together.
    #[must_use]
    pub fn sum(&self) -> Duration {
        Duration::from_micros(self.sum.load(Ordering::Relaxed))
    }

    /// The duration that a share `q` of all (0 to 1) did not exceed, to within its bucket, where it is taken as if spread evenly;
    /// `None` where there is nothing yet. Of what took longer than 70 s it is 70 s.
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<Duration> {
        let counts: Vec<u64> = self
            .counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .collect();
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let rank = q.clamp(0.0, 1.0) * all as f64;
        let mut below = 0.0;
        for (bucket, &count) in counts.iter().enumerate() {
            let upto = below + count as f64;
            if count > 0 && rank <= upto {
                let start = bucket.checked_sub(1).map_or(0, |before| ENDS[before]);
                let end = ENDS.get(bucket).copied().unwrap_or(start);
                let share = ((rank - below) / count as f64).max(0.0);
                let micros = start as f64 + share * (end - start) as f64;
                return Some(Duration::from_nanos((micros * 1e3) as u64));
            }
            below = upto;
        }
        None
    }

    /// The buckets in order: the upper end in seconds, the last infinite, and how many are in it.
    #[must_use]
    pub fn buckets(&self) -> Vec<(f64, u64)> {
        let ends = ENDS.iter().map(|&end| end as f64 / 1e6);
        let ends = ends.chain([f64::MAX]);
        let counts = self
            .counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed));
        ends.zip(counts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_buckets() {
        let latency = Latency::default();
        assert_eq!(latency.quantile(0.5), None);
        for micros in 1..=1000 {
            latency.record(Duration::from_micros(micros));
        }
        assert_eq!(latency.count(), 1000);
        assert_eq!(latency.sum(), Duration::from_micros(500_500));
        for (q, micros) in [(0.0, 0), (0.1, 100), (0.5, 500), (0.85, 850), (1.0, 1000)] {
            let quantile = latency.quantile(q).unwrap().as_micros();
            assert_eq!(quantile, micros, "{q}");
        }
    }

    #[test]
    fn what_lies_at_an_end_or_beyond_all_is_counted() {
        let latency = Latency::default();
        latency.record(Duration::from_micros(10));
        latency.record(Duration::from_secs(70));
        latency.record_many(Duration::from_secs(1000), 2);
        let buckets = latency.buckets();
        assert_eq!(buckets[0], (1e-5, 1));
        assert_eq!(buckets[41], (70.0, 1));
        assert_eq!(buckets[42].1, 2);
        assert_eq!(latency.quantile(1.0), Some(Duration::from_secs(70)));
    }
}
