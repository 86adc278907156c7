//! Pair first: differences per replication, their interval, and what it lets one say.
//!
//! All policies see the same people and the same draws, so D = value(a) - value(b) is taken within each
//! replication; over replications D is i.i.d. with one mean, which is what the interval covers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::evidence::{Beside, Evidence, needed};
use super::summary::Stats;
use super::verdict::Verdict;
use crate::protocol::Ending;
use crate::score::{MetricInfo, PolicyRun, RunResult};

/// What is to be judged and how strictly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judge {
    /// The judged metrics, each once, as they are at the end of the run.
    pub metrics: Vec<String>,
    /// Per metric, the difference up to which two policies count as equivalent; positive.
    pub margins: BTreeMap<String, f64>,
    /// Who is compared with whom.
    pub versus: Versus,
    /// The chance of any wrong interval, split equally over judged metrics times comparisons.
    pub alpha: f64,
    /// Whether the run stops when every pair is decided. Then no interval is given that needs a number of replications fixed
    /// beforehand.
    pub until_decided: bool,
    /// Whether the run was to end otherwise than with its source, which then ends it short.
    pub source_end_is_short: bool,
}

/// Who is compared with whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Versus {
    /// Nobody: no pairs.
    #[default]
    Nobody,
    /// Every other policy with the one of this label; no pairs where the run has none.
    Baseline(String),
    /// Every policy with every later one in label order.
    Everyone,
}

/// One comparison on one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The metric.
    pub metric: String,
    /// Label of the policy that the verdict speaks of.
    pub a: String,
    /// Label of the policy it is held against.
    pub b: String,
    /// Replications in which both have a value.
    pub n: u64,
    /// Mean of D; none at n = 0.
    pub mean: Option<f64>,
    /// Standard error of that mean; none below n = 2.
    pub se: Option<f64>,
    /// Lower end of the interval; none at n = 0, nor at n = 1 by t.
    pub lo: Option<f64>,
    /// Upper end of the interval; none where there is no lower.
    pub hi: Option<f64>,
    /// This comparison's own share of alpha.
    pub alpha: f64,
    /// How the interval was made: [`Betting::METHOD`](super::sequence::Betting::METHOD) or
    /// [`t::METHOD`](super::t::METHOD).
    pub method: &'static str,
    /// What may be said.
    pub verdict: Verdict,
    /// What stands beside the interval.
    #[serde(flatten)]
    pub beside: Beside,
    /// The margin stated for the metric.
    #[serde(skip)]
    pub margin: Option<f64>,
    /// About how many more replications an undecided pair is likely to need by this method, if they are like those so far;
    /// none where it is decided, or where no number would do.
    pub needed: Option<u64>,
    /// The endings that forbid the comparison.
    #[serde(skip)]
    pub blocked: Vec<Blocked>,
}

/// Lanes that did not do what they were to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Whose.
    pub label: String,
    /// How they ended.
    pub ending: Ending,
    /// How many.
    pub lanes: u64,
}

/// Every judged metric, in the order given, times every comparison, in label order.
pub fn compare(run: &RunResult, judge: &Judge) -> Vec<Pair> {
    let labels: Vec<&str> = run.policies.iter().map(|policy| &*policy.label).collect();
    let against = against(&labels, &judge.versus);
    let shares = judge.metrics.len() * against.len();
    let mut pairs = Vec::with_capacity(shares);
    for metric in &judge.metrics {
        for &(a, b) in &against {
            let (a, b) = (&run.policies[a], &run.policies[b]);
            pairs.push(pair(metric, a, b, judge, judge.alpha / shares as f64));
        }
    }
    pairs
}

/// Who is compared with whom, as places among the labels of a run, in label order.
pub(super) fn against(labels: &[&str], versus: &Versus) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|place| labels[*place]);
    let later = |at: usize| order[at + 1..].iter().map(move |b| (at, *b));
    match versus {
        Versus::Nobody => Vec::new(),
        Versus::Baseline(label) => {
            let b = order.iter().copied().find(|b| labels[*b] == label);
            let others = order.iter().filter(|a| Some(**a) != b);
            others.filter_map(|a| Some((*a, b?))).collect()
        }
        Versus::Everyone => (0..order.len())
            .flat_map(later)
            .map(|(at, b)| (order[at], b))
            .collect(),
    }
}

fn pair(metric: &str, a: &PolicyRun, b: &PolicyRun, judge: &Judge, alpha: f64) -> Pair {
    let lanes = a.lanes.iter().zip(&b.lanes);
    let differences: Vec<f64> = lanes
        .filter_map(|(a, b)| Some(a.at_end(metric)? - b.at_end(metric)?))
        .collect();
    let stats = Stats::of(&differences).filter(|stats| stats.mean.is_finite());
    let mean = stats.map(|stats| stats.mean);
    let se = stats.and_then(|stats| stats.se);
    let info = MetricInfo::of(metric);
    let Evidence {
        interval,
        method,
        beside,
    } = Evidence::of(
        &differences,
        stats.as_ref(),
        info,
        alpha,
        !judge.until_decided,
    );
    let margin = judge.margins.get(metric).copied();
    let mut blocked = blocked(a, judge.source_end_is_short);
    blocked.extend(self::blocked(b, judge.source_end_is_short));
    let verdict = if !blocked.is_empty() {
        Verdict::NotComparable
    } else if !differences.is_empty() && differences.iter().all(|d| *d == 0.0) {
        Verdict::Identical
    } else {
        interval.map_or(Verdict::Undecided, |(lo, hi)| {
            Verdict::of(lo, hi, info.direction, margin)
        })
    };
    let needed = match (verdict, stats) {
        (Verdict::Undecided, Some(stats)) => needed(&differences, &stats, info, alpha, margin),
        _ => None,
    };
    Pair {
        metric: metric.to_owned(),
        a: a.label.clone(),
        b: b.label.clone(),
        n: differences.len() as u64,
        mean,
        se,
        lo: interval.map(|(lo, _)| lo),
        hi: interval.map(|(_, hi)| hi),
        alpha,
        method,
        verdict,
        beside,
        margin,
        needed,
        blocked,
    }
}

/// The endings of a policy's lanes that forbid a comparison.
fn blocked(policy: &PolicyRun, source_end_is_short: bool) -> Vec<Blocked> {
    let mut counts = BTreeMap::new();
    for lane in &policy.lanes {
        if !lane.ending.is_comparable(source_end_is_short) {
            *counts.entry(lane.ending).or_insert(0) += 1;
        }
    }
    let counts = counts.into_iter();
    counts
        .map(|(ending, lanes)| Blocked {
            label: policy.label.clone(),
            ending,
            lanes,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{LaneResult, Row};

    fn policy(label: &str, metric: &str, values: &[f64]) -> PolicyRun {
        let lane = |value: &f64| LaneResult {
            ending: Ending::Filled,
            detail: None,
            rows: vec![Row {
                metric: metric.into(),
                at: None,
                value: *value,
            }],
        };
        PolicyRun {
            label: label.into(),
            kind: "k".into(),
            lanes: values.iter().map(lane).collect(),
        }
    }

    fn run(policies: Vec<PolicyRun>) -> RunResult {
        RunResult {
            name: "t".into(),
            seed: 1,
            replications: 5,
            policies,
        }
    }

    fn judge(metric: &str) -> Judge {
        Judge {
            metrics: vec![metric.into()],
            versus: Versus::Baseline("b".into()),
            alpha: 0.05,
            ..Judge::default()
        }
    }

    /// The only pair of `a` against `b`, on `metric`.
    fn only(metric: &str, a: &[f64], b: &[f64], margin: Option<f64>) -> Pair {
        let judge = Judge {
            margins: margin.map(|m| (metric.to_owned(), m)).into_iter().collect(),
            ..judge(metric)
        };
        let run = run(vec![policy("a", metric, a), policy("b", metric, b)]);
        compare(&run, &judge).remove(0)
    }

    /// D = 1, 2, 3, 4, 5: mean 3, se 1/sqrt 2, t(.025, 4) = 2.7764.
    #[test]
    fn an_interval_by_hand() {
        let a = [11.0, 22.0, 33.0, 44.0, 55.0];
        let b = [10.0, 20.0, 30.0, 40.0, 50.0];
        let pair = only("screened", &a, &b, None);
        assert_eq!((pair.n, pair.mean, pair.alpha), (5, Some(3.0), 0.05));
        assert!((pair.se.unwrap() - 0.5_f64.sqrt()).abs() < 1e-15);
        assert!((pair.lo.unwrap() - 1.036_756_838_522_439).abs() < 1e-12);
        assert!((pair.hi.unwrap() - 4.963_243_161_477_561).abs() < 1e-12);
        assert_eq!((pair.verdict, pair.method), (Verdict::Worse, "t (fixed n)"));
    }

    #[test]
    fn the_direction_of_the_metric_makes_the_verdict() {
        let (high, low) = ([0.5, 0.6, 0.55].repeat(20), [0.1, 0.21, 0.14].repeat(20));
        for (metric, up, down) in [
            ("representation_loss", Verdict::Worse, Verdict::Better),
            ("selection_rate", Verdict::Better, Verdict::Worse),
            ("share.F", Verdict::Differs, Verdict::Differs),
            ("a measure of mine", Verdict::Differs, Verdict::Differs),
        ] {
            assert_eq!(only(metric, &high, &low, None).verdict, up, "{metric}");
            assert_eq!(only(metric, &low, &high, None).verdict, down, "{metric}");
        }
    }

    #[test]
    fn equivalence_needs_a_margin_and_an_open_sign() {
        let (a, b) = ([0.101, 0.099, 0.100], [0.100, 0.100, 0.1001]);
        let verdict = |margin| only("cost", &a, &b, margin).verdict;
        assert_eq!(verdict(None), Verdict::Undecided);
        assert_eq!(verdict(Some(0.001)), Verdict::Undecided);
        assert_eq!(verdict(Some(0.01)), Verdict::Equivalent);
        let far = [0.2, 0.2, 0.2001];
        let sure = only("cost", &a, &far, Some(0.5));
        assert_eq!(sure.verdict, Verdict::Better);
    }

    #[test]
    fn identical_is_exact() {
        let pair = only("cost", &[1.0, 2.0], &[1.0, 2.0], Some(1.0));
        assert_eq!(pair.verdict, Verdict::Identical);
        assert_eq!(
            (pair.mean, pair.lo, pair.hi),
            (Some(0.0), Some(0.0), Some(0.0))
        );
        let nearly = only("cost", &[1.0, 2.0], &[1.0, 2.0 + 1e-15], None);
        assert_eq!(nearly.verdict, Verdict::Undecided);
        let one = only("cost", &[1.0], &[1.0], None);
        assert_eq!(one.verdict, Verdict::Identical);
    }

    #[test]
    fn one_replication_or_none_decides_nothing() {
        let one = only("cost", &[1.0], &[5.0], Some(9.0));
        assert_eq!((one.n, one.mean, one.se), (1, Some(-4.0), None));
        assert_eq!((one.lo, one.hi, one.needed), (None, None, None));
        assert_eq!(one.verdict, Verdict::Undecided);
        let none = only("cost", &[], &[], None);
        assert_eq!((none.n, none.mean), (0, None));
        assert_eq!(none.verdict, Verdict::Undecided);
    }

    #[test]
    fn a_lane_that_failed_forbids_comparison_even_where_figures_agree() {
        for ending in Ending::ALL {
            for (short, at) in [(true, 0), (false, 0), (true, 1), (false, 1)] {
                let same = [1.0, 2.0, 3.0];
                let mut both = vec![policy("a", "cost", &same), policy("b", "cost", &same)];
                both[at].lanes[1].ending = ending;
                let judge = Judge {
                    source_end_is_short: short,
                    ..judge("cost")
                };
                let pair = compare(&run(both), &judge).remove(0);
                if ending.is_comparable(short) {
                    assert_eq!((pair.verdict, pair.blocked), (Verdict::Identical, vec![]));
                } else {
                    assert_eq!(pair.verdict, Verdict::NotComparable);
                    let label = ["a", "b"][at].into();
                    let lanes = 1;
                    assert_eq!(
                        pair.blocked,
                        [Blocked {
                            label,
                            ending,
                            lanes
                        }]
                    );
                }
            }
        }
    }

    #[test]
    fn only_replications_in_which_both_have_the_value_count() {
        let pair = only("cost", &[1.0, f64::NAN, 3.0], &[0.0, 7.0, 5.0], None);
        assert_eq!((pair.n, pair.mean), (2, Some(-0.5)));
        // An interrupted run has lanes for one policy more than for the other.
        assert_eq!(only("cost", &[1.0, 2.0, 3.0], &[0.0], None).n, 1);
    }

    #[test]
    fn alpha_is_split_and_pairs_are_in_label_order() {
        let policies = || ["c", "b", "d", "a"].map(|label| policy(label, "cost", &[1.0, 2.0]));
        let mut judge = judge("cost");
        judge.metrics.push("pulls".into());
        let names = |judge: &Judge| {
            let pairs = compare(&run(policies().into()), judge);
            for pair in &pairs {
                assert_eq!(pair.alpha, 0.05 / pairs.len() as f64);
            }
            let names = pairs
                .iter()
                .map(|p| format!("{}{}{}", &p.metric[..1], p.a, p.b));
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&judge), "cab ccb cdb pab pcb pdb");
        judge.versus = Versus::Everyone;
        assert_eq!(
            names(&judge),
            "cab cac cad cbc cbd ccd pab pac pad pbc pbd pcd"
        );
        judge.versus = Versus::Baseline("nobody".into());
        assert_eq!(names(&judge), "");
        judge.versus = Versus::Nobody;
        assert_eq!(names(&judge), "");
    }
}
