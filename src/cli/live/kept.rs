//! What a live run keeps of its options, so that it goes on as it began.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::args::TraceWord;
use super::super::failure::Failure;
use super::super::failure::journal_wrong;
use super::super::privacy::PrivacyArgs;
use super::how::HowArgs;
use kleroterion::journal::JournalReader;
use kleroterion::trace::Names;

/// What a run that is taken up again does as before; kept with its journal.
#[derive(Default, Serialize, Deserialize)]
pub struct KeptOptions {
    /// The key of the names, where ids are hidden.
    key: Option<[u8; 32]>,
    dropped: Vec<String>,
    board: bool,
    stay: bool,
    decisions: bool,
    /// Older journals do not say.
    #[serde(default)]
    people: bool,
}

/// Under which name it is kept.
pub(super) const KEPT: &str = "options";

/// Under which name the journal keeps the config that the run was begun with.
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

    /// What is kept in a folder.
    ///
    /// # Errors
    /// Where its journal can't be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let read = || JournalReader::open(folder)?.fact(KEPT);
        let text = read().map_err(|error| journal_wrong(&error))?;
        let kept = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(kept.unwrap_or_default())
    }

    /// The same again, but for what is asked for now.
    pub fn again(&self, how: &mut HowArgs) {
        how.no_board |= !self.board;
        how.stay |= self.stay;
        how.people |= self.people;
        how.trace = how.trace.or(self.decisions.then_some(TraceWord::Decisions));
    }

    /// What people are called.
    pub fn names(&self) -> Names {
        let names = self.key.map_or_else(Names::default, Names::hidden);
        names.dropping(&self.dropped)
    }
}
