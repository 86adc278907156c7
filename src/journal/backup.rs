//! A copy of a journal, which may be written meanwhile.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::database::{JOURNAL, failed};
use super::error::JournalError;
use super::examine::{Examined, examine};
use super::head::{Head, Reach};
use super::reader::JournalReader;

/// Copies the journal of a folder into another, which has none; the copy is examined.
///
/// # Errors
/// Where the journal can't be read, the copy can't be written, or is not whole.
pub fn backup(folder: &Path, to: &Path) -> Result<Examined, JournalError> {
    // The head first: the copy is never behind it.
    let head = Head::peek(folder)?;
    let reader = JournalReader::up_to(folder, Some(head))?;
    let path = to.join(JOURNAL);
    // One transaction reads all of it, however much is written meanwhile.
    let copied = reader
        .store
        .execute("VACUUM INTO ?1", [path.display().to_string()]);
    copied.map_err(|error| failed(&reader.store, error))?;
    drop(reader);
    let end = held(to, head)?;
    sync(&path)?;
    Head::create(to, end)?;
    sync(to)?;
    let examined = examine(to)?;
    match examined.fault {
        Some(fault) => Err(fault),
        None => Ok(examined),
    }
}

/// The end of a copy, which is at least as long as this head says.
fn held(to: &Path, head: Reach) -> Result<Reach, JournalError> {
    let mut copy = JournalReader::up_to(to, Some(head))?;
    copy.read_all(|_| {})?;
    copy.check()?;
    Ok(Reach::of(copy.end))
}

/// Waits until a file or folder is on the disk.
pub(super) fn sync(path: &Path) -> Result<(), JournalError> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|error| JournalError::Io(path.to_owned(), error))
}

/// Copies a file where it is there.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), JournalError> {
    match fs::copy(from, to) {
        Ok(_) => sync(to),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(JournalError::Io(to.to_owned(), error)),
    }
}
