//! Certificates: a proven bound on the distance of a policy's gain from the optimum.
//!
//! **From above.** Let `v^i_j` be any numbers with `sum_{i,j} rho^i_j v^i_j = 1`, and
//! `v(x) = sum_i v^i_{x^i}`. A policy that keeps to the targets has
//! `sum_{x: x^i = j} p(x) pi(x) = g rho^i_j`, so that `sum_x p(x) pi(x) v(x) = g`, and as
//! `0 <= pi <= 1`, `g <= sum_x p(x) max(0, v(x))`. This is weak duality: `v` is `1 - y.a` for the
//! multipliers y of the parity rows. The bound `min p/rho` is that of one value's
//! `v^i_j = 1/rho^i_j`.
//!
//! **From below.** A policy misses the targets by a little, whoever computed it. Let m(x) = p(x)
//! pi(x), and let it be corrected to `(1 - t) m(x) (1 + l(x))`, where `l(x) = sum_i l^i_{x^i}` is
//! such that the targets are kept exactly (a linear system) and `|l(x)| <= t`. That is a policy,
//! its gain is `(1 - t) g`, and so the optimum is no less. So a violation counts by what it takes
//! to correct it: a policy that ignores a target of 1e-10 violates it by no more than that, and is
//! found out all the same.

use super::matrix::dot;
use super::support::Support;

/// The relative error of the tallies.
const ROUNDING: f64 = 1e-14;

/// A row of the moments depends on others if no more than this share is left of it.
const DEPENDENT: f64 = 1e-13;

/// The greatest gap relative to the gain. `K/g*`, how many are screened in expectation, is then
/// right to the candidate up to ten million of them. Fits come to 1e-11; an interior point has 1e-8
/// to spare.
const CERTIFIED: f64 = 1e-7;

/// The most by which an answer may miss the targets, in mass.
const MISS: f64 = 1e-9;

/// Below this share of the bound a gain cannot be distinguished from 0.
pub(super) const NO_GAIN: f64 = 1e-7;

/// The proven facts of a policy.
pub(super) struct Certificate {
    /// The gain of the policy.
    pub gain: f64,
    /// The most by which the mass accepted of a value differs from its target's share of the gain.
    pub violation: f64,
    /// The upper bound of the gain of any policy that keeps to the targets.
    pub ceiling: f64,
    /// The lower bound of the best gain: a policy that keeps to the targets reaches it.
    pub floor: f64,
}

impl Certificate {
    /// The largest possible distance of the gain from the optimum.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.ceiling - self.gain).max(self.gain - self.floor)
    }

    /// Returns true if the gain is optimal up to the tolerance and the targets are kept. False if a
    /// number is NaN.
    pub fn holds(&self) -> bool {
        self.gap() <= CERTIFIED * self.gain && self.ceiling >= self.floor && self.violation <= MISS
    }

    /// Makes the certificate of the probabilities `pi` of the cells, by the proof `v`, which need
    /// not be scaled.
    pub fn new(support: &Support, pi: &[f64], v: &[f64]) -> Self {
        let taken = support.cells.mass.iter().zip(pi).map(|(p, pi)| p * pi);
        let taken = support.cells.weighing(taken.collect());
        let whole = taken.sums(&vec![0.0; support.targets.len()]);
        let accepted = taken.tally(&whole, |_, _, m| m);
        let (gain, excess) = (support.gain(&accepted), support.excess(&accepted));
        let moments = taken.moments(&whole, |_, _, m| m);
        let mut kept = moments.clone();
        support
            .spare()
            .into_iter()
            .for_each(|place| kept.strike(place));
        let factored = kept.factor(DEPENDENT);
        let noise: Vec<f64> = accepted.iter().map(|a| ROUNDING * a).collect();
        let mend = factored.solve(&excess);
        // Rows that depend on others are corrected with them, or not at all.
        let rest = moments.times(&mend);
        let values = rest.iter().zip(&excess).zip(&noise);
        let mended = values
            .into_iter()
            .all(|((a, b), noise)| (a - b).abs() <= 10.0 * noise);
        let effort = if mended {
            spread(support, &mend) + spread(support, &factored.solve(&noise))
        } else {
            1.0
        };
        Self {
            gain,
            violation: excess.iter().fold(0.0, |worst, e| e.abs().max(worst)),
            ceiling: ceiling(support, v),
            floor: gain * (1.0 - effort).max(0.0),
        }
    }
}

/// Returns `sum_x p(x) max(0, v(x)) / sum rho v`, plus what rounding may have taken from it.
/// Infinite if v proves nothing.
pub(super) fn ceiling(support: &Support, v: &[f64]) -> f64 {
    let scale = dot(v, &support.targets);
    let v: Vec<f64> = v.iter().map(|v| v / scale).collect();
    let sizes: Vec<f64> = v.iter().map(|v| v.abs()).collect();
    let rounding = 2.0 * support.levels().len() as f64 * f64::EPSILON;
    let slack = rounding * dot(&sizes, &support.shares);
    let doubt = rounding * dot(&sizes, &support.targets);
    let cells = &support.cells;
    let total = cells.total(&cells.sums(&v), |l, r, p| p * (l + r).max(0.0));
    let ceiling = (total + slack) / (1.0 - doubt);
    if doubt < 1.0 && ceiling.is_finite() {
        ceiling
    } else {
        f64::INFINITY
    }
}

/// A bound on `|l(x)|`.
fn spread(support: &Support, l: &[f64]) -> f64 {
    let largest = |row: &[f64]| row.iter().fold(0.0f64, |most, l| most.max(l.abs()));
    support.ranges().map(|range| largest(&l[range])).sum()
}
