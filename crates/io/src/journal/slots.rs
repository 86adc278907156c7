//! Small files that are written slot by slot, on a real or simulated disk.

use std::fmt::Debug;
use std::io;

/// The purpose for which a file of slots is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// To create and write a new file; no other process may write it meanwhile.
    New,
    /// To write an existing file; no other process may write it meanwhile.
    Write,
    /// To read an existing file.
    Read,
}

/// A small file that is read whole and written slot by slot.
pub(super) trait SlotFile: Debug + Send + Sync {
    /// Reads the first bytes, this many at most.
    fn read(&mut self, most: u64) -> io::Result<Vec<u8>>;

    /// Writes a slot at a position; it is on the disk when this returns.
    fn put(&mut self, at: u64, slot: &[u8]) -> io::Result<()>;
}

/// A mistake planted in the journal's code, to test if the simulation of faults finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A commit returns before it is synced, so that it is acknowledged too early.
    UnsyncedCommit,
    /// The head is written before the commit that it promises.
    HeadFirst,
    /// After a crash, a candidate who comes again is taken again.
    ForgottenIds,
}
