//! The messages between a lane and a policy outside the process.

use std::sync::Arc;

use crate::draw::Key;
use crate::protocol::{LookAnswer, LookStats, Move, Probe, Shown, Stop};

/// A candidate as an outside policy sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatCandidate {
    /// The candidate's id.
    pub id: String,
    /// The value of each attribute, as an index into the schema's values.
    pub values: Vec<u16>,
    /// The features.
    pub features: Vec<f64>,
    /// The score, if the setting shows one.
    pub score: Option<f64>,
    /// The interviews bought so far in the round.
    pub file: LookStats,
}

impl SeatCandidate {
    pub(super) fn new(shown: Shown<'_>, file: LookStats) -> Self {
        Self {
            id: shown.id().to_string(),
            values: shown.values().to_vec(),
            features: shown.features().to_vec(),
            score: shown.score(),
            file,
        }
    }
}

/// A message from a lane to an outside policy.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatRequest {
    /// A slate to move on.
    Slate {
        /// The round, from 1.
        round: u64,
        /// The candidates, by slot.
        candidates: Vec<SeatCandidate>,
        /// The fewest and the most candidates to choose.
        places: (u32, u32),
        /// The number of places left in the run.
        places_left: Option<u64>,
        /// The number of interviews left in the round.
        looks_left: u64,
        /// The money left for interviews.
        money_left: f64,
    },
    /// The answers to an interview. Another move is wanted.
    Answers {
        /// The round, from 1.
        round: u64,
        /// The answers in the order asked.
        answers: Vec<LookAnswer>,
        /// The number of interviews left in the round.
        looks_left: u64,
        /// The money left for interviews.
        money_left: f64,
    },
    /// The outcome of a choice. No answer is wanted.
    Outcome {
        /// The round of the choice.
        decided: u64,
        /// The person.
        person: SeatCandidate,
        /// The outcome.
        value: f64,
    },
    /// A chosen person who has declined, so that the place is open. No answer is wanted.
    Declined {
        /// The round of the choice.
        round: u64,
        /// The person.
        person: SeatCandidate,
    },
    /// A correction of an outcome sent before. No answer is wanted.
    Correction {
        /// The round of the choice.
        decided: u64,
        /// The person.
        person: SeatCandidate,
        /// The outcome sent before.
        before: f64,
        /// The corrected outcome.
        value: f64,
    },
}

/// A move of an outside policy, with its notes.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatMove {
    /// The move.
    pub answer: Move,
    /// The policy's own measures, for the report.
    pub measures: Vec<(String, f64)>,
    /// The reason for the selection, in named terms.
    pub reason: Vec<(String, f64)>,
}

impl From<Move> for SeatMove {
    fn from(answer: Move) -> Self {
        Self {
            answer,
            measures: Vec::new(),
            reason: Vec::new(),
        }
    }
}

/// The reply to the last message of the mail.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatReply {
    /// The policy's answer.
    Move(SeatMove),
    /// No answer came in time: the round passes without a choice.
    Forfeit,
}

// Answerers: programs or people outside the process that answer interviews and report the outcomes
// of those chosen.

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
    /// All who apply in the round, with the lane's first questions of it; empty afterwards.
    pub applicants: Vec<SeatCandidate>,
    /// The ids of the people that the policy's reason for these interviews names, by the name of
    /// the set. Empty if it names none, or if reasons are not kept.
    pub cohorts: Vec<(String, Vec<String>)>,
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

/// A policy outside the process. It answers mail in a task of its own.
#[async_trait::async_trait]
pub trait Outside: Send {
    /// Reads mail and answers the last message, which asks for an answer.
    ///
    /// # Errors
    /// Returns the ending of its lane, if the policy has left or can't be understood.
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop>;

    /// Called first when its lane ends, unless it ends by an error of [`Outside::answer`].
    fn lane_ends(&mut self, stop: &Stop) {
        let _ = stop;
    }

    /// Reads the last mail after the lane has ended.
    async fn farewell(&mut self, mail: Vec<SeatRequest>) {
        drop(mail);
    }
}

/// Makes an outside policy for a replication.
pub type OutsideMaker = Arc<dyn Fn(Key) -> Box<dyn Outside> + Send + Sync>;
