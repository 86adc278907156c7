//! How far the chosen of a round are from its quotas.

use std::sync::Arc;

use super::scoreboard::{Readings, Scorer};
use crate::protocol::{Quota, Truth, Verdict};

/// `quota_violation`: by how many the chosen of a round fall short of the fewest or exceed the most of a value, summed over values
/// and rounds. Absent until somebody is chosen.
pub struct Quotas {
    quotas: Vec<Vec<Quota>>,
    counts: Vec<Vec<u32>>,
    chosen: bool,
    violation: u64,
    name: Arc<str>,
}

const NAME: &str = "quota_violation";

impl Quotas {
    /// Quotas a row an attribute of the schema, a value each; an empty row sets none.
    #[must_use]
    pub fn new(quotas: &[Vec<Quota>]) -> Self {
        Self {
            counts: quotas.iter().map(|row| vec![0; row.len()]).collect(),
            quotas: quotas.to_vec(),
            chosen: false,
            violation: 0,
            name: NAME.into(),
        }
    }

    /// The names of its metrics.
    #[must_use]
    pub fn metrics() -> Vec<String> {
        vec![NAME.to_owned()]
    }
}

impl Scorer for Quotas {
    fn record(&mut self, verdict: &Verdict<'_>, _: &Truth<'_>) {
        self.counts.iter_mut().for_each(|row| row.fill(0));
        self.chosen |= verdict.chosen().len() > 0;
        for person in verdict.chosen() {
            for (row, value) in self.counts.iter_mut().zip(person.values()) {
                if let Some(count) = row.get_mut(usize::from(*value)) {
                    *count += 1;
                }
            }
        }
        let quotas = self.quotas.iter().flatten();
        for (quota, &count) in quotas.zip(self.counts.iter().flatten()) {
            let off = quota.min.saturating_sub(count) + count.saturating_sub(quota.max);
            self.violation += u64::from(off);
        }
    }

    fn read(&self, readings: &mut Readings) {
        if self.chosen {
            readings.put(&self.name, self.violation as f64);
        }
    }
}
