//! Errors of recording a live run, and of a run that does not repeat its journal.

use std::path::PathBuf;

use kleroterion_io::journal::JournalError;

/// The error that ended the recorder.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file of refused records can't be written.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Bad(PathBuf, std::io::Error),
    /// A person in the journal can't be read with the current config.
    #[error("entry {0} of the journal can't be read with this config: {1}")]
    Unreadable(u64, String),
    /// The acting policy decides differently than before. It is not the policy whose decisions were
    /// announced.
    #[error(
        "in round {0} the acting policy once chose the slots {1:?}, and now {2:?}: is this the \
         program and the config of then?"
    )]
    Differs(u64, Vec<u32>, Vec<u32>),
    /// The acting policy decided a round that its lane no longer reaches.
    #[error(
        "in round {0} the acting policy once chose the slots {1:?}, and now its lane has ended \
         before ({2}): is this the program and the config of then?"
    )]
    Missing(u64, Vec<u32>, String),
    /// An interview that people were asked to hold is no longer wanted by any policy.
    #[error(
        "people were asked for an interview of the kind {0}, and no policy wants it any more: the \
         policies ask otherwise than they did"
    )]
    Forgotten(Box<str>),
    /// The decision that counted in a round was another policy's than now.
    #[error(
        "in round {0} the decision of {1} counted once, and now that of {2} would: are these the \
         programs and the config of then?"
    )]
    Succession(u64, Box<str>, Box<str>),
    /// A program ended in a round that it had played before, and the journal has no such ending.
    #[error("policy {policy} ended in round {round}, which it had played before: {why}")]
    Ended {
        /// The lane's label.
        policy: Box<str>,
        /// The round, from 1.
        round: u64,
        /// The program's failure.
        why: String,
        /// True if the user may let it end there, because no decision from then on was
        /// acknowledged.
        may_leave: bool,
    },
    /// A record was refused and the feed has `on_error = "halt"`.
    #[error("line {0} of the feed: {1}")]
    Halted(u64, String),
}
