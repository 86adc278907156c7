//! The bounds of Theorem 1 with constants, by the steps that the paper names.

use crate::reproduce::prelude::*;
use kleroterion_policies::committee::learning::radius;

/// The bounds of an instance.
pub(super) struct Bounds {
    /// |X|.
    pub cells: usize,
    /// g*.
    pub gain: f64,
    delta: f64,
    /// The sum of all D_i.
    values: f64,
    /// The most that plans cost up to T, by T.
    plans: Vec<f64>,
}

impl Bounds {
    /// Those of a run up to a last T.
    pub(super) fn of(run: &StudyRun, delta: f64, last: u64) -> Result<Self> {
        let schema = &run.plan.world.schema;
        let gain = run.plan.outlook.as_ref().map(|outlook| outlook.gain);
        let cells = schema.cells() as usize;
        Ok(Self {
            cells,
            gain: gain.ok_or_else(|| run.lacks("the best gain"))?,
            delta,
            values: schema.levels().iter().sum::<usize>() as f64,
            plans: plans(cells, delta, last),
        })
    }

    fn plan(&self, t: u64) -> f64 {
        self.plans[t as usize]
    }

    /// Returns the bound on the regret R(T).
    pub(super) fn regret(&self, t: u64) -> f64 {
        self.plan(t) + (t as f64 * libm::log(3.0 / self.delta) / 2.0).sqrt()
    }

    /// Returns the bound on the violation R^c(T), with two sides for each value.
    pub(super) fn violation(&self, t: u64) -> f64 {
        self.plan(t) + (t as f64 * libm::log(6.0 * self.values / self.delta) / 2.0).sqrt()
    }

    /// Returns the bound on the loss, which is R^c(T) over N(T) = g*T - R(T).
    pub(super) fn loss(&self, t: u64) -> f64 {
        let accepted = self.gain * t as f64 - self.regret(t);
        if accepted > 0.0 {
            self.violation(t) / accepted
        } else {
            f64::INFINITY
        }
    }
}

/// Returns the most that the plans of t = 0, 1 ... cost together. An episode that holds t began
/// when at least t/2 candidates were counted, because no type has doubled or newly come in it.
fn plans(cells: usize, delta: f64, last: u64) -> Vec<f64> {
    let mut sum = 0.0;
    let mut plans = vec![0.0];
    for t in 0..last {
        let began = t.div_ceil(2);
        sum += radius(cells, began, delta, 1.0).min(1.0);
        plans.push(sum);
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum is below the theorem's form, 4 √(|X| T log(6|X|T²/δ)), and above half of it.
    #[test]
    fn plans_cost_what_the_theorem_says_but_for_a_constant() {
        let plans = plans(4, 0.05, 300_000);
        for t in [3000, 30_000, 300_000] {
            let (x, n) = (4.0, t as f64);
            let form = 4.0 * (x * n * libm::log(6.0 * x * n * n / 0.05)).sqrt();
            assert!(
                (0.5 * form..form).contains(&plans[t]),
                "{t} {} {form}",
                plans[t]
            );
        }
    }
}
