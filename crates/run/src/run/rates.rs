//! Hands on whom a lane was shown, whom it selected, and what became of those.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::config::Plan;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry};
use kleroterion_core::score::{Arrivals, Witness};
use kleroterion_stats::sequence::Range;
use kleroterion_stats::{GroupRates, LaneStream, OutcomeMeans};

/// What all lanes of a replication have selected so far. A lane writes its own; readers take a
/// copy.
#[derive(Clone, Debug)]
pub struct SharedRates(Arc<Vec<Mutex<LaneStream>>>);

impl SharedRates {
    /// No person shown yet to any lane of a plan. The intervals of a lane hold together, whatever
    /// the other lanes.
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

    /// This many lanes that begin with the same rates.
    #[must_use]
    pub fn of_lanes(rates: &GroupRates, lanes: usize) -> Self {
        let stream = LaneStream {
            rates: rates.clone(),
            outcomes: None,
        };
        Self::all(&stream, lanes)
    }

    /// Takes in a person with these values who was shown to a lane.
    pub fn show(&self, lane: usize, values: &[u16], selected: bool) {
        self.of(lane).rates.add(values, selected);
    }

    fn all(stream: &LaneStream, lanes: usize) -> Self {
        let lanes = (0..lanes).map(|_| Mutex::new(stream.clone()));
        Self(Arc::new(lanes.collect()))
    }

    /// What a lane has selected so far, and what became of those, where the world knows it.
    #[must_use]
    pub fn stream(&self, lane: usize) -> LaneStream {
        self.of(lane).clone()
    }

    /// The same of all lanes.
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
