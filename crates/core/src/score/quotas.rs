//! The scorer of quotas: how far the chosen are from the quotas of the rules.

use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{Quota, RoundEntry, Truth};

/// The scorer of `quota_violation`: the number of people by which the chosen fall short of the
/// minimum or exceed the maximum of a value, summed over values.
///
/// If a round chooses several, each round's chosen are checked against the quotas and the rounds
/// are summed. If a round chooses at most one, all who were chosen in the run are checked; the
/// metric is then absent until someone is chosen.
#[derive(Clone)]
pub struct QuotaViolation {
    quotas: Vec<Vec<Quota>>,
    counts: Vec<Vec<u32>>,
    /// True if there is a choice to hold against the quotas.
    is_due: bool,
    /// Over the rounds before; stays 0 where the run is held against the quotas as a whole.
    violation: u64,
    span: QuotaSpan,
}

/// The choices that are checked against quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaSpan {
    /// The chosen of each round.
    Round,
    /// All who are chosen in the run.
    Run,
}

const NAME: &str = "quota_violation";

impl QuotaViolation {
    /// Makes the scorer of `quotas`: a row per attribute of the schema, an entry per value. An
    /// empty row sets none.
    #[must_use]
    pub fn new(quotas: &[Vec<Quota>], span: QuotaSpan) -> Self {
        Self {
            counts: quotas.iter().map(|row| vec![0; row.len()]).collect(),
            quotas: quotas.to_vec(),
            is_due: false,
            violation: 0,
            span,
        }
    }

    /// The names of the scorer's metrics.
    #[must_use]
    pub fn metrics() -> Vec<String> {
        vec![NAME.to_owned()]
    }

    /// The number of people by which the counts are off.
    fn off(&self) -> u64 {
        let quotas = self.quotas.iter().flatten();
        let off = quotas.zip(self.counts.iter().flatten());
        off.map(|(quota, &count)| quota.off(count.into())).sum()
    }
}

impl Scorer for QuotaViolation {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        let is_of_round = self.span == QuotaSpan::Round;
        if is_of_round {
            self.counts.iter_mut().for_each(|row| row.fill(0));
        }
        // A round of which no one is chosen owes all its minimums.
        self.is_due |= is_of_round || entry.chosen().len() > 0;
        for person in entry.chosen() {
            for (row, value) in self.counts.iter_mut().zip(person.values()) {
                if let Some(count) = row.get_mut(usize::from(*value)) {
                    *count += 1;
                }
            }
        }
        if is_of_round {
            self.violation += self.off();
        }
    }

    fn read(&self, readings: &mut Readings) {
        let off = match self.span {
            QuotaSpan::Round => self.violation,
            QuotaSpan::Run => self.off(),
        };
        if self.is_due {
            readings.put(NAME, off as f64);
        }
    }
}
