//! Interviews that people answer: what the lanes want to know, what was answered, and what never
//! will be. A state machine without I/O and without a clock; [`LookDesk`] shares it between tasks.
//!
//! ```text
//! lane --ask--> book --open interviews--> people
//!  ^--answers-----|  <--answer, miss, withdrawal (committed)--|
//! ```
//! An interview is named by the candidate, its kind, and how many of that kind a lane has bought of
//! the candidate before. Lanes that buy the same share it: people are asked once. The answers that a
//! lane gets follow from the record alone, whatever the order in which things happened.

mod book;
mod desk;
mod key;
mod lanes;
mod listed;
#[cfg(test)]
mod tests;

pub use book::{LookBook, Received};
pub use desk::{DeskView, LookDesk, OfferedKind};
pub use key::{Asked, Candidate, LookKey};
pub use lanes::{Audience, LookLanes};
pub use listed::{ListedLook, LookState};
