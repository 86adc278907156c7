//! The errors of studies.

use kleroterion_core::problem::Problems;
use kleroterion_io::people::table::LoadError;
use kleroterion_run::run::RunError;

/// The reason why a study could not be made.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A config that comes with the program is wrong.
    #[error("the preset {0} is wrong: {1}")]
    Config(&'static str, Problems),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A run lacks a number that the study needs; which one.
    #[error("{0}")]
    Missing(String),
    /// The study found a file of people but could not read it.
    #[error("{0}")]
    File(#[from] LoadError),
    /// The user interrupted the study; a study is reported whole or not at all.
    #[error("interrupted")]
    Interrupted,
}

/// The result of a step of a study.
pub(super) type Result<T, E = StudyError> = std::result::Result<T, E>;
