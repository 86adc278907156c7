//! The folder of a run. Files are written whole or not at all, and a run is overwritten only on
//! request.

pub mod door;
mod held;
mod replaced;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::chances::CHANCES;
use super::curves::{COURSE, CURVES};
use super::lotteries::{CERTIFICATES, LOTTERIES, LOTTERY_CHANCES};
use super::points::POINTS;
pub use held::{HeldFolder, REPLACED};
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::journal::JOURNAL;
use kleroterion_io::record::own_new_file;
pub use replaced::half_written;

/// The folder of a report's figures.
pub const FIGURES: &str = "figures";

/// The files of figures in that folder.
pub const FIGURE_FILES: [&str; 7] = [
    "verdicts.svg",
    "courses.svg",
    "distributions.svg",
    "tradeoff.svg",
    "shares.svg",
    "chances.svg",
    "difference.svg",
];

/// The figure of a sweep's page, in the folder of figures.
pub const SWEEP_FIGURE: &str = "sweep.svg";

/// The summaries of all runs of a sweep.
pub const SWEEP: &str = "sweep.csv";

/// The comparisons of a run, or of all runs of a sweep.
pub const VERDICTS: &str = "verdicts.csv";

/// The file of the summary, which a finished run has.
pub const SUMMARY: &str = "summary.json";

/// The file that exists only while a run is in progress or after it was interrupted.
pub const PROGRESS: &str = "progress.ndjson";

/// The file with the duration of a run, and the hashes of its files.
pub const TIMING: &str = "timing.json";

/// The file of replications already played, until the run is complete.
pub const KEPT: &str = "replications.part";

/// The file of all replications of a finished run that keeps every value. More can be added to it.
pub const PLAYED: &str = "replications.played";

/// The folder of the shards of a sweep on several processes, until it is complete.
pub const SHARDS: &str = "shards";

/// The file that a process locks to hold a folder.
pub const LOCK: &str = ".klero.lock";

/// The files of a run that name no people.
const OPEN: [&str; 13] = [
    PROGRESS,
    SUMMARY,
    POINTS,
    SWEEP,
    "summary.csv",
    VERDICTS,
    COURSE,
    "replications.csv",
    "endings.csv",
    "long.csv",
    "series.csv",
    CURVES,
    "report.html",
];

/// The files of a run that name people: their user alone reads them. So it is with `config.toml`,
/// whose conditions of `where` may name people.
const OF_PEOPLE: [&str; 14] = [
    KEPT,
    PLAYED,
    "selected.csv",
    "people.csv",
    "cohort.csv",
    "interviews.csv",
    "offers.csv",
    CHANCES,
    LOTTERIES,
    LOTTERY_CHANCES,
    CERTIFICATES,
    "decisions.ndjson",
    "bad.ndjson",
    // A hash of a table of few people can be tried.
    TIMING,
];

/// The files that a run leaves besides `config.toml`, which may be the very config to run.
pub(super) fn leavings() -> impl Iterator<Item = &'static str> {
    OPEN.into_iter().chain(OF_PEOPLE)
}

/// A folder into which a run is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Checks that a new run may be written to a folder, which need not exist and is not changed.
    /// See [`Folder::create`].
    pub fn check(path: impl Into<PathBuf>, force: bool) -> Result<(), Problems> {
        let folder = Self { path: path.into() };
        if !folder.path.exists() {
            return Ok(());
        }
        let names = names(&folder.path);
        let names = names.map_err(|error| folder.problem("cannot be listed", &error))?;
        let was_cut_off = names.iter().any(|name| name == LOCK);
        match folder.never_began(&names, was_cut_off) {
            true => Ok(()),
            false => folder.refuse(&names, force),
        }
    }

    /// Makes a folder if it is missing, whatever it contains.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn made(path: impl Into<PathBuf>) -> Result<Self, Problems> {
        let folder = Self { path: path.into() };
        door::make_folder(&folder.path)
            .map_err(|error| folder.problem("cannot be made", &error))?;
        Ok(folder)
    }

    /// Refuses a folder for what is in it, unless forced.
    fn refuse(&self, names: &[OsString], force: bool) -> Result<(), Problems> {
        let has = |name: &str| names.iter().any(|have| have == name);
        if has(JOURNAL) {
            let help = format!(
                "`klero resume {}` takes it up again; a journal is never overwritten: give another \
                 --out, or delete the folder yourself",
                self.path.display()
            );
            return Err(self
                .says("holds the journal of a live run")
                .help(help)
                .into());
        }
        let other = "give another --out, or --force to";
        let found = if has(KEPT) {
            let path = self.path.display();
            let help = format!("`klero resume {path}` goes on with it; or {other} start afresh");
            Some(("holds a run that is under way or was cut off", help))
        } else if has(PROGRESS) {
            let what = "holds a run that is under way or was cut off";
            Some((what, format!("{other} start afresh")))
        } else if has(POINTS) {
            Some(("already holds a sweep", format!("{other} overwrite it")))
        } else if has(SUMMARY) {
            Some(("already holds a run", format!("{other} overwrite it")))
        } else if names.iter().any(|name| name != LOCK && name != SHARDS) {
            let help = "give a new or empty folder as --out, or --force to write into this one";
            Some(("is not empty", help.to_owned()))
        } else {
            None
        };
        match found {
            Some((what, help)) if !force => Err(self.says(what).help(help).into()),
            _ => Ok(()),
        }
    }

    /// A folder that is there, whatever is in it.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns a subfolder, made if it is missing.
    pub fn within(&self, name: &str) -> Result<Self, Problem> {
        let path = self.file(name);
        match door::make_folder(&path) {
            Ok(()) => Ok(Self { path }),
            Err(error) => {
                let what = format!("the folder cannot be made: {error}");
                Err(file_problem(path, what, &error))
            }
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file whole. The old content stays until `write` has succeeded and the bytes are on
    /// disk. `name` is a plain file name. If it is a file of a run with people, only its user can
    /// read it.
    pub fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Problem> {
        match name == "config.toml" || OF_PEOPLE.contains(&name) {
            true => self.write_own(name, write),
            false => self.put(name, |path| File::create_new(path), write),
        }
    }

    /// Writes a file with people's data whole, so that only its user can read it.
    pub fn write_own(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Problem> {
        self.put(name, own_new_file, write)
    }

    fn put(
        &self,
        name: &str,
        create: impl FnOnce(&Path) -> io::Result<File>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Problem> {
        let temporary = self.temporary(name);
        // One that a process of the same number left; a link is removed, not followed.
        drop(door::remove_file(&temporary));
        let file = door::open(&temporary, create);
        let written = file
            .and_then(|file| door::fill(file, write))
            .and_then(|()| door::rename(&temporary, &self.file(name)));
        written.map_err(|error| {
            // It may never have been made; the first error is the one to tell.
            let _ = door::remove_file(&temporary);
            let what = format!("cannot be written: {error}");
            file_problem(self.file(name), what, &error)
        })
    }

    /// Makes sure that the names in the folder survive a crash.
    pub fn sync(&self) -> Result<(), Problem> {
        synced(&self.path).map_err(|error| self.problem("cannot be written to", &error))
    }

    /// Removes a file if it exists.
    pub fn remove(&self, name: &str) -> Result<(), Problem> {
        self.remove_at(Path::new(name))
    }

    /// Returns the path of a temporary file in the same folder. A rename is atomic only within a
    /// file system.
    fn temporary(&self, name: &str) -> PathBuf {
        self.file(&format!(".{name}.{}.tmp", door::process()))
    }

    fn says(&self, what: &str) -> Problem {
        Problem::of_option(
            format!("--out {}", self.path.display()),
            format!("the folder {what}"),
        )
    }

    fn problem(&self, what: &str, error: &io::Error) -> Problem {
        let place = Place::Option(format!("--out {}", self.path.display()));
        let problem = match self.path.is_file() {
            true => Problem::new(place, "this is a file, not a folder"),
            false => Problem::new(place, format!("the folder {what}: {error}")),
        };
        problem.help(remedy(error))
    }
}

fn names(path: &Path) -> io::Result<Vec<OsString>> {
    fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect()
}

/// Has the names in a folder outlive a crash.
fn synced(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => door::sync(&File::open(folder)?),
        false => Ok(()),
    }
}

fn file_problem(path: PathBuf, what: String, error: &io::Error) -> Problem {
    Problem::of_file(path, what).help(remedy(error))
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "give a folder that you may write to"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "make room on the disk, or give a folder on another"
        }
        ErrorKind::IsADirectory => "a folder is in its place: move it away",
        _ => "give another folder",
    }
}

#[cfg(test)]
mod tests;
