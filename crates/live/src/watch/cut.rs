//! Results that all lanes of a live run leave after the same round, for the board and the terminal.
//!
//! Lanes play at their own speed. A reader marks the last round handed out. Each lane leaves its
//! results when it comes to that round; a lane that waits for people has left them before. No lane
//! waits for a reader, and all results shown belong to one round.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use super::courses::Mean;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::MetricRow;
use kleroterion_stats::{LaneStream, RoundEvidence};

/// The results of one lane after some rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneCut {
    /// The number of rounds played.
    pub rounds: u64,
    /// The number of persons on the rosters of these rounds.
    pub persons: u64,
    /// The number of persons selected.
    pub selected: u64,
    /// The lane's measures.
    pub rows: Vec<MetricRow>,
    /// The running means of the metrics of [`Courses::metrics`](super::courses::Courses::metrics).
    pub means: Vec<Option<Mean>>,
    /// The persons that it has selected, and their outcomes where the source knows them.
    pub stream: Option<LaneStream>,
    /// The lane's ending, once it has ended.
    pub stop: Option<Stop>,
}

/// The results of all lanes after the same round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// The round.
    pub round: u64,
    /// The number of people shown up to this round.
    pub people: u64,
    /// The lanes in the run's order; `None` for a lane that is behind. A lane that has ended has
    /// its results at its end.
    pub lanes: Vec<Option<Arc<LaneCut>>>,
    /// The evidence of the comparisons between lanes that are not behind.
    pub evidence: RoundEvidence,
}

/// The results that lanes have left, and the latest moment shown.
#[derive(Debug)]
pub(super) struct Cuts {
    /// The marked round.
    mark: AtomicU64,
    lanes: Vec<Mutex<Left>>,
    pub(super) seen: Mutex<Seen>,
}

/// The results that one lane has left.
#[derive(Debug, Default)]
struct Left {
    /// The results at the lane's last wait for people, or at its end.
    last: Option<Arc<LaneCut>>,
    /// The results at the mark, or at the lane's end before it.
    marked: Option<Arc<LaneCut>>,
}

/// The latest moment shown, and the state of the wait for the next.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) latest: Arc<Cut>,
    /// The time at which the mark was set; `None` where no lane is waited for.
    pub(super) since: Option<Instant>,
    /// True, per lane, if it was too late for the last mark: it is not waited for.
    pub(super) late: Vec<bool>,
}

/// The mark where no round is marked: no round has this number.
const UNMARKED: u64 = u64::MAX;

impl Cuts {
    pub(super) fn new(lanes: usize) -> Self {
        Self {
            mark: AtomicU64::new(UNMARKED),
            lanes: (0..lanes).map(|_| Mutex::default()).collect(),
            seen: Mutex::new(Seen {
                late: vec![false; lanes],
                ..Seen::default()
            }),
        }
    }

    fn of(&self, lane: usize) -> MutexGuard<'_, Left> {
        locked(&self.lanes[lane])
    }

    pub(super) fn mark(&self) -> u64 {
        self.mark.load(Ordering::SeqCst)
    }

    /// Returns true if this round is marked.
    pub(super) fn is_marked(&self, round: u64) -> bool {
        self.mark() == round
    }

    /// Takes the results of a lane.
    pub(super) fn leave(&self, lane: usize, cut: LaneCut) {
        let cut = Arc::new(cut);
        let mut left = self.of(lane);
        let mark = self.mark();
        let before = left.last.replace(cut);
        let at_mark = |cut: &&Arc<LaneCut>| cut.is_after(mark);
        let found = left.last.as_ref().filter(at_mark);
        if let Some(found) = found.or(before.as_ref().filter(at_mark)).cloned() {
            left.marked = Some(found);
        }
    }

    /// Marks a round. Lanes that are at it, or have ended before it, have already left their
    /// results.
    pub(super) fn set(&self, round: u64) {
        self.mark.store(round, Ordering::SeqCst);
        for lane in 0..self.lanes.len() {
            let mut left = self.of(lane);
            left.marked = left.last.clone().filter(|last| last.is_after(round));
        }
    }

    /// The results that each lane has left at the mark; `None` for a lane that has not come to it.
    pub(super) fn left(&self) -> Vec<Option<Arc<LaneCut>>> {
        let lanes = 0..self.lanes.len();
        lanes.map(|lane| self.of(lane).marked.clone()).collect()
    }

    /// The last round after which a lane waited for people; `None` before the first.
    pub(super) fn newest(&self) -> Option<u64> {
        let lanes = 0..self.lanes.len();
        let last = lanes.filter_map(|lane| Some(self.of(lane).last.as_ref()?.rounds));
        last.max()
    }

    /// Returns true if a lane was beyond the mark before it knew of it.
    pub(super) fn is_missed(&self, lane: usize) -> bool {
        let left = self.of(lane);
        let beyond = |last: &Arc<LaneCut>| last.rounds > self.mark();
        left.marked.is_none() && left.last.as_ref().is_some_and(beyond)
    }
}

impl LaneCut {
    /// Returns true if these are the lane's results after this round.
    fn is_after(&self, round: u64) -> bool {
        self.rounds == round || self.stop.is_some() && self.rounds < round
    }
}

impl Cut {
    /// The results of a lane; `None` if it is behind.
    #[must_use]
    pub fn lane(&self, lane: usize) -> Option<&LaneCut> {
        self.lanes.get(lane)?.as_deref()
    }
}
