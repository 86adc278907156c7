//! Passes on the people a lane was shown, those it selected, and their outcomes.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::config::Plan;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry};
use kleroterion_core::score::{Arrivals, Witness};
use kleroterion_stats::sequence::Range;
use kleroterion_stats::{GroupRates, LaneStream, OutcomeMeans};

/// The selections so far of all lanes of a replication. Each lane writes its own entry, and readers
/// take a copy.
#[derive(Clone, Debug)]
pub struct SharedRates(Arc<Vec<Mutex<LaneStream>>>);

impl SharedRates {
    /// Makes the entries of a plan's lanes, before any person is shown. The intervals of a lane
    /// hold jointly, whatever the other lanes.
    pub(super) fn new(plan: &Plan) -> Self {
        let alpha = plan.judge.alpha_of_rates();
        let schema = &plan.world.schema;
        // Those reported from outside are written by who watches the run.
        let known = plan.outcomes.filter(|outcomes| !outcomes.is_reported());
        let outcomes = known.map(|outcomes| {
            let range = outcomes
                .range
                .and_then(|(least, most)| Range::new(least, most));
            OutcomeMeans::new(schema, range, alpha)
        });
        let stream = LaneStream {
            rates: GroupRates::new(schema, plan.target.as_ref(), alpha),
            outcomes,
        };
        Self::all(&stream, plan.lanes.len())
    }

    /// Makes entries for this number of lanes, which begin with the same rates.
    #[must_use]
    pub fn of_lanes(rates: &GroupRates, lanes: usize) -> Self {
        let stream = LaneStream {
            rates: rates.clone(),
            outcomes: None,
        };
        Self::all(&stream, lanes)
    }

    /// Records a person with these values who was shown to a lane.
    pub fn show(&self, lane: usize, values: &[u16], selected: bool) {
        self.of(lane).rates.add(values, selected);
    }

    fn all(stream: &LaneStream, lanes: usize) -> Self {
        let lanes = (0..lanes).map(|_| Mutex::new(stream.clone()));
        Self(Arc::new(lanes.collect()))
    }

    /// Returns the selections of a lane so far, with outcomes where the world knows them.
    #[must_use]
    pub fn stream(&self, lane: usize) -> LaneStream {
        self.of(lane).clone()
    }

    /// Returns the selections of all lanes so far.
    pub(super) fn streams(&self) -> Vec<Option<LaneStream>> {
        let lanes = 0..self.0.len();
        lanes.map(|lane| Some(self.stream(lane))).collect()
    }

    fn of(&self, lane: usize) -> MutexGuard<'_, LaneStream> {
        locked(&self.0[lane])
    }
}

/// Hands on the rounds of a lane.
pub(super) struct RateWitness {
    /// The lane's place in the run.
    lane: usize,
    rates: SharedRates,
    arrivals: Arrivals,
}

impl RateWitness {
    pub(super) fn new(lane: usize, rates: &SharedRates, plan: &Plan) -> Self {
        Self {
            lane,
            rates: rates.clone(),
            arrivals: Arrivals::new(&plan.world.schema),
        }
    }
}

impl Witness for RateWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let mut stream = self.rates.of(self.lane);
        let LaneStream { rates, outcomes } = &mut *stream;
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            rates.record(&entry);
            if let Some(means) = outcomes {
                self.arrivals
                    .take(&entry, |arrived| means.add(arrived.values, arrived.outcome));
            }
        }
    }
}
