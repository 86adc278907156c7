//! The errors of jobs.

use std::fmt;
use std::io;

use crate::text::ConfigText;
use kleroterion_core::problem::{Problem, Problems};

/// The reason why a job could not be loaded, played, written or read back.
#[derive(thiserror::Error)]
pub enum JobError {
    /// The request or the config is wrong: all problems, each with its place. The text, if there is
    /// one, is that in which the places are.
    #[error("{0}")]
    Wrong(Problems, Option<ConfigText>),
    /// The job could not be done. The sentence says why.
    #[error("{0}")]
    Failed(String),
    /// The job was stopped by a problem. The words say what was left.
    #[error("{0}")]
    Left(Box<Problem>, &'static str),
    /// The watch's interrupt ended the job. A sentence may say what was left undone.
    #[error("{}", .0.as_deref().unwrap_or("interrupted"))]
    Interrupted(Option<String>),
}

/// The error in words, as a program prints it whose `main` returns it.
impl fmt::Debug for JobError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl JobError {
    /// The problems of a config, with its text.
    pub(crate) fn in_text(problems: impl Into<Problems>, text: &ConfigText) -> Self {
        Self::Wrong(problems.into(), Some(text.clone()))
    }

    /// The failure that an error describes.
    pub(crate) fn failed(error: impl ToString) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<Problems> for JobError {
    fn from(problems: Problems) -> Self {
        Self::Wrong(problems, None)
    }
}

impl From<Problem> for JobError {
    fn from(problem: Problem) -> Self {
        Self::Wrong(problem.into(), None)
    }
}

impl From<io::Error> for JobError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}
