//! The messages between a run and a program that answers interviews or reports outcomes.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::{Named, WireKind, WirePerson};
use crate::json_schema;

/// A message to a program that answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(rename = "Asked")]
pub enum ToAnswerer {
    /// The first message. Wants `ready`.
    Hello(Box<AnswererHello>),
    /// The interviews of a move: wants `answers`.
    Looks {
        /// The round, from 1.
        round: u64,
        /// The interviews, in the order of the move.
        looks: Vec<WireQuestion>,
    },
    /// The chosen candidates: wants `answers`.
    Outcomes {
        /// The round, from 1.
        round: u64,
        /// The people, in the order of the slate.
        candidates: Vec<WirePerson>,
    },
    /// The run is over: wants no answer but the program's end.
    Bye,
}

/// The message to a program that answers before its first question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswererHello {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The questions that the program has to answer.
    pub answers: WireAnswers,
    /// The seed for the program's own randomness, below 2^53: of this run and this replication.
    pub seed: u64,
    /// The kinds of interview that are for sale.
    pub interviews: Vec<WireKind>,
    /// The candidates' attributes and the values of each.
    pub attributes: Named<Vec<String>>,
    /// The names of the candidates' features, in the order of `features` in a candidate.
    pub features: Vec<String>,
    /// True if candidates have a score.
    pub scored: bool,
}

/// The questions that a program answers: interviews or outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Answers")]
pub enum WireAnswers {
    /// The answers to interviews.
    Interviews,
    /// The outcomes of chosen candidates.
    Outcomes,
}

/// An interview that was bought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Question")]
pub struct WireQuestion {
    /// The candidate of the interview.
    pub candidate: WirePerson,
    /// The name of the kind of interview.
    pub kind: String,
    /// The number of earlier interviews of this kind with this candidate.
    pub nth: u64,
}

/// A message from a program that answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "Answered")]
pub enum FromAnswerer {
    /// The program has read `hello`.
    Ready {
        /// The name of the program, as it calls itself.
        #[serde(default)]
        name: Option<String>,
        /// The version of the protocol that the program speaks; 1 where it does not say.
        #[serde(default)]
        protocol: Option<u32>,
    },
    /// The answers to a question.
    Answers {
        /// The round of the question.
        round: u64,
        /// An answer for each interview or candidate, in their order; null where none will ever
        /// come.
        values: Vec<Option<f64>>,
    },
}

/// Returns the JSON Schema of the messages to and from a program that answers.
#[must_use]
pub fn schema() -> Schema {
    /// A message between a run and a program that answers interviews or reports outcomes: one JSON
    /// object per line.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is wanted")]
    enum Message {
        /// A message to a program.
        Asked(ToAnswerer),
        /// A message from a program.
        Answered(FromAnswerer),
    }
    json_schema::of::<Message>()
}
