//! Decisions as typed events, and who was selected: witnesses write them, [`read`] reads decisions
//! back.

#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read;

mod decision;
mod logs;
mod names;
mod spool;

pub use decision::{Decision, Event};
pub use logs::{DecisionLog, Post, SELECTED, SelectedLog, merge_decisions};
pub use names::Names;

/// The file of decisions in the folder of a run.
pub const DECISIONS: &str = "decisions.ndjson";
