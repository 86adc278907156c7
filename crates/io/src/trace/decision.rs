//! One decision of one lane, and its place among the decisions of all lanes.

use std::collections::BTreeMap;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Serialize};

use super::doings::{BoughtLook, Heard, MadeOffer, PoolRounds, held};
use super::members;
use crate::record::is_zero;

/// The version of the lines that this program writes. Lines of version 1 have no `version` and only
/// the choice.
pub const VERSION: u32 = 2;

/// One decision of one lane, before it gets its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The replication, from 0.
    pub replication: u64,
    /// The round, from 1.
    pub round: u64,
    /// The lane's label.
    pub policy: String,
    /// The ids of the candidates on the slate, by slot.
    pub shown: Vec<String>,
    /// The attribute values of the candidates on the slate: for each attribute, in the order of the
    /// config, one value per slot. Left out where the source has no attributes or identities are
    /// hidden. Attributes that are dropped from outputs are missing here.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "members")]
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    pub groups: Vec<(String, Vec<String>)>,
    /// The ids of the chosen candidates.
    pub chosen: Vec<String>,
    /// The ids of the chosen candidates who declined; others took their places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<String>,
    /// True if the policy did not answer in time, so that it neither chose nor refused anyone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// The probability of the choice (propensity), or null where the choice was not random.
    pub p: Option<f64>,
    /// The reasons, in named terms, in the order in which the policy gave them.
    #[serde(with = "members")]
    #[schemars(with = "BTreeMap<String, Option<f64>>")]
    pub reason: Vec<(String, Option<f64>)>,
    /// The money spent on interviews in this round.
    pub cost: f64,
    /// The arrival times of the candidates on the slate, by slot, in seconds from the start of the
    /// stream. Left out where the source has no times, or where times are not to be shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<f64>,
    /// The interviews that were bought, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<BoughtLook>,
    /// The number of interviews bought in the round that `looks` does not list.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_looks: u64,
    /// The offers of places with their replies, in order, where people may decline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<MadeOffer>,
    /// The outcomes that the policy heard: those that are generated or recorded after this choice
    /// and before the next, those that people report before this choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heard: Vec<Heard>,
    /// The pool that decided who applies; left out where there is none, or its groups are dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolRounds>,
    /// The numbers that the policy, or its program, noted in the round.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "members")]
    #[schemars(with = "BTreeMap<String, Option<f64>>")]
    pub noted: Vec<(String, Option<f64>)>,
}

impl Decision {
    /// Returns the approximate size of the decision in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let ids = [&self.shown, &self.chosen, &self.declined];
        let groups = self.groups.iter().map(|(_, values)| values);
        let texts = ids.into_iter().chain(groups);
        let texts: usize = texts.map(|texts| held(texts, String::len)).sum();
        let terms = [&self.reason, &self.noted];
        let terms: usize = terms
            .map(|terms| held(terms, |term| term.0.len()))
            .iter()
            .sum();
        let doings = self.looks.iter().map(BoughtLook::bytes).sum::<usize>()
            + held(&self.offers, |offer| offer.candidate.len())
            + held(&self.heard, |heard| heard.candidate.len());
        size_of::<Self>() + self.policy.len() + texts + terms + size_of_val(&self.at[..]) + doings
    }

    /// Iterates over the attributes and values of the candidate in a slot. Empty where values are
    /// not shown.
    pub fn values(&self, slot: usize) -> impl Iterator<Item = (&str, &str)> {
        let groups = self.groups.iter();
        groups.filter_map(move |(name, values)| Some((name.as_str(), values.get(slot)?.as_str())))
    }

    /// Returns a term of the reasons, or `None` if it is missing or no number.
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
    /// The version of the line: 2. Lines without a version are of version 1, and can be read too.
    #[serde(skip_serializing_if = "is_1")]
    pub version: u32,
    /// The number of the event, from 0. It is the same whenever the same stream is played.
    pub seq: u64,
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
}

// It is handed a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_1(version: &u32) -> bool {
    *version == 1
}

impl Event {
    /// Makes an event of a decision and its number.
    #[must_use]
    pub fn new(seq: u64, decision: Decision) -> Self {
        Self {
            version: VERSION,
            seq,
            decision,
        }
    }

    /// Returns the line of a decision that is JSON already.
    pub(super) fn line(seq: u64, decision: &str) -> String {
        format!(r#"{{"version":{VERSION},"seq":{seq},{}"#, &decision[1..])
    }

    /// Returns the line of `decisions.ndjson`, without its line end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event is plain data")
    }
}

/// The version of lines that name none.
fn first() -> u32 {
    1
}

impl FromStr for Event {
    type Err = serde_json::Error;

    /// Parses a line. The number and the decision are read separately, because serde gives no place
    /// for errors in a flattened member.
    fn from_str(line: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Numbered {
            #[serde(default = "first")]
            version: u32,
            seq: u64,
        }
        let Numbered { version, seq } = serde_json::from_str(line)?;
        if !(1..=VERSION).contains(&version) {
            let what = format!("it is of version {version}; this klero reads up to {VERSION}");
            return Err(Error::custom(what));
        }
        let decision = serde_json::from_str(line)?;
        Ok(Self {
            version,
            seq,
            decision,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line as it was before lines had versions.
    const OLD: &str = r#"{"seq":7,"replication":0,"round":3,"policy":"swap","shown":["a","b"],"chosen":["b"],"p":null,"reason":{"gap":0.5},"cost":2.0}"#;

    #[test]
    fn lines_of_version_1_are_read_and_written_as_they_were() {
        let event: Event = OLD.parse().unwrap();
        assert_eq!((event.version, event.seq, event.decision.round), (1, 7, 3));
        let nothing = Decision::default();
        let Decision { looks, heard, .. } = &event.decision;
        assert_eq!((looks, heard), (&nothing.looks, &nothing.heard));
        assert_eq!(event.to_json(), OLD);
    }

    #[test]
    fn a_line_of_a_version_to_come_is_refused_with_both_versions() {
        for (version, is_read) in [(0, false), (1, true), (2, true), (3, false), (99, false)] {
            let line = OLD.replacen('{', &format!("{{\"version\":{version},"), 1);
            let read = line.parse::<Event>();
            assert_eq!(read.is_ok(), is_read, "{version}");
            if let Err(error) = read {
                let said = format!("it is of version {version}; this klero reads up to 2");
                assert_eq!(error.to_string(), said);
            }
        }
    }

    #[test]
    fn what_a_lane_did_is_read_back_as_it_was_written() {
        let look = BoughtLook {
            candidate: "a".into(),
            kind: "phone".into(),
            value: Some(0.1),
            cost: 2.0,
            why: vec![("radius".into(), Some(0.25)), ("odd".into(), None)],
            cohorts: vec![("m".into(), vec!["a".into()]), ("m_tilde".into(), vec![])],
        };
        let never = BoughtLook {
            value: None,
            ..BoughtLook::default()
        };
        let decision = Decision {
            looks: vec![look, never],
            more_looks: 3,
            offers: vec![MadeOffer::default()],
            heard: vec![Heard {
                corrects: Some(1.0),
                ..Heard::default()
            }],
            pool: Some(PoolRounds::default()),
            noted: vec![("x".into(), Some(1.0)), ("y".into(), None)],
            ..Decision::default()
        };
        let event = Event::new(1, decision);
        assert_eq!(event.to_json().parse::<Event>().unwrap(), event);
    }
}
