//! The reasons why a journal can't be read or written.

use std::path::PathBuf;

/// The reason why a journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The database of this path said so: also where the disk is full or the file can't be written.
    #[error("the journal can't be used: {path}: {error}", path = .0.display(), error = .1)]
    Store(PathBuf, rusqlite::Error),
    /// The system said so.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, std::io::Error),
    /// Another process writes it.
    #[error("another run is under way in this folder")]
    InUse,
    /// The entries are whole; what SQLite finds them by, or the head, is not: it can be repaired.
    #[error("{path}: {what}", path = .0.display(), what = .1)]
    Unsound(PathBuf, String),
    /// The head is gone, or can't be read.
    #[error("{path}: the head of the journal {what}, so that it is unknown how far the journal must reach", path = .0.display(), what = .1)]
    Headless(PathBuf, &'static str),
    /// The head is of another journal, or of another past of this one.
    #[error("{path}: entry {at} is another than the one its head names", path = .0.display(), at = .1)]
    Strayed(PathBuf, u64),
    /// The system doesn't let this process write what SQLite needs to read.
    #[error("{path}: the journal can't be read, because its folder can't be written by this user ({error}); its entries are not touched", path = .0.display(), error = .1)]
    ReadOnly(PathBuf, rusqlite::Error),
    /// It is of a format that this program doesn't know.
    #[error("{path}: this journal is of format {format:?}, and this program reads formats 1 and 2", path = .0.display(), format = .1)]
    Format(PathBuf, String),
    /// It is not what was committed.
    #[error("{0}")]
    Broken(String),
    /// A run that was to have it in this folder was cut off before anyone could come.
    #[error("{folder}: the run was cut off before it began, and no candidate had come", folder = .0.display())]
    Unbegun(PathBuf),
}
