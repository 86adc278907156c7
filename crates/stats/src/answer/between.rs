//! The comparisons that the answer lists: those which the config does not ask for. Of many
//! contenders they are those that its statements rest on.

use std::collections::{BTreeMap, BTreeSet};

use super::contenders::Contenders;
use crate::judge::Judge;
use crate::limits::{MOST_CONTENDERS, MOST_FOREMOST};
use crate::pair::Pair;
use crate::relation::Relation;
use kleroterion_core::score::Direction;

/// The comparisons that are listed, and how many inferred ones are not. Of many contenders these
/// are the comparisons with the foremost on the measure, and for each that is surely behind one
/// that shows it.
pub(super) fn listed(
    contenders: &Contenders<'_>,
    judge: &Judge,
    pairs: &[Pair],
) -> (Vec<Pair>, u64) {
    let between = pairs.iter().filter(|pair| !judge.asks(&pair.b));
    if contenders.labels.len() <= MOST_CONTENDERS {
        return (between.cloned().collect(), 0);
    }
    let metrics = contenders.metrics.iter().chain(&contenders.facts);
    let foremost = metrics.map(|metric| (*metric, foremost(metric, contenders, pairs)));
    let foremost: BTreeMap<&str, BTreeSet<&str>> = foremost.collect();
    let mut behind = BTreeSet::new();
    let (mut listed, mut unlisted) = (Vec::new(), 0);
    for pair in between {
        let mut sides = [&pair.a, &pair.b].into_iter();
        let of_metric = foremost.get(&*pair.metric);
        let is_foremost = of_metric.is_some_and(|labels| sides.any(|one| labels.contains(&**one)));
        let loser = match Relation::of(pair) {
            Relation::Better => Some(&pair.b),
            Relation::Worse => Some(&pair.a),
            Relation::Even | Relation::Open | Relation::None => None,
        };
        let is_first = loser.is_some_and(|loser| behind.insert((&pair.metric, loser)));
        match is_foremost || is_first {
            true => listed.push(pair.clone()),
            false => unlisted += u64::from(!pair.estimand.is_fact()),
        }
    }
    (listed, unlisted)
}

/// The first of those that none is surely better than, by the sum of their differences from all
/// others.
fn foremost<'a>(metric: &str, contenders: &Contenders<'a>, pairs: &'a [Pair]) -> BTreeSet<&'a str> {
    let mut ahead: BTreeMap<&str, f64> = BTreeMap::new();
    let sign = match contenders.directions.of(metric) {
        Direction::Lower => -1.0,
        Direction::Higher | Direction::None => 1.0,
    };
    for pair in pairs.iter().filter(|pair| pair.metric == metric) {
        let difference = sign * pair.mean.unwrap_or(0.0);
        *ahead.entry(&pair.a).or_default() += difference;
        *ahead.entry(&pair.b).or_default() -= difference;
    }
    let of = |label: &str| ahead.get(label).copied().unwrap_or(f64::NEG_INFINITY);
    let mut leaders = contenders.leaders(metric);
    leaders.sort_by(|a, b| of(b).total_cmp(&of(a)));
    leaders.into_iter().take(MOST_FOREMOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RunResult, Verdict, Versus};
    use kleroterion_core::score::PolicyRun;

    /// Makes a run of a number of policies. Each is surely better only than the third to fifth
    /// after it, so most are behind policies that are behind themselves.
    fn of_many(many: usize) -> (RunResult, Judge, Vec<Pair>) {
        let labels: Vec<String> = (0..many).map(|place| format!("p{place:03}")).collect();
        let mut pairs = Vec::new();
        for (at, a) in labels.iter().enumerate() {
            for (to, b) in labels.iter().enumerate().skip(at + 1) {
                let verdict = match to - at {
                    3..=5 => Verdict::Better,
                    _ => Verdict::Undecided,
                };
                pairs.push(Pair {
                    mean: Some((at as f64) - (to as f64)),
                    ..Pair::by_hand("screened", a, b, verdict)
                });
            }
        }
        let judge = Judge {
            metrics: vec!["screened".into()],
            versus: Versus::Baseline(labels[many - 1].clone()),
            ..Judge::default()
        };
        let policies = labels.iter().map(|label| PolicyRun::new(&**label, "k"));
        let run = RunResult {
            replications: 9,
            policies: policies.collect(),
            ..RunResult::default()
        };
        (run, judge, pairs)
    }

    #[test]
    fn of_many_contenders_what_the_answer_rests_on_is_listed() {
        let (run, judge, pairs) = of_many(MOST_CONTENDERS);
        let contenders = Contenders::of(&run, &judge, &pairs);
        let (all, unlisted) = listed(&contenders, &judge, &pairs);
        assert_eq!((all.len(), unlisted), (99 * 98 / 2, 0));
        let (run, judge, pairs) = of_many(MOST_CONTENDERS + 20);
        let contenders = Contenders::of(&run, &judge, &pairs);
        let leaders = contenders.leaders("screened");
        assert_eq!(leaders, ["p000", "p001", "p002"]);
        let (some, unlisted) = listed(&contenders, &judge, &pairs);
        assert_eq!(some.len() as u64 + unlisted, 119 * 118 / 2);
        assert!(some.len() < 4 * run.policies.len(), "{}", some.len());
        // They leave the same in front.
        let asked = pairs.iter().filter(|pair| judge.asks(&pair.b)).cloned();
        let known: Vec<Pair> = asked.chain(some).collect();
        let again = Contenders::of(&run, &judge, &known);
        assert_eq!(again.leaders("screened"), leaders);
        for other in contenders.labels.iter().filter(|label| **label != "p000") {
            assert!(again.pair("p000", other, "screened").is_some(), "{other}");
        }
    }
}
