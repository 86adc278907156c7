//! Small files that are written slot by slot, wherever they are.

use std::fmt::Debug;
use std::io;

/// The purpose for which a file of slots is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// To be written, and there is none yet; no other process may write it meanwhile.
    New,
    /// To be written; no other process may write it meanwhile.
    Write,
    /// To be read.
    Read,
}

/// A small file that is read whole and written slot by slot.
pub(super) trait SlotFile: Debug + Send + Sync {
    /// Its first bytes, this many at most.
    fn read(&mut self, most: u64) -> io::Result<Vec<u8>>;

    /// Writes a slot; it is on the disk when this returns.
    fn put(&mut self, at: u64, slot: &[u8]) -> io::Result<()>;
}

/// A mistake in the journal's code, to see whether the simulation of faults finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A commit returns before it is synced, so that it is acknowledged too early.
    UnsyncedCommit,
    /// The head is written before the commit that it promises.
    HeadFirst,
    /// After a crash a person who comes again is taken again.
    ForgottenIds,
}
