//! Merits of the selected, where the source knows the merit of every person.

use std::ops::Range;

use super::readings::Readings;
use super::scoreboard::Scorer;
use super::utilities::Utilities;
use crate::protocol::{Batch, Ledger, Person, RoundEntry, Truth};

/// The scorer of `mean_merit`: the mean of the true expected worth of the selected. Absent until
/// someone is selected.
#[derive(Default)]
pub struct Merit {
    sum: f64,
    selected: u64,
}

const NAME: &str = "mean_merit";

impl Merit {
    /// The names of the scorer's metrics.
    #[must_use]
    pub fn metrics() -> Vec<String> {
        vec![NAME.to_owned()]
    }

    /// The ranges of the scorer's metrics over people of these utilities.
    #[must_use]
    pub fn ranges(utilities: &Utilities) -> Vec<(String, (f64, f64))> {
        vec![(NAME.to_owned(), utilities.range())]
    }
}

impl Scorer for Merit {
    fn record(&mut self, entry: &RoundEntry<'_>, truth: &Truth<'_>) {
        for slot in 0..entry.slate().len() {
            if entry.chose(slot)
                && let Some(merit) = truth.merit(slot)
            {
                self.sum += merit;
                self.selected += 1;
            }
        }
    }

    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        let (rows, _) = ledger.chosen_in(rounds);
        for &row in rows {
            if let Some(merit) = Person::new(batch, row).merit() {
                self.sum += merit;
                self.selected += 1;
            }
        }
    }

    fn read(&self, readings: &mut Readings) {
        readings.put(NAME, self.sum / self.selected as f64);
    }
}
