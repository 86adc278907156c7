//! Ranks by Zipf's law, as sums.

use std::sync::Arc;

/// The running sums of k^-s for k = 1, 2, ..., over their total.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    sums: Arc<[f64]>,
    mean: f64,
    variance: f64,
}

impl Ranks {
    /// The sums over the ranks 1 .. n.
    pub(super) fn new(n: u64, s: f64) -> Self {
        let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
        let sums = (1..=n).map(|rank| {
            let rank = rank as f64;
            let weight = libm::pow(rank, -s);
            total += weight;
            first += weight * rank;
            second += weight * rank * rank;
            total
        });
        let sums: Vec<f64> = sums.collect();
        let mean = first / total;
        Self {
            sums: sums.iter().map(|sum| sum / total).collect(),
            mean,
            variance: (second / total - mean * mean).max(0.0),
        }
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        let rank = (x.floor().max(0.0) as usize).min(self.sums.len());
        rank.checked_sub(1).map_or(0.0, |at| self.sums[at])
    }

    pub(super) fn moments(&self) -> (f64, f64) {
        (self.mean, self.variance)
    }
}
