//! One moment of a live run: what all lanes have after the same round.
//!
//! Lanes play at their own speed. Who looks marks the last round that was handed out; each lane
//! leaves what it has when it comes there, and one that waits for people has left it before. So no
//! lane waits for who looks, and all that is seen belongs to one round.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Watched;
use super::courses::{CoursePoint, Mean};
use crate::compare::{LaneStream, RoundEvidence, RunResult};
use crate::protocol::{Ending, Stop};
use crate::report::finished::Finished;
use crate::score::{LaneResult, MetricRow, PolicyRun};

/// How long a lane is waited for before the others are shown without it.
const PATIENCE: Duration = Duration::from_secs(3);
/// The same of one that was late for the mark before.
const LITTLE: Duration = Duration::from_millis(500);
/// How long who looks waits for lanes that are on their way.
const SHORTLY: Duration = Duration::from_millis(40);
/// The time between two looks at them.
const STEP: Duration = Duration::from_millis(2);

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
    seen: Mutex<Seen>,
}

/// What a lane has left.
#[derive(Debug, Default)]
struct Left {
    /// Where it waited for people last, or ended.
    last: Option<Arc<LaneCut>>,
    /// At the mark, or where it ended before.
    marked: Option<Arc<LaneCut>>,
}

#[derive(Debug, Default)]
struct Seen {
    latest: Arc<Cut>,
    /// When the mark was set; none where nothing is waited for.
    since: Option<Instant>,
    /// The lanes that were too late for the last mark: they are not waited for.
    late: Vec<bool>,
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
        let left = self.lanes[lane].lock();
        left.unwrap_or_else(PoisonError::into_inner)
    }

    fn mark(&self) -> u64 {
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
    fn set(&self, round: u64) {
        self.mark.store(round, Ordering::SeqCst);
        for lane in 0..self.lanes.len() {
            let mut left = self.of(lane);
            left.marked = left.last.clone().filter(|last| last.is_after(round));
        }
    }

    /// What lanes have left at the mark; none of one that has not come there.
    fn left(&self) -> Vec<Option<Arc<LaneCut>>> {
        let lanes = 0..self.lanes.len();
        lanes.map(|lane| self.of(lane).marked.clone()).collect()
    }

    /// The last round after which a lane waited for people; none where there was none yet.
    fn newest(&self) -> Option<u64> {
        let lanes = 0..self.lanes.len();
        let last = lanes.filter_map(|lane| Some(self.of(lane).last.as_ref()?.rounds));
        last.max()
    }

    /// Whether a lane was beyond the mark before it knew of it.
    fn is_missed(&self, lane: usize) -> bool {
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

impl Watched {
    /// The run as if it ended at a moment.
    #[must_use]
    pub fn so_far(&self, cut: &Cut) -> Finished {
        let policy = |(lane, label): (usize, &Arc<str>)| {
            let cut = cut.lane(lane);
            let stop = cut.and_then(|cut| cut.stop.as_ref());
            let rows = cut.map_or(&[][..], |cut| &cut.rows).iter();
            let rows = rows.map(|row| MetricRow {
                at: None,
                ..row.clone()
            });
            let ending = stop.map_or(Ending::Interrupted, |stop| stop.ending);
            PolicyRun::new(&**label, "").with([LaneResult::new(ending, None, rows)])
        };
        let streams = (0..self.labels.len()).map(|lane| cut.lane(lane)?.stream.clone());
        let run = RunResult {
            name: self.name.clone(),
            replications: 1,
            policies: self.labels.iter().enumerate().map(policy).collect(),
            rounds: cut.evidence.clone(),
            streams: streams.collect(),
            ..RunResult::default()
        };
        Finished {
            one_by_one: self.one_by_one,
            ..Finished::so_far(run, &self.judge)
        }
    }

    /// Takes what a lane has: after the rounds of a batch, where nothing waits for it or the round is
    /// marked, and at its end.
    pub fn leave(&self, lane: usize, cut: LaneCut) {
        self.cuts.leave(lane, cut);
    }

    /// The course of a metric of [`Courses::metrics`](super::courses::Courses::metrics), by its
    /// place, in a lane up to a moment; empty of one that is behind.
    #[must_use]
    pub fn line(&self, cut: &Cut, lane: usize, place: usize) -> Vec<CoursePoint> {
        let Some(now) = cut.lane(lane) else {
            return Vec::new();
        };
        let mut line = self.courses.of(lane).lines.swap_remove(place).into_points();
        line.retain(|point| point.round < now.rounds);
        let name = &self.courses.metrics()[place].0;
        let row = now.rows.iter().rev().find(|row| *row.metric == **name);
        line.push(CoursePoint {
            round: now.rounds,
            value: row.map(|row| row.value),
            mean: now.means.get(place).copied().flatten(),
        });
        line
    }

    /// The latest moment that all lanes have left, but for those that are far behind.
    #[must_use]
    pub fn cut(&self) -> Arc<Cut> {
        let seen = self.cuts.seen.lock();
        let mut seen = seen.unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        loop {
            let since = *seen.since.get_or_insert_with(|| {
                self.mark(self.gauges.rounds.get());
                Instant::now()
            });
            let waited = since.elapsed();
            let lanes = self.cuts.left();
            let is_here = |lane: usize| lanes[lane].is_some();
            let any = (0..lanes.len()).any(is_here);
            let patience = |lane: usize| if seen.late[lane] { LITTLE } else { PATIENCE };
            let all = (0..lanes.len()).all(|lane| is_here(lane) || waited >= patience(lane));
            let is_missed = (0..lanes.len()).any(|lane| self.cuts.is_missed(lane));
            if any && all && !is_missed {
                let late: Vec<bool> = lanes.iter().map(Option::is_none).collect();
                if let Some(cut) = self.whole(lanes) {
                    *seen = Seen {
                        latest: Arc::new(cut),
                        since: None,
                        late,
                    };
                    return Arc::clone(&seen.latest);
                }
            }
            let has_none = seen.latest.lanes.is_empty() && begun.elapsed() >= SHORTLY;
            let back = (all || has_none).then(|| self.cuts.newest()).flatten();
            match back.filter(|_| !any) {
                // All are in a round that takes long: what they had before it is what there is.
                Some(round) if round != self.cuts.mark() => self.mark(round),
                _ if begun.elapsed() >= SHORTLY => return Arc::clone(&seen.latest),
                // Lanes went on before they knew of the mark, or it was too long ago.
                _ if is_missed || all => seen.since = None,
                _ => std::thread::sleep(STEP),
            }
        }
    }

    /// Marks a round.
    fn mark(&self, round: u64) {
        self.cuts.set(round);
        if let Some(rounds) = self.rounds.get() {
            let mut rounds = rounds.lock().unwrap_or_else(PoisonError::into_inner);
            rounds.mark(round);
        }
    }

    /// The moment of these lanes; none where the comparison of two of them was beyond the mark.
    fn whole(&self, mut lanes: Vec<Option<Arc<LaneCut>>>) -> Option<Cut> {
        let is_here: Vec<bool> = lanes.iter().map(Option::is_some).collect();
        let evidence = match self.rounds.get() {
            None => RoundEvidence::default(),
            Some(rounds) => {
                let rounds = rounds.lock().unwrap_or_else(PoisonError::into_inner);
                rounds.marked(&is_here)?
            }
        };
        let shown = lanes.iter().flatten();
        let people = shown.map(|lane| lane.persons).max().unwrap_or(0);
        let streams = lanes.iter_mut().map(|lane| {
            let lane = lane.as_mut().map(Arc::make_mut);
            lane.and_then(|lane| lane.stream.as_mut())
        });
        self.outcomes.fill(people, streams);
        Some(Cut {
            round: self.cuts.mark(),
            people,
            lanes,
            evidence,
        })
    }
}

#[cfg(test)]
impl Watched {
    /// Has every lane leave what is noted of it.
    pub(crate) fn leave_all(&self) {
        let rounds = self.gauges.lanes.iter().map(|lane| lane.rounds.get());
        self.gauges.rounds.set(rounds.max().unwrap_or(0));
        for lane in 0..self.labels.len() {
            let (gauges, course) = (&self.gauges.lanes[lane], self.courses.of(lane));
            let newest = |line: &super::courses::CourseLine| line.points().last()?.mean;
            let cut = LaneCut {
                rounds: gauges.rounds.get(),
                persons: gauges.persons.get(),
                selected: gauges.accepted.get(),
                means: course.lines.iter().map(newest).collect(),
                rows: course.now,
                stream: self.rates.get().map(|rates| rates.stream(lane)),
                stop: self.ending_of(lane),
            };
            if let (Some(rounds), Some(_)) = (self.rounds.get(), &cut.stop) {
                rounds.lock().unwrap().end(lane);
            }
            self.cuts.leave(lane, cut);
        }
    }
}

#[cfg(test)]
mod tests;
