//! The duration of a run, and the hashes of the files that it wrote.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use kleroterion_core::problem::Problem;
use kleroterion_report::report::files::{Folder, SUMMARY, TIMING};
use kleroterion_report::report::written::{hash_of, hashes};
use kleroterion_run::run::Settings;

/// The part of a run's record that depends on the clock and the machine.
#[derive(Clone, Debug, Serialize)]
pub struct RunTiming {
    /// Seconds from start to end.
    pub seconds: f64,
    /// The number of threads requested.
    pub threads: usize,
    /// The number of persons per batch, if the user gave one.
    pub batch: Option<usize>,
}

/// The timing, with the hashes of the files that the run wrote.
#[derive(Serialize)]
struct Noted<'a> {
    #[serde(flatten)]
    timing: &'a RunTiming,
    files: BTreeMap<String, String>,
}

impl RunTiming {
    /// The timing of a run from its start until now.
    pub fn of(started: Instant, settings: &Settings) -> Self {
        Self {
            seconds: started.elapsed().as_secs_f64(),
            threads: settings.threads,
            batch: settings.batch,
        }
    }

    /// Writes the timing into the folder of a run, with the hashes of its files and of its summary,
    /// which is written last.
    pub(crate) fn write(&self, folder: &Folder, summary: &str) -> Result<(), Problem> {
        let mut files = hashes(folder.path());
        files.insert(SUMMARY.to_owned(), hash_of(summary.as_bytes()));
        let timing = self;
        folder.write(TIMING, |out| {
            serde_json::to_writer_pretty(&mut *out, &Noted { timing, files })?;
            writeln!(out)
        })
    }
}
