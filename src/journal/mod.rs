//! The journal: all that came to a live run from outside, in one order, committed before anyone is told.
//!
//! A SQLite database (write-ahead log, synced at each commit) holds the entries, each with the hash of the chain so far. SQLite
//! alone reopens silently shorter where its log was cut or a byte of it flipped: a small [`Head`] beside it, synced after each
//! commit and before anyone is told, says how far the journal must reach and with which hash.

mod chain;
mod entry;
mod head;
mod reader;
mod store;
#[cfg(test)]
mod tests;

pub use chain::Chain;
pub use entry::{Corrected, Decided, Entry, Forfeit, Kind, Numbered, Refusal, Reported, Takeover};
pub use head::{Head, Reach};
pub use reader::Reader;
pub use store::{Added, Journal};

use std::path::PathBuf;

/// The database in the folder of a live run.
pub const JOURNAL: &str = "journal.sqlite";

/// The file that says how far the journal reaches.
pub const HEAD: &str = "journal.head";

/// Whether a run is under way in a folder, and writes its journal there.
#[must_use]
pub fn is_in_use(folder: &std::path::Path) -> bool {
    Head::is_in_use(folder)
}

/// Why a journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The database of this path said so: also where the disk is full or the file can't be written.
    #[error("the journal can't be used: {path}: {error}", path = .0.display(), error = .1)]
    Store(PathBuf, rusqlite::Error),
    /// The system said so.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, std::io::Error),
    /// Somebody else writes it.
    #[error("another run is under way in this folder")]
    InUse,
    /// It is not what was committed.
    #[error("{0}")]
    Broken(String),
    /// A run that was to have it in this folder was cut off before anybody could come.
    #[error("{folder}: the run was cut off before it began, and nobody had come", folder = .0.display())]
    Unbegun(PathBuf),
}
