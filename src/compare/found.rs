//! A comparison, before it is judged.

use std::collections::BTreeMap;

use super::evidence::PairExtras;
use super::judge::Judge;
use super::pair::{Blocked, Estimand, Pair};
use super::rounds::RoundPair;
use super::run_result::RunResult;
use super::sequence::StreamSequence;
use super::verdict::Verdict;
use crate::protocol::Ending;
use crate::score::{MetricInfo, PolicyRun};

/// The comparison of two policies on a metric, before it is judged.
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
    pub(super) extras: PairExtras,
    /// Whether all D are exactly 0.
    pub(super) identical: bool,
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
        let direction = judge.directions.of(self.metric);
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
            direction,
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
            extras: self.extras,
            margin,
            needed: if is_open { needed(margin) } else { None },
            blocked,
        }
    }

    /// The endings of both policies' lanes that forbid the comparison. Neither its end nor an
    /// interrupt ends one stream short: the rounds played were played.
    fn blocked(&self, judge: &Judge) -> Vec<Blocked> {
        let forbids = |ending: Ending| match self.estimand {
            estimand if !estimand.is_stream() => !ending.is_comparable(judge.source_end_is_short),
            _ => !ending.is_comparable(false) && ending != Ending::Interrupted,
        };
        let mut all = Vec::new();
        for policy in self.policies {
            let mut counts = BTreeMap::new();
            for ending in policy.endings().iter().filter(|ending| forbids(**ending)) {
                *counts.entry(*ending).or_insert(0) += 1;
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
        method: StreamSequence::METHOD,
        extras: PairExtras::of_stream(rounds.e_values),
        identical: rounds.identical,
    };
    // Where a lane has filled its places no round can come.
    let mut endings = policies.iter().flat_map(|policy| policy.endings());
    let is_full = endings.any(|ending| *ending == Ending::Filled);
    found.judged(judge, |_| rounds.needed.filter(|_| !is_full))
}
