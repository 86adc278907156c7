//! `sweep.csv`: the summaries of all runs of a sweep as one table.

use std::io::{self, Write};

use super::point::SweepPoint;
use crate::record::shortest;

/// The columns after those of the sweep's keys, which follow `point`.
pub const COLUMNS: [&str; 9] = [
    "policy", "metric", "n", "mean", "sd", "se", "median", "min", "max",
];

/// Writes `sweep.csv`: by run, label and metric, the statistics at the end of the run. Numbers are
/// the shortest that read back; an empty `sd` is that of one value.
pub fn write_sweep(points: &[SweepPoint], out: impl Write) -> io::Result<()> {
    let mut csv = ::csv::Writer::from_writer(out);
    let keys = points
        .first()
        .map_or(&[][..], |point| &point.entry.set)
        .iter();
    let keys = keys.map(|(key, _)| key.as_str());
    csv.write_record(std::iter::once("point").chain(keys).chain(COLUMNS))?;
    for point in points {
        for (label, policy) in &point.summary.policies {
            for (metric, stats) in &policy.metrics {
                csv.write_field(&point.entry.name)?;
                for (_, value) in &point.entry.set {
                    csv.write_field(value)?;
                }
                let optional = |value: Option<f64>| value.map(shortest).unwrap_or_default();
                csv.write_record([
                    label,
                    metric,
                    &stats.n.to_string(),
                    &shortest(stats.mean),
                    &optional(stats.sd),
                    &optional(stats.se),
                    &shortest(stats.median),
                    &shortest(stats.min),
                    &shortest(stats.max),
                ])?;
            }
        }
    }
    csv.flush()
}
