//! Decisions as typed events, and lists of people: witnesses write them, [`read`] reads decisions
//! back.

#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read;

mod decision;
mod doings;
mod follow;
mod items;
mod logs;
mod members;
mod names;
mod people;
mod post;

pub use decision::{Decision, Event, VERSION};
pub use doings::{BoughtLook, Heard, MadeOffer, PoolRounds};
pub use follow::DecisionsFile;
pub use logs::{DecisionLog, merge_decisions};
pub use names::Names;
pub use people::{ListedPeople, PeopleLog};
pub use post::{AnswerCredit, Interviewers, Post, PostSetting};

/// The file of decisions in the folder of a run.
pub const DECISIONS: &str = "decisions.ndjson";
