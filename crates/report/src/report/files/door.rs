//! The changes to folders of runs and draws, with a function for each. Tests can kill a process at
//! any of them. That change and all later ones then do nothing.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::Path;

#[cfg(any(test, feature = "testing"))]
use self::simulated::PlantedMistake;

#[cfg(any(test, feature = "testing"))]
pub mod simulated;

/// Notes that a change is about to be made.
///
/// # Errors
/// In tests, where the process has been killed.
pub(super) fn change() -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    simulated::change()?;
    Ok(())
}

/// The number of this process.
pub(super) fn process() -> u32 {
    #[cfg(any(test, feature = "testing"))]
    if let Some(number) = simulated::number() {
        return number;
    }
    std::process::id()
}

/// Makes a folder, and those that it is in.
///
/// # Errors
/// Where it can't be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    change()?;
    fs::create_dir_all(path)
}

/// Opens a file that is to be written.
pub(super) fn open(path: &Path, open: impl FnOnce(&Path) -> io::Result<File>) -> io::Result<File> {
    change()?;
    #[cfg(any(test, feature = "testing"))]
    simulated::tear(path)?;
    open(path)
}

/// Locks a file, where no other process has.
pub(super) fn lock(file: &File) -> Result<(), TryLockError> {
    #[cfg(any(test, feature = "testing"))]
    if simulated::has(PlantedMistake::Unlocked) {
        return Ok(());
    }
    file.try_lock()
}

/// Writes a file, and has it outlive a crash.
pub(super) fn fill(
    file: File,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    change()?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    sync(&out.into_inner().map_err(io::IntoInnerError::into_error)?)
}

/// Has a file outlive a crash: in tests of kills none loses what was written.
pub(super) fn sync(file: &File) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    if simulated::number().is_some() {
        return Ok(());
    }
    file.sync_all()
}

/// Gives a file another name.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    change()?;
    #[cfg(any(test, feature = "testing"))]
    if simulated::loses(to) {
        return fs::remove_file(from);
    }
    fs::rename(from, to)
}

/// Removes a file.
///
/// # Errors
/// Where it can't be removed.
pub fn remove_file(path: &Path) -> io::Result<()> {
    change()?;
    #[cfg(any(test, feature = "testing"))]
    if simulated::has(PlantedMistake::LeftHalves)
        && path.extension().is_some_and(|end| end == "tmp")
    {
        return Ok(());
    }
    fs::remove_file(path)
}

/// Removes a folder that is empty.
///
/// # Errors
/// Where it can't be removed, as one with files.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    change()?;
    fs::remove_dir(path)
}

/// Removes a folder with all that is in it.
///
/// # Errors
/// Where it can't be removed.
pub fn remove_all(path: &Path) -> io::Result<()> {
    change()?;
    fs::remove_dir_all(path)
}
