//! One moment of a live run, for the board and the terminal.

use std::sync::Arc;
use std::time::Instant;

use super::Watched;
use super::courses::CoursePoint;
use super::cut::{Cut, LaneCut, Seen};
use crate::limits::{LATE_LANE_PATIENCE, READER_PATIENCE, READER_SHORTLY, READER_STEP};
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};
use kleroterion_report::report::finished::Finished;
use kleroterion_stats::{RoundEvidence, RunResult};

impl Watched {
    /// The run's results as if it ended at a moment.
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

    /// Takes the results of a lane. A lane leaves them after a batch if no other batch waits or the
    /// round is marked, and at its end.
    pub fn leave(&self, lane: usize, cut: LaneCut) {
        self.cuts.leave(lane, cut);
    }

    /// The course of one metric in a lane up to a moment; empty for a lane that is behind. `place`
    /// is an index into [`Courses::metrics`](super::courses::Courses::metrics).
    #[must_use]
    pub fn line(&self, cut: &Cut, lane: usize, place: usize) -> Vec<CoursePoint> {
        let Some(now) = cut.lane(lane) else {
            return Vec::new();
        };
        let mut line = self.courses.of(lane).lines.swap_remove(place).points;
        line.retain(|point| point.round < now.rounds);
        let name = &self.courses.metrics[place].0;
        let row = now.rows.iter().rev().find(|row| *row.metric == **name);
        line.push(CoursePoint {
            round: now.rounds,
            value: row.map(|row| row.value),
            mean: now.means.get(place).copied().flatten(),
        });
        line
    }

    /// The latest moment that all lanes have left, except those that are far behind.
    #[must_use]
    pub fn cut(&self) -> Arc<Cut> {
        let mut seen = locked(&self.cuts.seen);
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
            let patience = |lane: usize| {
                if seen.late[lane] {
                    LATE_LANE_PATIENCE
                } else {
                    READER_PATIENCE
                }
            };
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
            let has_none = seen.latest.lanes.is_empty() && begun.elapsed() >= READER_SHORTLY;
            let back = (all || has_none).then(|| self.cuts.newest()).flatten();
            match back.filter(|_| !any) {
                // All are in a round that takes long: what they had before it is what there is.
                Some(round) if round != self.cuts.mark() => self.mark(round),
                _ if begun.elapsed() >= READER_SHORTLY => return Arc::clone(&seen.latest),
                // Lanes went on before they knew of the mark, or it was too long ago.
                _ if is_missed || all => seen.since = None,
                _ => std::thread::sleep(READER_STEP),
            }
        }
    }

    /// Marks a round.
    fn mark(&self, round: u64) {
        self.cuts.set(round);
        if let Some(rounds) = self.rounds.get() {
            locked(rounds).mark(round);
        }
    }

    /// Builds the moment from these lanes; `None` if the comparison of two of them was beyond the
    /// mark.
    fn whole(&self, mut lanes: Vec<Option<Arc<LaneCut>>>) -> Option<Cut> {
        let is_here: Vec<bool> = lanes.iter().map(Option::is_some).collect();
        let evidence = match self.rounds.get() {
            None => RoundEvidence::default(),
            Some(rounds) => locked(rounds).marked(&is_here)?,
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
    /// Leaves the noted results of each lane, as if the lanes had left them.
    pub(crate) fn leave_all(&self) {
        let rounds = self.gauges.lanes.iter().map(|lane| lane.rounds.get());
        self.gauges.rounds.set(rounds.max().unwrap_or(0));
        for lane in 0..self.labels.len() {
            let (gauges, course) = (&self.gauges.lanes[lane], self.courses.of(lane));
            let newest = |line: &super::courses::CourseLine| line.points.last()?.mean;
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
