//! Capped proportional fitting: the canonical policy where the bound on the gain is attained.
//!
//! Ours, not the paper's. Of all the policies that meet the targets at gain g, the one nearest to
//! "accept in proportion" (least `sum p pi (ln pi - 1)`) has the form
//! `pi(x) = min(1, prod_i a^i_{x^i})`. With `t^i_j = ln a^i_j`, `t(x) = sum_i t^i_{x^i}`, and
//! `f(s)` being `e^s` up to 0 and `1 + s` beyond, it minimises the convex function
//! `sum_x p(x) f(t(x)) - g sum_{i,j} rho^i_j t^i_j`: Newton's method does so in 5 to 10 steps
//! (iterative proportional fitting, one attribute after the other, in 5 to a thousand sweeps).
//! Nothing in this needs independent attributes: any law will do.
//!
//! We fit at g = the bound. Where no policy attains it, the function has no least value and t runs
//! away; as soon as `sum_x p(x) max(0, t(x)) < g sum rho t` along with it, that is proven.

use super::matrix::{Matrix, dot};
use super::newton::Descent;
use super::support::Support;

/// Converged: no value's accepted mass is further than this from its target, relatively.
const CONVERGED: f64 = 1e-13;

/// The tolerance accepted if rounding allows no further step.
const ALMOST: f64 = 1e-10;

/// A value is taken whole where its target mass is this near to its whole mass, relatively (ties of
/// the bound differ by rounding).
const WHOLE: f64 = 1e-12;

/// Differences smaller than this share of their terms prove nothing.
const ROUNDING: f64 = 1e-12;

/// Most steps.
const STEPS: usize = 100;

/// The longest step of a factor's logarithm.
const STRIDE: f64 = 20.0;

/// A fit that met every target.
pub(super) struct Fitted {
    /// The factor of each value: 0 if the target is 0, infinite if the value is accepted whole.
    pub factors: Vec<f64>,
    /// The number of Newton steps.
    pub steps: usize,
}

/// A fit that did not.
pub(super) struct Stalled {
    /// True if the bound is proven not to be attained.
    pub proven: bool,
    /// The number of Newton steps.
    pub steps: usize,
}

/// Fits the factors at the bound.
pub(super) fn fit(support: &Support) -> Result<Fitted, Stalled> {
    let fit = Fit::new(support);
    let mut point = Descent::new(fit.start(), support.spare());
    for steps in 0..STEPS {
        let excess = fit.excess(&point.at);
        let error = support.error(&excess, fit.gain);
        if error <= CONVERGED {
            return Ok(fit.fitted(&point, steps));
        }
        if fit.runs_away(&point.at) {
            let proven = true;
            return Err(Stalled { proven, steps });
        }
        let mut step = point
            .factor(fit.curvature(&point.at), &fit.movable)
            .solve(&excess);
        let longest = step.iter().fold(0.0f64, |longest, s| longest.max(s.abs()));
        let scale = (STRIDE / longest).min(1.0);
        step.iter_mut().for_each(|s| *s *= -scale);
        if !point.go(&step, &excess, |t| fit.excess(t)) {
            let proven = false;
            return if error <= ALMOST {
                Ok(fit.fitted(&point, steps))
            } else {
                Err(Stalled { proven, steps })
            };
        }
    }
    let (proven, steps) = (false, STEPS);
    Err(Stalled { proven, steps })
}

/// The problem of the fit. Every vector has an entry for each value.
struct Fit<'a> {
    support: &'a Support,
    /// The bound.
    gain: f64,
    /// The mass to be accepted.
    goals: Vec<f64>,
    /// The masses without the cells that have some value which is taken whole.
    left: Vec<f64>,
    /// The share, but 0 where the value is taken whole.
    movable: Vec<f64>,
}

impl<'a> Fit<'a> {
    fn new(support: &'a Support) -> Self {
        let (gain, _) = support.bound();
        let goals: Vec<f64> = support.targets.iter().map(|t| gain * t).collect();
        let shares = goals.iter().zip(&support.shares);
        let movable = shares.map(|(&goal, &share)| {
            let whole = goal >= share * (1.0 - WHOLE);
            if whole { 0.0 } else { share }
        });
        let mut fit = Self {
            support,
            gain,
            left: goals.clone(),
            movable: movable.collect(),
            goals,
        };
        let cells = &support.cells;
        let taken = cells.tally(&cells.sums(&fit.start()), |l, r, p| {
            if l + r == f64::INFINITY { p } else { 0.0 }
        });
        fit.left
            .iter_mut()
            .zip(taken)
            .for_each(|(left, taken)| *left -= taken);
        fit
    }

    /// Logarithms of factors to begin with: those that fit a law of independent attributes if no
    /// cell is capped. Those that are infinite, and those of values with target 0 (no one's, here),
    /// stay.
    fn start(&self) -> Vec<f64> {
        let each = libm::log(self.gain) / self.support.levels().len() as f64;
        let values = self.support.targets.iter().zip(&self.movable);
        values
            .map(|(&target, &share)| {
                if target == 0.0 {
                    0.0
                } else if share == 0.0 {
                    f64::INFINITY
                } else {
                    libm::log(target / share) + each
                }
            })
            .collect()
    }

    /// Returns the excess of the mass accepted over the goal: the gradient.
    fn excess(&self, t: &[f64]) -> Vec<f64> {
        let cells = &self.support.cells;
        let factors = cells.sums(t).map(libm::exp);
        let accepted = cells.tally(&factors, |l, r, p| p * (l * r).min(1.0));
        let movable = accepted.iter().zip(&self.goals).zip(&self.movable);
        movable
            .map(|((a, goal), &share)| if share > 0.0 { a - goal } else { 0.0 })
            .collect()
    }

    /// The second derivatives.
    fn curvature(&self, t: &[f64]) -> Matrix {
        let cells = &self.support.cells;
        cells.moments(&cells.sums(t).map(libm::exp), |l, r, p| {
            let product = l * r;
            if product < 1.0 { p * product } else { 0.0 }
        })
    }

    /// Returns true if `sum p max(0, t(x))`, over the cells that no value takes whole, is less than
    /// `sum left t`. The infinite factors, times enough, and t then make a `v` that proves a bound
    /// below this one (see `certificate.rs`).
    fn runs_away(&self, t: &[f64]) -> bool {
        let cells = &self.support.cells;
        let above = cells.total(&cells.sums(t), |l, r, p| {
            let s = l + r;
            if s < f64::INFINITY {
                p * s.max(0.0)
            } else {
                0.0
            }
        });
        let finite: Vec<f64> = t
            .iter()
            .map(|&t| if t.is_finite() { t } else { 0.0 })
            .collect();
        let terms = finite
            .iter()
            .zip(&self.left)
            .map(|(t, left)| (t * left).abs());
        above - dot(&finite, &self.left) < -ROUNDING * terms.sum::<f64>()
    }

    fn fitted(&self, point: &Descent, steps: usize) -> Fitted {
        let values = point.at.iter().zip(&self.support.targets);
        let factors = values.map(|(&t, &target)| if target > 0.0 { libm::exp(t) } else { 0.0 });
        Fitted {
            factors: factors.collect(),
            steps,
        }
    }
}
