//! The folder of a sweep: the list of its runs, and their summaries in one file.

use std::path::Path;

use crate::error::JobError;
use crate::files::finish_played;
use crate::finished::{FinishedJob, FinishedRun};
use crate::job::{Before, Job};
use crate::run::JobRun;
use kleroterion_report::report::files::{Folder, HeldFolder, KEPT, SWEEP, VERDICTS};
use kleroterion_report::report::flat::{FlatRun, write_summaries, write_verdicts};
use kleroterion_report::report::points::{POINTS, PointEntry, write_points};
use kleroterion_run::run::{PlayedHeader, PlayedWriter};

/// The held folder of a sweep.
pub(crate) struct SweepFolder(HeldFolder);

impl SweepFolder {
    /// Makes or takes up the folder of a sweep; `None` if the job has no folder or is no sweep.
    ///
    /// # Errors
    /// Fails if the folder is in use or can't be written.
    pub(crate) fn of(job: &Job) -> Result<Option<Self>, JobError> {
        let is_swept = job.runs.iter().any(|run| run.entry.is_some());
        let Some(place) = job.place.as_ref().filter(|_| is_swept) else {
            return Ok(None);
        };
        if matches!(job.before, Before::Kept) {
            return Ok(Some(Self(Folder::hold(&place.path)?)));
        }
        let configs = job.runs.iter().map(JobRun::config);
        let header = job.options.header(configs.collect())?;
        Self::made(job.runs.iter(), &place.path, place.force, Some(&header))
    }

    /// Makes the folder of a sweep with the list of its folders, which is written before its first
    /// run; `None` if the runs are no sweep. With `header` it can be resumed.
    ///
    /// # Errors
    /// Fails if the folder is in use or can't be written.
    pub(crate) fn made<'a>(
        runs: impl Iterator<Item = &'a JobRun>,
        path: &Path,
        force: bool,
        header: Option<&PlayedHeader>,
    ) -> Result<Option<Self>, JobError> {
        let entries: Vec<PointEntry> = runs.filter_map(|run| run.entry.clone()).collect();
        if entries.is_empty() {
            return Ok(None);
        }
        let folder = Folder::create(path, force)?;
        if let Some(header) = header {
            let kept = PlayedWriter::create(&folder.file(KEPT), header);
            let unwritten = |error| JobError::Failed(format!("{KEPT} can't be written: {error}"));
            kept.map_err(unwritten)?;
        }
        folder.write(POINTS, |to| write_points(&entries, to))?;
        Ok(Some(Self(folder)))
    }

    /// Removes the list of a sweep of which nothing was run, and its folder if that is otherwise
    /// empty.
    pub(crate) fn forget(self) {
        let Self(sweep) = self;
        // The first word, that nothing was run, is the one to say.
        drop(sweep.remove(POINTS).and_then(|()| sweep.remove(KEPT)));
        let path = sweep.path().to_owned();
        drop(sweep);
        drop(std::fs::remove_dir(path));
    }

    /// Writes the whole sweep: `sweep.csv` and `verdicts.csv`. After a complete sweep it also
    /// removes the kept replications.
    ///
    /// # Errors
    /// Fails if the folder can't be written.
    pub(crate) fn finish(&self, job: &FinishedJob) -> Result<(), JobError> {
        let Self(folder) = self;
        let runs = job.runs.iter();
        let runs = runs.filter_map(|run| Some((run.run.entry.as_ref()?, run)));
        let runs: Vec<(&PointEntry, &FinishedRun)> = runs.collect();
        let Some((first, _)) = runs.first() else {
            return Ok(());
        };
        let keys = first.set.iter().map(|(key, _)| key.as_str());
        let lead: Vec<&str> = std::iter::once("point").chain(keys).collect();
        let names = runs.iter().map(|(_, run)| run.run.plan.metric_names());
        let names: Vec<_> = names.collect();
        let flat = runs.iter().zip(&names).map(|((entry, run), names)| {
            let values = entry.set.iter().map(|(_, value)| value.as_str());
            FlatRun {
                lead: std::iter::once(entry.name.as_str()).chain(values).collect(),
                summary: &run.summary,
                names,
            }
        });
        let flat: Vec<FlatRun<'_>> = flat.collect();
        let finish = || {
            if job.is_interrupted {
                return Ok(());
            }
            let mut points = runs.iter().map(|(entry, _)| folder.file(&entry.name));
            points.try_for_each(|point| Folder::at(point).remove(KEPT))?;
            finish_played(folder)
        };
        folder
            .write(SWEEP, |to| write_summaries(&lead, &flat, to))
            .and_then(|()| folder.write(VERDICTS, |to| write_verdicts(&lead, &flat, to)))
            .and_then(|()| finish())
            .map_err(JobError::failed)
    }
}
