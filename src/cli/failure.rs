//! How a command ends.

use std::process::ExitCode;

use kleroterion::problem::Problems;
use kleroterion::report::plain;

use super::show;

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
