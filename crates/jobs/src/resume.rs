//! Jobs taken up again from the folder of a stopped run, by its played replications.

use std::path::Path;

use crate::error::JobError;
use crate::folder::not_to_resume;
use crate::job::{Before, Job, JobFolder};
use crate::options::{RunOptions, was_played};
use crate::parsed::parse;
use crate::run::JobRun;
use crate::text::ConfigText;
use kleroterion_core::problem::{Place, Problem};
use kleroterion_report::report::files::{KEPT, PLAYED, SUMMARY};
use kleroterion_report::report::points::read_points;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::document::Value;
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
        let file = opened(folder, KEPT)?;
        let header = file.header();
        let options = RunOptions::read(header)?;
        let entries = match read_points(folder).transpose()? {
            None => vec![None; header.configs.len()],
            Some(entries) => entries.into_iter().map(Some).collect(),
        };
        let runs = header.configs.iter().zip(entries);
        let runs = runs.map(|(config, entry)| JobRun::again(config, entry, inputs));
        let runs = runs.collect::<Result<_, _>>()?;
        Ok(Self::going_on(folder, options, Before::Kept, runs))
    }

    /// The job of the run in a folder with this many replications in all. Played, it plays those that
    /// are missing, and leaves the files of a run of so many. The run was stopped, or it is finished
    /// and keeps all values (`report.keep = "all"`).
    ///
    /// # Errors
    /// As [`Job::resume`]; if the run has as many replications already, did not keep them, or is a
    /// sweep.
    pub fn extend(
        folder: &Path,
        replications: u64,
        inputs: &ConfigInputs,
    ) -> Result<Self, JobError> {
        let name = match was_played(folder) {
            true => KEPT,
            false if folder.join(PLAYED).is_file() => PLAYED,
            false => return Err(unkept(folder, replications).into()),
        };
        let file = opened(folder, name)?;
        let header = file.header();
        let [config] = &header.configs[..] else {
            let what = "a sweep can't be given more replications";
            let help = "run it anew: klero sweep CONFIG --replications N --out OTHER";
            return Err(Problem::of_file(folder, what).help(help).into());
        };
        let place = Place::Option(format!("--replications {replications}"));
        let played = file.replications();
        if replications < played || (name == PLAYED && replications == played) {
            let what = format!("the run has {played} replications already");
            let help =
                format!("give a number above {played}: it counts all, not only the new ones");
            return Err(Problem::new(place, what).help(help).into());
        }
        let mut document = parse(&ConfigText::of("config.toml", config.as_str()))?;
        let number = Value::Whole(replications.cast_signed());
        document.put("replications", number.at(&place))?;
        let run = JobRun::again(&document.to_toml(), None, inputs)?;
        let options = RunOptions::read(header)?;
        Ok(Self::going_on(
            folder,
            options,
            Before::Fewer(name),
            vec![run],
        ))
    }

    /// The job of runs that go on in a folder.
    fn going_on(folder: &Path, options: RunOptions, before: Before, runs: Vec<JobRun>) -> Self {
        Self {
            options,
            place: Some(JobFolder {
                path: folder.to_owned(),
                force: true,
            }),
            before,
            ..Self::of(runs)
        }
    }
}

/// The file of a run's replications. Another version, whose results may differ, is refused.
fn opened(folder: &Path, name: &str) -> Result<PlayedFile, Problem> {
    let at = |what: &str, help: &str| Problem::of_file(folder.join(name), what).help(help);
    let file = PlayedFile::open(&folder.join(name));
    let file = file.map_err(|error| at(&error.to_string(), AFRESH))?;
    let PlayedHeader { version: begun, .. } = file.header();
    let ours = env!("CARGO_PKG_VERSION");
    if begun == ours {
        return Ok(file);
    }
    let what = format!("klero {begun} began this run, and this is klero {ours}");
    Err(at(&what, &format!("use klero {begun}; {AFRESH}")))
}

/// The problem if the run in a folder did not keep its replications.
fn unkept(folder: &Path, replications: u64) -> Problem {
    if !folder.join(SUMMARY).is_file() {
        return not_to_resume(folder);
    }
    let what = "the run is finished and did not keep its replications, so no more can be added";
    let help = format!(
        "play all anew: klero run {}/config.toml --replications {replications} --out OTHER.          With --keep all a single run keeps them, unless ids are hidden or all replications are          traced",
        folder.display()
    );
    Problem::of_file(folder, what).help(help)
}
