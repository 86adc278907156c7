//! Files left in a folder by a process that was killed before its run began.

use std::ffi::OsString;
use std::fs;

use super::replaced::half_written;
use super::{Folder, LOCK, PROGRESS};
use kleroterion_core::problem::Problem;
use kleroterion_io::journal::{HEAD, JOURNAL, is_unbegun};

/// The config of a run, which may be the very config that is asked to run: it is written anew.
const CONFIG: &str = "config.toml";

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
