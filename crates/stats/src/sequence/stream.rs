//! Live streams: the empirical Bernstein confidence sequence with the gamma-exponential mixture
//! boundary. Howard, Ramdas, McAuliffe and Sekhon (2021), "Time-uniform, nonparametric,
//! nonasymptotic confidence sequences", Theorem 4 and Proposition 9.
//!
//! What is covered is the running average of the conditional means, (1/t) sum of E(Z_i | all before
//! i): policies learn and pools move, so there is no one mean to be had.

use super::e_value;
use kleroterion_core::bisect::bisect;
use statrs::function::gamma::{checked_gamma_lr, ln_gamma};

/// The most secants of the bracket in which a boundary lies, and how narrow they make it.
const SECANTS: usize = 30;
const NEAR: f64 = 1e-13;
/// The most halvings of what is left of it.
const HALVINGS: usize = 200;

/// The boundary u(v). With probability at least `1 - a`, the sum of the values less their
/// conditional means stays below u(V_t) at all times.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// ln(1/a).
    level: f64,
    rho: f64,
    /// k ln k - lnGamma(k) - ln P(k, k) at k = rho.
    start: f64,
}

impl Boundary {
    /// Makes the boundary of level `1 - a` (0 < a < 1/2), tightest about v = `v_opt` (above 0).
    #[must_use]
    pub fn new(a: f64, v_opt: f64) -> Self {
        let twice = 2.0 * libm::log(1.0 / (2.0 * a));
        let rho = v_opt / (twice + libm::log1p(twice));
        Self {
            level: -libm::log(a),
            rho,
            start: rho * libm::log(rho) - ln_gamma(rho) - ln_lower_gamma(rho, rho),
        }
    }

    /// The parameter of the mixture.
    #[must_use]
    pub fn rho(&self) -> f64 {
        self.rho
    }

    /// Returns the logarithm of the mixture of exp(l s - v psi(l)) over l, psi(l) = -ln(1 - l) - l:
    /// an e-process in (S_t, V_t).
    #[must_use]
    pub fn ln_mixture(&self, s: f64, v: f64) -> f64 {
        let (w, y) = (v + self.rho, s + v + self.rho);
        // lnGamma(w) - w ln y + s + v, without the cancellation of numbers of the size of w ln w.
        let rest = (ln_gamma(w) - w * libm::log(w) + w) + (s - w * libm::log1p(s / w)) - self.rho;
        self.start + ln_lower_gamma(w, y) + rest
    }

    /// Returns true if the mixture has come to 1/a.
    fn is_reached(&self, s: f64, v: f64) -> bool {
        self.ln_mixture(s, v) >= self.level
    }

    /// Returns u(v), v >= 0: the s >= 0 at which the mixture reaches 1/a, from above.
    #[must_use]
    pub fn at(&self, v: f64) -> f64 {
        let excess = |s: f64| self.ln_mixture(s, v) - self.level;
        let (mut lo, mut below) = (0.0, excess(0.0));
        let (mut hi, mut above) = (1.0, excess(1.0));
        while above < 0.0 {
            (lo, below) = (hi, above);
            hi *= 2.0;
            above = excess(hi);
        }
        // Regula falsi, the end that stays counting for half (Illinois), comes near in few steps.
        let mut was_above = None;
        for _ in 0..SECANTS {
            let middle = (lo * above - hi * below) / (above - below);
            if hi - lo <= NEAR * hi || middle <= lo || middle >= hi {
                break;
            }
            let found = excess(middle);
            let is_above = found >= 0.0;
            let stays = if was_above == Some(is_above) {
                0.5
            } else {
                1.0
            };
            if is_above {
                (hi, above, below) = (middle, found, stays * below);
            } else {
                (lo, below, above) = (middle, found, stays * above);
            }
            was_above = Some(is_above);
        }
        bisect((lo, hi), HALVINGS, |s| !self.is_reached(s, v)).1
    }
}

/// Returns ln P(k, x), the regularised lower incomplete gamma function.
fn ln_lower_gamma(k: f64, x: f64) -> f64 {
    // Both are above 0 and finite for all v and s that come from values.
    libm::log(checked_gamma_lr(k, x).unwrap_or(f64::NAN))
}

/// The confidence sequence of a stream of values in \[0, 1\], one value at a time, in constant
/// memory.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamSequence {
    boundary: Boundary,
    n: u64,
    sum: f64,
    /// V: the sum of the squares of value less mean of those before, 1/2 at first.
    variance: f64,
}

impl StreamSequence {
    /// The name of this method.
    pub const METHOD: &'static str = "empirical Bernstein (any time)";

    /// Makes an empty sequence of level `1 - alpha` (0 < alpha < 1), tightest if V is about
    /// `v_opt`. A `v_opt` of 10 suits values as they come, and 1 suits paired differences, whose
    /// variance is tiny.
    #[must_use]
    pub fn new(alpha: f64, v_opt: f64) -> Self {
        Self {
            boundary: Boundary::new(alpha / 2.0, v_opt),
            n: 0,
            sum: 0.0,
            variance: 0.0,
        }
    }

    /// Takes in a value of \[0, 1\].
    pub fn add(&mut self, value: f64) {
        let gap = value - self.mean();
        self.variance += gap * gap;
        self.sum += value;
        self.n += 1;
    }

    /// The number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.n
    }

    /// The mean of the values; 1/2 before the first.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.n == 0 {
            0.5
        } else {
            self.sum / self.n as f64
        }
    }

    /// V, the variance at which the boundary is taken.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// Returns two e-values at this moment: that the running average of the conditional means is
    /// above `bound`, and that it is below. They are the mixture itself, or 0 (which is less) if
    /// the mean lies on the other side.
    #[must_use]
    pub fn e_values(&self, bound: f64) -> [f64; 2] {
        self.ln_e_values(bound).map(e_value)
    }

    /// Returns the logarithms of the e-values; minus infinity for 0.
    #[must_use]
    pub fn ln_e_values(&self, bound: f64) -> [f64; 2] {
        let above = self.sum - bound * self.n as f64;
        [above, -above].map(|s| match s > 0.0 {
            true => self.boundary.ln_mixture(s, self.variance),
            false => f64::NEG_INFINITY,
        })
    }

    /// Estimates the total number of values that bring the interval away from `bound`, if mean and
    /// variance stay the same. `None` if they never would, or not within 10^15.
    #[must_use]
    pub fn likely(&self, bound: f64) -> Option<u64> {
        let n = self.n as f64;
        let gap = (self.mean() - bound).abs();
        let spread = self.variance / n;
        let enough = |all: f64| self.boundary.is_reached(gap * all, spread * all);
        let mut most = n;
        while self.n > 0 && gap > 0.0 && most < 1e15 {
            if enough(most) {
                let mut least = 0.0;
                while most - least > 1.0 {
                    let middle = (0.5 * (least + most)).floor();
                    if enough(middle) {
                        most = middle;
                    } else {
                        least = middle;
                    }
                }
                return Some(most as u64);
            }
            most *= 2.0;
        }
        None
    }

    /// Returns the boundary at the variance so far: the largest distance of the sum from that of
    /// the conditional means. It never falls.
    #[must_use]
    pub fn boundary(&self) -> f64 {
        self.boundary.at(self.variance)
    }

    /// The boundary at another variance.
    pub(crate) fn boundary_at(&self, variance: f64) -> f64 {
        self.boundary.at(variance)
    }

    /// Returns the distance of the sum of the values from its value if all were `bound`.
    pub(crate) fn sum_less(&self, bound: f64) -> f64 {
        self.sum - bound * self.n as f64
    }

    /// Returns the interval for the running average of the conditional means, within \[0, 1\].
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        self.interval_within(self.boundary())
    }

    /// Returns the interval by another boundary, at another level for the same values.
    #[must_use]
    pub fn interval_by(&self, boundary: &Boundary) -> (f64, f64) {
        self.interval_within(boundary.at(self.variance))
    }

    /// The interval in which the sum lies within a boundary of that of the conditional means.
    pub(crate) fn interval_within(&self, boundary: f64) -> (f64, f64) {
        if self.n == 0 {
            return (0.0, 1.0);
        }
        let half = boundary / self.n as f64;
        let mean = self.mean();
        ((mean - half).max(0.0), (mean + half).min(1.0))
    }
}

#[cfg(test)]
mod tests;
