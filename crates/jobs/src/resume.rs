//! Jobs taken up again from the folder of a stopped run, by its played replications.

use std::path::Path;

use crate::error::JobError;
use crate::job::{Before, Job, JobFolder};
use crate::options::RunOptions;
use crate::run::JobRun;
use kleroterion_core::problem::Problem;
use kleroterion_report::report::files::KEPT;
use kleroterion_report::report::points::read_points;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::run::{PlayedFile, PlayedHeader};

/// The advice if a run can't be resumed.
const AFRESH: &str = "to start afresh: klero run DIR/config.toml --out DIR --force";

impl Job {
    /// The job of the stopped run or sweep in a folder. Played, it goes on where that was stopped,
    /// and leaves the files of a run that was never stopped. The kinds that its config names are
    /// those of `inputs`.
    ///
    /// # Errors
    /// Fails if the folder holds no stopped run, one of another version, or one that is damaged.
    pub fn resume(folder: &Path, inputs: &ConfigInputs) -> Result<Self, JobError> {
        let file = PlayedFile::open(&folder.join(KEPT));
        let file = file.map_err(|error| at(folder, &error.to_string(), AFRESH))?;
        let header = file.header();
        same_version(folder, header)?;
        let options = RunOptions::read(header)?;
        let entries = match read_points(folder).transpose()? {
            None => vec![None; header.configs.len()],
            Some(entries) => entries.into_iter().map(Some).collect(),
        };
        let runs = header.configs.iter().zip(entries);
        let runs = runs.map(|(config, entry)| JobRun::again(config, entry, inputs));
        Ok(Self {
            options,
            place: Some(JobFolder {
                path: folder.to_owned(),
                force: true,
            }),
            before: Before::Kept,
            ..Self::of(runs.collect::<Result<_, _>>()?)
        })
    }
}

/// Refuses a run of another version, whose results may differ.
fn same_version(folder: &Path, header: &PlayedHeader) -> Result<(), Problem> {
    let ours = env!("CARGO_PKG_VERSION");
    if header.version == ours {
        return Ok(());
    }
    let begun = &header.version;
    let what = format!("klero {begun} began this run, and this is klero {ours}");
    let help = format!("use klero {begun}; {AFRESH}");
    Err(at(folder, &what, &help))
}

fn at(folder: &Path, what: &str, help: &str) -> Problem {
    Problem::of_file(folder.join(KEPT), what).help(help)
}
