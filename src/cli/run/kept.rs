//! The options that a run keeps, so that a resumed run goes on as it began.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::args::{OutArgs, WhichReplications};
use super::super::failure::{Failure, failed};
use super::super::privacy::PrivacyArgs;
use kleroterion::report::files::KEPT;
use kleroterion::run::{PlayedHeader, Traces};
use kleroterion::trace::Names;

/// Returns true if a folder holds a run that is not live and can be resumed.
pub fn was_played(folder: &Path) -> bool {
    folder.join(KEPT).is_file()
}

/// The options of a run on which its files depend.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RunOptions {
    /// The key of the names, if ids are hidden.
    key: Option<[u8; 32]>,
    dropped: Vec<String>,
    people: bool,
    decisions: bool,
    all_replications: bool,
    /// True to write tables of people for spreadsheets.
    #[serde(default)]
    pub(super) for_spreadsheet: bool,
}

impl RunOptions {
    pub(super) fn of(out: &OutArgs, privacy: &PrivacyArgs, key: Option<[u8; 32]>) -> Self {
        Self {
            key,
            dropped: privacy.drop_attributes.clone(),
            people: out.people,
            decisions: out.trace.is_some(),
            all_replications: out.trace_replications == WhichReplications::All,
            for_spreadsheet: out.for_program.is_some(),
        }
    }

    /// Reads the options from the file of a run.
    pub(super) fn read(header: &PlayedHeader) -> Result<Self, Failure> {
        serde_json::from_str(&header.options).map_err(|error| failed(&error.to_string()))
    }

    /// The first lines of the file of a run with these configs.
    pub(super) fn header(&self, configs: Vec<String>) -> Result<PlayedHeader, Failure> {
        let options = serde_json::to_string(self).map_err(|error| failed(&error.to_string()))?;
        Ok(PlayedHeader {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            configs,
            options,
        })
    }

    /// The traces to write. `has_files` is true if there is a folder for them.
    pub(super) fn traces(&self, has_files: bool) -> Traces {
        Traces {
            selected: has_files,
            people: self.people,
            decisions: self.decisions,
            curves: has_files,
            all_replications: self.all_replications,
        }
    }

    /// The names under which people are shown.
    pub(super) fn names(&self) -> Names {
        let names = self.key.map_or_else(Names::default, Names::hidden);
        names.dropping(&self.dropped)
    }
}
