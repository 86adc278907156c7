//! The summary of a run: a fold of its rows in replication order, never NaN.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::Answer;
use super::judge::Judge;
use super::outcomes::{LaneStream, StreamSummary};
use super::pair::Pair;
use super::pairs::compare;
use super::parity::Parity;
use crate::compare::RunResult;
use crate::protocol::{Ending, Role};
use crate::score::PolicyRun;

/// All that `summary.json` says, members in its order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Version of this shape: 1.
    pub schema: u32,
    /// The config's name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Replications asked for.
    pub replications: u64,
    /// What a reader would assume otherwise of the people or the rules; left out where there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disclosures: Vec<String>,
    /// The policies by label.
    pub policies: BTreeMap<String, PolicySummary>,
    /// The comparisons asked for.
    pub pairs: Vec<Pair>,
    /// What they come to.
    pub answer: Answer,
    /// What made it.
    pub versions: Versions,
}

/// One policy over its replications, whatever their endings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicySummary {
    /// The algorithm.
    pub kind: String,
    /// Whether it can be the answer.
    pub role: Role,
    /// How many lanes ended in which way.
    pub endings: BTreeMap<Ending, u64>,
    /// The values at the end of the run, by metric.
    pub metrics: BTreeMap<String, Stats>,
    /// The values on the way, by metric, in rising `at`.
    pub series: BTreeMap<String, Vec<Point>>,
    /// Whether groups are chosen as often as they come, where the run tells how often they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parity: Option<Parity>,
    /// What its one stream says of it: whom it selected, at what rates; of a run of one replication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamSummary>,
}

/// A metric over the replications that have a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// How many values; at least 1.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation with divisor n-1; none at n = 1.
    pub sd: Option<f64>,
    /// Standard error of the mean, sd/sqrt(n); none at n = 1.
    pub se: Option<f64>,
    /// The middle value, or the mean of the two middle ones.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

/// One point of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Where, in the unit of `report.at`.
    pub at: u64,
    /// How many replications have a value there; at least 1.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation; none at n = 1.
    pub sd: Option<f64>,
    /// Their median.
    pub median: f64,
}

/// What made a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Versions {
    /// This crate's version.
    pub kleroterion: &'static str,
}

impl Summary {
    /// Folds a run in replication order. The order of `run.policies` does not matter.
    pub fn of(run: &RunResult, judge: &Judge) -> Self {
        let all = compare(run, judge);
        let answer = Answer::of(run, judge, &all);
        let role = |label: &str| match judge.is_contender(label) {
            true => Role::Policy,
            false => Role::Yardstick,
        };
        let streams = |place: usize| run.streams.get(place).filter(|_| run.replications == 1);
        let policies = run.policies.iter().enumerate().map(|(place, policy)| {
            let mut folded = PolicySummary::of(policy, role(&policy.label));
            folded.stream = streams(place).map(LaneStream::read);
            (policy.label.clone(), folded)
        });
        Self {
            schema: 1,
            name: run.name.clone(),
            seed: run.seed,
            replications: run.replications,
            disclosures: Vec::new(),
            policies: policies.collect(),
            pairs: all.into_iter().filter(|pair| judge.asks(&pair.b)).collect(),
            answer,
            versions: Versions {
                kleroterion: env!("CARGO_PKG_VERSION"),
            },
        }
    }

    /// With what a reader is to know of the people or the rules.
    #[must_use]
    pub fn disclosing(mut self, disclosures: &[String]) -> Self {
        self.disclosures = disclosures.to_vec();
        self
    }
}

impl PolicySummary {
    fn of(policy: &PolicyRun, role: Role) -> Self {
        let mut endings = BTreeMap::new();
        let mut columns: BTreeMap<_, Vec<f64>> = BTreeMap::new();
        for lane in &policy.lanes {
            *endings.entry(lane.ending).or_insert(0) += 1;
            for (key, value) in lane.values() {
                columns.entry(key).or_default().push(value);
            }
        }
        let mut metrics = BTreeMap::new();
        let mut series: BTreeMap<_, Vec<Point>> = BTreeMap::new();
        // A value stands in its column, so no column is empty and none is lost to `Stats::of`.
        for ((metric, at), values) in columns {
            let Some(stats) = Stats::of(&values) else {
                continue;
            };
            match at {
                None => {
                    metrics.insert(metric.to_owned(), stats);
                }
                Some(at) => series
                    .entry(metric.to_owned())
                    .or_default()
                    .push(stats.at(at)),
            }
        }
        Self {
            kind: policy.kind.clone(),
            role,
            endings,
            metrics,
            series,
            parity: Parity::of(policy),
            stream: None,
        }
    }
}

impl Stats {
    /// The statistics of `values`, which are finite, in the order given; none where there are none.
    ///
    /// Two passes: a mean, then its correction and the squares about it. Equal values have exactly their own
    /// mean and sd 0. A spread beyond the range of `f64` leaves sd and se out.
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

    fn at(self, at: u64) -> Point {
        Point {
            at,
            n: self.n,
            mean: self.mean,
            sd: self.sd,
            median: self.median,
        }
    }
}

impl Point {
    /// Standard error of the mean; none at n = 1.
    pub fn se(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.n as f64).sqrt())
    }
}

/// The `q`-quantile, 0 <= q <= 1, of values in rising order, linear between order statistics
/// (R's type 7, numpy's default); none where there are none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{LaneResult, Row};

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

    type Rows<'a> = &'a [(&'a str, Option<u64>, f64)];

    fn run(policies: &[(&str, &[Rows<'_>])]) -> RunResult {
        let lane = |rows: &Rows<'_>| LaneResult {
            ending: if rows.len() > 1 {
                Ending::Filled
            } else {
                Ending::Stalled
            },
            detail: None,
            rows: rows
                .iter()
                .map(|&(metric, at, value)| Row {
                    metric: metric.into(),
                    at,
                    value,
                })
                .collect(),
        };
        RunResult {
            name: "t".into(),
            seed: 1,
            replications: 2,
            policies: policies
                .iter()
                .map(|&(label, lanes)| PolicyRun {
                    label: label.into(),
                    kind: "k".into(),
                    lanes: lanes.iter().map(lane).collect(),
                })
                .collect(),
            rounds: Default::default(),
            streams: Vec::new(),
        }
    }

    #[test]
    fn rows_fold_into_metrics_and_series() {
        let first: &[_] = &[("m", Some(9), 1.0), ("m", Some(10), 4.0), ("m", None, 8.0)];
        let lanes: &[&[_]] = &[first, &[("m", Some(10), 2.0)]];
        let summary = Summary::of(&run(&[("b", lanes), ("a", &[])]), &Judge::default());
        assert_eq!(summary.policies.keys().collect::<Vec<_>>(), ["a", "b"]);
        let b = &summary.policies["b"];
        assert_eq!(
            b.endings.iter().collect::<Vec<_>>(),
            [(&Ending::Filled, &1), (&Ending::Stalled, &1)]
        );
        // Every replication that has a value counts, whatever its ending.
        let points = &b.series["m"];
        assert_eq!((points[0].at, points[0].n, points[0].sd), (9, 1, None));
        assert_eq!((points[1].at, points[1].n, points[1].mean), (10, 2, 3.0));
        assert_eq!(points[1].se(), Some(1.0));
        assert_eq!(b.metrics["m"].n, 1);
        assert!(summary.policies["a"].metrics.is_empty());
    }

    #[test]
    fn the_order_of_policies_does_not_matter() {
        let (a, b): (&[&[_]], &[&[_]]) = (&[&[("m", None, 0.1)]], &[&[("m", None, 0.3)]]);
        let judge = Judge::default();
        assert_eq!(
            Summary::of(&run(&[("a", a), ("b", b)]), &judge),
            Summary::of(&run(&[("b", b), ("a", a)]), &judge)
        );
    }
}
