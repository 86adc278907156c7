//! The result that a run prints on stdout.

use std::io;

use super::args::Format;
use super::load::{Job, settings};
use kleroterion::compare::{RunResult, Summary};
use kleroterion::report::cohort::CohortAccount;
use kleroterion::report::csv::write_sweep_replications;
use kleroterion::report::json::summary_json;
use kleroterion::report::medium::Medium;
use kleroterion::report::points::PointEntry;
use kleroterion::report::sweep::{SweepPoint, sweep_table};
use kleroterion::report::table::table;

/// The result of one job.
pub struct Done {
    /// The job.
    pub job: Job,
    /// All measurements.
    pub result: RunResult,
    /// The summary of the measurements.
    pub summary: Summary,
    /// True if records came and none of them could be read.
    pub read_nobody: bool,
    /// The account of its cohort, if it is one stream of cohorts whose files were written.
    pub cohort: Option<CohortAccount>,
}

/// The text of a run's result, or of all runs of a sweep.
pub fn text(format: Format, full: bool, all: &[Done]) -> io::Result<String> {
    let alone = match all {
        [done] if done.job.entry.is_none() => Some(done),
        _ => None,
    };
    Ok(match (format, alone) {
        (Format::Json, Some(done)) => summary_json(&done.summary),
        (Format::Json, None) => sweep_json(points(all)),
        (Format::Csv, _) => csv(all)?,
        (Format::Table | Format::Markdown, Some(done)) => of_run(done, full, &format.medium()),
        (Format::Table | Format::Markdown, None) => tables(all, full, &format.medium()),
    })
}

/// The table of a run.
fn of_run(done: &Done, full: bool, medium: &Medium) -> String {
    let judge = &done.job.plan.judge;
    let cohort = done.cohort.as_ref().map(|cohort| cohort.text(medium));
    cohort.unwrap_or_default() + &table(&done.result, &done.summary, judge, full, medium)
}

/// The table over all runs of a sweep; with `full`, each run's own table follows.
fn tables(all: &[Done], full: bool, medium: &Medium) -> String {
    let points = points(all);
    let mut text = all.first().map_or_else(String::new, |first| {
        sweep_table(&points, &first.job.plan.judge, full, medium)
    });
    for (done, point) in all.iter().zip(&points).filter(|_| full) {
        let title = medium.finished(&medium.title(&point.entry.settings()));
        text += &format!("\n{title}{}", of_run(done, full, medium));
    }
    text
}

/// The runs of a sweep, in the form of its outputs.
pub fn points(all: &[Done]) -> Vec<SweepPoint> {
    let point = |done: &Done| {
        Some(SweepPoint {
            entry: done.job.entry.clone()?,
            summary: done.summary.clone(),
        })
    };
    all.iter().filter_map(point).collect()
}

/// The summaries of a sweep's runs, as JSON.
pub fn sweep_json(points: Vec<SweepPoint>) -> String {
    let runs = points.into_iter();
    runs_json(runs.map(|SweepPoint { entry, summary }| (entry, serde_json::json!(summary))))
}

/// The summaries of a sweep's runs as JSON, from JSON values.
pub fn runs_json(runs: impl Iterator<Item = (PointEntry, serde_json::Value)>) -> String {
    let runs = runs.map(|(entry, summary)| {
        let set = settings(&entry);
        serde_json::json!({ "point": entry.name, "set": set, "summary": summary })
    });
    let runs: Vec<_> = runs.collect();
    format!("{:#}\n", serde_json::json!({ "schema": 1, "runs": runs }))
}

/// `replications.csv`. For a sweep it starts with a column for each of its keys.
fn csv(all: &[Done]) -> io::Result<String> {
    let set = |done: &Done| done.job.entry.clone().map(|entry| entry.set);
    let runs = all
        .iter()
        .map(|done| (set(done).unwrap_or_default(), &done.result));
    let mut bytes = Vec::new();
    write_sweep_replications(runs, &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
