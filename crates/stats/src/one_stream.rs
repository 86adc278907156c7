//! Comparisons on one stream, played once.
//!
//! Whom it has selected is a fact: policies are set against each other as it was played, without an
//! interval. Rates are inferred: their differences round by round or person by person
//! ([`Rounds`](super::Rounds)), the ratios of groups' rates by joining the sequences of both
//! policies' groups ([`GroupRates`](super::GroupRates)).

use super::estimand::Estimand;
use super::evidence::PairExtras;
use super::found::{Found, by_round, is_over};
use super::judge::{Ground, Judge, against};
use super::pair::Pair;
use super::sequence::StreamSequence;
use crate::RunResult;

/// The name of facts, used as the method of comparisons without an interval.
pub const FACT: &str = "fact";

/// Compares every judged metric that one stream allows, in the order given, for every comparison,
/// in label order.
pub(super) fn pairs(run: &RunResult, judge: &Judge) -> Vec<Pair> {
    let labels: Vec<&str> = run.policies.iter().map(|policy| &*policy.label).collect();
    let against = against(&labels, judge);
    let alpha = judge.alpha_of_stream(against.len());
    let mut pairs = Vec::new();
    for metric in judge.compared(run) {
        match judge.ground(metric) {
            Some(Ground::Rounds(_)) => {
                let rounds = run.rounds.pairs.iter().filter(|pair| pair.metric == metric);
                pairs.extend(rounds.map(|pair| by_round(pair, run, judge)));
            }
            Some(Ground::Ratios) => {
                let all = against.iter();
                pairs.extend(all.filter_map(|&pair| ratios(metric, pair, alpha, run, judge)));
            }
            Some(Ground::Outcomes) => {
                let all = against.iter();
                pairs.extend(all.filter_map(|&pair| outcomes(metric, pair, alpha, run, judge)));
            }
            Some(Ground::Facts) => {
                pairs.extend(against.iter().map(|&pair| fact(metric, pair, run, judge)));
            }
            None => {}
        }
    }
    pairs
}

/// The difference of what two policies have selected.
fn fact(metric: &str, (a, b): (usize, usize), run: &RunResult, judge: &Judge) -> Pair {
    let policies = [&run.policies[a], &run.policies[b]];
    let [a, b] = policies.map(|policy| policy.endings().first().copied());
    let endings = a.zip(b).map(|(a, b)| [a, b]);
    let [a, b] = policies.map(|policy| judge.column(metric, policy).next().flatten());
    let difference = a.zip(b).map(|(a, b)| a - b);
    let found = Found {
        metric,
        policies,
        estimand: Estimand::Facts,
        n: u64::from(difference.is_some()),
        unfilled: u64::from(endings.is_some_and(|endings| judge.is_apart(metric, endings))),
        mean: difference,
        se: None,
        interval: None,
        alpha: 0.0,
        method: FACT,
        extras: PairExtras::default(),
        identical: difference == Some(0.0),
        dated: None,
        left: None,
    };
    found.judged(judge, |_| None)
}

/// The difference of two policies' ratios, each joined from its groups' sequences at half of the
/// pair's alpha.
fn ratios(
    metric: &str,
    places: (usize, usize),
    alpha: f64,
    run: &RunResult,
    judge: &Judge,
) -> Option<Pair> {
    let of = |place: usize| {
        let rates = &run.stream(place)?.rates;
        Some((rates.ratio_of(metric, alpha / 2.0)?, rates.shown()))
    };
    let ((a, seen), (b, also)) = (of(places.0)?, of(places.1)?);
    let joined = Joined {
        estimand: Estimand::Ratios,
        n: seen.min(also),
        values: a.value.zip(b.value),
        intervals: [(a.lo, a.hi), (b.lo, b.hi)],
    };
    Some(joined.judged(metric, places, alpha, run, judge))
}

/// The difference of the mean outcomes of those whom two policies selected, each by its own
/// sequence at half of the pair's alpha; none where those of one are not known, or of no one yet.
fn outcomes(
    metric: &str,
    places: (usize, usize),
    alpha: f64,
    run: &RunResult,
    judge: &Judge,
) -> Option<Pair> {
    let of = |place: usize| {
        let known = run.stream(place)?.outcomes.as_ref()?;
        let mean = known.mean_of(metric, alpha / 2.0)?;
        Some((mean, (mean.lo?, mean.hi?)))
    };
    let ((a, of_a), (b, of_b)) = (of(places.0)?, of(places.1)?);
    let joined = Joined {
        estimand: Estimand::Outcomes,
        n: a.n.min(b.n),
        values: a.mean.zip(b.mean),
        intervals: [of_a, of_b],
    };
    Some(joined.judged(metric, places, alpha, run, judge))
}

/// The evidence on two policies separately. Each interval holds at half of alpha.
struct Joined {
    estimand: Estimand,
    n: u64,
    values: Option<(f64, f64)>,
    intervals: [(f64, f64); 2],
}

impl Joined {
    fn judged(
        self,
        metric: &str,
        places: (usize, usize),
        alpha: f64,
        run: &RunResult,
        judge: &Judge,
    ) -> Pair {
        let difference = self.values.map(|(a, b)| a - b);
        let [a, b] = self.intervals;
        let policies = [&run.policies[places.0], &run.policies[places.1]];
        let found = Found {
            metric,
            policies,
            estimand: self.estimand,
            n: difference.map_or(0, |_| self.n),
            unfilled: 0,
            mean: difference,
            se: None,
            interval: difference.map(|_| (a.0 - b.1, a.1 - b.0)),
            alpha,
            method: StreamSequence::METHOD,
            extras: PairExtras::default(),
            identical: false,
            dated: None,
            left: is_over(policies).then_some(0),
        };
        found.judged(judge, |_| None)
    }
}

#[cfg(test)]
mod tests;
