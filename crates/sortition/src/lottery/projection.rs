//! Probabilities of panels that give chances which are known beforehand, as near to equal ones as
//! can be.
//!
//! `min sum_j (p(j) - 1/m)^2` subject to `sum_j p(j) a(j, k) = s(k)` and `p >= 0`, with `a(j, k)`
//! the seats of kind k on panel j. The answer is `p(j) = max(0, 1/m + sum_k y(k) a(j, k))`, where
//! the multipliers y maximise a concave function. Newton's method finds them: a step is solved
//! among the panels in use, with a small multiple of the diagonal added because some rows follow
//! from others.

use nalgebra::{DMatrix, DVector};

use super::watch::LotteryWatch;

/// Steps at most.
const STEPS: u32 = 60;
/// The multiple of the diagonal that is added at least.
const DAMPED: f64 = 1e-11;
/// Seats that are missed by less than this are not missed.
const MISSED: f64 = 1e-13;
/// Seats that may be missed by the best answer.
const NEAR: f64 = 1e-11;

/// The kinds that sit on a panel, and how many of each.
pub(super) type Seats = Vec<(usize, f64)>;

/// The probabilities. None where there are none, or none were found.
pub(super) fn projection(
    panels: &[Seats],
    seats: &[f64],
    watch: &LotteryWatch<'_>,
) -> Option<Vec<f64>> {
    let problem = Projection {
        panels,
        seats,
        even: 1.0 / panels.len() as f64,
    };
    let mut multipliers = vec![0.0; seats.len()];
    let mut damped = DAMPED;
    let mut best: Option<(f64, Vec<f64>)> = None;
    for _ in 0..STEPS {
        let p = problem.probabilities(&multipliers);
        let missing = problem.missing(&p);
        let missed = missing
            .iter()
            .fold(0.0, |most: f64, off| most.max(off.abs()));
        if missed <= NEAR && best.as_ref().is_none_or(|(least, _)| missed < *least) {
            let is_done = missed <= MISSED;
            best = Some((missed, p.clone()));
            if is_done {
                break;
            }
        } else if best.is_some() {
            break;
        }
        if watch.is_interrupted() {
            return None;
        }
        let step = problem.step(&p, &missing, damped)?;
        match problem.advanced(&multipliers, &p, &missing, &step) {
            Some((next, whole)) => {
                multipliers = next;
                damped = if whole {
                    (damped * 0.1).max(DAMPED)
                } else {
                    damped * 3.0
                };
            }
            None if damped > 1.0 => break,
            None => damped *= 100.0,
        }
    }
    best.map(|(_, p)| p)
}

struct Projection<'a> {
    panels: &'a [Seats],
    seats: &'a [f64],
    /// The probability that all panels would have if all had the same.
    even: f64,
}

impl Projection<'_> {
    fn probabilities(&self, multipliers: &[f64]) -> Vec<f64> {
        let of = |panel: &Seats| {
            let sum: f64 = panel.iter().map(|(k, n)| n * multipliers[*k]).sum();
            (self.even + sum).max(0.0)
        };
        self.panels.iter().map(of).collect()
    }

    /// Returns the missing seats of each kind.
    fn missing(&self, p: &[f64]) -> Vec<f64> {
        let mut missing = self.seats.to_vec();
        for (p, panel) in p.iter().zip(self.panels).filter(|(p, _)| **p > 0.0) {
            panel.iter().for_each(|(k, n)| missing[*k] -= n * p);
        }
        missing
    }

    fn value(&self, multipliers: &[f64], p: &[f64]) -> f64 {
        let of_seats = multipliers.iter().zip(self.seats).map(|(y, s)| y * s);
        of_seats.sum::<f64>() - 0.5 * p.iter().map(|p| p * p).sum::<f64>()
    }

    /// Newton's step of the multipliers.
    fn step(&self, p: &[f64], missing: &[f64], damped: f64) -> Option<Vec<f64>> {
        let kinds = self.seats.len();
        let mut matrix = DMatrix::<f64>::zeros(kinds, kinds);
        for (_, panel) in p.iter().zip(self.panels).filter(|(p, _)| **p > 0.0) {
            for (k, a) in panel {
                let mut column = matrix.column_mut(*k);
                panel.iter().for_each(|(l, b)| column[*l] += a * b);
            }
        }
        for k in 0..kinds {
            matrix[(k, k)] = matrix[(k, k)] * (1.0 + damped) + damped;
        }
        let factor = matrix.cholesky()?;
        let step = factor.solve(&DVector::from_column_slice(missing));
        Some(step.iter().copied().collect())
    }

    /// The multipliers after as much of a step as raises the value, and whether that is all of it.
    fn advanced(
        &self,
        multipliers: &[f64],
        p: &[f64],
        missing: &[f64],
        step: &[f64],
    ) -> Option<(Vec<f64>, bool)> {
        let before = self.value(multipliers, p);
        let slope: f64 = step.iter().zip(missing).map(|(step, off)| step * off).sum();
        let mut length = 1.0;
        for _ in 0..12 {
            let pairs = multipliers.iter().zip(step);
            let next: Vec<f64> = pairs.map(|(y, step)| y + length * step).collect();
            let value = self.value(&next, &self.probabilities(&next));
            // Near the answer the value changes by less than its rounding.
            if value >= before + 1e-4 * length * slope - 1e-15 * before.abs() {
                return Some((next, length == 1.0));
            }
            length *= 0.5;
        }
        None
    }
}
