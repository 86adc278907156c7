//! `klero resume` of a run that is not live, from its played replications.

use std::path::Path;

use super::super::failure::{Failure, wrong};
use super::super::live::HowArgs;
use super::super::load::{self, Job};
use super::kept::RunOptions;
use super::player::{Before, Beginning};
use super::runs::{RunHow, Runs};
use kleroterion::problem::Problem;
use kleroterion::report::files::{Folder, KEPT};
use kleroterion::report::points::{PointEntry, read_points};
use kleroterion::run::{PlayedFile, PlayedHeader, Runtime};

/// Resumes the run or the sweep in a folder.
pub fn again(folder: &Path, how: &HowArgs) -> Result<(), Failure> {
    let file = PlayedFile::open(&folder.join(KEPT));
    let file = file.map_err(|error| wrong(at(folder, &error.to_string(), AFRESH)))?;
    let header = file.header();
    same_version(folder, header)?;
    let options = RunOptions::read(header)?;
    let entries = read_points(folder).transpose().map_err(wrong)?;
    let jobs = jobs(header, entries)?;
    let sweep = jobs.first().is_some_and(|job| job.entry.is_some());
    let sweep = sweep.then(|| Folder::hold(folder)).transpose();
    let folders = jobs.iter().map(|job| match &job.entry {
        Some(entry) => Some(folder.join(&entry.name)),
        None => Some(folder.to_owned()),
    });
    let mut settings = how.settings();
    settings.traces = options.traces(true);
    // The runtime that is asked for is that of live runs.
    settings.runtime = Runtime::Current;
    settings.folds = true;
    settings.names = options.names();
    let runs = Runs {
        folders: folders.collect(),
        out: Some(folder.to_owned()),
        sweep: sweep.map_err(wrong)?,
        jobs,
        beginning: Beginning {
            options,
            before: Before::Kept,
            force: true,
        },
    };
    runs.play(&RunHow {
        settings,
        format: how.format,
        full: how.full,
        quiet: how.quiet,
        strict: false,
    })
}

/// The jobs of the interrupted run or sweep.
fn jobs(header: &PlayedHeader, entries: Option<Vec<PointEntry>>) -> Result<Vec<Job>, Failure> {
    let entries = match entries {
        None => vec![None; header.configs.len()],
        Some(entries) => entries.into_iter().map(Some).collect(),
    };
    let jobs = header.configs.iter().zip(entries);
    jobs.map(|(config, entry)| load::again(config, entry))
        .collect()
}

/// The advice if a run can't be resumed.
const AFRESH: &str = "to start afresh: klero run DIR/config.toml --out DIR --force";

/// Refuses a run of another version, whose results may differ.
fn same_version(folder: &Path, header: &PlayedHeader) -> Result<(), Failure> {
    let ours = env!("CARGO_PKG_VERSION");
    if header.version == ours {
        return Ok(());
    }
    let begun = &header.version;
    let what = format!("klero {begun} began this run, and this is klero {ours}");
    let help = format!("use klero {begun}; {AFRESH}");
    Err(wrong(at(folder, &what, &help)))
}

fn at(folder: &Path, what: &str, help: &str) -> Problem {
    Problem::of_file(folder.join(KEPT), what).help(help)
}
