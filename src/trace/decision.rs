//! One decision of one lane, and its place among the decisions of all lanes.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One decision of one lane, before it has a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The replication, from 0.
    pub replication: u64,
    /// The round, from 1.
    pub round: u64,
    /// The lane's label.
    pub policy: String,
    /// The ids of those on the slate, by slot.
    pub shown: Vec<String>,
    /// The values of those on the slate: of each attribute one a slot, in the order of the config.
    /// Left out where the source has no attributes, or identities are hidden; without the
    /// attributes that are dropped.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "write_members",
        deserialize_with = "read_members"
    )]
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    pub groups: Vec<(String, Vec<String>)>,
    /// The ids of those chosen.
    pub chosen: Vec<String>,
    /// The ids of those who were chosen and declined; the others took their places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<String>,
    /// Whether the policy did not answer in time, so that it neither chose nor refused anyone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// How likely the choice was, where it was random.
    pub p: Option<f64>,
    /// The reasons, in named terms, in the order in which the policy gave them.
    #[serde(serialize_with = "write_members", deserialize_with = "read_members")]
    #[schemars(with = "BTreeMap<String, Option<f64>>")]
    pub reason: Vec<(String, Option<f64>)>,
    /// What was spent on interviews.
    pub cost: f64,
    /// When those on the slate arrived, by slot, in seconds from the start of the stream; left out
    /// where the source has no times, or none are to be shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<f64>,
}

impl Decision {
    /// The memory that it takes, about, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let ids = self.shown.iter().chain(&self.chosen).chain(&self.declined);
        let ids: usize = ids.map(|id| size_of::<String>() + id.len()).sum();
        let terms = self.reason.iter();
        let terms: usize = terms.map(|term| size_of_val(term) + term.0.len()).sum();
        let groups = self.groups.iter().flat_map(|(_, values)| values);
        let groups: usize = groups.map(|value| size_of::<String>() + value.len()).sum();
        let numbers = size_of_val(&self.at[..]);
        size_of::<Self>() + self.policy.len() + ids + groups + terms + numbers
    }

    /// Who is in a slot: its value of each attribute, where they are shown.
    pub fn values(&self, slot: usize) -> impl Iterator<Item = (&str, &str)> {
        let groups = self.groups.iter();
        groups.filter_map(move |(name, values)| Some((name.as_str(), values.get(slot)?.as_str())))
    }

    /// A term of the reasons, where it is there and a number.
    #[must_use]
    pub fn term(&self, name: &str) -> Option<f64> {
        let found = self.reason.iter().find(|(known, _)| known == name);
        found.and_then(|(_, value)| *value)
    }
}

/// A decision with its number: a line of `decisions.ndjson`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Decision")]
pub struct Event {
    /// Its number, from 0: the same whenever the same stream is played.
    pub seq: u64,
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
}

impl Event {
    /// The line of `decisions.ndjson`, without its end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event is plain data")
    }
}

impl FromStr for Event {
    type Err = serde_json::Error;

    /// Reads the number and the decision each on its own: serde places no error within a flattened
    /// member.
    fn from_str(line: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Numbered {
            seq: u64,
        }
        let Numbered { seq } = serde_json::from_str(line)?;
        let decision = serde_json::from_str(line)?;
        Ok(Self { seq, decision })
    }
}

/// Writes named values as one object, in their order.
fn write_members<T: Serialize, S: Serializer>(
    members: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(members.len()))?;
    for (name, value) in members {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// The members of an object, in their order.
fn read_members<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, T)>, D::Error> {
    struct Members<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
        type Value = Vec<(String, T)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }
    deserializer.deserialize_map(Members(PhantomData))
}
