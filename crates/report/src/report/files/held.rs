//! A folder that only one process writes to at a time. A run that is replaced is kept until the new
//! one is complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::{Folder, LOCK, PROGRESS, door, names};
use crate::limits::HOLDER_PAUSE;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::record::without_links;

/// The subfolder that keeps a replaced run until the new one is complete.
pub const REPLACED: &str = "replaced";

/// The subfolder that a replaced run is moved through, on its way to [`REPLACED`].
pub(super) const MOVING: &str = ".replaced";

/// A folder that this process alone may write to, until the value is dropped.
#[derive(Debug)]
pub struct HeldFolder {
    folder: Folder,
    lock: File,
}

impl Deref for HeldFolder {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

impl HeldFolder {
    /// Holds a folder.
    ///
    /// # Errors
    /// Where another process does, or its file can't be made.
    pub(super) fn hold(folder: Folder) -> Result<Self, Problems> {
        loop {
            let path = folder.file(LOCK);
            let lock = locked(&path).map_err(|error| match error {
                TryLockError::WouldBlock => folder.in_use(&path),
                TryLockError::Error(error) => folder.problem("cannot be written to", &error),
            })?;
            // Who held it before may have removed the file that was opened.
            if is_at(&lock, &path) {
                folder.remove_temporaries();
                return Ok(Self { folder, lock });
            }
        }
    }

    /// Marks the run in the folder as complete. The run that it replaced is removed.
    ///
    /// # Errors
    /// Where the folder can't be written.
    pub fn finish(&self) -> Result<(), Problem> {
        // The names of the results are on the disk before the note of a run under way is gone.
        self.sync()?;
        self.remove(PROGRESS)?;
        for kept in [REPLACED, MOVING] {
            Folder::at(self.file(kept)).clear_whole()?;
        }
        self.sync()
    }
}

impl Drop for HeldFolder {
    fn drop(&mut self) {
        // While it is still held: another process that has opened it finds that it is gone.
        drop(door::remove_file(&self.folder.file(LOCK)));
        drop(self.lock.unlock());
    }
}

impl Folder {
    /// Returns the folder for a new run, held by this process and made if it is missing. A folder
    /// that is not empty is refused unless `force` is true. A run or a sweep in it is then set
    /// aside, and [`HeldFolder::finish`] removes it.
    pub fn create(path: impl Into<PathBuf>, force: bool) -> Result<HeldFolder, Problems> {
        let path = path.into();
        let is_new = !path.exists();
        let was_cut_off = path.join(LOCK).exists();
        let held = HeldFolder::hold(Self::made(path)?)?;
        let names = names(&held.path).map_err(|error| held.problem("cannot be listed", &error))?;
        let names = held.without_beginnings(names, was_cut_off)?;
        held.refuse(&names, force)?;
        held.set_aside(&names)?;
        if is_new {
            held.sync_parent();
        }
        Ok(held)
    }

    /// Holds the folder of a run that is resumed.
    ///
    /// # Errors
    /// Where another process holds it, or it can't be written to.
    pub fn hold(path: impl Into<PathBuf>) -> Result<HeldFolder, Problems> {
        HeldFolder::hold(Self::at(path))
    }

    /// Returns the problem of a folder in use, with the process that holds it.
    fn in_use(&self, lock: &Path) -> Problem {
        let who = match holder(lock) {
            Some(process) => format!("is being written by another klero, process {process}"),
            None => "is being written by another klero".to_owned(),
        };
        self.says(&who)
            .help("wait until it has ended, or give another --out")
    }
}

/// The file of a lock, locked, with the number of this process in it.
fn locked(path: &Path) -> Result<File, TryLockError> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    let file = door::open(path, |path| without_links(&mut options).open(path));
    let mut file = file.map_err(TryLockError::Error)?;
    match door::lock(&file) {
        // Where the file system has no locks, nothing can be held.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
        locked => locked?,
    }
    let noted = door::change().and_then(|()| file.set_len(0));
    let noted = noted.and_then(|()| file.rewind());
    noted
        .and_then(|()| write!(file, "{}", door::process()))
        .map_err(TryLockError::Error)?;
    Ok(file)
}

/// The process that has locked a file. It notes its number after it has locked it.
fn holder(lock: &Path) -> Option<String> {
    for _ in 0..20 {
        let mut process = String::new();
        let read = File::open(lock).and_then(|file| file.take(20).read_to_string(&mut process));
        let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
        if read.is_ok() && is_number {
            return Some(process);
        }
        std::thread::sleep(HOLDER_PAUSE);
    }
    None
}

/// Returns true if an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |file: io::Result<fs::Metadata>| file.ok().map(|file| (file.dev(), file.ino()));
    let (ours, there) = (place(file.metadata()), place(fs::metadata(path)));
    ours.is_some() && ours == there
}

/// Returns true if an open file is the one at a path. On these systems an open file can't be
/// removed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
