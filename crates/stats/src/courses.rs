//! The courses of all comparisons of a run.

mod replications;

use std::collections::BTreeMap;

use super::course::PairCourse;
use super::estimand::Estimand;
use super::judge::Judge;
use super::pair::Pair;
use super::rounds::RoundPair;
use super::run_result::RunResult;
use kleroterion_core::score::PolicyRun;

/// Returns the courses of the comparisons of a run that have an interval at each n. `pairs` are
/// those of the run's [`Summary`](super::Summary) by this judge.
#[must_use]
pub fn courses(run: &RunResult, judge: &Judge, pairs: &[Pair]) -> Vec<PairCourse> {
    let policies = run.policies.iter();
    let policies: BTreeMap<&str, &PolicyRun> = policies.map(|one| (&*one.label, one)).collect();
    let label = |place: usize| run.policies.get(place).map(|policy| policy.label.as_str());
    let rounds = run.rounds.pairs.iter();
    let rounds = rounds.map(|found| ((&*found.metric, label(found.a), label(found.b)), found));
    let rounds: BTreeMap<_, &RoundPair> = rounds.collect();
    let course = |pair: &Pair| {
        let before = match pair.estimand {
            Estimand::Replications | Estimand::Cases => {
                let both = [policies.get(&*pair.a)?, policies.get(&*pair.b)?];
                replications::points(judge, pair, both.map(|policy| *policy))
            }
            // What the rounds of one stream kept of it.
            Estimand::Rounds | Estimand::People => {
                let key = (&*pair.metric, Some(&*pair.a), Some(&*pair.b));
                rounds.get(&key)?.course.clone()
            }
            Estimand::Ratios | Estimand::Outcomes | Estimand::LeastChances | Estimand::Facts => {
                return None;
            }
        };
        PairCourse::of(pair, before)
    };
    pairs.iter().filter_map(course).collect()
}

#[cfg(test)]
mod tests;
