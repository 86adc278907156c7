//! A mean, or a number made of means, with its standard error.

use kleroterion_stats::Stats;

/// A mean, or a number made of means, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyEstimate {
    /// The value.
    pub mean: f64,
    /// The standard error; `None` for a single replication.
    pub se: Option<f64>,
    /// The number of replications.
    pub n: u64,
}

impl StudyEstimate {
    /// Estimates a mean from values, one per replication. Returns `None` for no values.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        Stats::of(values).map(|stats| Self {
            mean: stats.mean,
            se: stats.se,
            n: stats.n,
        })
    }

    /// Estimates a number that `n` replications give together, with the jackknife's standard error.
    /// `without` computes the number from all replications, or from all but one. Returns `None` if
    /// all replications together give no number.
    pub(super) fn jackknife(
        n: usize,
        without: impl Fn(Option<usize>) -> Option<f64>,
    ) -> Option<Self> {
        let others: Option<Vec<f64>> = (n > 1)
            .then(|| (0..n).map(|at| without(Some(at))).collect())
            .flatten();
        let se = others.map(|others| {
            let centre = others.iter().sum::<f64>() / n as f64;
            let spread = others.iter().map(|s| (s - centre) * (s - centre));
            (spread.sum::<f64>() * (n - 1) as f64 / n as f64).sqrt()
        });
        Some(Self {
            mean: without(None)?,
            se,
            n: n as u64,
        })
    }

    /// Returns `a - b` for estimates from independent draws.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        let se = self.se.zip(other.se).map(|(a, b)| libm::hypot(a, b));
        Self {
            mean: self.mean - other.mean,
            se,
            n: self.n.min(other.n),
        }
    }

    /// Returns the estimate times `factor`.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            se: self.se.map(|se| se * factor.abs()),
            n: self.n,
        }
    }

    /// Returns the estimate less a number.
    #[must_use]
    pub fn minus(self, number: f64) -> Self {
        Self {
            mean: self.mean - number,
            ..self
        }
    }

    /// Returns the ratio of the means of pairs, with the standard error of `a - r b` over the mean
    /// of `b`.
    pub(super) fn ratio(a: &[f64], b: &[f64]) -> Option<Self> {
        let (over, under) = (Self::of(a)?, Self::of(b)?);
        let ratio = over.mean / under.mean;
        if !ratio.is_finite() {
            return None;
        }
        let rest: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - ratio * b).collect();
        Some(Self {
            mean: ratio,
            se: Self::of(&rest)?.se.map(|se| se / under.mean.abs()),
            n: over.n,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_differences_have_the_errors_of_the_textbook() {
        // r = 6/3; a - r b = (0, 1, -1): sd 1, se 1/sqrt(3), over the mean of b.
        let ratio = StudyEstimate::ratio(&[4.0, 7.0, 7.0], &[2.0, 3.0, 4.0]).unwrap();
        assert_eq!((ratio.mean, ratio.n), (2.0, 3));
        assert!((ratio.se.unwrap() - 1.0 / 3.0_f64.sqrt() / 3.0).abs() < 1e-15);
        assert_eq!(StudyEstimate::ratio(&[1.0], &[0.0]), None);
        let at = |mean, se| StudyEstimate { mean, se, n: 9 };
        let less = at(5.0, Some(3.0)).less(at(1.0, Some(4.0)));
        assert_eq!((less.mean, less.se), (4.0, Some(5.0)));
        assert_eq!(at(5.0, Some(3.0)).less(at(1.0, None)).se, None);
        assert_eq!(at(5.0, Some(3.0)).times(-2.0).se, Some(6.0));
    }
}
