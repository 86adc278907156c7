//! Settings from the config of a finished run.

use super::super::finished::{self, Finished};
use kleroterion_run::document::Value;
use kleroterion_stats::Estimand;

/// A value of the config.
pub(super) fn value<'a>(run: &'a Finished, path: &[&str]) -> Option<&'a Value> {
    finished::value(&run.config, path)
}

/// A number of the config.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(*whole as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// The margin stated for a measure.
pub(super) fn margin(run: &Finished, metric: &str) -> Option<f64> {
    let mut pairs = run.pairs.iter().filter(|pair| pair.metric == metric);
    let told = pairs.find_map(|pair| pair.margin);
    told.or_else(|| number(value(run, &["report", "margin", metric])?))
}

/// Returns the unit over which series run.
pub(super) fn moments(run: &Finished) -> &'static str {
    let by = |path: &[&str]| value(run, path).is_some();
    let accepted = match value(run, &["report", "at"]) {
        Some(Value::Table(_)) => by(&["report", "at", "accepted"]),
        _ => by(&["rules", "until", "accepted"]),
    };
    if accepted { "accepted" } else { "round" }
}

/// Returns the unit counted in a comparison, in singular and plural. A round of one person is a
/// person.
pub(super) fn units(run: &Finished, estimand: Estimand) -> (&'static str, &'static str) {
    estimand.counted(run.one_by_one)
}

/// Returns true if a run was to stop once all was decided. Its number of replications was then not
/// fixed beforehand, as t requires.
pub(super) fn is_stopping(run: &Finished) -> bool {
    value(run, &["report", "until"]).is_some()
}
