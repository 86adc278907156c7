//! The options on which a run's files depend. A run keeps them, so that a resumed run goes on as it
//! began.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::JobError;
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::trace::Names;
use kleroterion_report::report::files::KEPT;
use kleroterion_run::config::Plan;
use kleroterion_run::run::{PlayedHeader, Traces};

/// Returns true if a folder holds a run that is not live and can be resumed.
pub fn was_played(folder: &Path) -> bool {
    folder.join(KEPT).is_file()
}

/// The options of a run on which its files depend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// The key of the names, if ids are hidden.
    pub key: Option<[u8; 32]>,
    /// The attributes that tables of people leave out.
    pub dropped: Vec<String>,
    /// True to write all people who were shown.
    pub people: bool,
    /// True to write every decision.
    pub decisions: bool,
    /// True to write people and decisions of every replication, not only of the first.
    pub all_replications: bool,
    /// True to write tables of people for spreadsheets.
    #[serde(default)]
    pub for_spreadsheet: bool,
}

impl RunOptions {
    /// Reads the options from the file of a run.
    pub(crate) fn read(header: &PlayedHeader) -> Result<Self, JobError> {
        serde_json::from_str(&header.options).map_err(JobError::failed)
    }

    /// The first lines of the file of a run with these configs.
    pub(crate) fn header(&self, configs: Vec<String>) -> Result<PlayedHeader, JobError> {
        Ok(PlayedHeader {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            configs,
            options: serde_json::to_string(self).map_err(JobError::failed)?,
        })
    }

    /// The traces to write. `has_files` is true if files are written.
    pub(crate) fn traces(&self, has_files: bool) -> Traces {
        Traces {
            selected: has_files,
            people: self.people,
            decisions: self.decisions,
            curves: has_files,
            all_replications: self.all_replications,
        }
    }

    /// The names under which people are shown.
    pub fn names(&self) -> Names {
        names(self.key, &self.dropped)
    }
}

/// The names under which people are shown: with a key by hashes, and without some attributes.
pub fn names(key: Option<[u8; 32]>, dropped: &[String]) -> Names {
    let names = key.map_or_else(Names::default, Names::hidden);
    names.dropping(dropped)
}

/// Refuses to drop attributes that the people of a plan don't have.
///
/// # Errors
/// Returns a problem for each attribute that is not there.
pub fn check_dropped(plan: &Plan, dropped: &[String]) -> Result<(), Problems> {
    let attributes = plan.world.schema.attributes();
    let known = || attributes.iter().map(|a| a.name.as_str());
    let unknown = dropped.iter().filter(|name| !known().any(|k| k == **name));
    let problems = unknown.map(|dropped| {
        let names: Vec<&str> = known().collect();
        let help = match nearest(dropped, known()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("the attributes are {}", names.join(", ")),
        };
        let what = format!("there is no attribute {dropped:?}");
        Problem::of_option("--drop-attributes", what).help(help)
    });
    Problems(problems.collect()).or(())
}
