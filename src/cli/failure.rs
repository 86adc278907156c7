//! How a command ends.

use std::path::Path;
use std::process::ExitCode;

use kleroterion::journal::{HEAD, JournalError};
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
    wrong(of_journal(error))
}

/// What is wrong with a journal, and what to do.
pub(super) fn of_journal(error: &JournalError) -> Problem {
    let folder = |path: &Path| path.parent().unwrap_or(path).display().to_string();
    let help = match error {
        JournalError::InUse => {
            "stop that run first, or look at what it has with `klero replay`".into()
        }
        JournalError::Unbegun(_) => "delete the folder and begin again".into(),
        JournalError::Unsound(path, _) => format!(
            "`klero journal repair {}` makes it usable again from its entries, and keeps the old \
             files",
            folder(path)
        ),
        JournalError::Headless(path, _) | JournalError::Strayed(path, _) => format!(
            "put its own {HEAD} back. Where that is lost, `klero journal repair {} --accept-end` \
             takes the last entry that is there as the last one; nothing proves then that none \
             after it is missing",
            folder(path)
        ),
        JournalError::ReadOnly(path, _) => format!(
            "let this user write {}, or copy the folder to where they may write",
            folder(path)
        ),
        JournalError::Format(..) => {
            "use the version of klero that wrote it, or a later one; the journal stays as it is"
                .into()
        }
        JournalError::Store(..) | JournalError::Io(..) | JournalError::Broken(_) => {
            "the journal stays as it is; a copy of its folder from before may help".into()
        }
    };
    Problem::of_request(error.to_string()).help(help)
}
