//! Pair first: differences per replication, their interval, and what it lets one say.
//!
//! All policies see the same people and the same draws, so D = value(a) - value(b) is taken within each
//! replication; over replications D is i.i.d. with one mean, which is what the interval covers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence::{Beside, Evidence, Known, needed};
use super::rounds::RoundPair;
use super::sequence::{Range, Stream};
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
    /// How many rounds a run has at most, where it is to end with one.
    pub rounds: Option<u64>,
    /// Whether the run was to end otherwise than with its source, which then ends it short.
    pub source_end_is_short: bool,
}

impl Judge {
    /// The range of a metric at the end of a run: the declared one; of a sum over rounds that of its values in a round times the
    /// number of rounds, where that is fixed.
    #[must_use]
    pub fn range(&self, metric: &str) -> Option<Range> {
        let info = MetricInfo::of(metric);
        let summed = || {
            let (least, most) = info.by_round.filter(|_| info.cumulative)?;
            let rounds = self.rounds? as f64;
            Some((rounds * least, rounds * most))
        };
        let (least, most) = info.range.or_else(summed)?;
        Range::new(least, most)
    }

    /// The judged metrics that have a value in each round, with its range.
    pub fn by_round(&self) -> impl Iterator<Item = (String, Range)> {
        self.metrics.iter().filter_map(|metric| {
            let (least, most) = MetricInfo::of(metric).by_round?;
            Some((metric.clone(), Range::new(least, most)?))
        })
    }
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

/// What the interval of a pair covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Estimand {
    /// The mean of D over replications, which are i.i.d.
    #[default]
    #[serde(rename = "mean of a - b over replications")]
    Replications,
    /// The average of the conditional means of D over the rounds played, of one stream.
    #[serde(rename = "running average of a - b over rounds")]
    Rounds,
}

impl Estimand {
    /// What there are several of: `replication` or `round`.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Replications => "replication",
            Self::Rounds => "round",
        }
    }
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
    /// What the interval covers.
    pub estimand: Estimand,
    /// Replications (or rounds) in which both have a value.
    pub n: u64,
    /// Mean of D; none at n = 0.
    pub mean: Option<f64>,
    /// Standard error of that mean over replications; none below n = 2, nor over rounds, which hang together.
    pub se: Option<f64>,
    /// Lower end of the interval; none at n = 0, nor at n = 1 by t.
    pub lo: Option<f64>,
    /// Upper end of the interval; none where there is no lower.
    pub hi: Option<f64>,
    /// This comparison's own share of alpha.
    pub alpha: f64,
    /// How the interval was made: [`Betting::METHOD`](super::sequence::Betting::METHOD),
    /// [`Stream::METHOD`] or [`t::METHOD`](super::t::METHOD).
    pub method: &'static str,
    /// What may be said.
    pub verdict: Verdict,
    /// What stands beside the interval.
    #[serde(flatten)]
    pub beside: Beside,
    /// The margin stated for the metric.
    pub margin: Option<f64>,
    /// About how many more replications (or rounds) an undecided pair is likely to need by this method, if they are like those
    /// so far; none where it is decided, or where no number would do.
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

/// Every judged metric, in the order given, times every comparison, in label order; of a run of one replication, which is one
/// stream, those metrics alone that have a value in each round (not where the run was to go on until all is decided).
pub fn compare(run: &RunResult, judge: &Judge) -> Vec<Pair> {
    if run.replications == 1 && !judge.until_decided {
        let rounds = run.rounds.iter();
        return rounds.map(|pair| by_round(pair, run, judge)).collect();
    }
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
    let known = Known {
        direction: MetricInfo::of(metric).direction,
        range: judge.range(metric),
    };
    let Evidence {
        interval,
        method,
        beside,
    } = Evidence::of(
        &differences,
        stats.as_ref(),
        known,
        alpha,
        !judge.until_decided,
    );
    let margin = judge.margins.get(metric).copied();
    let comparable = |ending: Ending| ending.is_comparable(judge.source_end_is_short);
    let blocked = blocked([a, b], comparable);
    let verdict = if !blocked.is_empty() {
        Verdict::NotComparable
    } else if !differences.is_empty() && differences.iter().all(|d| *d == 0.0) {
        Verdict::Identical
    } else {
        interval.map_or(Verdict::Undecided, |(lo, hi)| {
            Verdict::of(lo, hi, known.direction, margin)
        })
    };
    let needed = match (verdict, stats) {
        (Verdict::Undecided, Some(stats)) => needed(&differences, &stats, known, alpha, margin),
        _ => None,
    };
    Pair {
        metric: metric.to_owned(),
        a: a.label.clone(),
        b: b.label.clone(),
        estimand: Estimand::Replications,
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

/// What one stream says. Its end ends no comparison short, nor does an interrupt: the rounds played were played.
fn by_round(rounds: &RoundPair, run: &RunResult, judge: &Judge) -> Pair {
    let (a, b) = (&run.policies[rounds.a], &run.policies[rounds.b]);
    let info = MetricInfo::of(&rounds.metric);
    let margin = judge.margins.get(&rounds.metric).copied();
    let blocked = blocked([a, b], |ending| {
        ending.is_comparable(false) || ending == Ending::Interrupted
    });
    let verdict = match rounds.interval {
        _ if !blocked.is_empty() => Verdict::NotComparable,
        _ if rounds.identical => Verdict::Identical,
        Some((lo, hi)) => Verdict::of(lo, hi, info.direction, margin),
        None => Verdict::Undecided,
    };
    // Where a lane has filled its places no round can come.
    let is_full = |policy: &PolicyRun| policy.lanes.iter().any(|l| l.ending == Ending::Filled);
    let needed = rounds
        .needed
        .filter(|_| verdict == Verdict::Undecided && !is_full(a) && !is_full(b));
    Pair {
        metric: rounds.metric.clone(),
        a: a.label.clone(),
        b: b.label.clone(),
        estimand: Estimand::Rounds,
        n: rounds.n,
        mean: (rounds.n > 0).then_some(rounds.mean),
        se: None,
        lo: rounds.interval.map(|(lo, _)| lo),
        hi: rounds.interval.map(|(_, hi)| hi),
        alpha: rounds.alpha,
        method: Stream::METHOD,
        verdict,
        beside: Beside::of_stream(rounds.e_values),
        margin,
        needed,
        blocked,
    }
}

/// The endings of both policies' lanes that forbid a comparison.
fn blocked(policies: [&PolicyRun; 2], comparable: impl Fn(Ending) -> bool) -> Vec<Blocked> {
    let mut all = Vec::new();
    for policy in policies {
        let mut counts = BTreeMap::new();
        for lane in policy.lanes.iter().filter(|lane| !comparable(lane.ending)) {
            *counts.entry(lane.ending).or_insert(0) += 1;
        }
        all.extend(counts.into_iter().map(|(ending, lanes)| Blocked {
            label: policy.label.clone(),
            ending,
            lanes,
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::sequence::Betting;
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
            rounds: Vec::new(),
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

    /// Ranks given away in a round lie in [0, 1], so those of 40 rounds in [0, 40].
    #[test]
    fn sums_over_a_fixed_number_of_rounds_have_a_range() {
        let values = [[30.0, 28.0, 31.0].repeat(20), [2.0, 3.0, 4.0].repeat(20)];
        let both = || {
            vec![
                policy("a", "fair_regret", &values[0]),
                policy("b", "fair_regret", &values[1]),
            ]
        };
        let fixed = Judge {
            rounds: Some(40),
            ..judge("fair_regret")
        };
        let bet = compare(&run(both()), &fixed).remove(0);
        assert_eq!((bet.method, bet.verdict), (Betting::METHOD, Verdict::Worse));
        let (lo, hi) = (bet.lo.unwrap(), bet.hi.unwrap());
        let units: Vec<f64> = values[0]
            .iter()
            .zip(&values[1])
            .map(|(a, b)| (a - b + 40.0) / 80.0)
            .collect();
        let known = Betting::interval(&units, 0.05);
        assert!((lo - (80.0 * known.0 - 40.0)).abs() < 1e-9);
        assert!((hi - (80.0 * known.1 - 40.0)).abs() < 1e-9);
        let open = compare(&run(both()), &judge("fair_regret")).remove(0);
        assert_eq!(open.method, "t (fixed n)");
        assert!(fixed.range("screened").is_none() && fixed.range("reward_regret").is_none());
        assert_eq!(fixed.range("selection_rate"), Range::new(0.0, 1.0));
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
