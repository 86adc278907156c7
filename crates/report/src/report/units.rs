//! Results in the units in which people read their measures: shares as numbers of 100, gaps in
//! points. Tables and pages show these; files keep the values as they were measured.

use std::collections::BTreeMap;

use super::finished::Finished;
use kleroterion_core::score::Metrics;
use kleroterion_stats::{Answer, Pair, PolicySummary, Stats, Summary};

/// The run in the units of its measures. The values of single replications stay as they are.
pub(super) fn of_run(run: &Finished) -> Finished {
    let mut run = run.clone();
    let metrics = run.catalogue.clone();
    let scale = |metric: &str| metrics.words(metric).scale();
    policies(&mut run.policies, &metrics);
    pairs(&mut run.pairs, &metrics);
    run.answer
        .iter_mut()
        .for_each(|found| answer(found, &metrics));
    for course in &mut run.courses {
        let by = scale(&course.metric);
        for point in &mut course.points {
            point.mean *= by;
            point.interval = point.interval.map(|(lo, hi)| (by * lo, by * hi));
        }
    }
    for (metric, points) in run.curves.values_mut().flatten() {
        let by = scale(metric);
        for point in points {
            point.mean *= by;
            scaled(&mut point.se, by);
        }
    }
    run
}

/// The summary in the units of its measures.
pub(super) fn of_summary(summary: &Summary, metrics: &Metrics) -> Summary {
    let mut summary = summary.clone();
    policies(&mut summary.policies, metrics);
    pairs(&mut summary.pairs, metrics);
    answer(&mut summary.answer, metrics);
    summary
}

fn answer(answer: &mut Answer, metrics: &Metrics) {
    pairs(&mut answer.between, metrics);
    for test in answer.goal.iter_mut().flat_map(|goal| &mut goal.tests) {
        let by = metrics.words(&test.metric).scale();
        scaled(&mut test.mean, by);
    }
}

fn policies(policies: &mut BTreeMap<String, PolicySummary>, metrics: &Metrics) {
    for policy in policies.values_mut() {
        for (metric, values) in &mut policy.metrics {
            of_stats(values, metrics.words(metric).scale());
        }
        for (metric, points) in &mut policy.series {
            let by = metrics.words(metric).scale();
            for point in points {
                point.mean *= by;
                point.median *= by;
                scaled(&mut point.sd, by);
            }
        }
    }
}

fn of_stats(values: &mut Stats, by: f64) {
    let Stats {
        n: _,
        mean,
        sd,
        se,
        median,
        min,
        max,
    } = values;
    [mean, median, min, max]
        .into_iter()
        .for_each(|value| *value *= by);
    [sd, se].into_iter().for_each(|value| scaled(value, by));
}

fn pairs(pairs: &mut [Pair], metrics: &Metrics) {
    for pair in pairs {
        let by = metrics.words(&pair.metric).scale();
        let extras = &mut pair.extras;
        let values = [
            &mut pair.mean,
            &mut pair.se,
            &mut pair.lo,
            &mut pair.hi,
            &mut pair.margin,
            &mut extras.t_lo,
            &mut extras.t_hi,
            &mut extras.median,
            &mut extras.median_lo,
            &mut extras.median_hi,
        ];
        values.into_iter().for_each(|value| scaled(value, by));
        scaled(&mut extras.variance_bound, by * by);
    }
}

fn scaled(value: &mut Option<f64>, by: f64) {
    *value = value.map(|value| by * value);
}
