//! Why a run fails.

use std::io;

use kleroterion_core::arena::ArenaError;
use kleroterion_policies::pool::optimal::Unsolved;
use kleroterion_sortition::lottery::NoLottery;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A task failed.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The system gave no runtime or thread.
    #[error("can't start: {0}")]
    Start(io::Error),
    /// A policy that looks ahead has no plan.
    #[error("{0}: no plan could be made: {1}")]
    Plan(String, Unsolved),
    /// A policy that draws from a lottery has none.
    #[error("{0}: no lottery could be computed: {1}")]
    Lottery(String, NoLottery),
    /// What was written down could not be kept.
    #[error("can't write: {0}")]
    Write(io::Error),
    /// The replications that were played before can't be gone on from.
    #[error("can't go on with the run: {0}")]
    Played(#[from] PlayedError),
    /// The user stopped it while its first replication was played again.
    #[error("interrupted before the run went on: it is as it was")]
    Interrupted,
    /// The temporary file of values that are folded failed.
    #[error("can't keep values in a temporary file, to fold them at the end: {0}")]
    Fold(io::Error),
}

/// Why what was played can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PlayedError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its first frame is not whole.
    #[error("its first lines are damaged or were never written")]
    NoHeader,
    /// It is not what it was when it was opened.
    #[error("the file changed while it was read")]
    Changed,
    /// The first replication, played again, is another.
    #[error(
        "the first replication is not what it was: the people, a program or this build of klero have \
         changed since"
    )]
    Differs,
}
