//! One table over all runs of a sweep.

use super::grid::{GridColumn, MetricCell, render};
use super::plain;
use crate::compare::{Judge, PolicySummary, Summary};

/// One run of a sweep: the keys that were set, with their values as written, and what came of it.
pub struct SweepPoint {
    /// (path, value).
    pub set: Vec<(String, String)>,
    /// The run's summary.
    pub summary: Summary,
}

impl SweepPoint {
    /// `seed = 1, rules.slate = 2`
    #[must_use]
    pub fn name(&self) -> String {
        let parts = self
            .set
            .iter()
            .map(|(key, value)| format!("{key} = {value}"));
        plain(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// A row a run and policy, led by what the run was set to: the people screened and the judged
/// metrics.
pub fn sweep_table(points: &[SweepPoint], judge: &Judge) -> String {
    let Some(first) = points.first() else {
        return String::new();
    };
    let of_point = |point| move |policy| (point, policy);
    let rows = points
        .iter()
        .flat_map(|point| point.summary.policies.iter().map(of_point(point)));
    let rows: Vec<(&SweepPoint, (&String, &PolicySummary))> = rows.collect();
    let mut lead = Vec::new();
    for (at, (key, _)) in first.set.iter().enumerate() {
        let values = rows.iter().map(|(point, _)| plain(&point.set[at].1));
        lead.push(GridColumn::words(&plain(key), values.collect()));
    }
    let labels = rows.iter().map(|(_, (label, _))| plain(label));
    lead.push(GridColumn::words("policy", labels.collect()));
    let judged = judge.metrics.iter().map(String::as_str);
    let metrics = std::iter::once("screened").chain(judged.filter(|metric| *metric != "screened"));
    let full = rows
        .iter()
        .map(|(_, (_, policy))| policy.endings.values().sum());
    let full: Vec<u64> = full.collect();
    let columns = metrics.map(|metric| {
        let figures = rows
            .iter()
            .map(|(_, (_, policy))| policy.metrics.get(metric).map(MetricCell::from));
        let figures: Vec<_> = figures.collect();
        GridColumn::figures(&plain(metric), &figures, metric == "screened", &full)
    });
    let name = plain(&first.summary.name);
    let table = render(&lead, &columns.collect::<Vec<_>>());
    format!("{name}: a sweep of {} runs\n\n{table}", points.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::RunResult;
    use crate::protocol::Ending;
    use crate::score::{LaneResult, MetricRow, PolicyRun};

    fn point(k: u64, v: &str) -> SweepPoint {
        let lane = |screened: f64| {
            LaneResult::new(
                Ending::Filled,
                None,
                [
                    ("screened", screened),
                    ("representation_loss", 1.0 / screened),
                ]
                .map(|(metric, value)| MetricRow {
                    metric: metric.into(),
                    at: None,
                    value,
                }),
            )
        };
        let policy = |label: &str, factor: f64| {
            PolicyRun::new(label, "k").with([1.0, 1.5].map(|part| lane(factor * part * k as f64)))
        };
        let run = RunResult {
            name: "small\tcommittee".into(),
            seed: 1,
            replications: 2,
            policies: vec![policy("queue", 1.0), policy("greedy .05", 40.0)],
            ..RunResult::default()
        };
        let key = |key: &str, value: String| (key.to_owned(), value);
        SweepPoint {
            set: vec![
                key("rules.until.accepted", k.to_string()),
                key("policy.queue.v", v.into()),
            ],
            summary: Summary::of(&run, &Judge::default()),
        }
    }

    #[test]
    fn every_row_says_which_run_it_is_of() {
        let judge = Judge {
            metrics: vec!["representation_loss".into()],
            ..Judge::default()
        };
        let known = "small\u{fffd}committee: a sweep of 2 runs

                                                                screened   representation_loss
rules.until.accepted   policy.queue.v   policy         mean \u{b1} se  median             mean \u{b1} se
50                     1                greedy .05   2500 \u{b1} 500     2500   0.000417 \u{b1} 0.000083
50                     1                queue          62 \u{b1} 12        62   0.0167   \u{b1} 0.0033
100                    2.0              greedy .05   5000 \u{b1} 1000    5000   0.000208 \u{b1} 0.000042
100                    2.0              queue         125 \u{b1} 25       125   0.0083   \u{b1} 0.0017
";
        let shown = sweep_table(&[point(50, "1"), point(100, "2.0")], &judge);
        assert_eq!(shown, known, "\n{shown}");
        assert_eq!(
            point(50, "1").name(),
            "rules.until.accepted = 50, policy.queue.v = 1"
        );
        assert_eq!(sweep_table(&[], &judge), "");
    }
}
