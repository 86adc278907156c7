//! Counts and depths of a live run, for metrics and the board.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::heard::Heard;
use super::latency::Latency;

/// A number that one task writes and others read.
#[derive(Debug, Default)]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Adds.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    /// Takes away what was added before.
    pub fn sub(&self, n: u64) {
        self.0.fetch_sub(n, Ordering::Relaxed);
    }

    /// Sets.
    pub fn set(&self, n: u64) {
        self.0.store(n, Ordering::Relaxed);
    }

    /// The number.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Of one lane.
#[derive(Debug, Default)]
pub struct LaneGauges {
    /// Rounds played.
    pub rounds: Gauge,
    /// Persons on the rosters of these rounds.
    pub persons: Gauge,
    /// Persons accepted.
    pub accepted: Gauge,
    /// Batches that wait for it.
    pub waiting: Gauge,
    /// How long the stream stood still for it, in microseconds.
    pub held_back: Gauge,
    /// Forfeits of its seat.
    pub forfeits: Gauge,
    /// Messages of its moves that were damaged, where it plays elsewhere.
    pub damaged: Gauge,
    /// When a move of it came last, where it plays elsewhere.
    pub heard: Heard,
    /// How long its decisions took.
    pub latency: Latency,
    is_elsewhere: AtomicBool,
}

impl LaneGauges {
    /// Notes that the lane's policy plays elsewhere.
    pub fn plays_elsewhere(&self) {
        self.is_elsewhere.store(true, Ordering::Relaxed);
    }

    /// Whether the lane's policy plays elsewhere.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.is_elsewhere.load(Ordering::Relaxed)
    }
}

/// Of a run.
#[derive(Debug)]
pub struct Gauges {
    /// Persons taken from the feed.
    pub accepted: Gauge,
    /// Repeats dropped.
    pub duplicates: Gauge,
    /// Records that `where` leaves out.
    pub left_out: Gauge,
    /// Records refused.
    pub refused: Gauge,
    /// Requests whose body could not be read, so that none of their records is known.
    pub unreadable: Gauge,
    /// Outcomes reported.
    pub outcomes: Gauge,
    /// Outcomes corrected.
    pub corrections: Gauge,
    /// Group commits.
    pub commits: Gauge,
    /// The number of the journal's last entry.
    pub last_seq: Gauge,
    /// Deliveries that wait for the recorder.
    pub deliveries: Gauge,
    /// Persons in batches that were handed to the lanes.
    pub handed: Gauge,
    /// Rounds that were handed to the lanes.
    pub rounds: Gauge,
    /// From a person's commit until all lanes have decided about it.
    pub decision: Latency,
    /// How long a group commit took.
    pub commit: Latency,
    /// The lanes, in the run's order.
    pub lanes: Vec<Arc<LaneGauges>>,
}

impl Gauges {
    /// All 0.
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        let lane = |_| Arc::default();
        Self {
            accepted: Gauge::default(),
            duplicates: Gauge::default(),
            left_out: Gauge::default(),
            refused: Gauge::default(),
            unreadable: Gauge::default(),
            outcomes: Gauge::default(),
            corrections: Gauge::default(),
            commits: Gauge::default(),
            last_seq: Gauge::default(),
            deliveries: Gauge::default(),
            handed: Gauge::default(),
            rounds: Gauge::default(),
            decision: Latency::default(),
            commit: Latency::default(),
            lanes: (0..lanes).map(lane).collect(),
        }
    }
}
