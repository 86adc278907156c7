//! Why a live run could not be recorded, or does not repeat its journal.

use std::path::PathBuf;

use kleroterion_io::journal::JournalError;

/// Why the recorder could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file of refused records.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Bad(PathBuf, std::io::Error),
    /// A person of the journal can't be read as the config now has it.
    #[error("entry {0} of the journal can't be read with this config: {1}")]
    Unreadable(u64, String),
    /// The acting policy decides otherwise than it once did, so that it is not the policy whose
    /// decisions were announced.
    #[error(
        "in round {0} the acting policy once chose the slots {1:?}, and now {2:?}: is this the \
         program and the config of then?"
    )]
    Differs(u64, Vec<u32>, Vec<u32>),
    /// The acting policy decided something in a round that it does not come to any more.
    #[error(
        "in round {0} the acting policy once chose the slots {1:?}, and now its lane has ended \
         before ({2}): is this the program and the config of then?"
    )]
    Missing(u64, Vec<u32>, String),
    /// No policy wants an interview that people were once asked for.
    #[error(
        "people were asked for an interview of the kind {0}, and no policy wants it any more: the \
         policies ask otherwise than they did"
    )]
    Forgotten(Box<str>),
    /// Another policy decided in the place of the acting one than does now.
    #[error(
        "in round {0} the decision of {1} counted once, and now that of {2} would: are these the \
         programs and the config of then?"
    )]
    Succession(u64, Box<str>, Box<str>),
    /// A program ended in a round that it had played before, and nothing of it is in the journal.
    #[error("policy {policy} ended in round {round}, which it had played before: {why}")]
    Ended {
        /// The lane's label.
        policy: Box<str>,
        /// The round, from 1.
        round: u64,
        /// What the program did.
        why: String,
        /// Whether the user may let it end there, because no decision from then on was
        /// acknowledged.
        may_leave: bool,
    },
    /// The feed says `on_error = "halt"`.
    #[error("line {0} of the feed: {1}")]
    Halted(u64, String),
}
