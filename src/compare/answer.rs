//! The answer to the user's question: who dominates whom, who is on the frontier, what the goal comes to.
//!
//! All intervals of a run hold together, so what is read off several of them holds at the same joint
//! confidence. A policy **dominates** another if it is surely at least as good on every judged metric
//! that has a better side, and surely better on one. The **frontier** is every contender that no other
//! dominates. Yardsticks are in none of the lists.

mod headline;

use serde::{Deserialize, Serialize};

use super::goal::{Constraint, Goal, Meets, Settled, Test, Tested, settle};
use super::judge::{Ground, Judge};
use super::pair::Pair;
use super::relation::{Relation, is_at_least};
use crate::compare::RunResult;
use crate::score::{Direction, MetricInfo};

/// The answer of a run; labels are in the order of the config.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The answer in a sentence or two.
    pub headline: String,
    /// The contenders that no other surely dominates.
    pub frontier: Vec<String>,
    /// Who surely dominates whom.
    pub dominates: Vec<[String; 2]>,
    /// How many pairs of the frontier more replications may still put in order.
    pub open: u64,
    /// What the goal comes to, where the config states one.
    pub goal: Option<GoalAnswer>,
    /// The comparisons of contenders that the config does not ask for, and dominance needs.
    pub between: Vec<Pair>,
}

/// What a goal comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoalAnswer {
    /// The metric whose best value is sought.
    pub best: String,
    /// The constraints: metric and bound.
    #[serde(rename = "where", with = "in_order")]
    pub bounds: Vec<(String, String)>,
    /// Whether each contender meets all constraints.
    #[serde(with = "in_order")]
    pub meets: Vec<(String, Meets)>,
    /// The best of those that surely meet all, and those that can't be told from it.
    pub answer: Vec<String>,
    /// About how many more replications are likely to settle the goal; none where it is settled, or
    /// where no number can be given.
    pub needed: Option<u64>,
    /// Whether more replications could change nothing but by error.
    pub settled: bool,
    /// Each contender's test of each constraint.
    pub tests: Vec<Tested>,
}

/// The relations of a run's contenders.
struct Field<'a> {
    /// The contenders that were compared with each other, in the order of the config.
    labels: Vec<&'a str>,
    /// The contenders that broke off, so that nothing can be said of them.
    left_out: Vec<&'a str>,
    /// The judged metrics that have a better side.
    metrics: Vec<&'a str>,
    pairs: &'a [Pair],
}

impl Answer {
    /// The answer that `pairs`, all comparisons of the run, give; `run.policies` in the order of the config.
    pub(super) fn of(run: &RunResult, judge: &Judge, pairs: &[Pair]) -> Self {
        let field = Field::of(run, judge, pairs);
        let dominates = field.dominates();
        let is_dominated = |label: &&&str| !dominates.iter().any(|[_, b]| b == *label);
        let frontier: Vec<&str> = match field.metrics.is_empty() {
            true => Vec::new(),
            false => field.labels.iter().filter(is_dominated).copied().collect(),
        };
        let goal = judge.goal.as_ref();
        let goal = goal.map(|goal| field.goal(goal, run, judge));
        let between = pairs.iter().filter(|pair| !judge.asks(&pair.b));
        Self {
            headline: headline::of(&field, run, judge, &dominates, &frontier, goal.as_ref()),
            open: field.open(&frontier),
            dominates: dominates
                .iter()
                .map(|pair| pair.map(str::to_owned))
                .collect(),
            frontier: frontier.into_iter().map(str::to_owned).collect(),
            goal,
            between: between.cloned().collect(),
        }
    }
}

impl<'a> Field<'a> {
    fn of(run: &'a RunResult, judge: &'a Judge, pairs: &'a [Pair]) -> Self {
        let labels = run.policies.iter().map(|policy| policy.label.as_str());
        let contenders = labels.filter(|label| judge.is_contender(label));
        let broke = |label: &&str| {
            let mut blocked = pairs.iter().flat_map(|pair| &pair.blocked);
            blocked.any(|blocked| blocked.label == *label)
        };
        let (left_out, labels) = contenders.partition(broke);
        let metrics = judge.compared(run).into_iter();
        let compared = |metric: &&str| {
            MetricInfo::of(metric).direction != Direction::None
                && pairs.iter().any(|pair| pair.metric == *metric)
        };
        Self {
            labels,
            left_out,
            metrics: metrics.filter(compared).collect(),
            pairs,
        }
    }

    /// The comparison of two on a metric, and whether it is from `a`.
    fn pair(&self, a: &str, b: &str, metric: &str) -> Option<(&'a Pair, bool)> {
        let mut pairs = self.pairs.iter().filter(|pair| pair.metric == metric);
        pairs.find_map(|pair| match () {
            () if pair.a == a && pair.b == b => Some((pair, true)),
            () if pair.a == b && pair.b == a => Some((pair, false)),
            () => None,
        })
    }

    /// How `a` compares with `b` on a metric.
    fn relation(&self, a: &str, b: &str, metric: &str) -> Relation {
        match self.pair(a, b, metric) {
            Some((pair, true)) => Relation::of(pair),
            Some((pair, false)) => Relation::of(pair).turned(),
            None => Relation::None,
        }
    }

    /// The metrics on which `a` is surely better than `b`.
    fn better_on(&self, a: &str, b: &str) -> Vec<&'a str> {
        let metrics = self.metrics.iter().copied();
        metrics
            .filter(|metric| self.relation(a, b, metric) == Relation::Better)
            .collect()
    }

    fn is_dominating(&self, a: &str, b: &str) -> bool {
        let at_least = |metric: &&str| {
            let pair = self.pair(a, b, metric);
            pair.is_some_and(|(pair, from_a)| is_at_least(pair, from_a))
        };
        self.metrics.iter().all(at_least) && !self.better_on(a, b).is_empty()
    }

    fn dominates(&self) -> Vec<[&'a str; 2]> {
        let pairs = self.labels.iter();
        let pairs = pairs.flat_map(|a| self.labels.iter().map(|b| [*a, *b]));
        pairs
            .filter(|[a, b]| a != b && self.is_dominating(a, b))
            .collect()
    }

    /// How many pairs of `labels` are neither a settled trade-off nor even on every metric.
    fn open(&self, labels: &[&str]) -> u64 {
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
    fn leaders(&self, metric: &str) -> Vec<&'a str> {
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

    fn goal(&self, goal: &Goal, run: &RunResult, judge: &Judge) -> GoalAnswer {
        let contenders = run.policies.iter().enumerate();
        let contenders = contenders.filter(|(_, policy)| judge.is_contender(&policy.label));
        let contenders: Vec<_> = contenders.collect();
        let alpha = goal.alpha(judge, contenders.len());
        let is_stream = run.replications == 1 && !judge.until_decided;
        let mut tests = Vec::new();
        let mut meets = Vec::new();
        for (place, policy) in contenders {
            let each = goal.constraints.iter().map(|constraint| {
                if is_stream && let Some(tested) = on_stream(constraint, place, run, judge, alpha) {
                    return tested;
                }
                let mut test = Test::new(constraint, judge, alpha);
                policy.lanes.iter().for_each(|lane| test.add(lane));
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
    fn needed<'b>(
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

/// What one stream says of a policy, by its place in the run, and a constraint; none where it says
/// nothing.
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
        Ground::Rounds(_) => run.rounds.tested(place, constraint, &policy.label),
        Ground::Ratios => {
            let stream = run.streams.get(place);
            Some(Tested::ratio(constraint, &policy.label, stream, alpha))
        }
    }
}

/// A map in the order of its entries.
mod in_order {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<V: Serialize, S: Serializer>(
        entries: &[(String, V)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
    }

    pub(super) fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, V)>, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }

    struct Entries<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
        type Value = Vec<(String, V)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
}

#[cfg(test)]
mod tests;
