//! Clipped fitting: the program where the bound on the gain is not attained, as the minimum of a
//! convex function in `sum_i D_i` variables.
//!
//! Ours, not the paper's. Among the policies that meet the targets, that which maximises
//! `sum p pi - sum p pi^2 / (2 n)` has the form `pi(x) = min(1, max(0, s(x)))`,
//! `s(x) = sum_i b^i_{x^i}`, where b minimises `sum p f(s(x))` subject to
//! `sum_{i,j} rho^i_j b^i_j = n`, `f` being the integral of the clipping. (So it is the like of the
//! capped fit, with a sum for the product and a multiplier for the gain.) Since the program is
//! linear, it is solved exactly as soon as n is large enough (Mangasarian and Meyer, Nonlinear
//! perturbation of linear programs, 1979), and then `pi` is the one of least `sum p pi^2` among the
//! optimal: canonical, and described by `sum_i D_i` numbers.
//!
//! n grows by steps; at each, Newton's method from where b is heading. Once n is large enough b
//! goes straight on as n grows, in a direction that is a proof of optimality (`certificate.rs`):
//! `v(x)` is at least 0 where `pi = 1`, at most 0 where `pi = 0`, and 0 between. A Newton step
//! costs a pass over the cells and the solution of a system in the values.

use super::certificate::{NO_GAIN, ceiling};
use super::matrix::{Matrix, dot};
use super::newton::Descent;
use super::support::Support;

/// Converged: no value's accepted mass is further than this from its target, relatively.
const CONVERGED: f64 = 1e-13;

/// The tolerance accepted if further steps bring no progress, because the sums are then too large.
const ALMOST: f64 = 1e-7;

/// The steps without progress that are allowed, near the target and far from it.
const STALE: [usize; 2] = [2, 100];

/// Solved: the gain is this near to the proven bound on it, relatively.
const SOLVED: f64 = 1e-11;

/// The first value of n.
const FIRST: f64 = 0.5;

/// The factor by which n grows at a time.
const GROWTH: f64 = 4.0;

/// The largest n, because the rounding of the sums grows with it.
const LAST: f64 = 1e9;

/// Most Newton steps in all.
const NEWTON_STEPS: usize = 500;

/// The longest step, as a multiple of the largest sum.
const STRIDE: f64 = 10.0;

/// The least ridge (see `newton.rs`) after n has grown, times n.
const RIDGE: f64 = 1e-3;

/// The state that the fit reached; the certificate says what it is worth.
pub(super) struct Clipped {
    /// The sum `b^i_j` of each value.
    pub sums: Vec<f64>,
    /// The best proof of a bound on the gain.
    pub dual: Vec<f64>,
    /// The number of Newton steps.
    pub steps: usize,
}

/// Fits the sums.
pub(super) fn fit(support: &Support) -> Clipped {
    let (bound, place) = support.bound();
    let mut n = FIRST;
    let each = n / support.levels().len() as f64;
    let mut path = Path {
        support,
        point: Descent::new(vec![each; support.targets.len()], support.spare()),
        steps: 0,
    };
    // The bound is a proof of itself.
    let (mut best, mut dual) = (bound, vec![0.0; support.targets.len()]);
    dual[place] = 1.0;
    loop {
        let (gain, headings) = path.descend(NO_GAIN * bound);
        for v in headings.iter().chain([&path.point.at]) {
            let ceiling = ceiling(support, v);
            if ceiling < best {
                (best, dual) = (ceiling, v.clone());
            }
        }
        let done = (best - gain).abs() <= SOLVED * gain || best <= NO_GAIN * bound;
        if done || n >= LAST || path.steps >= NEWTON_STEPS {
            return Clipped {
                sums: path.point.at,
                dual,
                steps: path.steps,
            };
        }
        path.leap((GROWTH - 1.0) * n, &headings);
        n *= GROWTH;
        path.point.stiffen_to(RIDGE / n);
    }
}

/// The path of b as n grows.
struct Path<'a> {
    support: &'a Support,
    point: Descent,
    steps: usize,
}

impl Path<'_> {
    /// Moves to the minimum at fixed n. Returns the gain there and the possible directions of b,
    /// per unit of n. Gains below `least` count as none.
    fn descend(&mut self, least: f64) -> (f64, [Vec<f64>; 2]) {
        let support = self.support;
        let (mut lowest, mut stale) = (f64::INFINITY, 0);
        loop {
            let accepted = accepted(support, &self.point.at);
            let (gain, excess) = (support.gain(&accepted), support.excess(&accepted));
            let curvature = curvature(support, &self.point.at);
            let factored = self.point.factor(curvature, &support.shares);
            let along = |right: &[f64]| -> Vec<f64> {
                let b = factored.solve(right);
                let scale = dot(&b, &support.targets);
                b.iter().map(|b| b / scale).collect()
            };
            let heading = along(&support.targets);
            let weighted = self.point.at.iter().zip(&support.shares);
            let flat = along(&weighted.map(|(b, share)| b * share).collect::<Vec<f64>>());
            let error = support.error(&excess, gain.max(least));
            stale += 1;
            if error <= 0.5 * lowest {
                (lowest, stale) = (error, 0);
            }
            let [near, far] = STALE;
            let patience = if error <= ALMOST { near } else { far };
            if error <= CONVERGED || stale > patience || self.steps >= NEWTON_STEPS {
                return (gain, [heading, flat]);
            }
            // Along the constraint: what the step without it would change in n, is taken back on
            // the way b is heading.
            let back = factored.solve(&excess);
            let change = dot(&back, &support.targets);
            let values = back.iter().zip(&heading);
            let mut step: Vec<f64> = values
                .map(|(back, heading)| change * heading - back)
                .collect();
            let scale = (STRIDE * largest(&self.point.at).max(1.0) / largest(&step)).min(1.0);
            step.iter_mut().for_each(|s| *s *= scale);
            self.steps += 1;
            let gradient = |b: &[f64]| support.excess(&self::accepted(support, b));
            if !self.point.go(&step, &excess, gradient) && !self.point.stiffen() {
                return (gain, [heading, flat]);
            }
        }
    }

    /// Makes n greater: in whichever direction, the headings or b's own, the function is then
    /// least.
    fn leap(&mut self, by: f64, headings: &[Vec<f64>]) {
        let b = &self.point.at;
        let n = dot(b, &self.support.targets);
        let own: Vec<f64> = b.iter().map(|b| b / n).collect();
        let there = headings.iter().chain([&own]).map(|heading| {
            let values = b.iter().zip(heading);
            let b: Vec<f64> = values.map(|(b, h)| b + by * h).collect();
            (height(self.support, &b), b)
        });
        let there = there.filter(|(height, _)| height.is_finite());
        if let Some((_, b)) = there.min_by(|a, b| a.0.total_cmp(&b.0)) {
            self.point.at = b;
        }
    }
}

/// The function, but for n.
fn height(support: &Support, b: &[f64]) -> f64 {
    let cells = &support.cells;
    cells.total(&cells.sums(b), |l, r, p| {
        let s = (l + r).max(0.0);
        p * if s < 1.0 { 0.5 * s * s } else { s - 0.5 }
    })
}

/// Per value, the mass accepted.
fn accepted(support: &Support, b: &[f64]) -> Vec<f64> {
    let cells = &support.cells;
    cells.tally(&cells.sums(b), |l, r, p| p * (l + r).clamp(0.0, 1.0))
}

/// The second derivatives.
fn curvature(support: &Support, b: &[f64]) -> Matrix {
    let cells = &support.cells;
    cells.moments(&cells.sums(b), |l, r, p| {
        let s = l + r;
        if s > 0.0 && s < 1.0 { p } else { 0.0 }
    })
}

/// The greatest absolute value.
fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| x.abs().max(most))
}
