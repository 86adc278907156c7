//! Feedback answers interviews and outcomes: one act, a priced or an unpriced look at the truth.
//!
//! The feedback task seals a column onto each batch on its way to the lanes; an answer is opened
//! when it is paid for, and its noise belongs to the person, so lanes that look at the same person
//! see the same.

mod answers;
mod bernoulli_looks;
mod flipped;
mod gaussian;
mod recorded_looks;

pub use crate::protocol::{Feedback, Person, Probe, Sealed};
pub use answers::Answers;
pub use bernoulli_looks::BernoulliLooks;
pub use flipped::Flipped;
pub use gaussian::Gaussian;
pub use recorded_looks::RecordedLooks;
