//! How a command ends.

use std::process::ExitCode;

use kleroterion::journal::JournalError;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;

use super::show;

/// Said where there were records, and not one of them could be read.
pub const READ_NOBODY: &str = "no record could be read: the results are of no candidate";

/// How a command ended, where it did not end well.
pub enum Failure {
    /// The request or the config is wrong: exit 2. It has been said on stderr.
    Wrong,
    /// The run failed: exit 1. It has been said on stderr.
    Failed,
    /// The user stopped it: exit 130.
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

/// Says why a run failed.
pub(super) fn failed(words: &str) -> Failure {
    show::say(&format!("error: {}", plain(words)));
    Failure::Failed
}

/// Says all that is wrong with a request.
pub(super) fn wrong(problems: impl Into<Problems>) -> Failure {
    show::problems(&problems.into(), None);
    Failure::Wrong
}

/// Says all that is wrong with a request to write something; `left`: what of it was written.
pub(super) fn unwritten(problems: impl Into<Problems>, left: &str) -> Failure {
    let problems = problems.into();
    show::wrong(&problems, None, problems.0.len(), left);
    Failure::Wrong
}

/// Says what is wrong with a journal.
pub fn journal_wrong(error: &JournalError) -> Failure {
    let help = match error {
        JournalError::InUse => "stop that run first, or look at what it has with `klero replay`",
        JournalError::Unbegun(_) => "delete the folder and begin again",
        JournalError::Unwritable(..) => {
            "let this user write the folder, or copy it to where they may"
        }
        JournalError::Format(..) => "use the version of klero that wrote it, or a later one",
        _ => {
            "the journal stays as it is; `klero journal repair DIR` says what can be made whole of it"
        }
    };
    wrong(Problem::of_request(error.to_string()).help(help))
}
