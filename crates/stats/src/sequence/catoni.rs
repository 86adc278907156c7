//! Means of quantities without a range, where a bound on their variance is stated: a confidence
//! sequence of Catoni's kind.
//!
//! Catoni's influence function phi(x) = ln(1 + x + x^2/2) for x >= 0, -phi(-x) below, grows like a
//! logarithm, so that no single value decides. Where the values have the mean m, given all that
//! came before, and a variance of at most s^2, exp(sum of phi(l (X_i - m)) - n l^2 s^2 / 2) is a
//! supermartingale for each fixed l > 0, and so is the mean K(m) of several such. It reaches
//! 2/alpha with chance alpha/2 at most, at any time (Ville). K falls in m; the lower limit is the m
//! at which K is 2/alpha, and the upper one is that of the mirrored values. After Wang and Ramdas
//! (2023), "Catoni-style confidence sequences for heavy-tailed mean estimation". They let l fall
//! from value to value. Here it is an equal mixture of twelve fixed ones, each the best at one
//! number of values.

use super::prefixes::Search;
use super::{e_value, ln_mean_exp};
use kleroterion_core::bisect::bisect;

/// The number of tilts in the mixture; the k-th is tuned for 4^k values, k = 0, 1, ...
const TILTS: usize = 12;

/// Halvings of the bracket in which a limit lies, and doublings until it is found.
const STEPS: usize = 200;

/// Catoni's influence function, the steepest of those for which exp(phi(x)) <= 1 + x + x^2/2 and
/// exp(-phi(x)) <= 1 - x + x^2/2.
fn phi(x: f64) -> f64 {
    let size = x.abs();
    // Beyond, 1 + x is lost in x^2/2, and the square would overflow in the end.
    let grown = match size < 1e12 {
        true => libm::log1p(size + 0.5 * size * size),
        false => 2.0 * libm::log(size) - std::f64::consts::LN_2,
    };
    grown.copysign(x)
}

/// The l of the mixture, for a variance of at most `variance` and a level of `1 - alpha` on both
/// sides.
fn tilts(variance: f64, alpha: f64) -> [f64; TILTS] {
    let first = libm::sqrt(2.0 * libm::log(2.0 / alpha) / variance);
    // Each is half of the one before.
    std::array::from_fn(|k| first * libm::exp2(-(k as f64)))
}

/// An e-process: evidence, one value at a time, that the mean of values is above some bound.
#[derive(Clone, Debug)]
pub struct Tilted {
    bound: f64,
    variance: f64,
    tilts: [f64; TILTS],
    /// The sum of phi(l (X - bound)) for each tilt.
    sums: [f64; TILTS],
    n: u64,
}

impl Tilted {
    /// Makes the evidence against a mean of at most `bound`, for values with a variance of at most
    /// `variance` (above 0). It is tuned for a level of `1 - alpha`.
    #[must_use]
    pub fn against(bound: f64, variance: f64, alpha: f64) -> Self {
        Self {
            bound,
            variance,
            tilts: tilts(variance, alpha),
            sums: [0.0; TILTS],
            n: 0,
        }
    }

    /// Takes in a value.
    pub fn add(&mut self, value: f64) {
        for (sum, tilt) in self.sums.iter_mut().zip(self.tilts) {
            *sum += phi(tilt * (value - self.bound));
        }
        self.n += 1;
    }

    /// Returns ln K; 0 at first.
    #[must_use]
    pub fn ln_e(&self) -> f64 {
        ln_mean_exp(&self.exponents())
    }

    /// Returns the e-value K: at most 1 in expectation, at any time, if mean and variance are
    /// within their bounds.
    #[must_use]
    pub fn e_value(&self) -> f64 {
        e_value(self.ln_e())
    }

    fn exponents(&self) -> [f64; TILTS] {
        let cost = 0.5 * self.variance * self.n as f64;
        std::array::from_fn(|k| self.sums[k] - cost * self.tilts[k] * self.tilts[k])
    }
}

/// The interval for values without a range, under a stated bound on their variance.
#[derive(Clone, Copy, Debug)]
pub struct Catoni;

impl Catoni {
    /// The name of this kind of interval in `summary.json`; the bound itself is given with the
    /// pair.
    pub const METHOD: &'static str = "Catoni (any time, variance bounded as stated)";

    /// Returns the interval of level `1 - alpha` for the mean of `values`. `None` if there are no
    /// values, or if no mean fits them. Their variance is then larger than `variance`, or an event
    /// of probability at most alpha happened.
    #[must_use]
    pub fn interval(values: &[f64], variance: f64, alpha: f64) -> Option<(f64, f64)> {
        if values.is_empty() {
            return None;
        }
        let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
        let lo = Self::lower(values, variance, alpha)?;
        let hi = -Self::lower(&mirrored, variance, alpha)?;
        (lo <= hi).then_some((lo, hi))
    }

    /// Returns the intervals of the first n values for each n of `at`, which rise from 1 on. They
    /// equal those of [`Catoni::interval`] up to 1e-9 standard deviations.
    #[must_use]
    pub fn intervals(
        values: &[f64],
        variance: f64,
        alpha: f64,
        at: &[usize],
    ) -> Vec<Option<(f64, f64)>> {
        let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
        let lowers = |values: &[f64]| {
            let search = Search {
                ends: (f64::NEG_INFINITY, f64::INFINITY),
                tolerance: 1e-9 * libm::sqrt(variance),
            };
            let level = libm::log(2.0 / alpha);
            let start = values.first().copied().unwrap_or_default();
            search.limits(at, start, |n, m| {
                let mut tilted = Tilted::against(m, variance, alpha);
                values[..n].iter().for_each(|value| tilted.add(*value));
                tilted.ln_e() - level
            })
        };
        let ends = lowers(values).into_iter().zip(lowers(&mirrored));
        let fits = |(lo, down): (f64, f64)| (lo.is_finite() && lo <= -down).then_some((lo, -down));
        ends.map(fits).collect()
    }

    /// The m at which K(m) = 2/alpha, from below.
    fn lower(values: &[f64], variance: f64, alpha: f64) -> Option<f64> {
        let level = libm::log(2.0 / alpha);
        let refuted = |m: f64| {
            let mut tilted = Tilted::against(m, variance, alpha);
            values.iter().for_each(|&value| tilted.add(value));
            tilted.ln_e() >= level
        };
        // From a value in the middle, which the largest can't move, out to both sides.
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted[sorted.len() / 2];
        let mut step = libm::sqrt(variance);
        let (mut lo, mut hi) = (middle - step, middle + step);
        for _ in 0..STEPS {
            match (refuted(lo), refuted(hi)) {
                (true, false) => break,
                (false, _) => lo -= step,
                (true, true) => hi += step,
            }
            step *= 2.0;
        }
        let (lo, _) = bisect((lo, hi), STEPS, refuted);
        lo.is_finite().then_some(lo)
    }

    /// Estimates the total number of values that refute a mean of at most `bound`, if those to come
    /// are like `values`. `None` if nothing speaks against it so far.
    #[must_use]
    pub fn likely(values: &[f64], bound: f64, variance: f64, alpha: f64) -> Option<f64> {
        let mut tilted = Tilted::against(bound, variance, alpha);
        values.iter().for_each(|&value| tilted.add(value));
        let growth = tilted.exponents().map(|ln| ln / values.len() as f64);
        let best = growth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // NaN where there are no values.
        if best.is_nan() || best <= 0.0 {
            return None;
        }
        let level = libm::log(2.0 / alpha);
        let ends = (level / best, (level + libm::log(TILTS as f64)) / best);
        let falls_short = |n| ln_mean_exp(&growth.map(|growth| growth * n)) < level;
        Some(bisect(ends, STEPS, falls_short).1)
    }
}

#[cfg(test)]
mod tests;
