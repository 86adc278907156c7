//! A lane's scorers, read at the rounds that the report asks for and at the end.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::layout::Layouts;
use super::metrics::Metrics;
use super::readings::Readings;
use super::scores::{LaneResult, MetricRow};
use crate::lock::locked;
use crate::protocol::{Batch, Ledger, RoundEntry, Stop, Truth};

/// A scorer: measures one family of metrics of a lane.
pub trait Scorer: Send {
    /// Takes in one round.
    fn record(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>);

    /// Takes in a stretch of rounds. The result is the same as of [`Scorer::record`] on each; some
    /// scorers are faster.
    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        for round in rounds {
            let entry = RoundEntry::new(batch, round, ledger, round);
            self.record(&entry, &Truth::new(batch, entry.slate()));
        }
    }

    /// Writes the current measures.
    fn read(&self, readings: &mut Readings);

    /// Returns a function that computes a metric's values in one round alone. `None` if the scorer
    /// lacks the metric or rounds have no value of it
    /// ([`MetricInfo::by_round`](super::MetricInfo::by_round)).
    fn by_round(&self, metric: &str) -> Option<RoundValues> {
        let _ = metric;
        None
    }
}

/// Hands on a metric's values in a round, in order. Most metrics have one per round; a rate within
/// a group has one per person of the roster. `None` stands for no value, as in a round without a
/// choice. All lanes hand on equally many values of a round.
pub type RoundValues = Box<dyn Fn(&RoundEntry<'_>, &Truth<'_>, &mut dyn FnMut(Option<f64>)) + Send>;

/// Makes the function that hands on the one value of each round.
pub(super) fn one_a_round(
    value: impl Fn(&RoundEntry<'_>, &Truth<'_>) -> Option<f64> + Send + 'static,
) -> RoundValues {
    Box::new(move |entry, truth, hand| hand(value(entry, truth)))
}

/// The moments at which a series is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Moments {
    /// Only the end of the run.
    #[default]
    End,
    /// The moments after these numbers of rounds (increasing).
    Rounds(Vec<u64>),
    /// The first rounds by which these numbers are accepted (increasing).
    Accepted(Vec<u64>),
}

impl Moments {
    fn values(&self) -> &[u64] {
        match self {
            Self::End => &[],
            Self::Rounds(values) | Self::Accepted(values) => values,
        }
    }
}

/// The scorers of one lane.
pub struct Scoreboard {
    scorers: Vec<Box<dyn Scorer>>,
    moments: Moments,
    /// The number of moments reached.
    reached: usize,
    rounds: u64,
    accepted: u64,
    outcomes: bool,
    layouts: Arc<Layouts>,
    metrics: Metrics,
    readings: Readings,
    witnesses: Vec<Box<dyn Witness>>,
}

/// Observes a lane's rounds, for a trace or a list.
pub trait Witness: Send {
    /// Observes the committed rounds of a batch.
    fn record(&mut self, batch: &Batch, ledger: &Ledger);

    /// Observes the committed rounds of a batch that it may keep.
    fn record_shared(&mut self, batch: &Arc<Batch>, ledger: &Arc<Ledger>) {
        self.record(batch, ledger);
    }

    /// Returns the round after which it next wants the measures, however batches are cut. It is
    /// asked once it has seen the batch.
    fn due(&self) -> Option<u64> {
        None
    }

    /// Returns true if it wants the measures after this many rounds. It is asked when measures are
    /// due and after each batch, because reading them all is costly.
    fn wants(&mut self, rounds: u64) -> bool {
        let _ = rounds;
        false
    }

    /// Receives the measures after this many rounds: when it wanted them, and at the end.
    fn read(&mut self, rounds: u64, rows: &[MetricRow]) {
        let _ = (rounds, rows);
    }

    /// Called when the lane plays no further round.
    fn end(&mut self, stop: &Stop) {
        let _ = stop;
    }
}

/// A witness that its maker holds as well, to read it when the lane has ended.
impl<W: Witness> Witness for Arc<Mutex<W>> {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        locked(self).record(batch, ledger);
    }

    fn record_shared(&mut self, batch: &Arc<Batch>, ledger: &Arc<Ledger>) {
        locked(self).record_shared(batch, ledger);
    }

    fn due(&self) -> Option<u64> {
        locked(self).due()
    }

    fn wants(&mut self, rounds: u64) -> bool {
        locked(self).wants(rounds)
    }

    fn read(&mut self, rounds: u64, rows: &[MetricRow]) {
        locked(self).read(rounds, rows);
    }

    fn end(&mut self, stop: &Stop) {
        locked(self).end(stop);
    }
}

impl Scoreboard {
    /// Makes a scoreboard of scorers read at these moments and at the end.
    #[must_use]
    pub fn new(scorers: Vec<Box<dyn Scorer>>, moments: Moments) -> Self {
        Self::sharing(Arc::default(), scorers, moments)
    }

    /// Makes a scoreboard that shares the layouts of the policy's lanes in other replications.
    #[must_use]
    pub fn sharing(layouts: Arc<Layouts>, scorers: Vec<Box<dyn Scorer>>, moments: Moments) -> Self {
        Self {
            readings: Readings::like(&layouts),
            layouts,
            metrics: Metrics::default(),
            scorers,
            moments,
            reached: 0,
            rounds: 0,
            accepted: 0,
            outcomes: false,
            witnesses: Vec::new(),
        }
    }

    /// Adds the metrics that a program adds.
    #[must_use]
    pub fn knowing(mut self, metrics: &Metrics) -> Self {
        self.metrics = metrics.clone();
        self
    }

    /// The scorers.
    #[must_use]
    pub fn scorers(&self) -> &[Box<dyn Scorer>] {
        &self.scorers
    }

    /// Adds a witness.
    pub fn add_witness(&mut self, witness: Box<dyn Witness>) {
        self.witnesses.push(witness);
    }

    /// Takes in the committed rounds of a batch, and reads the scorers at each moment reached.
    pub fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        for witness in &mut self.witnesses {
            witness.record(batch, ledger);
        }
        self.score(batch, ledger);
    }

    /// Does what [`Scoreboard::record`] does. Witnesses may keep the batch and the ledger.
    pub fn record_shared(&mut self, batch: &Arc<Batch>, ledger: &Arc<Ledger>) {
        for witness in &mut self.witnesses {
            witness.record_shared(batch, ledger);
        }
        self.score(batch, ledger);
    }

    fn score(&mut self, batch: &Batch, ledger: &Ledger) {
        self.outcomes |= batch.sealed().has_outcomes();
        let rounds = ledger.rounds();
        let mut from = 0;
        while from < rounds {
            let to = self
                .next_stop(ledger, from)
                .map_or(rounds, |to| to.min(rounds));
            for scorer in &mut self.scorers {
                scorer.record_all(batch, ledger, from..to);
            }
            self.rounds += (to - from) as u64;
            self.accepted += (ledger.chosen_before(to) - ledger.chosen_before(from)) as u64;
            self.read_moments();
            self.show();
            from = to;
        }
    }

    /// The end (exclusive, in this ledger) of the round after which the measures are read next.
    fn next_stop(&self, ledger: &Ledger, from: usize) -> Option<usize> {
        let due = self.witnesses.iter().filter_map(|witness| witness.due());
        let due = due.filter_map(|round| round.checked_sub(self.rounds));
        let due = due.filter(|ahead| *ahead > 0);
        let due = due.map(|ahead| from + ahead as usize);
        due.chain(self.next_moment(ledger, from)).min()
    }

    /// Shows the current measures to the witnesses that want them.
    fn show(&mut self) {
        let mut rows: Option<Vec<MetricRow>> = None;
        for witness in &mut self.witnesses {
            if witness.wants(self.rounds) {
                let rows = rows.get_or_insert_with(|| {
                    let mut now = Readings::default();
                    self.scorers.iter().for_each(|scorer| scorer.read(&mut now));
                    now.rows_from(0)
                });
                witness.read(self.rounds, rows);
            }
        }
    }

    /// The end (exclusive, in this ledger) of the round in which the next moment comes.
    fn next_moment(&self, ledger: &Ledger, from: usize) -> Option<usize> {
        let next = *self.moments.values().get(self.reached)?;
        match &self.moments {
            Moments::End => None,
            Moments::Rounds(_) => Some(from + (next - self.rounds) as usize),
            Moments::Accepted(_) => {
                let missing = next - self.accepted;
                let count = ledger.chosen_before(from) as u64 + missing;
                ledger.round_reaching(count).map(|round| round + 1)
            }
        }
    }

    /// Reads the scorers at every moment reached.
    fn read_moments(&mut self) {
        let now = match self.moments {
            Moments::End => return,
            Moments::Rounds(_) => self.rounds,
            Moments::Accepted(_) => self.accepted,
        };
        while let Some(&at) = self.moments.values().get(self.reached) {
            if at > now {
                break;
            }
            self.read(Some(at));
            self.reached += 1;
        }
    }

    fn read(&mut self, at: Option<u64>) {
        self.readings.turn_to(at);
        for scorer in &self.scorers {
            scorer.read(&mut self.readings);
        }
    }

    /// Reads the scorers at the end; `pending` is the number of outcomes that were never delivered.
    pub(crate) fn end(&mut self, pending: usize, stop: &Stop) {
        self.carry_forward();
        let before = self.readings.len();
        self.read(None);
        if !self.witnesses.is_empty() {
            let rows = self.readings.rows_from(before);
            for witness in &mut self.witnesses {
                witness.read(self.rounds, &rows);
                witness.end(stop);
            }
        }
        if self.outcomes {
            self.readings.put("pending", pending as f64);
        }
    }

    /// Carries the cumulative metrics of a lane that ended early forward over the rounds at which
    /// they were still to be read.
    fn carry_forward(&mut self) {
        let Moments::Rounds(grid) = &self.moments else {
            return;
        };
        let missed = &grid[self.reached..];
        if missed.is_empty() {
            return;
        }
        let mut now = Readings::default();
        self.scorers.iter().for_each(|scorer| scorer.read(&mut now));
        let mut rows = now.rows_from(0);
        rows.retain(|row| self.metrics.of(&row.metric).cumulative);
        for at in missed {
            self.readings.turn_to(Some(*at));
            let each = rows.iter();
            each.for_each(|row| self.readings.put(&row.metric, row.value));
        }
    }

    /// Returns the result and drops the witnesses.
    #[must_use]
    pub fn finish(self, stop: Stop) -> LaneResult {
        let (layout, values) = self.readings.finish(&self.layouts);
        LaneResult::laid_out(stop.ending, stop.detail, layout, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Ending;

    /// A scorer that reads the number of rounds of a lane.
    struct Played;

    impl Scorer for Played {
        fn record(&mut self, _: &RoundEntry<'_>, _: &Truth<'_>) {}

        fn read(&self, readings: &mut Readings) {
            readings.put("screened", 17.0);
            readings.put("representation_loss", 0.1);
        }
    }

    #[test]
    fn only_what_is_cumulative_is_carried_forward() {
        let layouts = Arc::<Layouts>::default();
        let played = || {
            let moments = Moments::Rounds(vec![20, 30]);
            let mut board =
                Scoreboard::sharing(Arc::clone(&layouts), vec![Box::new(Played)], moments);
            let stop = Stop::from(Ending::Filled);
            board.end(0, &stop);
            board.finish(stop)
        };
        let row = |metric: &str, at, value| MetricRow {
            metric: metric.into(),
            at,
            value,
        };
        let known = [
            row("screened", Some(20), 17.0),
            row("screened", Some(30), 17.0),
            row("screened", None, 17.0),
            row("representation_loss", None, 0.1),
        ];
        let lanes = [played(), played()];
        assert!(
            lanes
                .iter()
                .all(|lane| lane.rows().eq(known.iter().cloned()))
        );
        // The second names nothing anew.
        assert!(Arc::ptr_eq(lanes[0].layout(), lanes[1].layout()));
    }
}
