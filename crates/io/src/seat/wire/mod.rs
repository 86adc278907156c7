//! The messages of the protocol. Each is one JSON object per line, whose member `type` names its
//! kind.

pub mod answering;
mod hello;
mod named;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::json_schema;

pub use hello::{
    Hello, WireChoose, WireDelay, WireFact, WireKind, WireKnown, WireLaw, WireQuota, WireRules,
    WireUntil,
};
pub use named::Named;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// A message to a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(rename = "Told")]
pub enum ToProgram {
    /// The first message: the rules, and the facts known beforehand. Wants `ready`.
    Hello(Box<Hello>),
    /// A slate: wants `interview`, `select` or `stall`.
    Slate {
        /// The round, from 1.
        round: u64,
        /// The candidates, by slot.
        candidates: Vec<WireCandidate>,
        /// The number of candidates that may be chosen now.
        places: WirePlaces,
        /// The number of places left in the run; null where the rules set no number.
        places_left: Option<u64>,
        /// The number of interviews left in the round; null where there is no limit.
        looks_left: Option<u64>,
        /// The money left for interviews; null where there is no limit.
        money_left: Option<f64>,
    },
    /// The answers to an `interview`: wants another `interview`, `select` or `stall`.
    Answers {
        /// The round.
        round: u64,
        /// The answers, in the order asked; fewer than asked where the money or the cap ran out.
        looks: Vec<WireAnswered>,
        /// The number of interviews left in the round; null where there is no limit.
        looks_left: Option<u64>,
        /// The money left for interviews; null where there is no limit.
        money_left: Option<f64>,
    },
    /// The outcome of a choice; wants no answer.
    Outcome {
        /// The round of the choice.
        round: u64,
        /// The chosen candidate.
        candidate: WirePerson,
        /// The outcome.
        value: f64,
    },
    /// A chosen candidate has declined, so the place is open; wants no answer. Where the rules
    /// refill places, a `slate` of the same round follows, without the candidates chosen before.
    Declined {
        /// The round of the choice.
        round: u64,
        /// The chosen candidate.
        candidate: WirePerson,
    },
    /// A correction of an outcome that was sent before; wants no answer. Sent only to a program
    /// whose `ready` says `"corrects": true`.
    Correction {
        /// The round of the choice.
        round: u64,
        /// The chosen candidate.
        candidate: WirePerson,
        /// The value sent before, which is to be taken back.
        before: f64,
        /// The outcome, which replaces the one sent before.
        value: f64,
    },
    /// The run is over: wants no answer but the program's end.
    Bye,
}

/// A candidate on a slate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Candidate")]
pub struct WireCandidate {
    /// The slot of the candidate, from 0.
    pub slot: u32,
    /// The candidate's id, values, features and score.
    #[serde(flatten)]
    pub person: WirePerson,
}

/// A candidate, as programs see one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Person")]
pub struct WirePerson {
    /// The candidate's id.
    pub id: String,
    /// The candidate's value of each attribute.
    pub groups: Named<String>,
    /// The features, in the order of `hello`.
    pub features: Vec<f64>,
    /// The score; null where candidates have none.
    pub score: Option<f64>,
}

/// The number of candidates that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Places")]
pub struct WirePlaces {
    /// The fewest candidates.
    pub min: u32,
    /// The most candidates.
    pub max: u32,
}

/// An interview that the policy asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Look")]
pub struct WireLook {
    /// The slot of the candidate.
    pub slot: u32,
    /// The name of the kind of interview.
    pub kind: String,
}

/// An interview with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Answered")]
pub struct WireAnswered {
    /// The slot of the candidate.
    pub slot: u32,
    /// The name of the kind of interview.
    pub kind: String,
    /// The answer.
    pub value: f64,
}

/// A message from a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "Said")]
pub enum FromProgram {
    /// The program has read `hello`.
    Ready {
        /// The name of the program, as it calls itself.
        #[serde(default)]
        name: Option<String>,
        /// The version of the protocol that the program speaks; 1 where it does not say.
        #[serde(default)]
        protocol: Option<u32>,
        /// True if the program reads `correction`: it can take an outcome back and learn another in
        /// its place.
        #[serde(default)]
        corrects: bool,
    },
    /// The policy buys one interview or more; `answers` follows.
    Interview {
        /// The round; the current one where it is left out.
        #[serde(default)]
        round: Option<u64>,
        /// The interviews, in the order in which they are served.
        looks: Vec<WireLook>,
    },
    /// The policy chooses, which ends the round.
    Select {
        /// The round of the slate that it answers.
        round: u64,
        /// The slots of the chosen candidates, each once; may be empty.
        chosen: Vec<u32>,
        /// The probability of exactly this choice, above 0 and at most 1; left out where the choice
        /// was not random.
        #[serde(default)]
        p: Option<f64>,
        /// The policy's reasons in named numbers, for traces.
        #[serde(default)]
        reason: Named<f64>,
        /// The policy's own numbers, for the report; the last one of each name counts.
        #[serde(default)]
        measures: Named<f64>,
    },
    /// The policy would choose no one who can still come. Ends the round without a choice, and the
    /// lane as `stalled`.
    Stall {
        /// The round of the slate that it answers.
        round: u64,
    },
}

/// Returns the JSON Schema of the messages to and from a policy.
#[must_use]
pub fn schema() -> Schema {
    /// A message of the seat protocol, one JSON object per line. A policy reads it from its
    /// standard input, or writes it to its standard output.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is wanted")]
    enum Message {
        /// A message to a policy.
        Told(ToProgram),
        /// A message from a policy.
        Said(FromProgram),
    }
    json_schema::of::<Message>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_names_keep_their_order_and_numbers_their_bits() {
        let line = r#"{"type":"select","round":3,"chosen":[2,0],"p":0.1,"reason":{"z":1e-300,"a":0.30000000000000004},"measures":{}}"#;
        let said: FromProgram = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&said).unwrap(), line);
    }

    #[test]
    fn what_a_message_does_not_have_is_refused_by_name() {
        let wrong = |line: &str| {
            serde_json::from_str::<FromProgram>(line)
                .unwrap_err()
                .to_string()
        };
        let found = wrong(r#"{"type":"select","round":1,"chosen":[],"mesures":{}}"#);
        assert!(found.contains("mesures"), "{found}");
        let found = wrong(r#"{"type":"select","round":1}"#);
        assert!(found.contains("missing field `chosen`"), "{found}");
        let found = wrong(r#"{"type":"choose","round":1}"#);
        assert!(found.contains("`select`"), "{found}");
        let found = wrong(r#"{"type":"select","round":1,"chosen":[-1]}"#);
        assert!(found.contains("-1"), "{found}");
    }
}
