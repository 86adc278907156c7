//! Feedback answers interviews and outcomes: one act, a priced or an unpriced look at the truth.
//!
//! A task seals addresses onto each batch on its way to the lanes. An answer is opened when it is
//! paid for: in the lane, or by the feedback task of the lane. Its noise belongs to the person, so
//! lanes that look at the same person see the same.

mod acceptance;
mod answers;
mod bernoulli_looks;
mod flipped;
mod gaussian;
mod recorded_looks;

pub use crate::protocol::{Feedback, Person, Probe};
pub use acceptance::Acceptance;
pub use answers::{AnsweredBy, Answers};
pub use bernoulli_looks::BernoulliLooks;
pub use flipped::Flipped;
pub use gaussian::Gaussian;
pub use recorded_looks::RecordedLooks;
