//! Mean, spread and quantiles of some numbers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The statistics of a metric over the replications that have a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// The number of values; at least 1.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation with divisor n-1. Null at n = 1.
    pub sd: Option<f64>,
    /// The standard error of the mean, sd/sqrt(n). Null at n = 1.
    pub se: Option<f64>,
    /// The middle value, or the mean of the two middle ones.
    pub median: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// One point of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesPoint {
    /// The moment, in the unit of `report.at`.
    pub at: u64,
    /// The number of replications with a value there; at least 1.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation. Null at n = 1.
    pub sd: Option<f64>,
    /// The median.
    pub median: f64,
}

impl Stats {
    /// Computes the statistics of `values`, which are finite, in the order given. `None` if there
    /// are none.
    ///
    /// Two passes: a mean, then its correction and the squares about it. Equal values have exactly
    /// their own mean and sd 0. A spread beyond the range of `f64` leaves sd and se out.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let n = values.len() as f64;
        // Held between least and greatest, which rounding and overflow can both leave.
        let rough = (values.iter().sum::<f64>() / n).clamp(min, max);
        let rest = values.iter().map(|value| value - rough).sum::<f64>() / n;
        let mean = (rough + rest).clamp(min, max);
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let sd = (values.len() > 1)
            .then(|| (squares / (n - 1.0)).sqrt())
            .filter(|sd| sd.is_finite());
        Some(Self {
            n: values.len() as u64,
            mean: mean + 0.0, // -0 becomes 0
            sd,
            se: sd.map(|sd| sd / n.sqrt()),
            median: quantile(&sorted, 0.5)? + 0.0,
            min: min + 0.0,
            max: max + 0.0,
        })
    }

    pub(super) fn at(self, at: u64) -> SeriesPoint {
        SeriesPoint {
            at,
            n: self.n,
            mean: self.mean,
            sd: self.sd,
            median: self.median,
        }
    }
}

/// Returns the `q`-quantile, 0 <= q <= 1, of values in rising order, linear between order
/// statistics (R's type 7, numpy's default). `None` if there are none.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = (q.clamp(0.0, 1.0) * last as f64).min(last as f64);
    let (low, high) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    let part = place - place.floor();
    // As a weighted sum, not low + part (high - low), which overflows for values far apart.
    Some((low * (1.0 - part) + high * part).clamp(low, high))
}

/// The mean of a measure after a step of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The moment, in the unit of `report.at`.
    pub at: u64,
    /// The number of replications with a value there; at least 1.
    pub n: u64,
    /// The mean of the values.
    pub mean: f64,
    /// The standard error of the mean. `None` at n = 1.
    pub se: Option<f64>,
}

/// The curves of a policy, by metric, in rising `at`.
pub type Curves = BTreeMap<String, Vec<CurvePoint>>;

/// The normal law of the scores of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupScores {
    /// The number of people.
    pub people: usize,
    /// The mean score.
    pub mean: f64,
    /// The variance: the mean squared deviation, divided by the number of people. This is the
    /// maximum-likelihood fit, and it agrees with the paper's Table 1.
    pub variance: f64,
}

impl GroupScores {
    /// Fits the law to at least one score.
    pub fn of(scores: &[f64]) -> Self {
        let n = scores.len() as f64;
        // About the first, so that equal scores have exactly their own mean.
        let first = scores[0];
        let mean = first + scores.iter().map(|z| z - first).sum::<f64>() / n;
        let squares: f64 = scores.iter().map(|z| (z - mean) * (z - mean)).sum();
        Self {
            people: scores.len(),
            mean,
            variance: squares / n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        let stats = Stats::of(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
        assert_eq!((stats.n, stats.mean, stats.median), (5, 3.0, 3.0));
        assert_eq!(stats.sd, Some(2.5_f64.sqrt()));
        assert_eq!(stats.se, Some(2.5_f64.sqrt() / 5.0_f64.sqrt()));
        assert_eq!((stats.min, stats.max), (1.0, 5.0));
        assert_eq!(Stats::of(&[1.0, 4.0]).unwrap().median, 2.5);
    }

    #[test]
    fn one_value_has_no_spread_and_none_no_statistics() {
        let stats = Stats::of(&[0.25]).unwrap();
        assert_eq!((stats.mean, stats.sd, stats.se), (0.25, None, None));
        assert_eq!(Stats::of(&[]), None);
    }

    /// 0.1 thrice sums to 0.30000000000000004; a naive mean is not 0.1 and a naive sd not 0.
    #[test]
    fn equal_values_have_no_spread() {
        for count in [2, 3, 7, 1000] {
            let stats = Stats::of(&vec![0.1; count]).unwrap();
            assert_eq!((stats.mean, stats.sd), (0.1, Some(0.0)), "{count}");
        }
    }

    /// A far mean and a small spread: sum of squares less n mean^2 would give 0 or NaN here.
    #[test]
    fn a_far_mean_keeps_its_spread() {
        let values = [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0];
        let stats = Stats::of(&values).unwrap();
        assert_eq!((stats.mean, stats.sd), (1e9 + 10.0, Some(30.0_f64.sqrt())));
    }

    /// So far that the squares of the values have lost the spread.
    #[test]
    fn a_very_far_mean_keeps_its_spread() {
        let stats = Stats::of(&[1e15, 1e15 + 1.0, 1e15 + 3.0]).unwrap();
        let sd = stats.sd.unwrap();
        assert!((sd - (7.0_f64 / 3.0).sqrt()).abs() < 0.05, "{sd}");
    }

    #[test]
    fn zero_has_no_sign() {
        let stats = Stats::of(&[-0.0]).unwrap();
        for number in [stats.mean, stats.median, stats.min, stats.max] {
            assert!(number == 0.0 && number.is_sign_positive(), "{stats:?}");
        }
    }

    #[test]
    fn a_point_of_a_series_has_its_standard_error() {
        let point = Stats::of(&[1.0, 3.0, 5.0, 7.0]).unwrap().at(9);
        assert_eq!((point.at, point.n, point.mean), (9, 4, 4.0));
        let se = point.se().unwrap();
        assert!((se - (20.0_f64 / 12.0).sqrt()).abs() < 1e-12, "{se}");
        assert_eq!(Stats::of(&[1.0]).unwrap().at(9).se(), None);
    }

    #[test]
    fn never_nan() {
        for values in [
            vec![f64::MAX, f64::MAX, -f64::MAX],
            vec![f64::MAX, -f64::MAX],
            vec![f64::MIN_POSITIVE, 0.0, -0.0],
            vec![-0.0],
        ] {
            let stats = Stats::of(&values).unwrap();
            for number in [stats.mean, stats.median, stats.min, stats.max] {
                assert!(number.is_finite(), "{values:?}: {stats:?}");
            }
            for spread in [stats.sd, stats.se].into_iter().flatten() {
                assert!(spread.is_finite(), "{values:?}: {stats:?}");
            }
        }
        assert!(Stats::of(&[-0.0]).unwrap().mean.is_sign_positive());
    }

    /// numpy.quantile([1, 2, 4, 8], q)
    #[test]
    fn quantiles_between_order_statistics() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        let known = [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)];
        for (q, value) in known {
            assert!((quantile(&sorted, q).unwrap() - value).abs() < 1e-14, "{q}");
        }
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.9), Some(3.0));
        assert_eq!(quantile(&[-f64::MAX, f64::MAX], 0.5), Some(0.0));
    }

    /// The sum of these is 1.4e-12 off, which the second pass takes back.
    #[test]
    fn the_second_pass_corrects_the_mean() {
        let mut values = vec![0.1; 1000];
        values[999] = 0.2;
        let stats = Stats::of(&values).unwrap();
        assert!((stats.mean - 0.1001).abs() < 3e-17, "{}", stats.mean);
    }

    /// Half of the least number is rounded to -0.
    #[test]
    fn a_mean_that_is_rounded_to_0_has_no_sign() {
        let stats = Stats::of(&[-f64::from_bits(1), 0.0]).expect("two values");
        assert!(stats.mean == 0.0 && stats.mean.is_sign_positive());
        assert!(stats.median == 0.0 && stats.median.is_sign_positive());
    }
}

#[cfg(test)]
mod group_scores_tests {
    use super::*;

    #[test]
    fn the_variance_is_divided_by_the_number_of_people() {
        let group = GroupScores::of(&[5.0, 2.0, 3.0, 6.0]);
        assert_eq!((group.people, group.mean, group.variance), (4, 4.0, 2.5));
        let alike = GroupScores::of(&[0.1; 3]);
        assert_eq!((alike.mean, alike.variance), (0.1, 0.0));
    }

    /// Deviations are taken before they are squared: far from 0 the squares of the scores say
    /// nothing of them.
    #[test]
    fn the_variance_of_large_scores_is_theirs() {
        let large = [1e15, 1e15 + 1.0, 1e15 + 3.0];
        let variance = GroupScores::of(&large).variance;
        assert!((variance - 14.0 / 9.0).abs() < 0.1, "{variance}");
    }
}
