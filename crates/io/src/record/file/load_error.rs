//! The reason why a file gave no table.

use std::fmt;
use std::io;
use std::path::Path;

use kleroterion_core::problem::{Problem, Problems};

/// The reason why a file gave no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The reason, where the file could not be opened at all: for a caller who knows where the file
    /// comes from.
    pub unopened: Option<io::ErrorKind>,
    /// All that is wrong.
    pub problems: Problems,
    /// Attributes whose `values` are written the wrong way round, and the problem among
    /// [`LoadError::problems`] that says so: a caller who knows where they are written can say it
    /// there.
    pub reversed: Vec<(String, Problem)>,
}

impl LoadError {
    /// The error of a file that can't be opened as a table.
    pub(super) fn unopened(path: &Path, kind: io::ErrorKind, what: &str, help: &str) -> Self {
        let mut problem = Problem::of_file(path, what);
        problem.help = (!help.is_empty()).then(|| help.to_owned());
        Self {
            unopened: Some(kind),
            ..Problems::from(problem).into()
        }
    }
}

impl From<Problems> for LoadError {
    fn from(problems: Problems) -> Self {
        Self {
            unopened: None,
            problems,
            reversed: Vec::new(),
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
