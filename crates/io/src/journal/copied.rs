//! The mark of a copy: of which run it is one, and of when.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::error::JournalError;
use super::head::is_in_use;
use super::reader::JournalReader;

/// Under which name a copy has the fact that it is one.
pub(super) const COPIED: &str = "copied";

/// The run that a journal is a copy of, and the moment of the copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// The folder of the run, from the root of the machine on which the copy was made.
    pub from: PathBuf,
    /// In seconds since 1970.
    pub at: u64,
    /// The number of people it had.
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

    /// The copy that the journal of a folder is; none where it is a run of its own, or has its
    /// run's place.
    ///
    /// # Errors
    /// Where the journal can't be read.
    pub fn of(folder: &Path) -> Result<Option<Self>, JournalError> {
        let text = JournalReader::open(folder)?.fact(COPIED)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// `true` where the run is under way in its own folder, seen from the folder of the copy.
    /// Another run may have that folder by now: it begins with other entries.
    #[must_use]
    pub fn original_goes_on(&self, folder: &Path) -> bool {
        let is_here = folder.canonicalize().is_ok_and(|here| here == self.from);
        !is_here && is_in_use(&self.from) && begin_alike(&self.from, folder).unwrap_or(true)
    }
}

/// `true` where two journals begin with the same entry, or one has none yet.
fn begin_alike(one: &Path, other: &Path) -> Result<bool, JournalError> {
    let first = |folder: &Path| JournalReader::open(folder)?.first_link();
    let (one, other) = (first(one)?, first(other)?);
    Ok(one.is_none() || other.is_none() || one == other)
}
