//! Passes a lane's values to the comparison of policies, round by round.

use std::sync::{Arc, Mutex};

use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry, Stop, Truth};
use kleroterion_core::score::{RoundValues, Scorer, Witness};
use kleroterion_stats::Rounds;

/// The comparison to which all lanes of a replication pass their values.
pub type SharedRounds = Arc<Mutex<Rounds>>;

/// Passes on the values of a lane. They wait for the slowest lane, which bounded channels keep
/// close.
pub(super) struct RoundWitness {
    /// The lane's place in the run.
    lane: usize,
    /// The source of each metric's values. `None` if this lane does not have the metric.
    values: Vec<Option<RoundValues>>,
    rounds: SharedRounds,
}

impl RoundWitness {
    pub(super) fn new(lane: usize, scorers: &[Box<dyn Scorer>], rounds: &SharedRounds) -> Self {
        let values = {
            let shared = locked(rounds);
            let metrics = shared.metrics().iter();
            let value = |metric: &String| scorers.iter().find_map(|scorer| scorer.by_round(metric));
            metrics.map(value).collect()
        };
        Self {
            lane,
            values,
            rounds: Arc::clone(rounds),
        }
    }

    fn hand(&self, to: impl FnOnce(&mut Rounds)) {
        to(&mut locked(&self.rounds));
    }
}

impl Witness for RoundWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let of = |values: &Option<RoundValues>| {
            let mut all = Vec::with_capacity(ledger.rounds());
            for at in 0..ledger.rounds() {
                let entry = RoundEntry::new(batch, at, ledger, at);
                let truth = Truth::new(batch, entry.slate());
                match values {
                    Some(values) => values(&entry, &truth, &mut |value| all.push(value)),
                    None => all.push(None),
                }
            }
            all
        };
        let values: Vec<Vec<Option<f64>>> = self.values.iter().map(of).collect();
        self.hand(|rounds| rounds.add(self.lane, ledger.rounds() as u64, &values));
    }

    fn end(&mut self, _: &Stop) {
        self.hand(|rounds| rounds.end(self.lane));
    }
}
