//! The scorer of representation: how far the committee is from its target.

use std::ops::Range;
use std::sync::Arc;

use super::head_count::HeadCount;
use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{Batch, Ledger, RoundEntry, Schema, Target, Truth};

/// The losses in l1 and l2.
const SUMMED: [&str; 2] = ["representation_loss_l1", "representation_loss_l2"];

/// The scorer of `representation_loss`: max over attributes i and values j of |lambda^i_j(C) -
/// rho^i_j| (Do et al. 2021, Section 3.1). `representation_loss_l1` is the sum of the same gaps,
/// and `representation_loss_l2` the root of the sum of their squares. All are absent for an empty
/// committee.
pub struct Representation {
    target: Arc<Target>,
    chosen: HeadCount,
}

impl Representation {
    /// Makes the scorer of an empty committee.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, target: Arc<Target>) -> Self {
        Self {
            target,
            chosen: HeadCount::new(Arc::clone(schema)),
        }
    }
}

impl Scorer for Representation {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        entry.chosen().for_each(|person| self.chosen.add(person));
    }

    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        let (chosen, _) = ledger.chosen_in(rounds);
        self.chosen.add_rows(batch.persons(), chosen);
    }

    fn read(&self, readings: &mut Readings) {
        let counts = self.chosen.by_value();
        if let Some(loss) = self.target.loss(&counts, self.chosen.persons()) {
            readings.put("representation_loss", loss);
        }
        let summed = self.target.summed_losses(&counts, self.chosen.persons());
        for (name, loss) in SUMMED.iter().zip(summed.into_iter().flatten()) {
            readings.put(name, loss);
        }
    }
}
