//! The reason why a file can't be read as a table.

use std::io;
use std::path::Path;

use kleroterion_core::problem::{Problem, Problems};

/// The reason why a file can't be read as a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problems}")]
pub struct LoadError {
    /// The kind of the error if the file could not be opened at all, for callers who know the
    /// file's origin.
    pub unopened: Option<io::ErrorKind>,
    /// All problems of the file.
    pub problems: Problems,
    /// Attributes whose `values` are the wrong way round, each with its problem in
    /// [`LoadError::problems`]. A caller who knows their place in the config can report it there.
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
