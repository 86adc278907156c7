//! The courses of all comparisons of a run.

mod replications;

use super::course::{DifferencePoint, PairCourse};
use super::judge::Judge;
use super::pair::{Estimand, Pair};
use super::run_result::RunResult;

/// The courses of the comparisons of a run that have an interval at each n. `pairs` are those that
/// [`Summary`](super::Summary) makes of the run by this judge.
#[must_use]
pub fn courses(run: &RunResult, judge: &Judge, pairs: &[Pair]) -> Vec<PairCourse> {
    let course = |pair: &Pair| {
        let before = match pair.estimand {
            Estimand::Replications => replications::points(run, judge, pair)?,
            Estimand::Rounds | Estimand::People => of_rounds(run, pair)?,
            Estimand::Ratios | Estimand::Outcomes | Estimand::LeastChances | Estimand::Facts => {
                return None;
            }
        };
        PairCourse::of(pair, before)
    };
    pairs.iter().filter_map(course).collect()
}

/// What the rounds of one stream kept of a pair.
fn of_rounds(run: &RunResult, pair: &Pair) -> Option<Vec<DifferencePoint>> {
    let label = |place: usize| run.policies.get(place).map(|policy| policy.label.as_str());
    let found = run.rounds.pairs.iter().find(|found| {
        found.metric == pair.metric
            && label(found.a) == Some(&pair.a)
            && label(found.b) == Some(&pair.b)
    })?;
    Some(found.course.clone())
}

#[cfg(test)]
mod tests;
