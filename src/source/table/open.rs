//! Opening a file of people, and why it gave no table.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::problem::{Place, Problem, Problems};

/// Why a file gave no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Where the file could not be opened at all, why: so that a caller who knows where such files come from
    /// can say so.
    pub unopened: Option<io::ErrorKind>,
    /// All that is wrong.
    pub problems: Problems,
}

/// Opens a file to read.
pub(super) fn open(path: &Path) -> Result<File, LoadError> {
    let refuse = |kind, what: String, help: Option<&str>| {
        let place = Place::File {
            path: path.to_owned(),
            line: None,
            column: None,
        };
        let mut problem = Problem::new(place, what);
        problem.help = help.map(str::to_owned);
        LoadError {
            unopened: Some(kind),
            problems: problem.into(),
        }
    };
    if path.is_dir() {
        let kind = io::ErrorKind::IsADirectory;
        return Err(refuse(
            kind,
            "this is a folder and not a file".into(),
            Some("name a file in it"),
        ));
    }
    File::open(path).map_err(|error| match error.kind() {
        kind @ io::ErrorKind::NotFound => refuse(kind, "the file cannot be found".into(), None),
        kind => refuse(kind, format!("the file cannot be opened: {error}"), None),
    })
}

impl From<Problems> for LoadError {
    fn from(problems: Problems) -> Self {
        Self {
            unopened: None,
            problems,
        }
    }
}

impl From<LoadError> for Problems {
    fn from(error: LoadError) -> Self {
        error.problems
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.fmt(f)
    }
}

impl std::error::Error for LoadError {}
