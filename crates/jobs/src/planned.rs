//! The plan of a sweep: read from its file, or made from a config.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::JobError;
use crate::load::JobRequest;
use crate::run::JobRun;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_drawing::sha256_of;
use kleroterion_report::report::points::PointEntry;
use kleroterion_run::config::ConfigInputs;
use kleroterion_sweep::{PlannedPoint, SweepPlan};

/// The plan of a sweep that a request names: from a file, or made from a config. `build` identifies
/// the program that makes or plays it.
///
/// # Errors
/// Fails if the plan or the config is wrong, if another build made the plan, or if people come by a
/// feed.
pub fn planned(request: &JobRequest, build: &str) -> Result<SweepPlan, JobError> {
    let named = request.name().map(Path::new);
    if let Some(file) = named.filter(|file| is_plan(file)) {
        let plan = SweepPlan::read(file)?;
        unchanged(request)?;
        same_build(&plan, build, file)?;
        return Ok(plan);
    }
    let runs = request.runs()?;
    no_feeds(&runs)?;
    let mut files = FileHashes::default();
    let points = runs.iter().map(|run| {
        let (name, set) = match &run.entry {
            Some(entry) => (Some(entry.name.clone()), entry.set.clone()),
            None => (None, Vec::new()),
        };
        Ok(PlannedPoint {
            name,
            set,
            config: run.config(),
            files: files.of(run)?,
            replications: run.plan.replications,
            until_decided: run.plan.judge.until_decided,
        })
    });
    let points: Result<Vec<_>, JobError> = points.collect();
    Ok(SweepPlan::new(build.to_owned(), points?))
}

/// The run of a point. Its files must be those from which the plan was made.
///
/// # Errors
/// Fails if the config is wrong, or if a file is another one now.
pub fn run_of(
    point: &PlannedPoint,
    files: &mut FileHashes,
    inputs: &ConfigInputs,
) -> Result<JobRun, JobError> {
    let entry = point.name.clone().map(|name| PointEntry {
        name,
        set: point.set.clone(),
    });
    let run = JobRun::again(&point.config, entry, inputs)?;
    let hashes = files.of(&run)?;
    let mut pairs = hashes.iter().zip(&point.files);
    let other = pairs.position(|(ours, planned)| ours != planned);
    let Some(file) = other.and_then(|at| run.files().into_iter().nth(at)) else {
        return Ok(run);
    };
    let what = "this file is not what it was when the plan was made";
    let help = "put the old one back, or make the plan again and play it in a new folder";
    Err(Problem::of_file(file.path, what).help(help).into())
}

/// The hashes of files, each read once.
#[derive(Default)]
pub struct FileHashes(BTreeMap<PathBuf, String>);

impl FileHashes {
    /// The hashes of the files that a run's config names.
    ///
    /// # Errors
    /// Fails if a file can't be read.
    pub fn of(&mut self, run: &JobRun) -> Result<Vec<String>, JobError> {
        let mut hashes = Vec::new();
        for file in run.files() {
            if let Some(known) = self.0.get(&file.path) {
                hashes.push(known.clone());
                continue;
            }
            let unread = |error| JobError::Failed(format!("{}: {error}", file.path.display()));
            let hash = sha256_of(&file.path).map_err(unread)?;
            hashes.push(hash.clone());
            self.0.insert(file.path, hash);
        }
        Ok(hashes)
    }
}

/// Returns true if a file is a plan: it is JSON, which no config is.
fn is_plan(file: &Path) -> bool {
    let mut first = [0];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *b"{"
}

/// Refuses changes of a config, since a plan is given.
fn unchanged(request: &JobRequest) -> Result<(), Problems> {
    let given = [
        ("--set", !request.set.is_empty()),
        ("--sweep", !request.sweep.is_empty()),
        ("--only", !request.only.is_empty()),
        ("--seed", request.seed.is_some()),
        ("--replications", request.replications.is_some()),
        ("--keep", request.keep.is_some()),
    ];
    let problems = given.into_iter().filter(|(_, is_given)| *is_given);
    let problems = problems.map(|(option, _)| {
        let what = "a plan is played as it was made";
        Problem::of_option(option, what)
            .help("leave it out, or make another plan: klero sweep CONFIG ... --plan FILE")
    });
    Problems(problems.collect()).or(())
}

/// Refuses the plan of another version or build.
fn same_build(plan: &SweepPlan, build: &str, file: &Path) -> Result<(), Problem> {
    let Some(what) = other_build(plan, build) else {
        return Ok(());
    };
    let help = "use the same program file on all machines, or make the plan again";
    Err(Problem::of_file(file, what).help(help))
}

/// The difference between a plan's build and this one, as a sentence; `None` if they are the same.
pub fn other_build(plan: &SweepPlan, build: &str) -> Option<String> {
    let ours = env!("CARGO_PKG_VERSION");
    match (plan.version == ours, plan.build == build) {
        (true, true) => None,
        (true, false) => Some(format!("another build of klero {ours} made this plan")),
        (false, _) => Some(format!(
            "klero {} made this plan, and this is klero {ours}",
            plan.version
        )),
    }
}

/// Refuses people who come by a feed, since they come once and to one process.
fn no_feeds(runs: &[JobRun]) -> Result<(), Problem> {
    if runs.iter().all(|run| run.plan.world.feed.is_none()) {
        return Ok(());
    }
    let what = "the people of a feed come once, and can't be dealt out to shards";
    let help = "run it on one machine: klero run, or klero live";
    Err(Problem::of_request(what).help(help))
}
