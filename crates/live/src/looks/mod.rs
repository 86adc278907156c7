//! Interviews that people answer: those that the lanes want, the answers, and those that will never
//! be answered. It is a state machine without I/O and without a clock; [`LookDesk`] shares it
//! between tasks.
//!
//! ```text
//! lane --ask--> book --open interviews--> people
//!  ^--answers-----|  <--answer, miss, withdrawal (committed)--|
//! ```
//! An interview is named by the candidate, its kind, and the number of that kind that a lane has
//! bought of the candidate before. Lanes that buy the same interview share it: people are asked
//! once. A lane's answers follow from the journal alone, in whatever order things happened.

mod book;
mod desk;
mod lanes;
mod slates;
mod terms;
#[cfg(test)]
mod tests;

pub use book::{Asked, Candidate, ListedLook, LookBook, LookKey, LookState, Received};
pub use desk::{DeskView, LookDesk, OfferedKind};
pub use lanes::{Audience, LookLanes};
pub use slates::{BEST, LaneSlate, SlateMember};
pub use terms::HiringTerms;
