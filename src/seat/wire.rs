//! The messages of the protocol: one JSON object a line, told apart by its member `type`.

use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// An object whose members have free names, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<(String, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Named(members))
            }
        }

        deserializer.deserialize_map(Members(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Named_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "object", "additionalProperties": value })
    }
}

/// What a policy is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Told {
    /// The first message: the rules, and what may be known beforehand. Wants `ready`.
    Hello(Box<Hello>),
    /// A slate: wants `interview`, `select` or `stall`.
    Slate {
        /// The round, from 1.
        round: u64,
        /// The candidates, by slot.
        candidates: Vec<Candidate>,
        /// How many may be chosen now.
        places: Places,
        /// Places left in the run; null where the rules set no number.
        places_left: Option<u64>,
        /// Looks left in the round; null where there is no end of them.
        looks_left: Option<u64>,
        /// Money left for looks; null where there is no end of it.
        money_left: Option<f64>,
    },
    /// The answers to an `interview`: wants another `interview`, `select` or `stall`.
    Answers {
        /// The round.
        round: u64,
        /// In the order asked; fewer than asked where the money or the cap ended.
        looks: Vec<Answered>,
        /// Looks left in the round; null where there is no end of them.
        looks_left: Option<u64>,
        /// Money left for looks; null where there is no end of it.
        money_left: Option<f64>,
    },
    /// What came of a choice; wants no answer.
    Outcome {
        /// The round of the choice.
        round: u64,
        /// Who was chosen.
        candidate: Person,
        /// What the person turned out to be.
        value: f64,
    },
    /// The run is over: wants no answer but the program's end.
    Bye,
}

/// What a policy is told before the first slate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The lane's label.
    pub label: String,
    /// The seed for the policy's own randomness, below 2^53: of this run, this label and this replication.
    pub seed: u64,
    /// The rules.
    pub rules: Rules,
    /// The candidates' attributes and the values of each.
    pub attributes: Named<Vec<String>>,
    /// The names of the candidates' features, in the order of `features` in a candidate.
    pub features: Vec<String>,
    /// Whether candidates have a score.
    pub scored: bool,
    /// The shares that are wanted, by attribute and value; null where there are none.
    pub target: Option<Named<Named<f64>>>,
    /// How many members with each value an organiser's file asks for in all, by attribute; null where there is no such file.
    pub target_quota: Option<Named<Named<Quota>>>,
    /// What is known of the candidates.
    pub known: Known,
}

/// The rules of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    /// How many candidates a slate has; null where that differs from round to round.
    pub slate: Option<u32>,
    /// How many of a slate are to be chosen.
    pub choose: Choose,
    /// When the run is over.
    pub until: Until,
    /// The run is over after so many rounds at the latest; null where the rules set no number.
    pub max_rounds: Option<u64>,
    /// The kinds of interview that are for sale.
    pub interviews: Vec<Kind>,
    /// The most looks in a round; null where there is no end of them.
    pub interview_cap: Option<u64>,
    /// The most money for looks in a round; null where there is no end of it.
    pub budget: Option<f64>,
    /// The most money for looks in the run; null where there is no end of it.
    pub run_budget: Option<f64>,
    /// How late outcomes are; null where none are told.
    pub outcomes: Option<Delay>,
    /// How many of each value each round is to choose; null where that is left open.
    pub quota: Option<Named<Named<Quota>>>,
    /// Whether a choice that does not keep the quotas is a foul.
    pub enforce: bool,
}

/// How many of a slate are to be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choose {
    /// Any number.
    Any,
    /// At most this many.
    AtMost(u32),
    /// Exactly this many, or all of a smaller slate.
    Exactly(u32),
    /// This share of the slate, rounded down.
    Share(f64),
}

/// When the run is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// When so many are accepted.
    Accepted(u64),
    /// After so many rounds.
    Rounds(u64),
    /// When the source ends.
    SourceEnds,
}

/// A kind of interview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// What a look costs.
    pub cost: f64,
    /// What a look tells: one of gain s is worth s of gain 1.
    pub gain: f64,
}

/// After how many rounds an outcome is told; with 0, before the next slate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Delay {
    /// The fewest.
    pub low: u64,
    /// The most.
    pub high: u64,
}

/// How many of a value are to be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quota {
    /// The fewest.
    pub min: u32,
    /// The most; null where there is no most.
    pub max: Option<u32>,
}

/// What is known of the candidates; null where a thing is not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Known {
    /// How their values are distributed.
    pub law: Option<Law>,
    /// The attribute that makes their groups, where one does.
    pub group: Option<String>,
    /// The standard deviation of a look of gain 1.
    pub look_noise: Option<Fact>,
    /// The standard deviation of an outcome.
    pub outcome_noise: Option<Fact>,
}

/// A number that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// Whether it is so, or was estimated.
    pub exact: bool,
    /// The number.
    pub value: f64,
}

/// How the candidates' values are distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Law {
    /// Whether it is so, or was estimated.
    pub exact: bool,
    /// Whether the attributes are independent, so that shares multiply.
    pub independent: bool,
    /// The share of each value, by attribute.
    pub shares: Named<Named<f64>>,
}

/// A candidate on a slate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// Its slot, from 0.
    pub slot: u32,
    /// Who it is.
    #[serde(flatten)]
    pub person: Person,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Person {
    /// Who it is.
    pub id: String,
    /// The value of each attribute.
    pub groups: Named<String>,
    /// The features, in the order of `hello`.
    pub features: Vec<f64>,
    /// The score; null where candidates have none.
    pub score: Option<f64>,
}

/// How many may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Places {
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
}

/// A look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// At whom.
    pub slot: u32,
    /// Of which kind, by name.
    pub kind: String,
}

/// A look with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// At whom.
    pub slot: u32,
    /// Of which kind, by name.
    pub kind: String,
    /// What was seen.
    pub value: f64,
}

/// What a policy says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Said {
    /// It has read `hello`.
    Ready {
        /// What it calls itself.
        #[serde(default)]
        name: Option<String>,
        /// The version of the protocol that it speaks: 1 where it does not say.
        #[serde(default)]
        protocol: Option<u32>,
    },
    /// It buys looks, at least one; they are answered by `answers`.
    Interview {
        /// The round; taken to be the one at hand where it does not say.
        #[serde(default)]
        round: Option<u64>,
        /// The looks, served in this order.
        looks: Vec<Look>,
    },
    /// It chooses, which ends the round.
    Select {
        /// The round of the slate that it answers.
        round: u64,
        /// The slots of those chosen, each once; perhaps none.
        chosen: Vec<u32>,
        /// How likely just this choice was, above 0 and at most 1, where it was random.
        #[serde(default)]
        p: Option<f64>,
        /// Why, in named numbers; for traces.
        #[serde(default)]
        reason: Named<f64>,
        /// Numbers of its own, for the report; of each name the last of a run counts.
        #[serde(default)]
        measures: Named<f64>,
    },
    /// Nobody who can still come would be chosen: ends the round with nobody chosen, and the lane as `stalled`.
    Stall {
        /// The round of the slate that it answers.
        round: u64,
    },
}

/// The JSON Schema of the messages: those that a policy is told, and those that it says.
#[must_use]
pub fn schema() -> Schema {
    /// A message of the seat protocol, one JSON object a line: told to a policy on its standard input, or said by it on its
    /// standard output.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is wanted")]
    enum Message {
        /// Told to a policy.
        Told(Told),
        /// Said by a policy.
        Said(Said),
    }
    schemars::schema_for!(Message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_names_keep_their_order_and_numbers_their_bits() {
        let line = r#"{"type":"select","round":3,"chosen":[2,0],"p":0.1,"reason":{"z":1e-300,"a":0.30000000000000004},"measures":{}}"#;
        let said: Said = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&said).unwrap(), line);
    }

    #[test]
    fn what_a_message_does_not_have_is_refused_by_name() {
        let wrong = |line: &str| serde_json::from_str::<Said>(line).unwrap_err().to_string();
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
