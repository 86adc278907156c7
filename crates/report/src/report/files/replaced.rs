//! The files of an earlier run: set aside, or removed.

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::door;
use super::held::{MOVING, REPLACED};
use super::{
    FIGURE_FILES, FIGURES, Folder, KEPT, LOCK, POINTS, PROGRESS, SUMMARY, SWEEP, SWEEP_FIGURE,
    file_problem, leavings, synced,
};
use crate::report::points::read_points;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::journal::{HEAD, JOURNAL, is_unbegun};

/// The report of a run.
const REPORT: &str = "report.html";

/// The config of a run.
const CONFIG: &str = "config.toml";

impl Folder {
    /// Sets the run in a folder aside, where there is one: see [`REPLACED`]. One that has no
    /// results, or not all, is removed where a whole one is set aside already.
    pub(super) fn set_aside(&self, names: &[OsString]) -> Result<(), Problems> {
        let has = |name: &str| names.iter().any(|have| have == name);
        if ![PROGRESS, SUMMARY, POINTS].into_iter().any(has) && !has(MOVING) {
            return Ok(());
        }
        let is_worth_it = (has(SUMMARY) || has(SWEEP)) && !has(REPLACED);
        // A move that was cut off goes on.
        if is_worth_it || has(MOVING) {
            self.move_away()?;
        }
        self.clear()
    }

    fn move_away(&self) -> Result<(), Problem> {
        let moving = self.within(MOVING)?;
        let tried = |error: io::Error| self.problem("cannot be written to", &error);
        let belongings = self.belongings();
        for name in &belongings {
            let (from, to) = (self.path.join(name), moving.path.join(name));
            if !from.is_file() {
                continue;
            }
            to.parent()
                .map_or(Ok(()), door::make_folder)
                .map_err(tried)?;
            door::rename(&from, &to).map_err(tried)?;
        }
        // It may be the very config that is asked to run.
        let config = self.file(CONFIG);
        if config.is_file() {
            fs::copy(&config, moving.file(CONFIG)).map_err(tried)?;
        }
        self.remove_emptied(&belongings);
        door::rename(&moving.path, &self.file(REPLACED)).map_err(tried)?;
        synced(&self.path).map_err(tried)
    }

    /// Removes what a run left.
    fn clear(&self) -> Result<(), Problems> {
        let mut problems = Problems::default();
        let belongings = self.belongings();
        for name in &belongings {
            problems.0.extend(self.remove_at(name).err());
        }
        self.remove_emptied(&belongings);
        problems.or(())
    }

    /// Removes the folders of files that were moved or removed. Where one holds something of the
    /// user's own it stays.
    fn remove_emptied(&self, files: &[PathBuf]) {
        let mut folders: Vec<&Path> = files.iter().filter_map(|name| name.parent()).collect();
        folders.sort_by_key(|folder| (Reverse(folder.components().count()), *folder));
        folders.dedup();
        folders.retain(|folder| *folder != Path::new(""));
        for folder in folders {
            drop(door::remove_folder(&self.path.join(folder)));
        }
    }

    /// Removes a run that is replaced, with its folder.
    pub(super) fn clear_whole(&self) -> Result<(), Problem> {
        if !self.path.exists() {
            return Ok(());
        }
        let cleared = self.clear().map_err(|mut problems| problems.0.remove(0));
        cleared.and_then(|()| self.remove(CONFIG))?;
        // Where it holds something of the user's own it stays.
        drop(door::remove_folder(&self.path));
        Ok(())
    }

    /// The files of a run or a sweep, by their paths within the folder, but for the config.
    fn belongings(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        // A list that was changed names no folders of ours: they stay.
        for point in read_points(&self.path).into_iter().flatten().flatten() {
            all.push(PathBuf::from(&point.name).join(CONFIG));
            all.extend(of_a_run(Path::new(&point.name)));
        }
        all.extend(of_a_run(Path::new("")));
        all
    }

    /// Removes the report of a run that is resumed.
    ///
    /// # Errors
    /// Where a file of it can't be removed.
    pub fn remove_report(&self) -> Result<(), Problem> {
        let figures = FIGURE_FILES
            .iter()
            .map(|name| Path::new(FIGURES).join(name));
        let files: Vec<PathBuf> = figures.chain([PathBuf::from(REPORT)]).collect();
        files.iter().try_for_each(|file| self.remove_at(file))?;
        self.remove_emptied(&files);
        Ok(())
    }

    /// Removes files that were being written when a process was killed. Those of `klero report`
    /// may be of one that lives.
    pub(super) fn remove_temporaries(&self) {
        let points = read_points(&self.path).into_iter().flatten().flatten();
        let points = points.map(|point| self.path.join(point.name));
        for folder in std::iter::once(self.path.clone()).chain(points) {
            let names = super::names(&folder).unwrap_or_default();
            for name in names.iter().filter(|name| is_temporary(name)) {
                drop(door::remove_file(&folder.join(name)));
            }
        }
    }

    /// Has the folder's own name outlive a crash.
    pub(super) fn sync_parent(&self) {
        let parent = self.path.parent();
        let parent = parent.filter(|parent| *parent != Path::new(""));
        // The folder is there: this is the most that can be done for it.
        drop(synced(parent.unwrap_or(Path::new("."))));
    }

    pub(super) fn remove_at(&self, name: &Path) -> Result<(), Problem> {
        match door::remove_file(&self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let what = format!("cannot be removed: {error}");
                Err(file_problem(self.path.join(name), what, &error))
            }
            _ => Ok(()),
        }
    }
}

/// The files of one run, by their paths. The list of what was played is the first to go: without it
/// a run that is half removed is not taken for one that can go on.
fn of_a_run(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let figures = FIGURE_FILES.iter().chain([&SWEEP_FIGURE]);
    let figures = figures.map(|name| folder.join(FIGURES).join(name));
    let files = leavings().map(|name| folder.join(name));
    [folder.join(KEPT)].into_iter().chain(files).chain(figures)
}

/// Returns true if a file has the name of a half-written file of a run.
fn is_temporary(name: &OsStr) -> bool {
    let file = name.to_str().and_then(half_written);
    let is_ours =
        |file: &str| leavings().any(|name| name == file) || [CONFIG, "probe"].contains(&file);
    file.is_some_and(|file| is_ours(file) && file != REPORT)
}

/// Returns the final name of a file that is being written, `.NAME.PROCESS.tmp`. `None` for other
/// names.
#[must_use]
pub fn half_written(name: &str) -> Option<&str> {
    let name = name.strip_prefix('.')?.strip_suffix(".tmp")?;
    let (file, process) = name.rsplit_once('.')?;
    let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(file)
}

/// Files that are empty until something is played.
const EMPTY: [&str; 3] = [PROGRESS, "decisions.ndjson", "bad.ndjson"];

impl Folder {
    /// Returns true if a process was killed here before its run began. Nothing was played or
    /// acknowledged then, and no file of the user is there.
    pub(super) fn never_began(&self, names: &[OsString], was_cut_off: bool) -> bool {
        let is_empty = |name: &str| {
            let found = fs::metadata(self.file(name));
            found.is_ok_and(|found| found.is_file() && found.len() == 0)
        };
        let is_ours = |name: &str| match name {
            LOCK | CONFIG | HEAD => true,
            name if EMPTY.contains(&name) => is_empty(name),
            name => name.starts_with(JOURNAL) || half_written(name).is_some(),
        };
        let has = |name: &str| names.iter().any(|have| have == name);
        let is_begun = was_cut_off || [PROGRESS, HEAD, JOURNAL].into_iter().any(has);
        let mut names = names.iter().map(|name| name.to_str().unwrap_or_default());
        is_begun && names.all(is_ours) && is_unbegun(self.path())
    }

    /// Removes what a process left that was killed before its run began; the names of what is in the
    /// folder then. `was_cut_off`: its lock was left. Where there is anything else all stays.
    ///
    /// # Errors
    /// Where a file can't be removed.
    pub(super) fn without_beginnings(
        &self,
        names: Vec<OsString>,
        was_cut_off: bool,
    ) -> Result<Vec<OsString>, Problem> {
        if !self.never_began(&names, was_cut_off) {
            return Ok(names);
        }
        let is_kept = |name: &OsString| [LOCK, CONFIG, PROGRESS].iter().any(|kept| name == kept);
        let left = |name: &&OsString| !is_kept(name);
        for name in names.iter().filter(left) {
            self.remove_at(name.as_ref())?;
        }
        Ok(Vec::new())
    }

    /// Removes the beginnings of a live run that was killed before it began, so that it can begin.
    ///
    /// # Errors
    /// Where another process holds the folder, or a file can't be removed.
    pub fn clear_unbegun(&self) -> Result<(), kleroterion_core::problem::Problems> {
        let held = Self::hold(self.path())?;
        let names = super::names(held.path());
        let names = names.map_err(|error| held.problem("cannot be listed", &error))?;
        held.without_beginnings(names, true)?;
        Ok(())
    }
}
