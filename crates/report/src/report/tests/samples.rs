//! Small runs for tests of writers and readers.

use super::super::csv::{write_endings, write_replications};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};
use kleroterion_stats::RunResult;

pub(in crate::report) fn row(metric: &str, at: Option<u64>, value: f64) -> MetricRow {
    let metric = metric.into();
    MetricRow { metric, at, value }
}

pub(in crate::report) fn lane(ending: Ending, rows: Vec<MetricRow>) -> LaneResult {
    let detail = None;
    LaneResult::new(ending, detail, rows)
}

pub(in crate::report) fn run(policies: &[(&str, Vec<LaneResult>)]) -> RunResult {
    let policy = |(label, lanes): &(&str, Vec<LaneResult>)| {
        PolicyRun::new(*label, format!("kind of {label}")).with(lanes.clone())
    };
    RunResult {
        name: "t".into(),
        seed: 7,
        replications: 40,
        policies: policies.iter().map(policy).collect(),
        ..RunResult::default()
    }
}

pub(in crate::report) fn written(run: &RunResult) -> String {
    let mut bytes = Vec::new();
    write_replications(run, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

pub(in crate::report) fn endings(run: &RunResult) -> String {
    let mut bytes = Vec::new();
    write_endings(run, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}
