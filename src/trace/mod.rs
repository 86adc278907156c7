//! Decisions as typed events, and lists of people: witnesses write them, [`read`] reads decisions
//! back.

#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read;

mod decision;
mod logs;
mod names;
mod people;
mod spool;

pub use decision::{Decision, Event};
pub use logs::{DecisionLog, Post, merge_decisions};
pub use names::Names;
pub use people::{Listed, PeopleLog};

/// The file of decisions in the folder of a run.
pub const DECISIONS: &str = "decisions.ndjson";
