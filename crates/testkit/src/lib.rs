//! Shared helpers for tests of the other crates: seeded random numbers, histories, hostile input,
//! made-up towns and workbooks.
//!
//! The crate must never know another crate of the workspace, so that any of them can use it.

mod chances;
mod histories;
pub mod hostile;
mod mutation;
pub mod programs;
pub mod town;
pub mod wants;
pub mod workbooks;

pub use chances::Chances;
pub use histories::{asked_for, found};
