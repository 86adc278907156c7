//! The files of a live run, from the moment that it has a folder.

use std::cell::RefCell;
use std::io;
use std::time::Instant;

use crate::error::JobError;
use crate::files::{RunFiles, RunTables};
use crate::finished::KeptTables;
use crate::run::JobRun;
use crate::timing::RunTiming;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::problem::Problems;
use kleroterion_live::watch::Watched;
use kleroterion_report::report::cohort::CohortAccount;
use kleroterion_run::run::{Replication, Settings};
use kleroterion_stats::{RunResult, Summary};

/// The place of what a live run writes down.
pub(super) enum LiveSink {
    /// The files in its folder.
    Files(Box<RunFiles>),
    /// Tables, of which a folder can be made later.
    Tables(Box<RunTables>),
}

/// A function that creates the files of a run, once it has a folder.
pub(super) type SinkMaker<'a> = Box<dyn FnOnce(&JobRun) -> Result<LiveSink, Problems> + 'a>;

/// The files of a live run; none before its folder is ready, or without a folder.
pub(super) struct LiveFiles<'a> {
    sink: RefCell<Option<LiveSink>>,
    started: Instant,
    settings: Settings,
    watch: &'a JobWatch<'a>,
}

impl<'a> LiveFiles<'a> {
    /// Creates the files of a run that starts now. None are open yet.
    pub(super) fn new(settings: &Settings, watch: &'a JobWatch<'a>) -> Self {
        Self {
            sink: RefCell::new(None),
            started: Instant::now(),
            settings: settings.clone(),
            watch,
        }
    }

    /// Creates the files with `make`, if it is given.
    pub(super) fn make(&self, make: Option<SinkMaker<'_>>, run: &JobRun) -> Result<(), Problems> {
        self.sink.replace(make.map(|make| make(run)).transpose()?);
        Ok(())
    }

    /// Writes decisions as they are made, if they are written at all.
    pub(super) fn follow(&self, watched: &Watched) {
        if let Some(LiveSink::Files(files)) = &*self.sink.borrow()
            && let Err(error) = files.follow(watched)
        {
            let what = format!("decisions are written at the end alone: {error}");
            self.watch.alert(JobAlert::Note(&what));
        }
    }

    /// Adds the replication.
    pub(super) fn record(&self, replication: &mut Replication) -> io::Result<()> {
        match &mut *self.sink.borrow_mut() {
            Some(LiveSink::Files(files)) => files.record(replication),
            Some(LiveSink::Tables(tables)) => tables.take(replication),
            None => Ok(()),
        }
    }

    /// Writes the files while the servers stay.
    pub(super) fn write(&self, result: &RunResult, summary: &Summary) {
        if let Some(LiveSink::Files(files)) = &mut *self.sink.borrow_mut()
            && let Err(problem) = files.write(result, summary, &self.timing())
        {
            self.watch.alert(JobAlert::Error(&problem.to_string()));
        }
    }

    /// Writes the files for good. Returns the account of the cohort, if there is one, and the tables
    /// of a run without a folder.
    pub(super) fn finish(
        &self,
        result: &RunResult,
        summary: &Summary,
    ) -> Result<(Option<CohortAccount>, Option<KeptTables>), JobError> {
        let files = match self.sink.take() {
            None => return Ok((None, None)),
            Some(LiveSink::Tables(tables)) => return Ok((None, Some((*tables, self.timing())))),
            Some(LiveSink::Files(files)) => files,
        };
        let folder = files.path().to_owned();
        let written = files.finish(result, summary, &self.timing(), true);
        written.map_err(JobError::failed)?;
        Ok((CohortAccount::read(&folder), None))
    }

    /// Leaves the folder as it was before the run.
    pub(super) fn leave(&self) {
        if let Some(LiveSink::Files(files)) = self.sink.take() {
            files.leave();
        }
    }

    fn timing(&self) -> RunTiming {
        RunTiming::of(self.started, &self.settings)
    }
}
