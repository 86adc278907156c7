//! The folder of a run: files are written whole or not at all, and a run is never overwritten
//! unasked.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::chances::CHANCES;
use super::course::COURSE;
use super::curves::CURVES;
use super::lotteries::{CERTIFICATES, LOTTERIES, LOTTERY_CHANCES};
use super::points::{POINTS, read_points};
use crate::journal::JOURNAL;
use crate::problem::{Place, Problem, Problems};

/// The folder of a report's figures.
pub const FIGURES: &str = "figures";

/// The files of figures in it.
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

/// What a finished run has.
pub const SUMMARY: &str = "summary.json";

/// What only a run under way, or one that was cut off, has.
pub const PROGRESS: &str = "progress.ndjson";

/// What a run leaves behind besides `config.toml`, which may be the very config asked to run.
pub(super) const LEAVINGS: [&str; 22] = [
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
    "selected.csv",
    "people.csv",
    CHANCES,
    LOTTERIES,
    LOTTERY_CHANCES,
    CERTIFICATES,
    "decisions.ndjson",
    "bad.ndjson",
    "timing.json",
    "report.html",
];

/// A folder into which a run is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Whether a new run may go into a folder, which need not be there and is left as it is: see
    /// [`Folder::create`].
    pub fn check(path: impl Into<PathBuf>, force: bool) -> Result<(), Problems> {
        let folder = Self { path: path.into() };
        if !folder.path.exists() {
            return Ok(());
        }
        let names = names(&folder.path);
        let names = names.map_err(|error| folder.problem("cannot be listed", &error))?;
        folder.refuse(&names, force)
    }

    /// The folder for a new run, made where it is missing and tried for writing. One that is not
    /// empty is refused; with `force` it is taken, and where it holds a run or a sweep its files
    /// are removed, lest two runs mix.
    pub fn create(path: impl Into<PathBuf>, force: bool) -> Result<Self, Problems> {
        let folder = Self { path: path.into() };
        let problem = |what: &str, error: &io::Error| folder.problem(what, error);
        fs::create_dir_all(&folder.path).map_err(|error| problem("cannot be made", &error))?;
        let names = names(&folder.path).map_err(|error| problem("cannot be listed", &error))?;
        folder.refuse(&names, force)?;
        let probe = folder.temporary("probe");
        File::create(&probe)
            .and_then(|_| fs::remove_file(&probe))
            .map_err(|error| problem("cannot be written to", &error))?;
        if [PROGRESS, SUMMARY, POINTS]
            .iter()
            .any(|name| names.iter().any(|have| have == name))
        {
            folder.clear()?;
        }
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
        let found = if has(PROGRESS) {
            let what = "holds a run that is under way or was cut off";
            Some((what, "give another --out, or --force to start afresh"))
        } else if has(POINTS) {
            let what = "already holds a sweep";
            Some((what, "give another --out, or --force to overwrite it"))
        } else if has(SUMMARY) {
            let what = "already holds a run";
            Some((what, "give another --out, or --force to overwrite it"))
        } else if !names.is_empty() {
            let what = "is not empty";
            Some((
                what,
                "give a new or empty folder as --out, or --force to write into this one",
            ))
        } else {
            None
        };
        match found {
            Some((what, help)) if !force => Err(self.says(what).help(help).into()),
            _ => Ok(()),
        }
    }

    /// The folder of a run that is there already, finished or not.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Problems> {
        let folder = Self { path: path.into() };
        let names =
            names(&folder.path).map_err(|error| folder.problem("cannot be read", &error))?;
        if names.iter().any(|name| name == SUMMARY || name == PROGRESS) {
            return Ok(folder);
        }
        let help = format!("give the --out folder of a run; it has {SUMMARY} or {PROGRESS}");
        Err(folder.says("holds no run").help(help).into())
    }

    /// A folder that is there, whatever is in it.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// A folder within it, made where it is missing.
    pub fn within(&self, name: &str) -> Result<Self, Problem> {
        let path = self.file(name);
        match fs::create_dir_all(&path) {
            Ok(()) => Ok(Self { path }),
            Err(error) => {
                let what = format!("the folder cannot be made: {error}");
                Err(file_problem(path, what, &error))
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file of it is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file whole: until `write` has succeeded and the bytes are on the disk, what stood
    /// under this name stays. `name` is a plain file name.
    pub fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Problem> {
        let temporary = self.temporary(name);
        let written =
            fill(&temporary, write).and_then(|()| fs::rename(&temporary, self.file(name)));
        written.map_err(|error| {
            // It may never have been made; the first error is the one to tell.
            let _ = fs::remove_file(&temporary);
            let what = format!("cannot be written: {error}");
            file_problem(self.file(name), what, &error)
        })
    }

    /// Removes a file where it is.
    pub fn remove(&self, name: &str) -> Result<(), Problem> {
        match fs::remove_file(self.file(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                let what = format!("cannot be removed: {error}");
                Err(file_problem(self.file(name), what, &error))
            }
            _ => Ok(()),
        }
    }

    fn clear(&self) -> Result<(), Problems> {
        let mut problems = Problems::default();
        // A list that was changed names no folders of ours: they stay.
        for point in read_points(&self.path).into_iter().flatten().flatten() {
            let point = Self::at(self.file(&point.name));
            problems
                .0
                .extend(point.clear().err().into_iter().flat_map(|found| found.0));
            problems.0.extend(point.remove("config.toml").err());
            drop(fs::remove_dir(&point.path));
        }
        let figures = FIGURE_FILES.iter().chain([&SWEEP_FIGURE]);
        let figures: Vec<String> = figures.map(|name| format!("{FIGURES}/{name}")).collect();
        let figures = figures.iter().map(String::as_str);
        for name in LEAVINGS.into_iter().chain(figures) {
            if let Err(problem) = self.remove(name) {
                problems.push(problem);
            }
        }
        // Where it holds something of the user's own it stays.
        drop(fs::remove_dir(self.file(FIGURES)));
        problems.or(())
    }

    /// In the same folder, for a rename stays whole only within a file system.
    fn temporary(&self, name: &str) -> PathBuf {
        self.file(&format!(".{name}.{}.tmp", std::process::id()))
    }

    fn says(&self, what: &str) -> Problem {
        let place = Place::Option(format!("--out {}", self.path.display()));
        Problem::new(place, format!("the folder {what}"))
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

fn fill(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()
}

fn file_problem(path: PathBuf, what: String, error: &io::Error) -> Problem {
    let (line, column) = (None, None);
    Problem::new(Place::File { path, line, column }, what).help(remedy(error))
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
