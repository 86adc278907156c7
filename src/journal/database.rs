//! The database of a journal, as its writer and its readers open it.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::error::JournalError;
use super::format::{Format, foreign};

/// The database in the folder of a live run.
pub const JOURNAL: &str = "journal.sqlite";

/// The record of the person of an id.
pub(super) fn record(store: &Connection, id: &str) -> Result<Option<String>, JournalError> {
    let find = "SELECT body FROM entry WHERE id = ?1 AND kind = 'candidate'";
    let found = store.prepare_cached(find);
    let found = found.and_then(|mut find| find.query_row([id], |row| row.get(0)).optional());
    found.map_err(|error| failed(store, error))
}

/// A journal that is there. One in WAL mode can be read only by who may write its shared memory.
pub(super) fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// A database that waits a while for other users' locks.
pub(super) fn open(path: &Path, flags: OpenFlags) -> Result<Connection, JournalError> {
    let store = Connection::open_with_flags(path, flags).and_then(|store| {
        store.busy_timeout(std::time::Duration::from_secs(5))?;
        Ok(store)
    });
    store.map_err(|error| JournalError::Store(path.to_owned(), error))
}

/// What a database said, with its path.
pub(super) fn failed(store: &Connection, error: rusqlite::Error) -> JournalError {
    JournalError::Store(store.path().unwrap_or_default().into(), error)
}

/// What SQLite finds entries by and is not sound, in words; none where all is.
pub(super) fn sound(store: &Connection, format: Format) -> rusqlite::Result<Option<String>> {
    if let Some(what) = foreign(store, format)? {
        return Ok(Some(what));
    }
    let check = "PRAGMA integrity_check(1)";
    let told: String = store.query_row(check, [], |row| row.get(0))?;
    Ok((told != "ok").then(|| format!("the database is damaged: {}", told.replace('\n', " "))))
}

/// Why the facts of a journal can't be read; `committed`: how many entries its head names.
pub(super) fn unread(folder: &Path, head: Option<u64>, error: rusqlite::Error) -> JournalError {
    use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
    let path = folder.join(JOURNAL);
    let committed = head.unwrap_or_default();
    match error.sqlite_error_code() {
        Some(ReadOnly | CannotOpen) => JournalError::ReadOnly(path, error),
        _ if head.is_some() && committed == 0 => JournalError::Unbegun(folder.to_owned()),
        _ => JournalError::Broken(format!(
            "{}: nothing can be read of it ({error}), and {committed} entries were committed: \
             they are lost",
            path.display()
        )),
    }
}
