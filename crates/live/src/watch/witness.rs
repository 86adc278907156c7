//! Witnesses of a lane of a live run: they hand on its decisions and the courses of its measures.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use super::courses::Mean;
use super::cut::LaneCut;
use super::decisions::Unplaced;
use super::late::{DecidedIn, LateDecision};
use super::{Stage, Watched};
use crate::limits::POINT_PERIOD;
use kleroterion_core::protocol::Stop;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry, Truth};
use kleroterion_core::score::{MetricRow, RoundValues, Scorer, Witness};
use kleroterion_io::trace::Post;
use kleroterion_stats::Judge;
use kleroterion_stats::sequence::{Range, StreamSequence};

/// A witness that passes on each decision of a lane. It also counts rounds and accepted persons,
/// and measures how long decisions take.
pub struct DecisionWitness {
    watched: Arc<Watched>,
    /// The lane's place in the run.
    lane: usize,
    post: Arc<Post>,
}

impl DecisionWitness {
    /// Creates the witness of a lane.
    #[must_use]
    pub fn new(watched: &Arc<Watched>, lane: usize, post: Post) -> Self {
        Self {
            watched: Arc::clone(watched),
            lane,
            post: Arc::new(post),
        }
    }

    /// The decision of a round of a batch. Who answered interviews may be known better later, so
    /// a decision with interviewers is put in words at once.
    fn decided(&self, batch: &Arc<Batch>, ledger: &Arc<Ledger>, at: usize) -> Unplaced {
        let entry = RoundEntry::new(batch, at, ledger, at);
        let decision = match self.post.setting.interviewers {
            Some(_) => self.post.decision(&entry).into(),
            None => LateDecision::Of(DecidedIn {
                batch: Arc::clone(batch),
                ledger: Arc::clone(ledger),
                at,
                post: Arc::clone(&self.post),
            }),
        };
        Unplaced {
            slots: entry.chosen_slots().collect(),
            decision,
        }
    }
}

impl Witness for DecisionWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        self.record_shared(&Arc::new(batch.clone()), &Arc::new(ledger.clone()));
    }

    fn record_shared(&mut self, batch: &Arc<Batch>, ledger: &Arc<Ledger>) {
        let rounds = ledger.rounds();
        if rounds == 0 {
            return;
        }
        let gauges = &self.watched.gauges.lanes[self.lane];
        gauges.rounds.add(rounds as u64);
        let persons = batch.roster(rounds - 1).end - batch.roster(0).start;
        gauges.persons.add(u64::from(persons));
        gauges.forfeits.add(ledger.forfeits() as u64);
        gauges.accepted.add(ledger.chosen_before(rounds) as u64);
        // What is played again was decided long ago.
        let is_following = *self.watched.stage.borrow() == Stage::Following;
        let took = self.watched.handed.since(batch.round_number(0));
        if let Some(took) = took.filter(|_| is_following) {
            gauges.latency.add(took, rounds as u64);
        }
        let decided = (0..rounds).map(|at| self.decided(batch, ledger, at));
        let all = self.watched.decisions.hand(self.lane, decided);
        if let Some(took) = took.filter(|_| is_following && all > 0) {
            self.watched.gauges.decision.add(took, all);
        }
    }

    fn end(&mut self, stop: &Stop) {
        // How it ended is known to whoever learns that it did.
        self.watched.end(self.lane, stop.clone());
        self.watched.decisions.end(self.lane);
    }
}

/// The error rate of the interval of each single lane.
pub const ALPHA: f64 = Judge::ALPHA;
/// The total variance at which intervals are tightest. Values enter unscaled.
const V_OPT: f64 = 10.0;

/// Follows the courses of a lane's measures.
pub struct CourseWitness {
    watched: Arc<Watched>,
    lane: usize,
    /// One running mean per metric; `None` for metrics without a value in each round.
    means: Vec<Option<RunningMean>>,
    /// The means after the rounds of the batch at which a point is due.
    noted: VecDeque<(u64, Vec<Option<Mean>>)>,
    /// The number of rounds seen.
    rounds: u64,
    /// The time at which the measures were last read.
    read: Option<Instant>,
}

/// The running mean of a metric's values.
struct RunningMean {
    values: RoundValues,
    range: Range,
    stream: StreamSequence,
    /// True if a value left the range.
    beyond: bool,
}

impl CourseWitness {
    /// Creates the witness of a lane with these scorers.
    #[must_use]
    pub fn new(watched: &Arc<Watched>, lane: usize, scorers: &[Box<dyn Scorer>]) -> Self {
        let running = |(metric, range): &(String, Option<Range>)| {
            let range = (*range)?;
            let values = scorers.iter().find_map(|scorer| scorer.by_round(metric))?;
            Some(RunningMean {
                values,
                range,
                stream: StreamSequence::new(ALPHA, V_OPT),
                beyond: false,
            })
        };
        Self {
            means: watched.courses.metrics.iter().map(running).collect(),
            watched: Arc::clone(watched),
            lane,
            noted: VecDeque::new(),
            rounds: 0,
            read: None,
        }
    }
}

impl CourseWitness {
    /// The means after the last round seen.
    fn means_now(&self) -> Vec<Option<Mean>> {
        let mean = |running: &Option<RunningMean>| running.as_ref().and_then(RunningMean::mean);
        self.means.iter().map(mean).collect()
    }

    /// Returns true if the lane is to leave its results: no batch waits for it, or its round is
    /// marked.
    fn leaves(&self) -> bool {
        let waiting = self.watched.gauges.lanes[self.lane].waiting.get();
        waiting == 0 || self.watched.cuts.is_marked(self.rounds)
    }

    /// Leaves the lane's results after the last round seen.
    fn leave(&self, rows: &[MetricRow], stop: Option<&Stop>) {
        let gauges = &self.watched.gauges.lanes[self.lane];
        let rates = self.watched.rates.get();
        let cut = LaneCut {
            rounds: self.rounds,
            persons: gauges.persons.get(),
            selected: gauges.accepted.get(),
            rows: rows.to_vec(),
            means: self.means_now(),
            stream: rates.map(|rates| rates.stream(self.lane)),
            stop: stop.cloned(),
        };
        self.watched.leave(self.lane, cut);
    }
}

impl RunningMean {
    fn add(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>) {
        let Self {
            values,
            range,
            stream,
            beyond,
        } = self;
        values(
            entry,
            truth,
            &mut |value| match value.map(|value| range.unit(value)) {
                Some(Ok(unit)) => stream.add(unit),
                Some(Err(_)) => *beyond = true,
                None => {}
            },
        );
    }

    /// The mean so far; `None` before the first value.
    fn mean(&self) -> Option<Mean> {
        let value = |unit| self.range.value(unit);
        let interval = || {
            let (lo, hi) = self.stream.interval();
            (value(lo), value(hi))
        };
        (self.stream.count() > 0).then(|| Mean {
            value: value(self.stream.mean()),
            interval: (!self.beyond).then(interval),
        })
    }
}

impl Witness for CourseWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let gap = self.watched.courses.gap(self.lane);
        self.noted.clear();
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            let truth = Truth::new(batch, entry.slate());
            for running in self.means.iter_mut().flatten() {
                running.add(&entry, &truth);
            }
            self.rounds += 1;
            if self.rounds.is_multiple_of(gap) {
                self.noted.push_back((self.rounds, self.means_now()));
            }
        }
    }

    fn due(&self) -> Option<u64> {
        self.noted.front().map(|(round, _)| *round)
    }

    fn wants(&mut self, rounds: u64) -> bool {
        let is_late = || self.read.is_none_or(|read| read.elapsed() >= POINT_PERIOD);
        self.due() == Some(rounds) || (rounds == self.rounds && (is_late() || self.leaves()))
    }

    fn read(&mut self, rounds: u64, rows: &[MetricRow]) {
        let noted = self.noted.pop_front_if(|(round, _)| *round == rounds);
        let means = noted.map_or_else(|| self.means_now(), |(_, means)| means);
        self.watched.courses.note(self.lane, rounds, rows, &means);
        self.read = Some(Instant::now());
        if rounds == self.rounds && self.leaves() {
            self.leave(rows, None);
        }
    }

    fn end(&mut self, stop: &Stop) {
        // The measures at the end were read just before.
        let rows = self.watched.courses.of(self.lane).now;
        self.leave(&rows, Some(stop));
    }
}

#[cfg(test)]
mod tests;
