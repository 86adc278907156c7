//! The options that a live run keeps, so that a resumed run goes on as it began.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::args::TraceWord;
use super::super::failure::Failure;
use super::super::failure::journal_wrong;
use super::super::privacy::PrivacyArgs;
use super::how::HowArgs;
use kleroterion::journal::JournalReader;
use kleroterion::trace::Names;

/// The options that a resumed run takes over. The journal keeps them.
#[derive(Default, Serialize, Deserialize)]
pub struct KeptOptions {
    /// The key of the names, if ids are hidden.
    key: Option<[u8; 32]>,
    dropped: Vec<String>,
    board: bool,
    stay: bool,
    decisions: bool,
    /// True to write people.csv; false in older journals, which lack it.
    #[serde(default)]
    people: bool,
}

/// The name under which the journal keeps the options.
pub(super) const KEPT: &str = "options";

/// The name under which the journal keeps the config with which the run began.
pub const CONFIG: &str = "config";

impl KeptOptions {
    pub(super) fn of(how: &HowArgs, privacy: &PrivacyArgs, key: Option<[u8; 32]>) -> Self {
        Self {
            key,
            dropped: privacy.drop_attributes.clone(),
            board: !how.no_board,
            stay: how.stay,
            decisions: how.trace.is_some(),
            people: how.people,
        }
    }

    /// Reads the options kept in a folder.
    ///
    /// # Errors
    /// Fails if the journal can't be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let read = || JournalReader::open(folder)?.fact(KEPT);
        let text = read().map_err(|error| journal_wrong(&error))?;
        let kept = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(kept.unwrap_or_default())
    }

    /// Adds the kept options to those given now.
    pub fn again(&self, how: &mut HowArgs) {
        how.no_board |= !self.board;
        how.stay |= self.stay;
        how.people |= self.people;
        how.trace = how.trace.or(self.decisions.then_some(TraceWord::Decisions));
    }

    /// The names under which people are shown.
    pub fn names(&self) -> Names {
        let names = self.key.map_or_else(Names::default, Names::hidden);
        names.dropping(&self.dropped)
    }
}
