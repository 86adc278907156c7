//! Confidence sets of the law round its estimate: Lemma 3 of Do et al. 2021 as printed, and two
//! that the paper speaks of.
//!
//! Each holds the law at every t at once with probability `1 - delta/3`, because what it spends at
//! t sums to that over t. With m cells and `d(t) = delta / (3 t (t + 1))`:
//!
//! - [`ConfidenceSet::Printed`]: equation (3), `sqrt(2 m ln(6 m t (t + 1) / delta) / t)` in l1.
//! - [`ConfidenceSet::Weissman`]: what Weissman et al. (2003) prove of an empirical law,
//!   `P(|p^ - p|_1 >= e) <= (2^m - 2) exp(-t e^2 / 2)`, solved for e at `d(t)`. Equation (3) has the
//!   logarithm times m where this has m plus the logarithm.
//! - [`ConfidenceSet::Bernstein`]: each p(x) by Maurer and Pontil (2009, Theorem 4), with V the
//!   sample variance of an indicator: `sqrt(2 V L / t) + 7 L / (3 (t - 1))`,
//!   `L = ln(2 / (d(t) / 2 m))`.

use super::Counts;
use std::f64::consts::LN_2;

/// The confidence set of laws around the estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfidenceSet {
    /// Equation (3) of the paper.
    #[default]
    Printed,
    /// Weissman's inequality without the slack of equation (3).
    Weissman,
    /// An interval for each type, by Bernstein's inequality with the estimated variance.
    Bernstein,
}

/// The distance of laws in a confidence set from the estimate.
#[derive(Clone, Debug, PartialEq)]
pub enum ConfidenceReach {
    /// One distance for all cells together, in l1.
    Together(f64),
    /// A distance for each cell.
    Each(Vec<f64>),
}

impl From<f64> for ConfidenceReach {
    fn from(radius: f64) -> Self {
        Self::Together(radius)
    }
}

impl ConfidenceReach {
    /// Returns true if a law lies within this distance of an estimate, up to a tolerance of `miss`.
    #[must_use]
    pub fn holds(&self, law: &[f64], p_hat: &[f64], miss: f64) -> bool {
        let gaps = law.iter().zip(p_hat).map(|(p, q)| (p - q).abs());
        match self {
            Self::Together(radius) => gaps.sum::<f64>() <= radius + miss,
            Self::Each(most) => {
                let mut each = gaps.zip(most);
                each.all(|(gap, most)| gap <= most + miss)
            }
        }
    }
}

impl ConfidenceSet {
    /// Returns the confidence set given the counts, its distances times `scale`. Before the first
    /// candidate, and before the second one for intervals, it contains every law.
    #[must_use]
    pub fn reach(self, counts: &Counts, delta: f64, scale: f64) -> ConfidenceReach {
        let (cells, t) = (counts.by_cell().len(), counts.screened());
        match self {
            Self::Printed => ConfidenceReach::Together(radius(cells, t, delta, scale)),
            Self::Weissman => ConfidenceReach::Together(tight_radius(cells, t, delta, scale)),
            Self::Bernstein => {
                let shares = counts.shares();
                let each = shares.iter().map(|p| interval(cells, t, *p, delta, scale));
                ConfidenceReach::Each(each.collect())
            }
        }
    }
}

/// Returns `beta_l` of equation (3) at `tau_l - 1 = t`, times `scale`: the radius in l1 of the
/// confidence set around p^ after t candidates of `cells` types. Infinite at t = 0.
#[must_use]
pub fn radius(cells: usize, t: u64, delta: f64, scale: f64) -> f64 {
    if t == 0 {
        return f64::INFINITY;
    }
    let (x, t) = (cells as f64, t as f64);
    scale * (2.0 * x * libm::log(6.0 * x * (t + 1.0) * t / delta) / t).sqrt()
}

/// Returns the radius by Weissman's inequality, times `scale`. Infinite at t = 0.
#[must_use]
pub fn tight_radius(cells: usize, t: u64, delta: f64, scale: f64) -> f64 {
    if t == 0 {
        return f64::INFINITY;
    }
    // ln(2^m - 2) = m ln 2 + ln(1 - 2^(1 - m)); with one cell there is one law.
    let (m, t) = (cells as f64, t as f64);
    let subsets = m * LN_2 + libm::log1p(-libm::exp2(1.0 - m));
    let exponent = subsets + libm::log(3.0 * t * (t + 1.0) / delta);
    scale * (2.0 * exponent.max(0.0) / t).sqrt()
}

/// Half the interval of a cell whose share among t candidates is p, times `scale`. Infinite below
/// t = 2.
fn interval(cells: usize, t: u64, p: f64, delta: f64, scale: f64) -> f64 {
    if t < 2 {
        return f64::INFINITY;
    }
    let (m, t) = (cells as f64, t as f64);
    let log = libm::log(12.0 * m * t * (t + 1.0) / delta);
    let variance = p * (1.0 - p) * t / (t - 1.0);
    scale * ((2.0 * variance * log / t).sqrt() + 7.0 * log / (3.0 * (t - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With log = ln(12 m t (t + 1) / delta) = 1: at p = 1/2 and t = 2 the variance is 1/2.
    #[test]
    fn intervals_begin_with_two_candidates() {
        for t in [0, 1] {
            assert_eq!(interval(3, t, 0.5, 0.1, 1.0), f64::INFINITY);
        }
        let delta = 12.0 * 3.0 * 2.0 * 3.0 / std::f64::consts::E;
        let due = 0.5_f64.sqrt() + 7.0 / 3.0;
        assert!((interval(3, 2, 0.5, delta, 1.0) - due).abs() < 1e-12);
        assert!((interval(3, 2, 0.5, delta, 0.1) - 0.1 * due).abs() < 1e-12);
    }
}
