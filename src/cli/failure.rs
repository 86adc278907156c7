//! The ends of a command: exit codes and error messages.

use std::process::ExitCode;

use kleroterion::jobs::{ConfigText, JobError, ReportError};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;

use super::show;

/// The failure of a command.
pub enum Failure {
    /// The request or the config is wrong: exit code 2. The message is already on stderr.
    Wrong,
    /// The run failed: exit code 1. The message is already on stderr.
    Failed,
    /// The user stopped the command: exit code 130.
    Interrupted,
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        Self::from(match failure {
            Failure::Wrong => 2,
            Failure::Failed => 1,
            Failure::Interrupted => 130,
        })
    }
}

impl From<JobError> for Failure {
    /// Reports the error of a job.
    fn from(error: JobError) -> Self {
        match error {
            JobError::Wrong(problems, text) => wrong_in(problems, text.as_ref()),
            JobError::Failed(words) => failed(&words),
            JobError::Left(problem, left) => {
                show::wrong(&(*problem).into(), None, 1, left);
                Self::Failed
            }
            JobError::Interrupted(said) => {
                said.iter().for_each(|said| show::say(said));
                Self::Interrupted
            }
        }
    }
}

impl From<Problems> for Failure {
    /// Reports all problems of a request.
    fn from(problems: Problems) -> Self {
        wrong(problems)
    }
}

impl From<Problem> for Failure {
    /// Reports the problem of a request.
    fn from(problem: Problem) -> Self {
        wrong(problem)
    }
}

impl From<ReportError> for Failure {
    /// Reports what was not written of a report.
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Unwritten(problems) => unwritten(problems, "nothing was written"),
            ReportError::Partly(problem) => unwritten(problem, "the report is not whole"),
        }
    }
}

/// Reports why a run failed.
pub(super) fn failed(words: &str) -> Failure {
    show::say(&format!("error: {}", plain(words)));
    Failure::Failed
}

/// Reports a failure and its remedy.
pub(super) fn failed_with(words: &str, help: &str) -> Failure {
    show::say(&format!("error: {}\n  help: {}", plain(words), plain(help)));
    Failure::Failed
}

/// Prints the result on stdout as it is.
///
/// # Errors
/// Fails if stdout can't take it. A reader that has gone away is no error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    show::print(text).map_err(|error| unprinted(&error))
}

/// Prints text for people on stdout, wrapped at its width.
///
/// # Errors
/// Fails if stdout can't take it. A reader that has gone away is no error.
pub(super) fn print_words(text: &str) -> Result<(), Failure> {
    show::print_words(text).map_err(|error| unprinted(&error))
}

fn unprinted(error: &std::io::Error) -> Failure {
    failed(&format!("can't print: {error}"))
}

/// Reports all problems of a request.
fn wrong(problems: impl Into<Problems>) -> Failure {
    wrong_in(problems, None)
}

/// Reports all problems of a config, of which `text` shows excerpts.
pub(super) fn wrong_in(problems: impl Into<Problems>, text: Option<&ConfigText>) -> Failure {
    show::problems(&problems.into(), text);
    Failure::Wrong
}

/// Reports all problems of a request to write. `left` says what was written of it.
pub(super) fn unwritten(problems: impl Into<Problems>, left: &str) -> Failure {
    let problems = problems.into();
    show::wrong(&problems, None, problems.0.len(), left);
    Failure::Wrong
}
