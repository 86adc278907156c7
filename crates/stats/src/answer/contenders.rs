//! The relations of a run's contenders.

use std::collections::{BTreeMap, BTreeSet};

use super::goal_answer::GoalAnswer;
use crate::found::is_over;
use crate::goal::{Constraint, Goal, Meets, Tested};
use crate::judge::{Ground, Judge};
use crate::least_chance::LEAST_CHANCE;
use crate::least_chances;
use crate::pair::{ByPair, Pair};
use crate::relation::{Relation, is_at_least};
use crate::run_result::RunResult;
use crate::settle::{Settled, Test, settle};
use kleroterion_core::score::{Direction, Directions};

/// The relations of a run's contenders.
pub(super) struct Contenders<'a> {
    /// The contenders that were compared with each other, in the order of the config.
    pub(super) labels: Vec<&'a str>,
    /// The contenders that broke off, so that nothing can be said of them.
    pub(super) left_out: Vec<&'a str>,
    /// The judged metrics that have a better side, and of which something is inferred.
    pub(super) metrics: Vec<&'a str>,
    /// The metrics with a better side that are facts of this one stream.
    pub(super) facts: Vec<&'a str>,
    pub(super) pairs: &'a [Pair],
    /// The comparisons, indexed by metric and policies.
    found: BTreeMap<&'a str, ByPair<'a, Pair>>,
    pub(super) directions: &'a Directions,
}

impl<'a> Contenders<'a> {
    pub(super) fn of(run: &'a RunResult, judge: &'a Judge, pairs: &'a [Pair]) -> Self {
        let labels = run.policies.iter().map(|policy| policy.label.as_str());
        let contenders = labels.filter(|label| judge.is_contender(label));
        let blocked = pairs.iter().flat_map(|pair| &pair.blocked);
        let broke: BTreeSet<&str> = blocked.map(|blocked| &*blocked.label).collect();
        let (left_out, labels) = contenders.partition(|label| broke.contains(label));
        let compared = |is_fact: bool| {
            let is_it = move |metric: &&str| {
                let mut pairs = pairs.iter();
                judge.directions.of(metric) != Direction::None
                    && pairs
                        .any(|pair| pair.metric == *metric && pair.estimand.is_fact() == is_fact)
            };
            judge.compared(run).into_iter().filter(is_it).collect()
        };
        Self {
            labels,
            left_out,
            metrics: compared(false),
            facts: compared(true),
            pairs,
            found: found(pairs),
            directions: &judge.directions,
        }
    }

    /// The comparison of two on a metric, and whether it is from `a`.
    pub(super) fn pair(&self, a: &str, b: &str, metric: &str) -> Option<(&'a Pair, bool)> {
        self.found.get(metric)?.get(a, b)
    }

    /// Returns the relation of `a` to `b` on a metric.
    pub(super) fn relation(&self, a: &str, b: &str, metric: &str) -> Relation {
        match self.pair(a, b, metric) {
            Some((pair, true)) => Relation::of(pair),
            Some((pair, false)) => Relation::of(pair).turned(),
            None => Relation::None,
        }
    }

    /// The metrics on which `a` is surely better than `b`.
    pub(super) fn better_on(&self, a: &str, b: &str) -> Vec<&'a str> {
        let metrics = self.metrics.iter().copied();
        metrics
            .filter(|metric| self.relation(a, b, metric) == Relation::Better)
            .collect()
    }

    pub(super) fn is_dominating(&self, a: &str, b: &str) -> bool {
        let at_least = |metric: &&str| {
            let pair = self.pair(a, b, metric);
            pair.is_some_and(|(pair, from_a)| is_at_least(pair, from_a))
        };
        self.metrics.iter().all(at_least) && !self.better_on(a, b).is_empty()
    }

    pub(super) fn dominates(&self) -> Vec<[&'a str; 2]> {
        let pairs = self.labels.iter();
        let pairs = pairs.flat_map(|a| self.labels.iter().map(|b| [*a, *b]));
        pairs
            .filter(|[a, b]| a != b && self.is_dominating(a, b))
            .collect()
    }

    /// The number of pairs of `labels` that are neither a settled trade-off nor even on every
    /// metric.
    pub(super) fn open(&self, labels: &[&str]) -> u64 {
        let is_open = |a: &str, b: &str| {
            let all = || {
                self.metrics
                    .iter()
                    .map(|metric| self.relation(a, b, metric))
            };
            let has = |relation| all().any(|found| found == relation);
            has(Relation::Open) && !(has(Relation::Better) && has(Relation::Worse))
        };
        let pairs = labels.iter().enumerate();
        let pairs = pairs.flat_map(|(at, a)| labels[at + 1..].iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| is_open(a, b)).count() as u64
    }

    /// The contenders that none is surely better than on a metric.
    pub(super) fn leaders(&self, metric: &str) -> Vec<&'a str> {
        let is_beaten = |p: &&str| {
            let mut others = self.labels.iter();
            others.any(|q| self.relation(q, p, metric) == Relation::Better)
        };
        self.labels
            .iter()
            .copied()
            .filter(|p| !is_beaten(p))
            .collect()
    }

    pub(super) fn goal(&self, goal: &Goal, run: &RunResult, judge: &Judge) -> GoalAnswer {
        let contenders = run.policies.iter().enumerate();
        let contenders = contenders.filter(|(_, policy)| judge.is_contender(&policy.label));
        let contenders: Vec<_> = contenders.collect();
        let alpha = goal.alpha(judge, contenders.len());
        let is_stream = judge.is_of_stream(run);
        let mut tests = Vec::new();
        let mut meets = Vec::new();
        for (place, policy) in contenders {
            let each = goal.constraints.iter().map(|constraint| {
                if constraint.metric == LEAST_CHANCE {
                    return least_chances::tested(run, place, constraint, alpha);
                }
                if is_stream && let Some(tested) = on_stream(constraint, place, run, judge, alpha) {
                    return tested;
                }
                let mut test = Test::new(constraint, judge, alpha);
                test.add_all(policy);
                test.tested(&policy.label)
            });
            let each: Vec<Tested> = each.collect();
            let all = Meets::all(each.iter().map(|test| test.meets));
            meets.push((policy.label.clone(), all));
            tests.extend(each);
        }
        let label = |place: usize| meets[place].0.as_str();
        let is_in = |place: &usize| self.labels.contains(&label(*place));
        let places: Vec<usize> = (0..meets.len()).filter(is_in).collect();
        let relation = |a: usize, b: usize| self.relation(label(a), label(b), &goal.best);
        let settled = settle(&places, |place| meets[place].1, relation);
        let needed = self.needed(goal, &settled, &tests, label);
        let bounds = goal.constraints.iter();
        let bounds = bounds.map(|c| (c.metric.clone(), c.bound.to_string()));
        GoalAnswer {
            best: goal.best.clone(),
            bounds: bounds.collect(),
            answer: settled
                .answer
                .iter()
                .map(|p| label(*p).to_owned())
                .collect(),
            settled: settled.is_settled,
            needed,
            tests,
            meets,
        }
    }

    /// The most that any open test or comparison is likely to need; none where one has no number.
    pub(super) fn needed<'b>(
        &self,
        goal: &Goal,
        settled: &Settled,
        tests: &[Tested],
        label: impl Fn(usize) -> &'b str,
    ) -> Option<u64> {
        let unsure = tests.iter().filter(|test| {
            let is_its = |place: &usize| label(*place) == test.label;
            test.meets == Meets::Open && settled.unsure.iter().any(is_its)
        });
        let of_tests = unsure.map(|test| test.needed);
        let open = settled.open.iter();
        let of_pairs = open.map(|(a, b)| self.pair(label(*a), label(*b), &goal.best)?.0.needed);
        let all: Option<Vec<u64>> = of_tests.chain(of_pairs).collect();
        all?.into_iter().max()
    }
}

/// The comparisons by metric and policies.
fn found(pairs: &[Pair]) -> BTreeMap<&str, ByPair<'_, Pair>> {
    let mut by_metric: BTreeMap<&str, Vec<([&str; 2], &Pair)>> = BTreeMap::new();
    for pair in pairs {
        let of_metric = by_metric.entry(&pair.metric).or_default();
        of_metric.push(([&pair.a, &pair.b], pair));
    }
    let by_pair = |(metric, pairs)| (metric, ByPair::of(pairs));
    by_metric.into_iter().map(by_pair).collect()
}

/// Returns the test of a constraint for a policy, by its place in the run, on one stream. `None` if
/// the stream gives none.
fn on_stream(
    constraint: &Constraint,
    place: usize,
    run: &RunResult,
    judge: &Judge,
    alpha: f64,
) -> Option<Tested> {
    let policy = &run.policies[place];
    match judge.ground(&constraint.metric)? {
        Ground::Facts => Some(Tested::fact(constraint, policy)),
        Ground::Rounds(_) => {
            let tested = run.rounds.tested(place, constraint, &policy.label)?;
            // Once a lane has ended no round comes.
            let goes_on = !is_over([policy, policy]);
            let needed = tested.needed.filter(|_| goes_on);
            Some(Tested { needed, ..tested })
        }
        Ground::Outcomes => {
            let stream = run.stream(place);
            Some(Tested::outcomes(constraint, &policy.label, stream, alpha))
        }
        Ground::Ratios => {
            let stream = run.stream(place);
            Some(Tested::ratio(constraint, &policy.label, stream, alpha))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::GoalBound;
    use crate::verdict::Verdict;

    fn contenders<'a>(pairs: &'a [Pair], directions: &'a Directions) -> Contenders<'a> {
        Contenders {
            labels: vec!["a", "b", "c"],
            left_out: Vec::new(),
            metrics: vec!["m", "o"],
            facts: Vec::new(),
            pairs,
            found: found(pairs),
            directions,
        }
    }

    /// Even or traded off on every metric is no longer open; one that is open is, unless both are
    /// surely ahead somewhere.
    #[test]
    fn a_pair_is_open_where_more_replications_may_still_tell_who_is_ahead() {
        use Verdict::{Better, Equivalent, Undecided, Worse};
        let directions = Directions::default();
        for (m, o, open) in [
            (Equivalent, Equivalent, 0),
            (Better, Equivalent, 0),
            (Better, Worse, 0),
            (Equivalent, Undecided, 1),
            (Better, Undecided, 1),
            (Undecided, Worse, 1),
        ] {
            let pairs = [("m", m), ("o", o)].map(|(metric, v)| Pair::by_hand(metric, "a", "b", v));
            let all = contenders(&pairs, &directions);
            assert_eq!(all.open(&["a", "b"]), open, "{m} {o}");
            assert_eq!(all.open(&["b", "a"]), open, "{m} {o}");
            assert_eq!(all.open(&["a"]), 0);
        }
        let mut pairs = [Better, Worse, Undecided].map(|v| Pair::by_hand("m", "a", "b", v));
        for (at, pair) in pairs.iter_mut().enumerate() {
            pair.metric = ["m", "o", "p"][at].into();
        }
        let mut all = contenders(&pairs, &directions);
        all.metrics.push("p");
        assert_eq!(all.open(&["a", "b"]), 0);
    }

    fn tested(label: &str, meets: Meets, needed: Option<u64>) -> Tested {
        Tested {
            label: label.into(),
            metric: "o".into(),
            bound: "<= 1".into(),
            n: 4,
            mean: Some(0.5),
            alpha: 0.01,
            e_meets: 1.0,
            e_fails: 1.0,
            meets,
            needed,
            sure_at: None,
            open_at: None,
            since: None,
        }
    }

    /// Tests of those that leave the goal open and comparisons that do: the most of them.
    #[test]
    fn a_goal_needs_the_most_of_what_leaves_it_open() {
        let goal = Goal {
            best: "m".into(),
            constraints: vec![Constraint {
                metric: "o".into(),
                bound: GoalBound::AtMost(1.0),
            }],
        };
        let directions = Directions::default();
        let pairs = [("m", Some(7)), ("o", Some(90))].map(|(metric, needed)| Pair {
            needed,
            ..Pair::by_hand(metric, "b", "a", Verdict::Undecided)
        });
        let all = contenders(&pairs, &directions);
        // b is unsure; c is open too, but surely worse than another.
        let tests = [
            tested("a", Meets::Surely, None),
            tested("b", Meets::Surely, None),
            tested("b", Meets::Open, Some(5)),
            tested("c", Meets::Open, Some(99)),
        ];
        let needed = |open: &[(usize, usize)], unsure: &[usize], tests: &[Tested]| {
            let settled = Settled {
                answer: Vec::new(),
                is_settled: false,
                open: open.to_vec(),
                unsure: unsure.to_vec(),
            };
            all.needed(&goal, &settled, tests, |place| ["a", "b", "c"][place])
        };
        assert_eq!(needed(&[], &[1], &tests), Some(5));
        assert_eq!(needed(&[(0, 1)], &[1], &tests), Some(7));
        assert_eq!(needed(&[(0, 1)], &[1, 2], &tests), Some(99));
        assert_eq!(needed(&[], &[], &tests), None);
        // Where one of them can't be foretold, nor can all.
        assert_eq!(needed(&[], &[1], &[tested("b", Meets::Open, None)]), None);
        assert_eq!(needed(&[(0, 2)], &[1], &tests), None);
    }
}
