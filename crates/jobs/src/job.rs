//! A job: the runs of a config, the way in which they are played, and the folder that takes them.

use std::path::{Path, PathBuf};

use crate::error::JobError;
use crate::load::JobRequest;
use crate::options::{RunOptions, check_dropped};
use crate::run::JobRun;
use kleroterion_core::problem::Problem;
use kleroterion_io::feed::FeedSpec;
use kleroterion_report::report::files::{Folder, KEPT};
use kleroterion_run::run::{Played, PlayedFile, Settings};

/// The runs of a config, and the way in which they are played.
///
/// A job plays in memory, or into a folder ([`Job::into_folder`]) from which it can be resumed
/// ([`Job::resume`]). Both leave the same files.
pub struct Job {
    /// The runs: one, or those of a sweep in its order.
    pub runs: Vec<JobRun>,
    /// The options on which the files depend.
    pub options: RunOptions,
    /// Threads, batches and the runtime. Results do not depend on them. Its traces, names and
    /// interrupt are set by [`Job::play`].
    pub settings: Settings,
    /// True if a result that is played in memory can be written into a folder later.
    pub keeps_tables: bool,
    pub(crate) place: Option<JobFolder>,
    pub(crate) before: Before,
}

/// The folder into which a job is played.
pub(crate) struct JobFolder {
    pub(crate) path: PathBuf,
    /// True to overwrite a run that is in it.
    pub(crate) force: bool,
}

/// The part of a job that was played before.
pub(crate) enum Before {
    /// None: the runs are new.
    Nothing,
    /// The replications that each folder kept of an interrupted run.
    Kept,
    /// The replications in this file of a run that is to have more.
    Fewer(&'static str),
    /// All of it, in units. The function returns the replications of a run by its place.
    Units(Box<dyn Fn(u32) -> Played>),
}

impl Job {
    /// Loads a config, makes its changes, and checks each of its runs.
    ///
    /// # Errors
    /// Returns all that is wrong with the config and its changes, each with its place.
    pub fn load(request: impl Into<JobRequest>) -> Result<Self, JobError> {
        Ok(Self::of(request.into().runs()?))
    }

    /// The job of some runs.
    pub fn of(runs: Vec<JobRun>) -> Self {
        Self {
            runs,
            options: RunOptions::default(),
            settings: Settings {
                folds: true,
                ..Settings::default()
            },
            keeps_tables: true,
            place: None,
            before: Before::Nothing,
        }
    }

    /// Checks that the job can be played without a journal. Returns what its runs assume, each
    /// sentence once.
    ///
    /// # Errors
    /// Fails if people answer while a run goes on, if a feed acknowledges records, or if the options
    /// drop an attribute that is not there.
    pub fn check(&self) -> Result<Vec<String>, JobError> {
        let live = "`klero live CONFIG --out DIR` keeps one";
        let plans = || self.runs.iter().map(|run| &run.plan);
        if plans().any(|plan| plan.live.asks_people()) {
            let what = "people answer while a run goes on, and `klero run` keeps no journal of it";
            return Err(Problem::of_request(what).help(live).into());
        }
        let mut feeds = plans().filter_map(|plan| plan.world.feed.as_ref());
        if feeds.any(FeedSpec::acknowledges) {
            let what = "http and tcp acknowledge candidates once they are kept, and `klero run` \
                        keeps no journal";
            return Err(Problem::of_request(what).help(live).into());
        }
        let mut notes: Vec<String> = Vec::new();
        for plan in plans() {
            check_dropped(plan, &self.options.dropped)?;
            for note in plan.world.disclosures.iter().chain(&plan.notes) {
                if !notes.contains(note) {
                    notes.push(note.clone());
                }
            }
        }
        Ok(notes)
    }

    /// The same job, played into a folder, which is made where it is missing. With `force` it
    /// overwrites a run that is in the folder.
    ///
    /// # Errors
    /// Fails if the folder holds something else.
    pub fn into_folder(mut self, path: impl Into<PathBuf>, force: bool) -> Result<Self, JobError> {
        let path = path.into();
        Folder::check(&path, force)?;
        self.place = Some(JobFolder { path, force });
        Ok(self)
    }

    /// The same job, whose replications were all played before. `played` returns those of a run by
    /// its place. A folder in which a merge of the same runs was cut off may be overwritten.
    ///
    /// # Errors
    /// Fails if the folder holds something else.
    pub fn merging(
        self,
        path: &Path,
        force: bool,
        played: Box<dyn Fn(u32) -> Played>,
    ) -> Result<Self, JobError> {
        let force = self.may_merge(path, force)?;
        let mut job = self.into_folder(path, force)?;
        job.before = Before::Units(played);
        Ok(job)
    }

    /// Checks that a merge of this job may be written to a folder. Returns true if files there may
    /// be overwritten: by `force`, or because a merge of this job was cut off.
    ///
    /// # Errors
    /// Fails if the folder holds something else.
    pub fn may_merge(&self, path: &Path, force: bool) -> Result<bool, JobError> {
        let cut_off = PlayedFile::open(&path.join(KEPT)).ok().filter(|file| {
            let configs = self.runs.iter().map(JobRun::config);
            let header = file.header();
            file.replications() == 0
                && header.version == env!("CARGO_PKG_VERSION")
                && configs.eq(header.configs.iter().cloned())
        });
        let force = force || cut_off.is_some();
        drop(cut_off);
        Folder::check(path, force)?;
        Ok(force)
    }
}
