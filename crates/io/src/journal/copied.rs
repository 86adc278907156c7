//! The mark that a journal is a copy: the run that it was copied from, and the moment.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::error::JournalError;
use super::head::is_in_use;
use super::reader::JournalReader;

/// The name of the fact that marks a copy.
pub(super) const COPIED: &str = "copied";

/// The run that a journal is a copy of, and the moment of the copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// The folder of the run, from the root of the machine on which the copy was made.
    pub from: PathBuf,
    /// The moment of the copy, in seconds since 1970.
    pub at: u64,
    /// The number of candidates in it at that moment.
    pub people: u64,
}

impl Copied {
    pub(super) fn now(folder: &Path, people: u64) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            from: folder.canonicalize().unwrap_or_else(|_| folder.to_owned()),
            at: since.map_or(0, |since| since.as_secs()),
            people,
        }
    }

    pub(super) fn text(&self) -> String {
        serde_json::json!(self).to_string()
    }

    /// Returns the mark of the copy in a folder. Returns `None` for a run's own journal, and for a
    /// copy that has taken its run's place.
    ///
    /// # Errors
    /// Where the journal can't be read.
    pub fn of(folder: &Path) -> Result<Option<Self>, JournalError> {
        let text = JournalReader::open(folder)?.fact(COPIED)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Returns true if the original run is under way in its own folder, as seen from the folder of
    /// the copy. Another run may have that folder by now; then the first entries differ.
    #[must_use]
    pub fn original_goes_on(&self, folder: &Path) -> bool {
        let is_here = folder.canonicalize().is_ok_and(|here| here == self.from);
        !is_here && is_in_use(&self.from) && begin_alike(&self.from, folder).unwrap_or(true)
    }
}

/// Returns true if two journals begin with the same entry, or one of them has none yet.
fn begin_alike(one: &Path, other: &Path) -> Result<bool, JournalError> {
    let first = |folder: &Path| JournalReader::open(folder)?.first_link();
    let (one, other) = (first(one)?, first(other)?);
    Ok(one.is_none() || other.is_none() || one == other)
}
