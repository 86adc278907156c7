//! The reasons why a journal can't be read or written.

use std::io::ErrorKind;
use std::path::PathBuf;

use rusqlite::ErrorCode;

/// The reason why a journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The database at this path failed; also if the disk is full or the file can't be written.
    #[error("the journal can't be used: {path}: {error}", path = .0.display(), error = .1)]
    Store(PathBuf, rusqlite::Error),
    /// A file operation at this path failed.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, std::io::Error),
    /// Another process writes the journal.
    #[error("another run is under way in this folder")]
    InUse,
    /// The journal can't be read, because SQLite can't write the files that it needs next to it.
    #[error("{path}: the journal can't be read where SQLite can't write into its folder ({error}); its entries are not touched", path = .0.display(), error = .1)]
    Unwritable(PathBuf, rusqlite::Error),
    /// The journal has a format that this program doesn't know.
    #[error("{path}: this journal is of format {format:?}, and this program reads format 1", path = .0.display(), format = .1)]
    Format(PathBuf, String),
    /// The journal differs from what was committed.
    #[error("{0}")]
    Broken(String),
    /// The run of this folder was cut off before any candidate came.
    #[error("{folder}: the run was cut off before it began, and no candidate had come", folder = .0.display())]
    Unbegun(PathBuf),
}

impl JournalError {
    /// Returns true if the system does not allow this user to read or write the journal.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
        match self {
            Self::Unwritable(..) => true,
            Self::Store(_, error) => matches!(
                error.sqlite_error_code(),
                Some(ReadOnly | CannotOpen | PermissionDenied)
            ),
            Self::Io(_, error) => matches!(
                error.kind(),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
            ),
            _ => false,
        }
    }

    /// Returns true if the disk has no room left for the journal.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Self::Store(_, error) => error.sqlite_error().is_some_and(|error| {
                // Where a file is at the limit of its size, SQLite says that a write failed.
                let wrote = error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE;
                error.code == ErrorCode::DiskFull || wrote
            }),
            Self::Io(_, error) => is_full(error),
            _ => false,
        }
    }
}

/// Returns true if an error says that the disk is full, a quota is used up or a file is too large.
#[must_use]
pub fn is_full(error: &std::io::Error) -> bool {
    use ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(code: std::ffi::c_int) -> JournalError {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        JournalError::Store("j".into(), error)
    }

    fn system(kind: ErrorKind) -> JournalError {
        JournalError::Io("j".into(), kind.into())
    }

    #[test]
    fn what_may_not_be_written_and_what_has_no_room_are_known_from_either_source() {
        use rusqlite::ffi;
        let cut = rusqlite::Error::InvalidQuery;
        for (error, forbidden, full) in [
            (store(ffi::SQLITE_READONLY), true, false),
            (store(ffi::SQLITE_CANTOPEN), true, false),
            (store(ffi::SQLITE_PERM), true, false),
            (store(ffi::SQLITE_FULL), false, true),
            (store(ffi::SQLITE_IOERR_WRITE), false, true),
            (store(ffi::SQLITE_IOERR_READ), false, false),
            (store(ffi::SQLITE_CORRUPT), false, false),
            (system(ErrorKind::PermissionDenied), true, false),
            (system(ErrorKind::ReadOnlyFilesystem), true, false),
            (system(ErrorKind::StorageFull), false, true),
            (system(ErrorKind::QuotaExceeded), false, true),
            (system(ErrorKind::FileTooLarge), false, true),
            (system(ErrorKind::NotFound), false, false),
            (JournalError::Unwritable("j".into(), cut), true, false),
            (JournalError::InUse, false, false),
        ] {
            assert_eq!(error.is_forbidden(), forbidden, "{error}");
            assert_eq!(error.is_full(), full, "{error}");
        }
    }
}
