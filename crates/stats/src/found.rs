//! A comparison, before it is judged.

use std::collections::BTreeMap;

use super::estimand::Estimand;
use super::evidence::PairExtras;
use super::judge::Judge;
use super::pair::{Blocked, Pair};
use super::rounds::RoundPair;
use super::run_result::RunResult;
use super::sequence::StreamSequence;
use super::standing::{Dated, Standing, lies_within};
use super::verdict::Verdict;
use crate::limits::MOST_NEEDED;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::PolicyRun;

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
    /// True if all D are exactly 0.
    pub(super) identical: bool,
    pub(super) dated: Option<Dated>,
    /// The largest number of further rounds (or people) in the run. `None` if that is open, or if
    /// replications are counted.
    pub(super) left: Option<u64>,
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
            // A fact is as far apart as it is, and neither is better by it.
            None if self.estimand.is_fact() && self.mean.is_some() => Verdict::SoFar,
            None => Verdict::Undecided,
        };
        let standing = Standing::of(verdict, self.estimand, self.is_within(margin));
        let is_open = standing == Standing::Open && verdict != Verdict::NotComparable;
        let needed = match verdict {
            Verdict::Undecided => needed(margin).filter(|needed| *needed <= MOST_NEEDED),
            _ => None,
        };
        let ends_before = self
            .left
            .is_some_and(|left| left == 0 || needed.is_some_and(|needed| needed > left));
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
            method: self.method.into(),
            verdict,
            standing,
            dated: self.dated,
            ends_before: is_open && ends_before,
            extras: self.extras,
            margin,
            needed,
            blocked,
        }
    }

    /// Returns true if the interval lies within the margin.
    fn is_within(&self, margin: Option<f64>) -> bool {
        self.interval
            .is_some_and(|limits| lies_within(limits, margin))
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
        estimand: match judge.info(&rounds.metric).by_person {
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
        extras: PairExtras::of_stream(rounds.ln_e_values),
        identical: rounds.identical,
        dated: rounds.dated,
        left: left(policies, judge, rounds),
    };
    // Where a lane has filled its places no round can come.
    let mut endings = policies.iter().flat_map(|policy| policy.endings());
    let is_full = endings.any(|ending| *ending == Ending::Filled);
    found.judged(judge, |_| rounds.needed.filter(|_| !is_full))
}

/// Returns true if a lane of either has ended. No round then comes that both play.
pub(super) fn is_over(policies: [&PolicyRun; 2]) -> bool {
    let mut endings = policies.into_iter().flat_map(PolicyRun::endings);
    endings.any(|ending| *ending != Ending::Interrupted)
}

/// Returns the number of further rounds (or people) that both are likely to play, if it can be
/// foretold. It is 0 once one has ended. It is at most the number the config leaves, and at most
/// the number until one fills its places at its present rate.
fn left(policies: [&PolicyRun; 2], judge: &Judge, rounds: &RoundPair) -> Option<u64> {
    if is_over(policies) {
        return Some(0);
    }
    let by_person = judge.info(&rounds.metric).by_person;
    let of_rounds = judge.rounds.filter(|_| !by_person);
    let of_rounds = of_rounds.map(|all| all.saturating_sub(rounds.n));
    let until_filled = |policy: &PolicyRun| {
        let filled = policy.column("accepted", None).next().flatten()?;
        let empty = (judge.seats? as f64 - filled).max(0.0);
        (filled > 0.0).then(|| (empty * rounds.n as f64 / filled).ceil() as u64)
    };
    let of_seats = policies.into_iter().filter_map(until_filled);
    of_rounds.into_iter().chain(of_seats).min()
}
