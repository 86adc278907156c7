//! A run of a sweep, as its outputs have it.

use super::super::grid::GridColumn;
use super::super::plain;
use super::super::points::PointEntry;
use kleroterion_stats::Summary;

/// One run of a sweep: its name, its settings and its result.
pub struct SweepPoint {
    /// The name of the run and its settings.
    pub entry: PointEntry,
    /// The run's summary.
    pub summary: Summary,
}

/// A column for each key of the sweep, a cell for each row's run.
pub(super) fn lead<'a>(of_rows: impl Iterator<Item = &'a SweepPoint> + Clone) -> Vec<GridColumn> {
    let first = of_rows.clone().next();
    let keys = first
        .map_or(&[][..], |point| &point.entry.set)
        .iter()
        .enumerate();
    let column = |(at, (key, _)): (usize, &(String, String))| {
        let values = of_rows.clone().map(|point| plain(&point.entry.set[at].1));
        GridColumn::words(&plain(key), values.collect())
    };
    keys.map(column).collect()
}
