//! The plan of a sweep: read from its file, or made from a config.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::super::args::ConfigArgs;
use super::super::failure::{Failure, failed, wrong};
use super::super::load::{self, Job};
use super::super::run;
use kleroterion::drawing::sha256_of;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::points::PointEntry;
use kleroterion::units::{PlannedPoint, SweepPlan, build};

/// The plan that a command names: from a file, or made from a config.
pub fn planned(config: ConfigArgs, keep: Option<String>) -> Result<SweepPlan, Failure> {
    let named = config.config.as_deref().map(Path::new);
    if let Some(file) = named.filter(|file| is_plan(file)) {
        let plan = SweepPlan::read(file).map_err(wrong)?;
        unchanged(&config, keep.is_some()).map_err(wrong)?;
        same_build(&plan, file)?;
        return Ok(plan);
    }
    let jobs = run::jobs(config, keep)?;
    no_feeds(&jobs)?;
    let mut files = FileHashes::default();
    let points = jobs.iter().map(|job| {
        Ok(PlannedPoint {
            name: job.entry.as_ref().map(|entry| entry.name.clone()),
            set: job
                .entry
                .as_ref()
                .map_or_else(Vec::new, |entry| entry.set.clone()),
            config: job.config(),
            files: files.of(job)?,
            replications: job.plan.replications,
            until_decided: job.plan.judge.until_decided,
        })
    });
    let points: Result<Vec<_>, Failure> = points.collect();
    Ok(SweepPlan::new(build_of_klero()?, points?))
}

/// The build that is running.
fn build_of_klero() -> Result<String, Failure> {
    build().map_err(|error| failed(&format!("klero can't read its own program file: {error}")))
}

/// The job of a point. Its files must be those from which the plan was made.
pub fn job_of(point: &PlannedPoint, files: &mut FileHashes) -> Result<Job, Failure> {
    let entry = point.name.clone().map(|name| PointEntry {
        name,
        set: point.set.clone(),
    });
    let job = load::again(&point.config, entry)?;
    let hashes = files.of(&job)?;
    let mut pairs = hashes.iter().zip(&point.files);
    let other = pairs.position(|(ours, planned)| ours != planned);
    let Some(file) = other.and_then(|at| job.files().into_iter().nth(at)) else {
        return Ok(job);
    };
    let what = "this file is not what it was when the plan was made";
    let help = "put the old one back, or make the plan again and play it in a new folder";
    Err(wrong(Problem::of_file(file.path, what).help(help)))
}

/// The hashes of files, each read once.
#[derive(Default)]
pub struct FileHashes(BTreeMap<PathBuf, String>);

impl FileHashes {
    /// The hashes of the files that a job's config names.
    pub fn of(&mut self, job: &Job) -> Result<Vec<String>, Failure> {
        let mut hashes = Vec::new();
        for file in job.files() {
            if let Some(known) = self.0.get(&file.path) {
                hashes.push(known.clone());
                continue;
            }
            let unread = |error| failed(&format!("{}: {error}", file.path.display()));
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

/// Refuses options that change a config, since a plan is given.
fn unchanged(config: &ConfigArgs, keep: bool) -> Result<(), Problems> {
    let given = [
        ("--set", !config.set.is_empty()),
        ("--sweep", !config.sweep.is_empty()),
        ("--only", !config.only.is_empty()),
        ("--seed", config.seed.is_some()),
        ("--replications", config.replications.is_some()),
        ("--keep", keep),
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
fn same_build(plan: &SweepPlan, file: &Path) -> Result<(), Failure> {
    let Some(what) = other_build(plan)? else {
        return Ok(());
    };
    let help = "use the same program file on all machines, or make the plan again";
    Err(wrong(Problem::of_file(file, what).help(help)))
}

/// The difference between a plan's build and this one, as a sentence; `None` if they are the same.
pub fn other_build(plan: &SweepPlan) -> Result<Option<String>, Failure> {
    let ours = env!("CARGO_PKG_VERSION");
    Ok(
        match (plan.version == ours, plan.build == build_of_klero()?) {
            (true, true) => None,
            (true, false) => Some(format!("another build of klero {ours} made this plan")),
            (false, _) => Some(format!(
                "klero {} made this plan, and this is klero {ours}",
                plan.version
            )),
        },
    )
}

/// Refuses people who come by a feed, since they come once and to one process.
fn no_feeds(jobs: &[Job]) -> Result<(), Failure> {
    if jobs.iter().all(|job| job.plan.world.feed.is_none()) {
        return Ok(());
    }
    let what = "the people of a feed come once, and can't be dealt out to shards";
    let help = "run it on one machine: klero run, or klero live";
    Err(wrong(Problem::of_request(what).help(help)))
}
