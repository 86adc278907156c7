//! The playing of a job, and the writing of one that was played in memory.

use std::path::Path;

use crate::error::JobError;
use crate::finished::FinishedJob;
use crate::job::{Before, Job};
use crate::player::{Player, Start};
use crate::sweep_folder::SweepFolder;
use crate::watch::JobWatch;

impl Job {
    /// Plays all runs, and writes their files if the job has a folder.
    ///
    /// An interrupt ends the job early: it is finished with the replications played so far.
    ///
    /// # Errors
    /// Fails if the job can't be played ([`Job::check`]) or written, or is interrupted before
    /// anything was played.
    pub fn play(mut self, watch: &JobWatch<'_>) -> Result<FinishedJob, JobError> {
        self.check()?;
        let out = self.place.as_ref().map(|place| place.path.clone());
        let has_files = self.keeps_tables || out.is_some();
        self.settings.traces = self.options.traces(has_files);
        self.settings.names = self.options.names();
        self.settings.interrupt.clone_from(&watch.interrupt);
        let is_new = matches!(self.before, Before::Nothing);
        let mut sweep = SweepFolder::of(&self)?;
        let (runs, start) = Start::of(self);
        let mut player = Player::new(start, watch);
        let mut job = FinishedJob {
            runs: Vec::new(),
            is_interrupted: false,
            left_undone: None,
        };
        for (point, run) in (0..).zip(runs) {
            let folder = out.as_ref().map(|out| match &run.entry {
                Some(entry) => out.join(&entry.name),
                None => out.clone(),
            });
            match player.play(point, run, folder.as_deref()) {
                // While a plan was worked out.
                Err(JobError::Interrupted(_)) if job.runs.is_empty() && is_new => {
                    sweep.take().into_iter().for_each(SweepFolder::forget);
                    let said = "interrupted: nothing was run".to_owned();
                    return Err(JobError::Interrupted(Some(said)));
                }
                Err(JobError::Interrupted(said)) => {
                    (job.is_interrupted, job.left_undone) = (true, said);
                    break;
                }
                played => job.runs.push(played?),
            }
            if watch.is_interrupted() {
                job.is_interrupted = true;
                break;
            }
        }
        if let Some(sweep) = sweep {
            sweep.finish(&job)?;
        }
        Ok(job)
    }
}

impl FinishedJob {
    /// Writes the files of a job that was played in memory into a folder, those of a sweep into a
    /// folder of each run. With `force` it overwrites what is in the folder.
    ///
    /// # Errors
    /// As [`FinishedRun::write`](crate::FinishedRun::write).
    pub fn write(&mut self, folder: &Path, force: bool) -> Result<(), JobError> {
        let runs = self.runs.iter().map(|run| &run.run);
        let sweep = SweepFolder::made(runs, folder, force, None)?;
        for run in &mut self.runs {
            match &run.run.entry {
                Some(entry) => run.write(&folder.join(&entry.name), force)?,
                None => run.write(folder, force)?,
            }
        }
        match sweep {
            Some(sweep) => sweep.finish(self),
            None => Ok(()),
        }
    }
}
