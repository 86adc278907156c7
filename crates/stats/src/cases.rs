//! Values that no run made: a table with a value of each policy in each case.
//!
//! A case is whatever all policies have a value of: a replication, a problem of a benchmark, a
//! customer. Cases are taken for independent and of one law. They are compared exactly as the
//! replications of a run are.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::answer::Answer;
use super::judge::{Judge, Versus};
use super::pair::Pair;
use super::run_result::RunResult;
use super::sequence::Range;
use super::stats::Stats;
use super::summary::{Summary, Versions};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{
    Direction, Directions, LaneResult, Layout, MetricAt, MetricInfo, PolicyRun,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A measure of a table's cases, and what is known of it beforehand.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseMeasure {
    /// The name of the measure.
    pub name: String,
    /// The better side.
    pub direction: Direction,
    /// The range of its values. Verdicts then hold at any time, else for a number of cases that was
    /// fixed beforehand.
    pub range: Option<Range>,
    /// The difference up to which two policies count as equivalent; positive.
    pub margin: Option<f64>,
}

/// The question that is asked of a table of cases.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseQuestion {
    /// The measures, each once. Alpha is split over them and over the comparisons.
    pub measures: Vec<CaseMeasure>,
    /// The policies that are compared.
    pub versus: Versus,
    /// The error probability allowed to all verdicts together.
    pub alpha: f64,
    /// True if the number of cases was fixed before the first was seen. Otherwise no interval by t
    /// is given.
    pub is_fixed: bool,
}

impl CaseQuestion {
    /// Returns the judge that answers the question.
    #[must_use]
    pub fn judge(&self) -> Judge {
        let mut judge = Judge {
            metrics: self.measures.iter().map(|one| one.name.clone()).collect(),
            versus: self.versus.clone(),
            alpha: self.alpha,
            until_decided: !self.is_fixed,
            of_cases: true,
            directions: Directions::set(
                self.measures
                    .iter()
                    .map(|one| (one.name.clone(), one.direction))
                    .collect(),
            ),
            ..Judge::default()
        };
        for one in &self.measures {
            // Whatever the catalogue knows by this name, a table may mean another.
            let mut info = MetricInfo::describes("a measure of the table");
            info.range = one.range.map(Range::ends);
            judge.catalogue.describe(&one.name, info);
            let margin = one.margin.map(|margin| (one.name.clone(), margin));
            judge.margins.extend(margin);
        }
        judge
    }
}

/// The cases of a table, in an order, with the values of each policy.
#[derive(Clone, Debug)]
pub struct CaseTable {
    name: String,
    layout: Arc<Layout>,
    policies: Vec<PolicyRun>,
    /// The number of cases in which a policy lacks a value, by policy.
    missing: Vec<u64>,
    incomplete: u64,
    all: u64,
}

impl CaseTable {
    /// Makes a table without cases, of these policies and measures. The name is that of reports.
    #[must_use]
    pub fn new<'a>(
        name: impl Into<String>,
        policies: impl IntoIterator<Item = &'a str>,
        measures: &[CaseMeasure],
    ) -> Self {
        let place = |one: &CaseMeasure| MetricAt {
            metric: one.name.as_str().into(),
            at: None,
        };
        let policies = policies.into_iter();
        let policies: Vec<_> = policies.map(|label| PolicyRun::new(label, "")).collect();
        Self {
            name: name.into(),
            layout: Layout::new(measures.iter().map(place).collect()),
            missing: vec![0; policies.len()],
            policies,
            incomplete: 0,
            all: 0,
        }
    }

    /// Adds the next case: for each policy a value of each measure, all in the order in which they
    /// were given. A value that is not finite is missing.
    ///
    /// # Panics
    /// Panics in debug builds if there are more or fewer values.
    pub fn add(&mut self, values: impl IntoIterator<Item = Vec<f64>>) {
        let mut is_whole = true;
        let lanes = self.policies.iter_mut().zip(&mut self.missing);
        for ((policy, missing), values) in lanes.zip(values) {
            let has_all = values.iter().all(|value| value.is_finite());
            *missing += u64::from(!has_all);
            is_whole &= has_all;
            let layout = Arc::clone(&self.layout);
            policy.push(LaneResult::laid_out(Ending::Horizon, None, layout, values));
        }
        self.incomplete += u64::from(!is_whole);
        self.all += 1;
    }

    /// Compares the policies over the cases so far. It takes time in proportion to their number.
    /// `facts` are what a reader might otherwise assume wrongly.
    #[must_use]
    pub fn compare(&self, question: &CaseQuestion, facts: &[String]) -> Comparison {
        let judge = question.judge();
        let result = RunResult {
            name: self.name.clone(),
            replications: self.all,
            policies: self.policies.clone(),
            ..RunResult::default()
        };
        let labels = self.policies.iter().map(|policy| policy.label.clone());
        Comparison {
            summary: Summary::of(&result, &judge).disclosing(facts),
            missing: labels.zip(self.missing.iter().copied()).collect(),
            incomplete: self.incomplete,
            result,
            judge,
        }
    }

    /// The number of cases in which some policy lacks a value.
    #[must_use]
    pub const fn incomplete(&self) -> u64 {
        self.incomplete
    }

    /// The policies that lack a value in some case, with the number of these cases.
    pub fn missing(&self) -> impl Iterator<Item = (&str, u64)> {
        let lanes = self.policies.iter().zip(&self.missing);
        let lacking = lanes.filter(|(_, missing)| **missing > 0);
        lacking.map(|(policy, missing)| (&*policy.label, *missing))
    }

    /// The number of cases.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.all
    }

    /// Returns true if there is no case.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.all == 0
    }

    /// Returns true if some case has a value of two policies, so that they can be compared.
    #[must_use]
    pub fn has_pairs(&self) -> bool {
        let mut places = self.layout.places().iter();
        places.any(|place| {
            let mut have = vec![0; self.all as usize];
            for policy in &self.policies {
                let column = have.iter_mut().zip(policy.column(&place.metric, None));
                column.for_each(|(have, value)| *have += usize::from(value.is_some()));
            }
            have.iter().any(|have| *have > 1)
        })
    }
}

/// The comparison of policies over the cases of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The values, a replication for each case.
    pub result: RunResult,
    /// The judge of the question.
    pub judge: Judge,
    /// The verdicts and the answer, as of a run.
    pub summary: Summary,
    /// The number of cases in which each policy lacks a value.
    pub missing: BTreeMap<String, u64>,
    /// The number of cases in which some policy lacks a value.
    pub incomplete: u64,
}

impl Comparison {
    /// The answer.
    #[must_use]
    pub const fn answer(&self) -> &Answer {
        &self.summary.answer
    }

    /// The comparisons that were asked for.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.summary.pairs
    }

    /// The number of cases.
    #[must_use]
    pub const fn cases(&self) -> u64 {
        self.summary.replications
    }

    /// Returns the content of the comparison as JSON has it.
    #[must_use]
    pub fn contents(&self) -> CaseSummary<'_> {
        let policies = self.summary.policies.iter();
        let policies = policies.map(|(label, policy)| {
            let policy = CasePolicy {
                missing: self.missing.get(label).copied().unwrap_or_default(),
                metrics: &policy.metrics,
            };
            (label.as_str(), policy)
        });
        CaseSummary {
            schema: 1,
            name: &self.summary.name,
            cases: self.cases(),
            incomplete: self.incomplete,
            disclosures: &self.summary.disclosures,
            policies: policies.collect(),
            pairs: &self.summary.pairs,
            answer: &self.summary.answer,
            versions: self.summary.versions,
        }
    }
}

/// The contents of a comparison as JSON, with members in its order. Those that `summary.json` has as
/// well mean the same.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CaseSummary<'a> {
    /// The version of this format: 1.
    schema: u32,
    /// The name of the table.
    name: &'a str,
    /// The number of cases.
    cases: u64,
    /// The number of cases in which some policy has no value.
    incomplete: u64,
    /// The assumptions of the verdicts.
    disclosures: &'a [String],
    /// The policies, by label.
    policies: BTreeMap<&'a str, CasePolicy<'a>>,
    /// The comparisons.
    pairs: &'a [Pair],
    /// The answer.
    answer: &'a Answer,
    /// The version of the program.
    versions: Versions,
}

/// The values of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct CasePolicy<'a> {
    /// The number of cases in which it has no value.
    missing: u64,
    /// The means, by measure.
    metrics: &'a BTreeMap<String, Stats>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::sequence::Betting;
    use crate::t;

    fn question(range: Option<(f64, f64)>) -> CaseQuestion {
        CaseQuestion {
            measures: vec![CaseMeasure {
                name: "cost".into(),
                direction: Direction::Higher,
                range: range.and_then(|(least, most)| Range::new(least, most)),
                margin: None,
            }],
            versus: Versus::Everyone,
            alpha: 0.05,
            is_fixed: true,
        }
    }

    fn cases(question: &CaseQuestion, values: &[[f64; 2]]) -> CaseTable {
        let mut cases = CaseTable::new("t", ["b", "a"], &question.measures);
        for [b, a] in values {
            cases.add([vec![*b], vec![*a]]);
        }
        cases
    }

    /// The catalogue has a cost, of which less is better.
    #[test]
    fn a_tables_measure_is_its_own_whatever_the_catalogue_calls_so() {
        let values: Vec<[f64; 2]> = (0..200)
            .map(|i| [0.1, 0.7 + f64::from(i % 3) / 10.0])
            .collect();
        let asked = question(Some((0.0, 1.0)));
        let found = cases(&asked, &values).compare(&asked, &[]);
        let pair = &found.pairs()[0];
        assert_eq!((pair.a.as_str(), pair.verdict), ("a", Verdict::Better));
        assert_eq!((&*pair.method, pair.alpha), (Betting::METHOD, 0.05));
        assert_eq!(pair.estimand.units(), "cases");
        let by_t = cases(&question(None), &values).compare(&question(None), &[]);
        assert_eq!(by_t.pairs()[0].method, t::METHOD);
    }

    /// A case that lacks a value is counted, and the two others are compared.
    #[test]
    fn a_case_that_lacks_a_value_is_counted() {
        let asked = question(Some((0.0, 1.0)));
        let table = cases(&asked, &[[0.5, 0.25], [f64::NAN, 0.5], [0.5, 0.75]]);
        assert_eq!((table.len(), table.incomplete()), (3, 1));
        assert_eq!(table.missing().collect::<Vec<_>>(), [("b", 1)]);
        assert!(table.has_pairs());
        let found = table.compare(&asked, &[]);
        assert_eq!((found.pairs()[0].n, found.cases()), (2, 3));
        let apart = cases(&asked, &[[f64::NAN, 0.5], [0.5, f64::NAN]]);
        assert!(!apart.has_pairs());
        assert_eq!(apart.compare(&asked, &[]).pairs()[0].n, 0);
    }

    /// One case is no stream: it is compared like any number.
    #[test]
    fn one_case_is_compared() {
        let asked = question(Some((0.0, 1.0)));
        let found = cases(&asked, &[[0.0, 1.0]]).compare(&asked, &[]);
        let pair = &found.pairs()[0];
        assert_eq!((pair.n, pair.verdict), (1, Verdict::Undecided));
        assert!(pair.lo.is_some());
    }

    /// Whoever looks at any time gets nothing that holds for a fixed number alone.
    #[test]
    fn no_interval_by_t_where_the_number_was_not_fixed() {
        let asked = CaseQuestion {
            is_fixed: false,
            ..question(Some((0.0, 1.0)))
        };
        let found = cases(&asked, &[[0.5, 0.25], [0.25, 0.5], [0.5, 0.75]]).compare(&asked, &[]);
        let pair = &found.pairs()[0];
        assert!(pair.lo.is_some() && pair.extras.t_lo.is_none());
    }
}
