//! The database of a journal, as its writer and its readers open it.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};

use super::disk;
use super::error::JournalError;
use crate::limits::JOURNAL_PATIENCE;

/// The name of the database file in the folder of a live run.
pub const JOURNAL: &str = "journal.sqlite";

/// The name of the database's write-ahead log.
pub(super) const LOG: &str = "journal.sqlite-wal";

/// The tables and indexes of a journal.
pub(super) const TABLES: &str = "
    CREATE TABLE fact(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT INTO fact VALUES ('format', '1');
    CREATE TABLE entry(
        seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT, person INTEGER, policy TEXT, body TEXT NOT NULL, chain BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX person ON entry(id) WHERE kind = 'candidate';
    CREATE UNIQUE INDEX outcome ON entry(id, ifnull(policy, '')) WHERE kind = 'outcome';
";

/// An index that journals lack if they were begun by a version without corrections.
pub(super) const CORRECTIONS: &str = "CREATE INDEX IF NOT EXISTS correction ON entry(id, ifnull(policy, ''), \
                           seq) WHERE kind = 'correction';";

/// Returns the first row that a query finds, or `None` if it finds none.
pub(super) fn first<T>(
    store: &Connection,
    find: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, JournalError> {
    let found = store.prepare_cached(find);
    let found = found.and_then(|mut find| find.query_row(values, read).optional());
    found.map_err(|error| failed(store, error))
}

/// Returns the record of the candidate with an id, or `None` if there is none.
pub(super) fn record(store: &Connection, id: &str) -> Result<Option<String>, JournalError> {
    let find = "SELECT body FROM entry WHERE id = ?1 AND kind = 'candidate'";
    first(store, find, [id], |row| row.get(0))
}

/// Returns true if the database of a journal has no entry: it is missing, or its tables were not
/// made yet.
pub(super) fn has_no_entry(path: &Path) -> bool {
    if !path.exists() {
        return true;
    }
    let count = open(path, flags()).ok().map(|store| {
        // Looking changes nothing: the log stays as it is.
        drop(store.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true));
        let count = store.query_row("SELECT count(*) FROM entry", [], |row| row.get::<_, i64>(0));
        count.map_err(|error| error.to_string())
    });
    match count {
        Some(Ok(count)) => count == 0,
        Some(Err(error)) => error.contains("no such table"),
        None => false,
    }
}

/// Returns the flags that open an existing journal. A database in WAL mode can be read only by a
/// user who may write its shared memory.
pub(super) fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// Opens a database that waits a while for other users' locks.
pub(super) fn open(path: &Path, flags: OpenFlags) -> Result<Connection, JournalError> {
    let store = disk::database(path, flags).and_then(|store| {
        store.busy_timeout(JOURNAL_PATIENCE)?;
        Ok(store)
    });
    store.map_err(|error| JournalError::Store(path.to_owned(), error))
}

/// Turns a database error into a journal error that names the database's path.
pub(super) fn failed(store: &Connection, error: rusqlite::Error) -> JournalError {
    JournalError::Store(store.path().unwrap_or_default().into(), error)
}

/// Explains an error that occurred when the facts of a journal were read. `committed` is the number
/// of entries that the head promises.
pub(super) fn unread(path: &Path, committed: u64, error: rusqlite::Error) -> JournalError {
    use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
    match error.sqlite_error_code() {
        Some(ReadOnly | CannotOpen) => JournalError::Unwritable(path.to_owned(), error),
        _ if committed == 0 => JournalError::Unbegun(path.parent().unwrap_or(path).to_owned()),
        _ => JournalError::Broken(format!(
            "{}: nothing can be read of it ({error}), and {committed} entries were committed",
            path.display()
        )),
    }
}

/// Makes a database keep a write-ahead log.
pub(super) fn keep_log(store: &Connection) -> rusqlite::Result<()> {
    let mut change = store.prepare("PRAGMA journal_mode = WAL")?;
    let modes = change.query_map([], |row| row.get(0))?;
    // To its end: SQLite says `wal` first and commits the change then. Where that fails it stays
    // with a journal whose deletion commits, and which a power cut may bring back.
    let modes: Vec<String> = modes.collect::<rusqlite::Result<_>>()?;
    if modes == ["wal"] {
        return Ok(());
    }
    let error = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
    let why = format!("it can't keep a write-ahead log: its journal is {modes:?}");
    Err(rusqlite::Error::SqliteFailure(error, Some(why)))
}
