//! The summary of a run: a fold of its rows in replication order, never NaN.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::Answer;
use super::chances::ChanceSummary;
use super::judge::Judge;
use super::outcomes::{LaneStream, StreamSummary};
use super::pair::Pair;
use super::pairs::compare;
use super::parity::Parity;
use super::stats::{SeriesPoint, Stats};
use crate::RunResult;
use kleroterion_core::protocol::{Ending, Role};
use kleroterion_core::score::{Directions, MetricAt, Metrics, PolicyRun};

/// The contents of `summary.json`, with members in its order.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// The version of this format: 1.
    pub schema: u32,
    /// The config's name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The number of replications asked for.
    pub replications: u64,
    /// Facts about the people or the rules that a reader might otherwise assume wrongly. Left out
    /// if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disclosures: Vec<String>,
    /// The policies, by label.
    pub policies: BTreeMap<String, PolicySummary>,
    /// The comparisons that the config asks for.
    pub pairs: Vec<Pair>,
    /// The better side of each metric whose side the config sets. Left out if it sets none.
    #[serde(skip_serializing_if = "Directions::is_default")]
    pub directions: Directions,
    /// The metrics of the run that the program adds to the catalogue. Left out if there are none.
    #[serde(skip_serializing_if = "Metrics::is_empty")]
    pub own_metrics: Metrics,
    /// The answer.
    pub answer: Answer,
    /// The version of the program.
    pub versions: Versions,
}

/// The results of one policy over its replications, whatever their endings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PolicySummary {
    /// The algorithm (`kind` in the config).
    pub kind: String,
    /// The policy's role, which says whether it can be the answer.
    pub role: Role,
    /// The number of lanes with each ending.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub endings: BTreeMap<Ending, u64>,
    /// The values at the end of the run, by metric.
    pub metrics: BTreeMap<String, Stats>,
    /// The values during the run, by metric, in rising `at`.
    pub series: BTreeMap<String, Vec<SeriesPoint>>,
    /// The test of demographic parity, if the run measures how often groups come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parity: Option<Parity>,
    /// The composition of the selected and their rates on the one stream. Only for a run of one
    /// replication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamSummary>,
    /// The spread of the respondents' chances, if a committee is chosen from people known
    /// beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<ChanceSummary>,
}

/// The version of the program that made a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Versions {
    /// The program's version.
    pub kleroterion: &'static str,
}

impl Summary {
    /// Folds a run in replication order. The order of `run.policies` does not matter.
    pub fn of(run: &RunResult, judge: &Judge) -> Self {
        let all = compare(run, judge);
        let answer = Answer::of(run, judge, &all);
        let role = |label: &str| match judge.is_contender(label) {
            true => Role::Policy,
            false => Role::Yardstick,
        };
        let streams = |place: usize| run.stream(place).filter(|_| run.replications == 1);
        let policies = run.policies.iter().enumerate().map(|(place, policy)| {
            let folded = run.folded.get(place);
            let mut all = PolicySummary::of(policy, role(&policy.label), folded);
            all.stream = streams(place).map(LaneStream::read);
            all.chances = run.seats.as_ref().and_then(|seats| seats.summary(place));
            (policy.label.clone(), all)
        });
        Self {
            schema: 1,
            name: run.name.clone(),
            seed: run.seed,
            replications: run.replications,
            disclosures: Vec::new(),
            policies: policies.collect(),
            pairs: all.into_iter().filter(|pair| judge.asks(&pair.b)).collect(),
            directions: judge.directions.clone(),
            own_metrics: judge.catalogue.clone(),
            answer,
            versions: Versions {
                kleroterion: env!("CARGO_PKG_VERSION"),
            },
        }
    }

    /// Adds disclosures about the people or the rules.
    #[must_use]
    pub fn disclosing(mut self, disclosures: &[String]) -> Self {
        self.disclosures = disclosures.to_vec();
        self
    }
}

impl PolicySummary {
    fn of(policy: &PolicyRun, role: Role, folded: Option<&BTreeMap<MetricAt, Stats>>) -> Self {
        let mut endings = BTreeMap::new();
        for ending in policy.endings() {
            *endings.entry(*ending).or_insert(0) += 1;
        }
        let mut metrics = BTreeMap::new();
        let mut series: BTreeMap<_, Vec<SeriesPoint>> = BTreeMap::new();
        // A value is in its column, so no column is empty and none is lost to `Stats::of`.
        let held = policy.columns();
        let held = held.filter_map(|(place, values)| Some((place, Stats::of(&values)?)));
        let folded = folded.into_iter().flatten();
        let folded = folded.map(|(place, stats)| (place, *stats));
        for (place, stats) in held.chain(folded) {
            let metric = place.metric.to_string();
            match place.at {
                None => {
                    metrics.insert(metric, stats);
                }
                Some(at) => series.entry(metric).or_default().push(stats.at(at)),
            }
        }
        for points in series.values_mut() {
            points.sort_by_key(|point| point.at);
        }
        Self {
            kind: policy.kind.clone(),
            role,
            endings,
            metrics,
            series,
            parity: Parity::of(policy),
            stream: None,
            chances: None,
        }
    }
}

impl SeriesPoint {
    /// The standard error of the mean. `None` at n = 1.
    pub fn se(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.n as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::GroupRates;
    use kleroterion_core::protocol::Schema;
    use kleroterion_core::score::{LaneResult, MetricRow};

    type Rows<'a> = &'a [(&'a str, Option<u64>, f64)];

    fn run(policies: &[(&str, &[Rows<'_>])]) -> RunResult {
        let lane = |rows: &Rows<'_>| {
            LaneResult::new(
                if rows.len() > 1 {
                    Ending::Filled
                } else {
                    Ending::Stalled
                },
                None,
                rows.iter().map(|&(metric, at, value)| MetricRow {
                    metric: metric.into(),
                    at,
                    value,
                }),
            )
        };
        RunResult {
            name: "t".into(),
            seed: 1,
            replications: 2,
            policies: policies
                .iter()
                .map(|&(label, lanes)| PolicyRun::new(label, "k").with(lanes.iter().map(lane)))
                .collect(),
            ..RunResult::default()
        }
    }

    #[test]
    fn rows_fold_into_metrics_and_series() {
        let first: &[_] = &[("m", Some(9), 1.0), ("m", Some(10), 4.0), ("m", None, 8.0)];
        let lanes: &[&[_]] = &[first, &[("m", Some(10), 2.0)]];
        let summary = Summary::of(&run(&[("b", lanes), ("a", &[])]), &Judge::default());
        assert_eq!(summary.policies.keys().collect::<Vec<_>>(), ["a", "b"]);
        let b = &summary.policies["b"];
        assert_eq!(
            b.endings.iter().collect::<Vec<_>>(),
            [(&Ending::Filled, &1), (&Ending::Stalled, &1)]
        );
        // Every replication that has a value counts, whatever its ending.
        let points = &b.series["m"];
        assert_eq!((points[0].at, points[0].n, points[0].sd), (9, 1, None));
        assert_eq!((points[1].at, points[1].n, points[1].mean), (10, 2, 3.0));
        assert_eq!(points[1].se(), Some(1.0));
        assert_eq!(b.metrics["m"].n, 1);
        assert!(summary.policies["a"].metrics.is_empty());
    }

    #[test]
    fn the_order_of_policies_does_not_matter() {
        let (a, b): (&[&[_]], &[&[_]]) = (&[&[("m", None, 0.1)]], &[&[("m", None, 0.3)]]);
        let judge = Judge::default();
        assert_eq!(
            Summary::of(&run(&[("a", a), ("b", b)]), &judge),
            Summary::of(&run(&[("b", b), ("a", a)]), &judge)
        );
    }

    /// A stream is shown of a run of one replication alone.
    #[test]
    fn what_its_stream_says_of_a_policy_is_shown_of_one_replication() {
        let schema = Arc::new(Schema::new(vec![], vec![], false).expect("a schema"));
        for (replications, is_shown) in [(1, true), (2, false)] {
            let mut rates = GroupRates::new(&schema, None, 0.05);
            rates.add(&[], true);
            let rows: &[_] = &[("m", None, 1.0)];
            let run = RunResult {
                replications,
                streams: vec![Some(LaneStream {
                    rates,
                    outcomes: None,
                })],
                ..run(&[("a", &[rows])])
            };
            let summary = Summary::of(&run, &Judge::default());
            let shown = summary.policies["a"].stream.as_ref();
            let shown = shown.map(|stream| stream.composition.shown);
            assert_eq!(shown, is_shown.then_some(1), "{replications}");
        }
    }
}
