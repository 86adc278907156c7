//! The scorer of regret: a learner's loss against the best stationary policy (Do et al. 2021,
//! Section 5).

use std::ops::Range;
use std::sync::Arc;

use super::head_count::HeadCount;
use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{Batch, Ledger, RoundEntry, Schema, Target, Truth};

/// The scorer of regret against the best stationary policy.
///
/// `gain_regret` is R(T) = sum_t (g* - r_t). `constraint_violation` is R^c(T) = max_{i,j} |sum_t
/// xi^i_j(x_t, a_t)| with xi^i_j = (1\[x^i = j\] - rho^i_j) r. T counts the candidates screened,
/// and r_t is 1 if one is accepted. g* holds for runs in which all who are chosen come.
///
/// `gain_regret` is absent until someone is screened, `constraint_violation` until someone is
/// accepted.
pub struct Regret {
    target: Arc<Target>,
    /// g*, the gain of the program for the true law. Without it there is no `gain_regret`.
    gain: Option<f64>,
    screened: u64,
    chosen: HeadCount,
}

impl Regret {
    /// Makes the scorer before anyone is screened.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, target: Arc<Target>, gain: Option<f64>) -> Self {
        Self {
            target,
            gain,
            screened: 0,
            chosen: HeadCount::new(Arc::clone(schema)),
        }
    }
}

impl Scorer for Regret {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.screened += u64::from(entry.applicants().len());
        entry.chosen().for_each(|person| self.chosen.add(person));
    }

    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        self.screened += ledger.applied_in(batch, rounds.clone());
        for &row in ledger.chosen_in(rounds).0 {
            self.chosen.add(batch.persons().shown(row));
        }
    }

    fn read(&self, readings: &mut Readings) {
        let accepted = self.chosen.persons() as f64;
        if let Some(gain) = self.gain.filter(|_| self.screened > 0) {
            readings.put("gain_regret", gain * self.screened as f64 - accepted);
        }
        if self.chosen.persons() == 0 {
            return;
        }
        let counts = self.chosen.by_value();
        let rows = self.target.rows().iter();
        let drift = rows.flat_map(|(attribute, shares)| counts[*attribute].iter().zip(shares));
        let drift = drift.map(|(&count, share)| (count as f64 - share * accepted).abs());
        readings.put("constraint_violation", drift.fold(0.0, f64::max));
    }
}
