//! Answerers: programs or people outside the process that answer interviews and report the outcomes
//! of those chosen.

use std::sync::Arc;

use super::mail::SeatCandidate;
use crate::draw::Key;
use crate::protocol::{Probe, Stop};

/// A question about a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The person's number in the stream, from 0.
    pub person: u64,
    /// The person as policies see it.
    pub candidate: SeatCandidate,
    /// The question.
    pub probe: Probe,
    /// The number of times the lane asked this before. For an interview, the number of interviews
    /// of this kind that the lane already held with the person.
    pub nth: u64,
}

/// All questions of one move or one choice of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    /// The round, from 1.
    pub round: u64,
    /// The questions, in the order of the move.
    pub questions: Vec<Question>,
}

/// The reason why an answerer gives no answers at all.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerFailure {
    /// The lane ends, with this ending.
    Ends(Stop),
    /// The run fails, for this reason.
    Fails(String),
}

/// Answers the questions of one lane, in a task of its own.
#[async_trait::async_trait]
pub trait Answerer: Send {
    /// An answer to each question, in order; `None` where none will ever come. Each answer is a
    /// finite number.
    ///
    /// # Errors
    /// Returns an error if the lane can't go on.
    async fn answer(&mut self, asking: Asking) -> Result<Vec<Option<f64>>, AnswerFailure>;

    /// Called when the lane has ended.
    async fn farewell(&mut self) {}
}

/// Makes the answerer of a lane for a replication.
pub type AnswererMaker = Arc<dyn Fn(Key) -> Box<dyn Answerer> + Send + Sync>;
