//! What cohorts are worth at the true utilities (Schumann et al. 2019).

use std::sync::Arc;

use super::scoreboard::{Readings, Scorer};
use crate::policy::cohort::CohortWorth;
use crate::protocol::{Truth, Verdict};

/// `cohort_value`: w of the cohort at the true utilities, by the lane's own objective; `optimal`: whether no cohort of its size is
/// worth more; `sqrt_top_k`: the root of the sum of the cohort's utilities, whatever the objective (a sum below 0 counts as 0).
/// Over several rounds their means. A round in which nobody is chosen counts for none.
pub struct Cohort {
    worth: Arc<dyn CohortWorth>,
    rounds: u64,
    value: f64,
    optimal: u64,
    root: f64,
    names: [Arc<str>; 3],
}

const NAMES: [&str; 3] = ["cohort_value", "optimal", "sqrt_top_k"];

impl Cohort {
    /// No round yet.
    #[must_use]
    pub fn new(worth: Arc<dyn CohortWorth>) -> Self {
        Self {
            worth,
            rounds: 0,
            value: 0.0,
            optimal: 0,
            root: 0.0,
            names: NAMES.map(Arc::from),
        }
    }

    /// The names of its metrics.
    #[must_use]
    pub fn metrics() -> Vec<String> {
        NAMES.map(str::to_owned).into()
    }
}

impl Scorer for Cohort {
    fn record(&mut self, verdict: &Verdict<'_>, truth: &Truth<'_>) {
        if verdict.chosen().len() == 0 {
            return;
        }
        let slate: Vec<_> = verdict.slate().candidates().collect();
        let slots = 0..slate.len() as u32;
        let values: Option<Vec<f64>> = slots.clone().map(|slot| truth.merit(slot)).collect();
        let Some(values) = values else {
            return;
        };
        let chosen: Vec<bool> = slots.map(|slot| verdict.chose(slot)).collect();
        let (value, best) = self.worth.judge(&slate, &values, &chosen);
        let members = values.iter().zip(&chosen).filter(|(_, member)| **member);
        let sum: f64 = members.map(|(value, _)| value).sum();
        self.rounds += 1;
        self.value += value;
        self.root += sum.max(0.0).sqrt();
        // Equally good members may be added up in another order.
        self.optimal += u64::from(value >= best - 1e-12 * best.abs());
    }

    fn read(&self, readings: &mut Readings) {
        let rounds = self.rounds as f64;
        let values = [self.value, self.optimal as f64, self.root];
        for (name, value) in self.names.iter().zip(values) {
            readings.put(name, value / rounds);
        }
    }
}
