//! The errors of a run.

use std::io;

use kleroterion_core::arena::ArenaError;
use kleroterion_policies::pool::optimal::Unsolved;
use kleroterion_sortition::lottery::NoLottery;

/// An error that ended a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A task of an arena failed.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The system provided no runtime or thread.
    #[error("can't start: {0}")]
    Start(io::Error),
    /// No plan could be made for a policy that looks ahead.
    #[error("{0}: no plan could be made: {1}")]
    Plan(String, Unsolved),
    /// No lottery could be computed for a policy that draws from one.
    #[error("{0}: no lottery could be computed: {1}")]
    Lottery(String, NoLottery),
    /// A kept value could not be written.
    #[error("can't write: {0}")]
    Write(io::Error),
    /// The run can't be resumed from the replications played before.
    #[error("can't go on with the run: {0}")]
    Played(#[from] PlayedError),
    /// The user stopped the run while its first replication was played again.
    #[error("interrupted before the run went on: it is as it was")]
    Interrupted,
    /// The temporary file of values to summarise failed.
    #[error("can't keep values in a temporary file, to fold them at the end: {0}")]
    Fold(io::Error),
}

/// An error while reading the replications played before.
#[derive(Debug, thiserror::Error)]
pub enum PlayedError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first frame is incomplete.
    #[error("its first lines are damaged or were never written")]
    NoHeader,
    /// The file changed since it was opened.
    #[error("the file changed while it was read")]
    Changed,
    /// The first replication gave another result when it was played again.
    #[error(
        "the first replication is not what it was: the people, a program or this build of klero have \
         changed since"
    )]
    Differs,
}
