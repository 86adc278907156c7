//! Means of the other crates' tests: seeded chances, histories by seeds, hostile input, made-up towns and workbooks, wants of tests.

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
