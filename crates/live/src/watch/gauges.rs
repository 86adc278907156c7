//! Counts and queue depths of a live run, for metrics and the board.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::latency::Latency;
use super::times::LastHeard;

/// A number that one task writes and others read.
#[derive(Debug, Default)]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Adds `n`.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    /// Subtracts `n`, which was added before.
    pub fn sub(&self, n: u64) {
        self.0.fetch_sub(n, Ordering::Relaxed);
    }

    /// Sets the number.
    pub fn set(&self, n: u64) {
        self.0.store(n, Ordering::Relaxed);
    }

    /// The number.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The gauges of one lane.
#[derive(Debug, Default)]
pub struct LaneGauges {
    /// The number of rounds played.
    pub rounds: Gauge,
    /// The number of persons on the rosters of these rounds.
    pub persons: Gauge,
    /// The number of persons accepted.
    pub accepted: Gauge,
    /// The number of batches that wait for the lane.
    pub waiting: Gauge,
    /// The time for which the stream waited for the lane, in microseconds.
    pub held_back: Gauge,
    /// The number of forfeits of its seat.
    pub forfeits: Gauge,
    /// The number of damaged messages with its moves, if it plays elsewhere.
    pub damaged: Gauge,
    /// The time of its last move, if it plays elsewhere.
    pub heard: LastHeard,
    /// The latency of its decisions.
    pub latency: Latency,
    is_elsewhere: AtomicBool,
}

impl LaneGauges {
    /// Notes that the lane's policy plays elsewhere.
    pub fn plays_elsewhere(&self) {
        self.is_elsewhere.store(true, Ordering::Relaxed);
    }

    /// Returns true if the lane's policy plays elsewhere.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.is_elsewhere.load(Ordering::Relaxed)
    }
}

/// The gauges of a run.
#[derive(Debug, Default)]
pub struct Gauges {
    /// The number of persons taken from the feed.
    pub accepted: Gauge,
    /// The number of repeated records dropped.
    pub duplicates: Gauge,
    /// The number of records left out by `where`.
    pub left_out: Gauge,
    /// The number of records refused.
    pub refused: Gauge,
    /// The number of requests whose body could not be read, so that none of their records is known.
    pub unreadable: Gauge,
    /// The number of outcomes reported.
    pub outcomes: Gauge,
    /// The number of outcomes corrected.
    pub corrections: Gauge,
    /// The number of group commits.
    pub commits: Gauge,
    /// The number of the journal's last entry.
    pub last_seq: Gauge,
    /// The number of deliveries that wait for the recorder.
    pub deliveries: Gauge,
    /// The number of persons in batches handed to the lanes.
    pub handed: Gauge,
    /// The number of rounds handed to the lanes.
    pub rounds: Gauge,
    /// The latency from a person's commit to the decisions of all lanes.
    pub decision: Latency,
    /// The latency of group commits.
    pub commit: Latency,
    /// The lanes, in the run's order.
    pub lanes: Vec<Arc<LaneGauges>>,
}

impl Gauges {
    /// Creates gauges at 0 for `lanes` lanes.
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        Self {
            lanes: (0..lanes).map(|_| Arc::default()).collect(),
            ..Self::default()
        }
    }
}
