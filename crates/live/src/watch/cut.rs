//! What lanes leave for who looks at a live run: what they have after the same round.
//!
//! Lanes play at their own speed. Who looks marks the last round that was handed out; each lane
//! leaves what it has when it comes there, and one that waits for people has left it before. So no
//! lane waits for who looks, and all that is seen belongs to one round.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use super::courses::Mean;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::MetricRow;
use kleroterion_stats::{LaneStream, RoundEvidence};

/// What a lane has after some rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneCut {
    /// Rounds played.
    pub rounds: u64,
    /// Persons on the rosters of these rounds.
    pub persons: u64,
    /// Persons selected.
    pub selected: u64,
    /// Its measures.
    pub rows: Vec<MetricRow>,
    /// The running means of the metrics of [`Courses::metrics`](super::courses::Courses::metrics).
    pub means: Vec<Option<Mean>>,
    /// Whom it has selected, and what became of them where the world knows it.
    pub stream: Option<LaneStream>,
    /// How it ended, where it has.
    pub stop: Option<Stop>,
}

/// What all lanes have after the same round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// The round.
    pub round: u64,
    /// How many people had been shown by then.
    pub people: u64,
    /// The lanes in the run's order; none of one that is behind. One that has ended has what it
    /// had at its end.
    pub lanes: Vec<Option<Arc<LaneCut>>>,
    /// The evidence of those that are not behind.
    pub evidence: RoundEvidence,
}

/// What lanes leave, and the moment that was seen last.
#[derive(Debug)]
pub(super) struct Cuts {
    /// The round that is marked.
    mark: AtomicU64,
    lanes: Vec<Mutex<Left>>,
    pub(super) seen: Mutex<Seen>,
}

/// What a lane has left.
#[derive(Debug, Default)]
struct Left {
    /// Where it waited for people last, or ended.
    last: Option<Arc<LaneCut>>,
    /// At the mark, or where it ended before.
    marked: Option<Arc<LaneCut>>,
}

/// The moment that was seen last, and what is waited for.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) latest: Arc<Cut>,
    /// When the mark was set; none where nothing is waited for.
    pub(super) since: Option<Instant>,
    /// The lanes that were too late for the last mark: they are not waited for.
    pub(super) late: Vec<bool>,
}

/// No round has this number.
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

    /// Whether this round is marked.
    pub(super) fn is_marked(&self, round: u64) -> bool {
        self.mark() == round
    }

    /// Takes what a lane has.
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

    /// Marks a round: lanes that are there already, or have ended, have left what is asked for.
    pub(super) fn set(&self, round: u64) {
        self.mark.store(round, Ordering::SeqCst);
        for lane in 0..self.lanes.len() {
            let mut left = self.of(lane);
            left.marked = left.last.clone().filter(|last| last.is_after(round));
        }
    }

    /// What lanes have left at the mark; none of one that has not come there.
    pub(super) fn left(&self) -> Vec<Option<Arc<LaneCut>>> {
        let lanes = 0..self.lanes.len();
        lanes.map(|lane| self.of(lane).marked.clone()).collect()
    }

    /// The last round after which a lane waited for people; none where there was none yet.
    pub(super) fn newest(&self) -> Option<u64> {
        let lanes = 0..self.lanes.len();
        let last = lanes.filter_map(|lane| Some(self.of(lane).last.as_ref()?.rounds));
        last.max()
    }

    /// Whether a lane was beyond the mark before it knew of it.
    pub(super) fn is_missed(&self, lane: usize) -> bool {
        let left = self.of(lane);
        let beyond = |last: &Arc<LaneCut>| last.rounds > self.mark();
        left.marked.is_none() && left.last.as_ref().is_some_and(beyond)
    }
}

impl LaneCut {
    /// Whether it is what the lane has after this round.
    fn is_after(&self, round: u64) -> bool {
        self.rounds == round || self.stop.is_some() && self.rounds < round
    }
}

impl Cut {
    /// What a lane has; none of one that is behind.
    #[must_use]
    pub fn lane(&self, lane: usize) -> Option<&LaneCut> {
        self.lanes.get(lane)?.as_deref()
    }
}
