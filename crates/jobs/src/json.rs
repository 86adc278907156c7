//! The summaries of a sweep's runs as JSON.

use crate::run::settings;
use kleroterion_report::report::points::PointEntry;
use kleroterion_report::report::sweep::SweepPoint;

/// The summaries of a sweep's runs, as JSON.
pub(crate) fn sweep_json(points: Vec<SweepPoint>) -> String {
    let runs = points.into_iter();
    runs_json(runs.map(|SweepPoint { entry, summary }| (entry, serde_json::json!(summary))))
}

/// The summaries of a sweep's runs as JSON, from JSON values.
pub(crate) fn runs_json(runs: impl Iterator<Item = (PointEntry, serde_json::Value)>) -> String {
    let runs = runs.map(|(entry, summary)| {
        let set = settings(&entry);
        serde_json::json!({ "point": entry.name, "set": set, "summary": summary })
    });
    let runs: Vec<_> = runs.collect();
    format!("{:#}\n", serde_json::json!({ "schema": 1, "runs": runs }))
}
