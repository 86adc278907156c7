//! The files of a live run, from the moment that it has a folder.

use std::cell::RefCell;
use std::io;
use std::time::Instant;

use crate::error::JobError;
use crate::files::RunFiles;
use crate::run::JobRun;
use crate::timing::RunTiming;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::problem::Problems;
use kleroterion_live::watch::Watched;
use kleroterion_report::report::cohort::CohortAccount;
use kleroterion_run::run::{Replication, Settings};
use kleroterion_stats::{RunResult, Summary};

/// A function that creates the files of a run, once it has a folder.
pub(super) type FilesMaker<'a> = Box<dyn FnOnce(&JobRun) -> Result<RunFiles, Problems> + 'a>;

/// The files of a live run; none before its folder is ready, or without a folder.
pub(super) struct LiveFiles<'a> {
    files: RefCell<Option<RunFiles>>,
    started: Instant,
    settings: Settings,
    watch: &'a JobWatch<'a>,
}

impl<'a> LiveFiles<'a> {
    /// Creates the files of a run that starts now. None are open yet.
    pub(super) fn new(settings: &Settings, watch: &'a JobWatch<'a>) -> Self {
        Self {
            files: RefCell::new(None),
            started: Instant::now(),
            settings: settings.clone(),
            watch,
        }
    }

    /// Creates the files with `make`, if it is given.
    pub(super) fn make(&self, make: Option<FilesMaker<'_>>, run: &JobRun) -> Result<(), Problems> {
        self.files.replace(make.map(|make| make(run)).transpose()?);
        Ok(())
    }

    /// Writes decisions as they are made, if they are written at all.
    pub(super) fn follow(&self, watched: &Watched) {
        let files = self.files.borrow();
        let followed = files.as_ref().map_or(Ok(()), |files| files.follow(watched));
        if let Err(error) = followed {
            let what = format!("decisions are written at the end alone: {error}");
            self.watch.alert(JobAlert::Note(&what));
        }
    }

    /// Adds the replication.
    pub(super) fn record(&self, replication: &mut Replication) -> io::Result<()> {
        let mut files = self.files.borrow_mut();
        files
            .as_mut()
            .map_or(Ok(()), |files| files.record(replication))
    }

    /// Writes the files while the servers stay.
    pub(super) fn write(&self, result: &RunResult, summary: &Summary) {
        let mut files = self.files.borrow_mut();
        let written = files
            .as_mut()
            .map(|files| files.write(result, summary, &self.timing()));
        if let Some(Err(problem)) = written {
            self.watch.alert(JobAlert::Error(&problem.to_string()));
        }
    }

    /// Writes the files for good. Returns the account of the cohort, if there is one.
    pub(super) fn finish(
        &self,
        result: &RunResult,
        summary: &Summary,
        acting: Option<&str>,
    ) -> Result<Option<CohortAccount>, JobError> {
        let Some(files) = self.files.take() else {
            return Ok(None);
        };
        let folder = files.path().to_owned();
        let written = files.finish(result, summary, &self.timing(), true);
        written.map_err(JobError::failed)?;
        Ok(CohortAccount::read(&folder, acting))
    }

    /// Leaves the folder as it was before the run.
    pub(super) fn leave(&self) {
        if let Some(files) = self.files.take() {
            files.leave();
        }
    }

    fn timing(&self) -> RunTiming {
        RunTiming::of(self.started, &self.settings)
    }
}
