//! The parts of a decision besides the choice: interviews, offers, outcomes heard and the pool.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::members;

/// An interview that was bought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoughtLook {
    /// The id of the candidate.
    pub candidate: String,
    /// The kind of interview.
    pub kind: String,
    /// The answer; null where no one ever answered, or where numbers of people are not shown.
    pub value: Option<f64>,
    /// The cost of the interview; 0 where no one ever answered.
    pub cost: f64,
    /// The policy's reasons for this interview, in named terms; left out where it gives none.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "members")]
    #[schemars(with = "BTreeMap<String, Option<f64>>")]
    pub why: Vec<(String, Option<f64>)>,
    /// The sets of candidates behind the reason, by name. For `swap` these are `m`, the best cohort
    /// at the estimates, and `m_tilde`, the best cohort at the worst values for `m`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "members")]
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    pub cohorts: Vec<(String, Vec<String>)>,
}

/// Returns the approximate size of values in memory, each with its `own` bytes elsewhere.
pub(super) fn held<T>(values: &[T], own: impl Fn(&T) -> usize) -> usize {
    values.iter().map(|one| size_of_val(one) + own(one)).sum()
}

impl BoughtLook {
    /// Returns a term of the reasons, or `None` if it is missing or no number.
    #[must_use]
    pub fn term(&self, name: &str) -> Option<f64> {
        let found = self.why.iter().find(|(known, _)| known == name);
        found.and_then(|(_, value)| *value)
    }

    /// Returns a set of candidates from `cohorts`; empty if there is no set of this name.
    #[must_use]
    pub fn cohort(&self, name: &str) -> &[String] {
        let found = self.cohorts.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, people)| people)
    }

    /// Returns the approximate size of the interview in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let people = self.cohorts.iter().map(|(_, people)| people);
        size_of::<Self>()
            + 2 * size_of::<String>()
            + self.candidate.len()
            + self.kind.len()
            + held(&self.why, |term| term.0.len())
            + people
                .map(|people| held(people, String::len))
                .sum::<usize>()
    }
}

/// An offer of a place, with the reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MadeOffer {
    /// The id of the candidate.
    pub candidate: String,
    /// The number of the policy's choice in the round: 1 for the first, more where the policy chose
    /// again.
    pub turn: u32,
    /// True if the candidate accepted the place.
    pub takes: bool,
}

/// An outcome that the policy heard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Heard {
    /// The id of the candidate.
    pub candidate: String,
    /// The round in which the candidate was chosen, from 1.
    pub decided: u64,
    /// The outcome; null where numbers of people are not shown.
    pub value: Option<f64>,
    /// The delay in rounds: 0 where the outcome was heard before the round after the choice.
    pub late: u64,
    /// The value heard before, where this outcome corrects it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<f64>,
}

/// The pool of a lane before and after a round: its groups by their value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PoolRounds {
    /// The number of people who could have applied.
    pub could_apply: u32,
    /// The number of people who applied, by group; left out where identities are hidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "members")]
    #[schemars(with = "BTreeMap<String, u64>")]
    pub applied: Vec<(String, u64)>,
    /// The share of each group before the round.
    #[serde(with = "members")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub before: Vec<(String, f64)>,
    /// The share of each group after the pool has reacted to the round; left out where it did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "members")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub after: Vec<(String, f64)>,
}
