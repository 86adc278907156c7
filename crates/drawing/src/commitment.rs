//! The commitment: all data that decide a draw, except the randomness.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::hash::{json_text, sha256};
use super::inputs::{CONFIG, Inputs};
use super::keyed::KEYED;
use super::taken::CommittedPeople;

/// The file of the commitment in the folder of a draw.
pub const COMMITMENT: &str = "commitment.json";

/// The version of the format.
pub(super) const SCHEMA: u32 = KEYED;

/// The version of commitments to whole files of people, contacts and all. Their draws are checked
/// as they were made.
pub(super) const WHOLE: u32 = 1;

/// The member that each version of the format has.
#[derive(Deserialize)]
pub(super) struct CommitmentHead {
    pub(super) schema: u32,
}

/// All data that decide a draw, except the randomness. The hash of the commitment is that of its
/// file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commitment {
    /// The version of this format.
    pub schema: u32,
    /// The version of the program.
    pub klero: String,
    /// The label of the policy.
    pub policy: String,
    /// The kind of the policy.
    pub kind: String,
    /// The most alternates to list. If `None`, as many as the mean number who leave by `[dropout]`,
    /// or as many as members without `[dropout]`.
    pub alternates: Option<u32>,
    /// The name of the public randomness to come, if it was named.
    pub randomness: Option<String>,
    /// The title of the draw, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The SHA-256 of the config.
    pub config: String,
    /// The SHA-256 of each file that the config names, and the keyed hashes of the lists of a second
    /// draw.
    pub files: BTreeMap<String, String>,
    /// The numbered panels, if one of them is to be drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbered: Option<CommittedPanels>,
    /// The columns taken from the organiser's file of people. `None` if the whole file was
    /// committed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<CommittedPeople>,
}

/// A list of numbered panels that was committed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommittedPanels {
    /// The number of panels.
    pub panels: u32,
    /// The SHA-256 of their list.
    pub sha256: String,
}

impl Commitment {
    /// Makes the commitment to some inputs.
    #[must_use]
    pub fn to(
        inputs: &Inputs,
        (policy, kind): (&str, &str),
        alternates: Option<u32>,
        randomness: Option<&str>,
        title: Option<&str>,
    ) -> Self {
        let schema = match inputs.taken {
            Some(_) => SCHEMA,
            None => WHOLE,
        };
        Self {
            schema,
            klero: env!("CARGO_PKG_VERSION").to_owned(),
            policy: policy.to_owned(),
            kind: kind.to_owned(),
            alternates,
            randomness: randomness.map(str::to_owned),
            title: title.map(str::to_owned),
            config: sha256(inputs.config().as_bytes()),
            files: inputs.hashes(schema),
            people: inputs.taken.clone(),
            numbered: None,
        }
    }

    /// Converts the commitment to another version of the format.
    #[must_use]
    pub(super) fn in_version(self, schema: u32, inputs: &Inputs) -> Self {
        let files = inputs.hashes(schema);
        Self {
            schema,
            files,
            ..self
        }
    }

    /// Returns true if the files of people are committed whole, contacts included.
    #[must_use]
    pub fn is_of_whole_files(&self) -> bool {
        self.schema == WHOLE
    }

    /// Returns true if the commitment was made before the randomness was given. It then names the
    /// randomness to come. A draw without a commitment writes one too, which names none.
    #[must_use]
    pub fn is_ahead(&self) -> bool {
        self.randomness.is_some()
    }

    /// Returns the text of the commitment's file.
    #[must_use]
    pub fn text(&self) -> String {
        json_text(self)
    }

    /// Returns the hash to publish.
    #[must_use]
    pub fn sha256(&self) -> String {
        sha256(self.text().as_bytes())
    }

    /// Returns the differences between this commitment and a new one, each in a sentence.
    #[must_use]
    pub fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut hold = |what: &str, then: &str, now: &str| {
            if then != now {
                changes.push(format!("{what}: {then} was committed, this is {now}"));
            }
        };
        hold("the version of klero", &self.klero, &now.klero);
        hold("the policy", &self.policy, &now.policy);
        hold("the policy's kind", &self.kind, &now.kind);
        let many = |n: Option<u32>| n.map_or("not said".to_owned(), |n| n.to_string());
        let (then, here) = (many(self.alternates), many(now.alternates));
        hold("the number of alternates", &then, &here);
        let called = |name: &Option<String>| match name {
            Some(name) => format!("{name:?}"),
            None => "none".to_owned(),
        };
        let (then, here) = (called(&self.randomness), called(&now.randomness));
        hold("the name of the randomness", &then, &here);
        let (then, here) = (called(&self.title), called(&now.title));
        hold("the title", &then, &here);
        let list = |one: &Self| match &one.numbered {
            Some(numbered) => format!("a list of {} numbered panels", numbered.panels),
            None => "no list of panels".to_owned(),
        };
        let (then, here) = (list(self), list(now));
        hold("the list", &then, &here);
        if self.config != now.config {
            changes.push(changed(CONFIG, &self.config, &now.config));
        }
        let names: BTreeSet<&String> = self.files.keys().chain(now.files.keys()).collect();
        for name in names {
            match (self.files.get(name), now.files.get(name)) {
                (Some(then), Some(now)) if then != now => changes.push(changed(name, then, now)),
                (Some(_), None) => changes.push(format!("{name} was committed and is missing")),
                (None, Some(_)) => changes.push(format!("{name} was not committed")),
                _ => {}
            }
        }
        if changes.is_empty() && self != now {
            changes.push("the commitment in the folder is another than this would be".to_owned());
        }
        changes
    }
}

/// A file that is no longer what it was.
fn changed(name: &str, then: &str, now: &str) -> String {
    let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
    let (then, now) = (short(then), short(now));
    format!("{name} has changed: SHA-256 {then}… was committed, this is {now}…")
}
