//! Hands on whom a lane was shown and whom it selected.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::compare::{GroupRates, LaneStream};
use crate::config::Plan;
use crate::protocol::{Batch, Ledger, RoundEntry};
use crate::score::Witness;

/// What all lanes of a replication have selected so far. A lane writes its own; readers take a
/// copy.
#[derive(Clone, Debug)]
pub struct SharedRates(Arc<Vec<Mutex<GroupRates>>>);

impl SharedRates {
    /// No person shown yet to any lane of a plan. The intervals of a lane hold together, whatever
    /// the other lanes.
    pub(super) fn new(plan: &Plan) -> Self {
        let alpha = plan.judge.alpha_of_rates();
        let rates = GroupRates::new(&plan.world.schema, plan.target.as_ref(), alpha);
        Self::of_lanes(&rates, plan.lanes.len())
    }

    /// This many lanes that begin with the same rates.
    pub(crate) fn of_lanes(rates: &GroupRates, lanes: usize) -> Self {
        Self(Arc::new(
            vec![rates; lanes]
                .into_iter()
                .cloned()
                .map(Mutex::new)
                .collect(),
        ))
    }

    /// What each lane has selected so far; nothing is known of outcomes.
    #[must_use]
    pub fn streams(&self) -> Vec<LaneStream> {
        let lanes = (0..self.0.len()).map(|lane| LaneStream {
            rates: self.of(lane).clone(),
            outcomes: None,
        });
        lanes.collect()
    }

    fn of(&self, lane: usize) -> MutexGuard<'_, GroupRates> {
        self.0[lane].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hands on the rounds of a lane.
pub(super) struct RateWitness {
    /// The lane's place in the run.
    pub(super) lane: usize,
    pub(super) rates: SharedRates,
}

impl Witness for RateWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut rates = self.rates.of(self.lane);
        for at in 0..ledger.rounds() {
            rates.record(&RoundEntry::new(batch, at, ledger, at));
        }
    }
}
