//! The options that a live run keeps, so that a resumed run goes on as it began.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::JobError;
use crate::journal::journal_wrong;
use crate::options::names;
use kleroterion_io::journal::JournalReader;
use kleroterion_io::trace::Names;

/// The options that a resumed run takes over. The journal keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveOptions {
    /// The key of the names, if ids are hidden.
    pub key: Option<[u8; 32]>,
    /// The attributes that tables of people leave out.
    pub dropped: Vec<String>,
    /// True to serve the board.
    pub board: bool,
    /// True to keep the servers once no lane plays any more.
    pub stay: bool,
    /// True to write every decision.
    pub decisions: bool,
    /// True to write people.csv; false in older journals, which lack it.
    #[serde(default)]
    pub people: bool,
}

/// The name under which the journal keeps the options.
const KEPT: &str = "options";

/// The name under which the journal keeps the config with which the run began.
pub(super) const CONFIG: &str = "config";

impl LiveOptions {
    /// Reads the options kept in a folder.
    ///
    /// # Errors
    /// Fails if the journal can't be read.
    pub fn read(folder: &Path) -> Result<Self, JobError> {
        let read = || JournalReader::open(folder)?.fact(KEPT);
        let text = read().map_err(|error| journal_wrong(&error))?;
        let kept = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(kept.unwrap_or_default())
    }

    /// The names under which people are shown.
    pub fn names(&self) -> Names {
        names(self.key, &self.dropped)
    }

    /// The facts that a new journal stores: the options and the config.
    pub(super) fn facts(&self, config: String) -> Result<Vec<(&'static str, String)>, JobError> {
        let kept = serde_json::to_string(self).map_err(JobError::failed)?;
        Ok(vec![(KEPT, kept), (CONFIG, config)])
    }
}
