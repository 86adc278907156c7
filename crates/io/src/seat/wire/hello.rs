//! The first message: the rules of a run, and the facts known beforehand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Named;
use kleroterion_core::protocol::{Gain, InterviewKind, Schema};

/// The message to a policy before the first slate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The lane's label.
    pub label: String,
    /// The seed for the policy's own randomness, below 2^53: of this run, this label and this
    /// replication.
    pub seed: u64,
    /// The rules.
    pub rules: WireRules,
    /// The candidates' attributes and the values of each.
    pub attributes: Named<Vec<String>>,
    /// The names of the candidates' features, in the order of `features` in a candidate.
    pub features: Vec<String>,
    /// True if candidates have a score.
    pub scored: bool,
    /// The target shares, by attribute and value; null where there are none.
    pub target: Option<Named<Named<f64>>>,
    /// The number of members with each value that an organiser's file asks for in the whole
    /// committee, by attribute; null where there is no file.
    pub target_quota: Option<Named<Named<WireQuota>>>,
    /// The facts that policies know about the candidates.
    pub known: WireKnown,
}

/// The rules of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Rules")]
pub struct WireRules {
    /// The number of candidates on a slate; null where it differs from round to round.
    pub slate: Option<u32>,
    /// The number of candidates of a slate that are to be chosen.
    pub choose: WireChoose,
    /// The condition that ends the run.
    pub until: WireUntil,
    /// The number of rounds after which the run is over at the latest; null where the rules set no
    /// number.
    pub max_rounds: Option<u64>,
    /// The kinds of interview that the policy can buy.
    pub interviews: Vec<WireKind>,
    /// The most interviews in a round; null where there is no limit.
    pub interview_cap: Option<u64>,
    /// The most money for interviews in a round; null where there is no limit.
    pub budget: Option<f64>,
    /// The most money for interviews in the run; null where there is no limit.
    pub run_budget: Option<f64>,
    /// The delay of outcomes; null where no outcomes are sent.
    pub outcomes: Option<WireDelay>,
    /// The number of candidates of each value that each round is to choose, by attribute; null
    /// where that is left open.
    pub quota: Option<Named<Named<WireQuota>>>,
    /// True if a choice that breaks the quotas disqualifies the lane.
    pub enforce: bool,
}

/// The number of candidates of a slate that are to be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Choose")]
pub enum WireChoose {
    /// Any number.
    Any,
    /// At most this many.
    AtMost(u32),
    /// Exactly this many, or all of a smaller slate.
    Exactly(u32),
    /// This share of the slate, rounded down.
    Share(f64),
}

/// The condition that ends the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Until")]
pub enum WireUntil {
    /// The run ends when this many candidates are accepted.
    Accepted(u64),
    /// The run ends after this many rounds.
    Rounds(u64),
    /// The run ends when the source ends.
    SourceEnds,
}

/// A kind of interview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Kind")]
pub struct WireKind {
    /// The name of the kind.
    pub name: String,
    /// The cost of an interview.
    pub cost: f64,
    /// The gain of an interview: one of gain s is worth s of gain 1; null where the gain depends on
    /// the candidate.
    pub gain: Option<f64>,
    /// The gain by the candidate's value of an attribute, where the gain depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain_by: Option<Named<Named<f64>>>,
}

impl WireKind {
    /// Describes a kind of interview for candidates of this schema.
    pub(crate) fn of(kind: &InterviewKind, schema: &Schema) -> Self {
        let (gain, gain_by) = match &kind.gain {
            Gain::Same(gain) => (Some(*gain), None),
            Gain::ByValue { attribute, of } => {
                let attribute = &schema.attributes()[*attribute];
                let values = attribute.values.iter().cloned();
                let gains = values.zip(of.iter().copied()).collect();
                let by = std::iter::once((attribute.name.clone(), gains));
                (None, Some(by.collect()))
            }
        };
        Self {
            name: kind.name.clone(),
            cost: kind.cost,
            gain,
            gain_by,
        }
    }
}

/// The delay of outcomes, in rounds; with 0, an outcome is sent before the next slate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Delay")]
pub struct WireDelay {
    /// The least delay, in rounds.
    pub low: u64,
    /// The greatest delay, in rounds.
    pub high: u64,
}

/// The number of candidates of a value that are to be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Quota")]
pub struct WireQuota {
    /// The fewest candidates.
    pub min: u32,
    /// The most candidates; null where there is no limit.
    pub max: Option<u32>,
}

/// The facts known about the candidates; null where a fact is unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Known")]
pub struct WireKnown {
    /// The distribution of the attribute values.
    pub law: Option<WireLaw>,
    /// The attribute that makes the candidates' groups; null where none does.
    pub group: Option<String>,
    /// The standard deviation of the answers to interviews of gain 1.
    pub look_noise: Option<WireFact>,
    /// The standard deviation of an outcome.
    pub outcome_noise: Option<WireFact>,
}

/// A number that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Fact")]
pub struct WireFact {
    /// True if the number is the true one; false if it was estimated.
    pub exact: bool,
    /// The number.
    pub value: f64,
}

/// The distribution of the candidates' values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Law")]
pub struct WireLaw {
    /// True if the shares are the true ones; false if they were estimated.
    pub exact: bool,
    /// True if the attributes are independent, so that shares multiply.
    pub independent: bool,
    /// The share of each value, by attribute.
    pub shares: Named<Named<f64>>,
}
