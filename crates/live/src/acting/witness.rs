//! The witness by which a lane says what it decided and how it ended.

use std::sync::Arc;

use super::Acting;
use kleroterion_core::protocol::{Batch, Ledger, RoundEntry, Stop};
use kleroterion_core::score::Witness;

/// A witness that reports its lane's decisions to the acting room before viewers see them.
pub struct ActingWitness {
    acting: Arc<Acting>,
    /// The lane's place in the run.
    lane: usize,
}

impl ActingWitness {
    /// The witness of a lane.
    #[must_use]
    pub fn new(acting: Arc<Acting>, lane: usize) -> Self {
        Self { acting, lane }
    }
}

impl Witness for ActingWitness {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        let rounds = ledger.rounds();
        let first = match self.acting.may_act(self.lane) {
            true => 0,
            false => rounds.saturating_sub(1),
        };
        let decided = (first..rounds).map(|at| {
            let entry = RoundEntry::new(batch, at, ledger, at);
            (batch.round_number(at), entry.chosen_slots().collect())
        });
        let decided: Vec<_> = decided.collect();
        self.acting.decided(self.lane, decided);
    }

    fn end(&mut self, stop: &Stop) {
        self.acting.ended(self.lane, stop);
    }
}
