//! Pair first: differences per replication, their interval, and what it lets one say.
//!
//! All policies see the same people and the same draws, so D = value(a) - value(b) is taken within
//! each replication; over replications D is i.i.d. with one mean, which is what the interval
//! covers. Of one stream D is taken within each round ([`Rounds`](super::Rounds)).

use super::estimand::Estimand;
use super::evidence::{Evidence, Known, needed};
use super::found::Found;
use super::judge::{Judge, against};
use super::least_chance::LEAST_CHANCE;
use super::pair::Pair;
use super::stats::Stats;
use super::{least_chances, one_stream};
use crate::RunResult;
use kleroterion_core::score::PolicyRun;

/// Compares the policies of a run: every judged metric, in the order given, times every comparison,
/// in label order. `filled` comes last, if a lane left places of its committee empty.
///
/// A run of one replication is one stream and has the comparisons that one stream allows. The
/// exception is a run that was to go on until all pairs are decided.
pub fn compare(run: &RunResult, judge: &Judge) -> Vec<Pair> {
    if judge.is_of_stream(run) {
        return one_stream::pairs(run, judge);
    }
    let labels: Vec<&str> = run.policies.iter().map(|policy| &*policy.label).collect();
    let against = against(&labels, judge);
    let shares = judge.shares().len() * against.len();
    let mut pairs = Vec::with_capacity(shares);
    for metric in judge.compared(run) {
        for &(a, b) in &against {
            let alpha = judge.difference_alpha() / shares as f64;
            let policies = [&run.policies[a], &run.policies[b]];
            pairs.push(match metric {
                LEAST_CHANCE if !judge.of_cases => least_chances::pair(run, [a, b], judge, alpha),
                _ => by_replication(metric, policies, judge, alpha),
            });
        }
    }
    pairs
}

fn by_replication(metric: &str, policies: [&PolicyRun; 2], judge: &Judge, alpha: f64) -> Pair {
    let [a, b] = policies.map(|policy| judge.column(metric, policy));
    let differences: Vec<f64> = a.zip(b).filter_map(|(a, b)| Some(a? - b?)).collect();
    let endings = policies[0].endings().iter().zip(policies[1].endings());
    let apart = endings.filter(|(a, b)| judge.is_apart(metric, [**a, **b]));
    let stats = Stats::of(&differences).filter(|stats| stats.mean.is_finite());
    let known = Known {
        direction: judge.directions.of(metric),
        range: judge.range(metric),
        variance: judge.variance(metric),
    };
    let fixed = !judge.until_decided;
    let Evidence {
        interval,
        method,
        extras,
    } = Evidence::of(&differences, stats.as_ref(), known, alpha, fixed);
    let found = Found {
        metric,
        policies,
        estimand: match judge.of_cases {
            true => Estimand::Cases,
            false => Estimand::Replications,
        },
        n: differences.len() as u64,
        unfilled: apart.count() as u64,
        mean: stats.map(|stats| stats.mean),
        se: stats.and_then(|stats| stats.se),
        interval,
        alpha,
        method,
        extras,
        identical: !differences.is_empty() && differences.iter().all(|d| *d == 0.0),
        dated: None,
        left: None,
    };
    found.judged(judge, |margin| {
        needed(&differences, &stats?, known, alpha, margin)
    })
}

#[cfg(test)]
mod tests;
