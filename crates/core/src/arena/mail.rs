//! The messages between a lane and a policy outside the process.

use crate::protocol::{LookAnswer, LookStats, Move, Shown};

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
