//! The database of a journal, as its writer and its readers open it.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::error::JournalError;

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
