//! Feedback answers interviews and outcomes: one act, a priced or an unpriced look at the truth.
//!
//! A task seals addresses onto each batch on its way to the lanes. The feedback task of a lane
//! draws answers there, some ahead, and an answer is opened when it is paid for. Its noise belongs
//! to the person, so lanes that interview the same person see the same.

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
