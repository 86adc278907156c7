//! Pair first: differences per replication, their interval, and what it lets one say.
//!
//! All policies see the same people and the same draws, so D = value(a) - value(b) is taken within each
//! replication; over replications D is i.i.d. with one mean, which is what the interval covers. Of one stream D is taken within
//! each round ([`Rounds`](super::Rounds)).

use std::collections::BTreeMap;

use super::evidence::{Beside, Evidence, Known, needed};
use super::judge::{Judge, against};
use super::one_stream;
use super::pair::{Blocked, Estimand, Pair};
use super::rounds::RoundPair;
use super::sequence::Stream;
use super::summary::Stats;
use super::verdict::Verdict;
use crate::compare::RunResult;
use crate::protocol::Ending;
use crate::score::{MetricInfo, PolicyRun};

/// Every judged metric, in the order given, times every comparison, in label order, and last `filled` where a lane left places of
/// its committee empty; of a run of one replication, which is one
/// stream, those that one stream can be judged on (not where the run was to go on until all is decided).
pub fn compare(run: &RunResult, judge: &Judge) -> Vec<Pair> {
    if run.replications == 1 && !judge.until_decided {
        return one_stream::pairs(run, judge);
    }
    let labels: Vec<&str> = run.policies.iter().map(|policy| &*policy.label).collect();
    let against = against(&labels, judge);
    let shares = judge.shares().len() * against.len();
    let mut pairs = Vec::with_capacity(shares);
    for metric in judge.compared(run) {
        for &(a, b) in &against {
            let policies = [&run.policies[a], &run.policies[b]];
            pairs.push(by_replication(
                metric,
                policies,
                judge,
                judge.difference_alpha() / shares as f64,
            ));
        }
    }
    pairs
}

/// What was found of two policies on a metric, before it is judged.
pub(super) struct Found<'a> {
    pub(super) metric: &'a str,
    pub(super) policies: [&'a PolicyRun; 2],
    pub(super) estimand: Estimand,
    pub(super) n: u64,
    pub(super) unfilled: u64,
    pub(super) mean: Option<f64>,
    pub(super) se: Option<f64>,
    pub(super) interval: Option<(f64, f64)>,
    pub(super) alpha: f64,
    pub(super) method: &'static str,
    pub(super) beside: Beside,
    /// Whether all D are exactly 0.
    pub(super) identical: bool,
}

fn by_replication(metric: &str, policies: [&PolicyRun; 2], judge: &Judge, alpha: f64) -> Pair {
    let lanes = || policies[0].lanes.iter().zip(&policies[1].lanes);
    let differences: Vec<f64> = lanes()
        .filter_map(|(a, b)| judge.values(metric, [a, b]))
        .map(|[a, b]| a - b)
        .collect();
    let apart = lanes().filter(|(a, b)| judge.is_apart(metric, [a, b]));
    let stats = Stats::of(&differences).filter(|stats| stats.mean.is_finite());
    let known = Known {
        direction: MetricInfo::of(metric).direction,
        range: judge.range(metric),
        variance: judge.variance(metric),
    };
    let fixed = !judge.until_decided;
    let Evidence {
        interval,
        method,
        beside,
    } = Evidence::of(&differences, stats.as_ref(), known, alpha, fixed);
    let found = Found {
        metric,
        policies,
        estimand: Estimand::Replications,
        n: differences.len() as u64,
        unfilled: apart.count() as u64,
        mean: stats.map(|stats| stats.mean),
        se: stats.and_then(|stats| stats.se),
        interval,
        alpha,
        method,
        beside,
        identical: !differences.is_empty() && differences.iter().all(|d| *d == 0.0),
    };
    found.judged(judge, |margin| {
        needed(&differences, &stats?, known, alpha, margin)
    })
}

pub(super) fn by_round(rounds: &RoundPair, run: &RunResult, judge: &Judge) -> Pair {
    let policies = [&run.policies[rounds.a], &run.policies[rounds.b]];
    let found = Found {
        metric: &rounds.metric,
        policies,
        estimand: match MetricInfo::of(&rounds.metric).by_person {
            true => Estimand::People,
            false => Estimand::Rounds,
        },
        n: rounds.n,
        unfilled: 0,
        mean: (rounds.n > 0).then_some(rounds.mean),
        se: None,
        interval: rounds.interval,
        alpha: rounds.alpha,
        method: Stream::METHOD,
        beside: Beside::of_stream(rounds.e_values),
        identical: rounds.identical,
    };
    // Where a lane has filled its places no round can come.
    let mut lanes = policies.iter().flat_map(|policy| &policy.lanes);
    let is_full = lanes.any(|lane| lane.ending == Ending::Filled);
    found.judged(judge, |_| rounds.needed.filter(|_| !is_full))
}

impl Found<'_> {
    /// The verdict, and where it is open about how many more are `needed`, given the margin.
    pub(super) fn judged(
        self,
        judge: &Judge,
        needed: impl FnOnce(Option<f64>) -> Option<u64>,
    ) -> Pair {
        let margin = judge.margins.get(self.metric).copied();
        let blocked = self.blocked(judge);
        let direction = MetricInfo::of(self.metric).direction;
        let verdict = match self.interval {
            _ if !blocked.is_empty() => Verdict::NotComparable,
            _ if self.identical => Verdict::Identical,
            Some((lo, hi)) => Verdict::of(lo, hi, direction, margin),
            // A fact is as far apart as it is.
            None if self.estimand.is_fact() => self.mean.map_or(Verdict::Undecided, |difference| {
                Verdict::of(difference, difference, direction, None)
            }),
            None => Verdict::Undecided,
        };
        let is_open = verdict == Verdict::Undecided;
        let [a, b] = self.policies.map(|policy| policy.label.clone());
        Pair {
            metric: self.metric.to_owned(),
            a,
            b,
            estimand: self.estimand,
            n: self.n,
            unfilled: self.unfilled,
            mean: self.mean,
            se: self.se,
            lo: self.interval.map(|(lo, _)| lo),
            hi: self.interval.map(|(_, hi)| hi),
            alpha: self.alpha,
            method: self.method,
            verdict,
            beside: self.beside,
            margin,
            needed: if is_open { needed(margin) } else { None },
            blocked,
        }
    }

    /// The endings of both policies' lanes that forbid the comparison. Neither its end nor an interrupt ends one stream short:
    /// the rounds played were played.
    fn blocked(&self, judge: &Judge) -> Vec<Blocked> {
        let forbids = |ending: Ending| match self.estimand {
            Estimand::Replications => !ending.is_comparable(judge.source_end_is_short),
            _ => !ending.is_comparable(false) && ending != Ending::Interrupted,
        };
        let mut all = Vec::new();
        for policy in self.policies {
            let mut counts = BTreeMap::new();
            for lane in policy.lanes.iter().filter(|lane| forbids(lane.ending)) {
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
}

#[cfg(test)]
mod tests;
