//! One table over all runs of a sweep.

use super::grid::{Column, Figure, render};
use super::plain;
use crate::compare::{Judge, Summary};

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

/// A row a run and policy: the people screened, the judged metrics, as mean, standard error and median.
pub fn sweep_table(points: &[SweepPoint], judge: &Judge) -> String {
    let rows: Vec<_> = points
        .iter()
        .flat_map(|point| {
            point
                .summary
                .policies
                .iter()
                .map(move |policy| (point, policy))
        })
        .collect();
    let names = rows.iter().map(|(point, _)| point.name());
    let first = Column::words("run", names.collect());
    let labels = rows.iter().map(|(_, (label, _))| plain(label)).collect();
    let mut columns = vec![Column::words("policy", labels)];
    let mut metrics = vec!["screened"];
    metrics.extend(
        judge
            .metrics
            .iter()
            .map(String::as_str)
            .filter(|m| *m != "screened"),
    );
    let full: Vec<u64> = rows
        .iter()
        .map(|(_, (_, p))| p.endings.values().sum())
        .collect();
    for metric in metrics {
        let figures = rows
            .iter()
            .map(|(_, (_, policy))| policy.metrics.get(metric).map(Figure::from));
        columns.push(Column::figures(
            metric,
            &figures.collect::<Vec<_>>(),
            true,
            &full,
        ));
    }
    render(&first, &columns)
}
