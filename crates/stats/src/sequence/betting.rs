//! Betting on the mean: an equal mixture of nine fixed bets, turned into an interval by inversion.
//!
//! Who doubts that the mean of values in \[0, 1\] is at most m starts with 1 and bets a share f of
//! all on each value Z: it becomes 1 + f (Z/m - 1) times as much. Where the mean, given all that
//! came before, never exceeds m, what one has is a supermartingale: it reaches 1/a with chance a at
//! most, at any time (Ville). So does the mean K of nine of these gamblers. The lower limit is the
//! m at which the greatest K so far is 2/alpha; the upper one is 1 minus that of 1 - Z. So
//! intervals are intersected over time: what K once refuted stays refuted. After Waudby-Smith and
//! Ramdas (2024), "Estimating means of bounded random variables by betting", Section 4; the nine
//! bets are ours.

use super::prefixes::Search;
use super::{e_value, ln_mean_exp, p_value};
use kleroterion_core::bisect::bisect;

/// The shares that are bet.
pub const BETS: [f64; 9] = [0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95];

/// Halvings of the interval in which a limit lies; the last is far below the rounding of any but
/// the tiniest limit.
const HALVINGS: usize = 200;

/// A product that neither overflows nor vanishes: its logarithm, and a factor not yet taken in.
#[derive(Clone, Copy, Debug)]
struct Product {
    ln: f64,
    /// The scale exp(ln).
    scale: f64,
    part: f64,
}

impl Product {
    const ONE: Self = Self {
        ln: 0.0,
        scale: 1.0,
        part: 1.0,
    };

    #[inline]
    fn times(&mut self, factor: f64) {
        self.part *= factor;
        if !(1e-100..=1e100).contains(&self.part) {
            self.ln += libm::log(self.part);
            self.scale = libm::exp(self.ln);
            self.part = 1.0;
        }
    }

    fn ln(self) -> f64 {
        self.ln + libm::log(self.part)
    }
}

/// An e-process: evidence, one value at a time, that the mean of values in \[0, 1\] is above some
/// m.
#[derive(Clone, Debug)]
pub struct Bets {
    m: f64,
    wealth: [Product; BETS.len()],
    greatest: f64,
}

impl Bets {
    /// Makes the evidence against a mean of at most `m`, above 0 (at least 1e-100) and at most 1.
    ///
    /// # Panics
    /// Panics for any other `m`.
    #[must_use]
    pub fn against(m: f64) -> Self {
        assert!((1e-100..=1.0).contains(&m), "no bets against a mean of {m}");
        Self {
            m,
            wealth: [Product::ONE; BETS.len()],
            greatest: 0.0,
        }
    }

    /// Takes in a value of \[0, 1\].
    pub fn add(&mut self, value: f64) {
        self.bet(value);
        self.greatest = self.greatest.max(self.ln_e());
    }

    /// Takes in a value of \[0, 1\] without noting the greatest K.
    #[inline]
    pub(crate) fn bet(&mut self, value: f64) {
        let odds = value / self.m - 1.0;
        for (wealth, bet) in self.wealth.iter_mut().zip(BETS) {
            wealth.times(1.0 + bet * odds);
        }
    }

    /// Returns ln K; 0 at first.
    #[must_use]
    pub fn ln_e(&self) -> f64 {
        ln_mean_exp(&self.wealth.map(Product::ln))
    }

    /// Returns the e-value K: at most 1 in expectation, at any time, if the mean is at most m.
    #[must_use]
    pub fn e_value(&self) -> f64 {
        e_value(self.ln_e())
    }

    /// Returns ln of the greatest K so far, including that of the start (1).
    #[must_use]
    pub fn ln_greatest(&self) -> f64 {
        self.greatest
    }

    /// Returns the anytime p-value, 1 over the greatest K so far. If the mean is at most m, it is
    /// ever at most p with probability at most p.
    #[must_use]
    pub fn p(&self) -> f64 {
        p_value(self.greatest)
    }
}

/// The least m that a search looks at.
const LEAST: f64 = 1e-20;

/// The largest distance by which the limits of [`Betting::intervals`] may lie outside the exact
/// ones.
const OUTSIDE: f64 = 1e-8;

/// More than K need be: no level of a confidence is above it.
const ENOUGH: f64 = 1e100;

/// Returns ln of the greatest K of values against a mean of m, at least 1e-100, after any number of
/// them. It stops at `enough`.
fn ln_greatest(values: &[f64], m: f64, enough: f64) -> f64 {
    let mut wealth = [Product::ONE; BETS.len()];
    let all = BETS.len() as f64;
    let mut most = all;
    // Eight factors at a time need one look at the size of each product.
    for eight in values.chunks(8) {
        for value in eight {
            let odds = value / m - 1.0;
            let mut sum = 0.0;
            for (wealth, bet) in wealth.iter_mut().zip(BETS) {
                wealth.part *= 1.0 + bet * odds;
                sum += wealth.scale * wealth.part;
            }
            most = most.max(sum);
            if most >= enough * all {
                return libm::log(most / all);
            }
        }
        wealth.iter_mut().for_each(|wealth| wealth.times(1.0));
    }
    libm::log(most / all)
}

/// The interval by betting, for values in \[0, 1\].
#[derive(Clone, Copy, Debug)]
pub struct Betting;

impl Betting {
    /// The name of this method in `summary.json`.
    pub const METHOD: &'static str = "betting (any time)";

    /// Returns the interval of level `1 - alpha` for the mean of `values`, each in \[0, 1\]; \[0,
    /// 1\] if there are none. It lies within the interval of fewer of them.
    #[must_use]
    pub fn interval(values: &[f64], alpha: f64) -> (f64, f64) {
        let mirrored: Vec<f64> = values.iter().map(|value| 1.0 - value).collect();
        let after = |n: usize| {
            let lower = |values: &[f64]| Self::lower(&values[..n], alpha / 2.0);
            (lower(values), 1.0 - lower(&mirrored))
        };
        let (mut met, mut crossed) = (0, values.len());
        let all = after(crossed);
        if all.0 <= all.1 {
            return all;
        }
        // No mean is left, which has a chance of alpha at most: the last that were left stay.
        while crossed - met > 1 {
            let middle = met.midpoint(crossed);
            let (lo, hi) = after(middle);
            match lo <= hi {
                true => met = middle,
                false => crossed = middle,
            }
        }
        after(met)
    }

    /// Returns only the lower limit of level `1 - alpha`: the m at which the greatest K(m) so far
    /// is 1/alpha, from below. It is 0 if K stays below.
    #[must_use]
    pub fn lower(values: &[f64], alpha: f64) -> f64 {
        let level = -libm::log(alpha);
        // A hair more, so that rounding cuts no search short of the level.
        let enough = 2.0 / alpha;
        let refuted = |m: f64| ln_greatest(values, m, enough) >= level;
        bisect((0.0, 1.0), HALVINGS, refuted).0
    }

    /// Returns the intervals of the first n values for each n of `at`, which rise from 1 on. Each
    /// is wider than [`Betting::interval`] by at most 1e-8 at either end and lies within the one
    /// before. Many at once cost far less.
    #[must_use]
    pub fn intervals(values: &[f64], alpha: f64, at: &[usize]) -> Vec<(f64, f64)> {
        let mirrored: Vec<f64> = values.iter().map(|value| 1.0 - value).collect();
        let lowers = |values: &[f64]| {
            let search = Search {
                ends: (0.0, 1.0),
                tolerance: 0.9 * OUTSIDE,
            };
            let level = libm::log(2.0 / alpha);
            search.limits(at, 0.25, |n, m| {
                ln_greatest(&values[..n], m.max(LEAST), ENOUGH) - level
            })
        };
        let ends = lowers(values).into_iter().zip(lowers(&mirrored));
        let (mut before, mut is_left) = ((0.0_f64, 1.0_f64), true);
        let within = at.iter().zip(ends).map(|(n, (lo, down))| {
            // A hair outside of what was searched for, which is exact but for rounding.
            let outside = |(lo, hi): (f64, f64)| (lo - 1e-4 * OUTSIDE, hi + 1e-4 * OUTSIDE);
            let meet = |(lo, hi): (f64, f64)| (before.0.max(lo), before.1.min(hi));
            let next = meet(outside((lo, 1.0 - down)));
            if next.0 <= next.1 {
                before = next;
            } else if std::mem::take(&mut is_left) {
                // Between two rows no mean was left: the last that were stay.
                before = meet(outside(Self::interval(&values[..*n], alpha)));
            }
            before
        });
        within.collect()
    }

    /// Estimates the total number of values that refute a mean of at most `m` at level `alpha`, if
    /// values to come are like `values`. `None` if no bet has gained so far.
    #[must_use]
    pub fn likely(values: &[f64], m: f64, alpha: f64) -> Option<f64> {
        let mut bets = Bets::against(m);
        for &value in values {
            bets.bet(value);
        }
        let growth = bets.wealth.map(|wealth| wealth.ln() / values.len() as f64);
        let best = growth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // NaN where there are no values.
        if best.is_nan() || best <= 0.0 {
            return None;
        }
        let level = -libm::log(alpha);
        // ln K is at least n best - ln 9 and at most n best.
        let ends = (level / best, (level + libm::log(BETS.len() as f64)) / best);
        let falls_short = |n| ln_mean_exp(&growth.map(|growth| growth * n)) < level;
        Some(bisect(ends, HALVINGS, falls_short).1)
    }
}

#[cfg(test)]
mod tests;
