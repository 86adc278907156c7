//! The journal of a live run: everything that came from outside, in one order. Entries are
//! committed before they are acknowledged.
//!
//! A SQLite database (write-ahead log, synced at each commit) holds the entries, each with the hash
//! of the chain so far. SQLite alone reopens silently shorter where its log was cut or a byte of it
//! flipped: a small [`Head`] in the same folder, synced after each commit and before any
//! acknowledgement, says how far the journal must reach and with which hash.

mod chain;
mod copied;
mod database;
mod disk;
mod entry;
mod error;
mod facts;
mod head;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod keeping;
mod reader;
mod recent;
#[cfg(any(test, feature = "testing"))]
pub mod simulated;
mod slots;
mod sound;
mod store;
#[cfg(test)]
mod tests;

pub use chain::Chain;
pub use copied::Copied;
pub use database::JOURNAL;
pub use entry::{
    AnsweredLook, AskedLook, ClosedBy, Corrected, Decided, Forfeit, JournalEntry, JournalLook,
    Numbered, RefusalEntry, Reported, SettledStep, SlateStep, Takeover, Withdrawn,
};
pub use error::{JournalError, is_full};
pub use head::{HEAD, Head, Reach, is_in_use, is_unbegun, stays_in_use};
pub use keeping::{BEFORE, GiveUp, Repaired, back_up, repair};
pub use reader::JournalReader;
pub use store::{Added, Journal};
