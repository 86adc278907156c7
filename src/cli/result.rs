//! What a run prints on stdout.

use std::io;

use super::args::Format;
use super::load::Job;
use kleroterion::compare::{RunResult, Summary};
use kleroterion::report::csv::write_sweep_replications;
use kleroterion::report::json::summary_json;
use kleroterion::report::sweep::{SweepPoint, sweep_table};
use kleroterion::report::table::table;

/// What came of one job.
pub struct Done {
    /// The job.
    pub job: Job,
    /// All that was measured.
    pub result: RunResult,
    /// Its fold.
    pub summary: Summary,
    /// Whether records came and none of them could be read.
    pub read_nobody: bool,
}

/// The result of a run, or of all runs of a sweep.
pub fn text(format: Format, full: bool, all: &[Done]) -> io::Result<String> {
    let alone = match all {
        [done] if done.job.point.set.is_empty() => Some(done),
        _ => None,
    };
    Ok(match (format, alone) {
        (Format::Json, Some(done)) => summary_json(&done.summary),
        (Format::Json, None) => sweep_json(all),
        (Format::Csv, _) => csv(all)?,
        (Format::Table, Some(done)) => {
            table(&done.result, &done.summary, &done.job.plan.judge, full)
        }
        (Format::Table, None) => tables(all, full),
    })
}

/// One table over all runs of a sweep; where all is asked for, each run's own after it.
fn tables(all: &[Done], full: bool) -> String {
    let points = all.iter().map(|done| SweepPoint {
        set: done.job.point.named(),
        summary: done.summary.clone(),
    });
    let points: Vec<_> = points.collect();
    let mut text = all.first().map_or_else(String::new, |first| {
        sweep_table(&points, &first.job.plan.judge)
    });
    if !full {
        text += "\nVerdicts and all other measures of each run: --full, or the files that --out \
                 DIR writes.\n";
    }
    for (done, point) in all.iter().zip(&points).filter(|_| full) {
        let table = table(&done.result, &done.summary, &done.job.plan.judge, full);
        text += &format!("\n{}\n{table}", point.name());
    }
    text
}

fn sweep_json(all: &[Done]) -> String {
    let runs = all.iter().map(|done| {
        let set = done.job.point.named().into_iter();
        let set: serde_json::Map<_, _> = set.map(|(key, value)| (key, value.into())).collect();
        serde_json::json!({ "set": set, "summary": done.summary })
    });
    let runs: Vec<_> = runs.collect();
    format!("{:#}\n", serde_json::json!({ "schema": 1, "runs": runs }))
}

/// `replications.csv`; of a sweep, with a column for each of its keys first.
fn csv(all: &[Done]) -> io::Result<String> {
    let runs = all
        .iter()
        .map(|done| (done.job.point.named(), &done.result));
    let mut bytes = Vec::new();
    write_sweep_replications(runs, &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
