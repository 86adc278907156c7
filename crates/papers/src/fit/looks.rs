//! Estimates of sigma, s and j of interviews from past reviews. Schumann et al. 2019, Section 7.3,
//! asks for them and names no estimator.
//!
//! The model: a score is the applicant's worth plus normal noise, of variance sigma^2 in a weak
//! look and sigma^2 / s in a strong one; worths are whatever they are. What two reviews of one kind
//! say of one applicant differs by noise alone, so the variance within applicants, pooled, is an
//! unbiased estimate of the noise, and chi-square over its degrees of freedom.

use std::collections::BTreeMap;

use super::{chi_square_quantile, f_quantile};
use kleroterion_stats::t::t_quantile;

/// The noise of one kind of interview, from reviews of that kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The number of reviews of the kind.
    pub reviews: u64,
    /// The number of applicants with a review of the kind.
    pub applicants: u64,
    /// The number of these applicants with exactly one review, which says nothing about noise.
    pub alone: u64,
    /// The sum of squared deviations of scores from their applicant's mean, in squared units of the
    /// score.
    pub squares: f64,
}

impl Noise {
    /// Computes the noise from pairs of (applicant, score).
    pub fn of<A: Ord>(reviews: impl IntoIterator<Item = (A, f64)>) -> Self {
        let mut scores: BTreeMap<A, Vec<f64>> = BTreeMap::new();
        for (applicant, score) in reviews {
            scores.entry(applicant).or_default().push(score);
        }
        let squares = |scores: &Vec<f64>| -> f64 {
            let mean = mean(scores);
            scores.iter().map(|x| (x - mean) * (x - mean)).sum()
        };
        Self {
            reviews: scores.values().map(|scores| scores.len() as u64).sum(),
            applicants: scores.len() as u64,
            alone: scores.values().filter(|scores| scores.len() == 1).count() as u64,
            squares: scores.values().map(squares).sum(),
        }
    }

    /// Returns the degrees of freedom: reviews less applicants.
    pub fn freedom(&self) -> u64 {
        self.reviews - self.applicants
    }

    /// Returns the unbiased estimate of the noise's variance, or `None` if no applicant has two
    /// reviews.
    pub fn variance(&self) -> Option<f64> {
        let freedom = self.freedom();
        (freedom > 0).then(|| self.squares / freedom as f64)
    }
}

/// The costs of the reviews of one kind, summarised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// The number of costs.
    pub n: u64,
    /// The mean cost, positive, in the unit of the file.
    pub mean: f64,
    /// The squared standard error of the mean; `None` for fewer than two costs.
    pub squared_error: Option<f64>,
}

impl Costs {
    /// Summarises costs; at least one is needed.
    pub fn of(costs: &[f64]) -> Self {
        let (n, mean) = (costs.len() as f64, mean(costs));
        let squares: f64 = costs.iter().map(|x| (x - mean) * (x - mean)).sum();
        Self {
            n: costs.len() as u64,
            mean,
            squared_error: (costs.len() > 1).then(|| squares / (n - 1.0) / n),
        }
    }
}

/// About the first, so that equal values have exactly their own mean.
fn mean(values: &[f64]) -> f64 {
    let first = values[0];
    first + values.iter().map(|x| x - first).sum::<f64>() / values.len() as f64
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookEstimate {
    /// The estimate.
    pub value: f64,
    /// The ends of the interval; `None` if the data give no bounds.
    pub interval: Option<(f64, f64)>,
}

/// Estimates the standard deviation of an interview of gain 1, in units of the score: the root of
/// the pooled variance within applicants. The interval is the chi-square interval of level `1 -
/// alpha`. Returns `None` if the noise is unknown.
pub fn sigma(weak: &Noise, alpha: f64) -> Option<LookEstimate> {
    let variance = weak.variance()?;
    let freedom = weak.freedom() as f64;
    let bound = |p| (weak.squares / chi_square_quantile(p, freedom)).sqrt();
    Some(LookEstimate {
        value: variance.sqrt(),
        interval: Some((bound(1.0 - alpha / 2.0), bound(alpha / 2.0))),
    })
}

/// Estimates the gain of a strong interview: the ratio of the variances, weak over strong. The
/// interval is the F interval of level `1 - alpha`. Returns `None` if a noise is unknown or the
/// strong one is 0.
pub fn gain(weak: &Noise, strong: &Noise, alpha: f64) -> Option<LookEstimate> {
    let value = weak.variance()? / strong.variance().filter(|variance| *variance > 0.0)?;
    let (above, below) = (weak.freedom() as f64, strong.freedom() as f64);
    let bound = |p| value / f_quantile(p, above, below);
    Some(LookEstimate {
        value,
        interval: Some((bound(1.0 - alpha / 2.0), bound(alpha / 2.0))),
    })
}

/// Estimates the cost of a strong interview in weak ones: the ratio of the mean costs. The interval
/// is Fieller's of level `1 - alpha`, under Student's t with Welch's degrees of freedom. There is
/// none if a kind has one cost, or if the mean weak cost is within its own noise of 0.
pub fn cost(weak: &Costs, strong: &Costs, alpha: f64) -> LookEstimate {
    let value = strong.mean / weak.mean;
    LookEstimate {
        value,
        interval: fieller(weak, strong, alpha),
    }
}

/// The ratios r with (strong - r weak)^2 <= t^2 (se_strong^2 + r^2 se_weak^2).
fn fieller(weak: &Costs, strong: &Costs, alpha: f64) -> Option<(f64, f64)> {
    let ratio = strong.mean / weak.mean;
    let (of_weak, of_strong) = (weak.squared_error?, strong.squared_error?);
    let scaled = ratio * ratio * of_weak;
    let spread = of_strong + scaled;
    if spread == 0.0 {
        return Some((ratio, ratio));
    }
    let (share, rest) = (of_strong / spread, scaled / spread);
    let inverse = share * share / (strong.n - 1) as f64 + rest * rest / (weak.n - 1) as f64;
    let t = t_quantile(alpha / 2.0, (1.0 / inverse).max(1.0));
    let square = t * t;
    let a = weak.mean * weak.mean - square * of_weak;
    let b = weak.mean * strong.mean;
    let c = strong.mean * strong.mean - square * of_strong;
    let root = (b * b - a * c).sqrt();
    let (low, high) = ((b - root) / a, (b + root) / a);
    (a > 0.0 && low.is_finite() && high.is_finite()).then_some((low.max(0.0), high))
}

#[cfg(test)]
mod tests;
