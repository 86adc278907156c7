//! The entries of a journal: what came from outside.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The kinds of entries, as the journal spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A person.
    Candidate,
    /// The reported outcome of a person.
    Outcome,
    /// A record that could not be read.
    Refusal,
    /// A seat's answer came too late.
    Forfeit,
    /// What the acting policy decided.
    Decision,
    /// Rounds of a generated stream were released.
    Rounds,
    /// Policies that joined the run.
    Join,
    /// A correction of an outcome.
    Correction,
    /// Another policy's decisions count from now on.
    Takeover,
}

impl EntryKind {
    const ALL: [Self; 9] = [
        Self::Candidate,
        Self::Outcome,
        Self::Refusal,
        Self::Forfeit,
        Self::Decision,
        Self::Rounds,
        Self::Join,
        Self::Correction,
        Self::Takeover,
    ];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Outcome => "outcome",
            Self::Refusal => "refusal",
            Self::Forfeit => "forfeit",
            Self::Decision => "decision",
            Self::Rounds => "rounds",
            Self::Join => "join",
            Self::Correction => "correction",
            Self::Takeover => "takeover",
        }
    }

    /// The kind of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// One thing that came from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalEntry {
    /// A person: the id, and the record as JSON.
    Candidate(Box<str>, Box<str>),
    /// What became of a person.
    Outcome(Box<str>, Reported),
    /// A record that could not be read.
    Refusal(RefusalEntry),
    /// A seat's answer came too late.
    Forfeit(Forfeit),
    /// What the acting policy decided.
    Decision(Decided),
    /// Rounds of a generated stream were released.
    Rounds(u64),
    /// Policies that joined the run, as sections of its config: they play from the first person on.
    Join(Box<str>),
    /// A correction of an outcome.
    Correction(Box<str>, Corrected),
    /// The acting policy has ended, and another policy's decisions count from now on.
    Takeover(Takeover),
}

/// A correction of an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corrected {
    /// The outcome as corrected.
    #[serde(flatten)]
    pub reported: Reported,
    /// The outcome before.
    pub before: f64,
}

/// Another policy's decisions count in place of the acting policy's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takeover {
    /// Whose.
    pub policy: Box<str>,
    /// From this round on, counted from 1.
    pub round: u64,
}

/// What became of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// The person's number in the stream.
    pub person: u64,
    /// The policy that learns it; `None`: all that chose the person.
    pub policy: Option<Box<str>>,
    /// What the person turned out to be.
    pub value: f64,
}

/// A record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalEntry {
    /// Its line, from 1, in what it came with.
    pub line: u64,
    /// What is wrong with it.
    pub error: String,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// An answer of a seat that did not come in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// Whose.
    pub policy: Box<str>,
    /// The round, from 1.
    pub round: u64,
    /// How many answers of the round came in time before.
    pub step: u32,
    /// Why the seat ended then, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Box<str>>,
}

/// The decision of the acting policy in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The round, from 1.
    pub round: u64,
    /// The slots of those chosen.
    pub chosen: Vec<u32>,
}

impl JournalEntry {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        match self {
            Self::Candidate(..) => EntryKind::Candidate,
            Self::Outcome(..) => EntryKind::Outcome,
            Self::Refusal(_) => EntryKind::Refusal,
            Self::Forfeit(_) => EntryKind::Forfeit,
            Self::Decision(_) => EntryKind::Decision,
            Self::Rounds(_) => EntryKind::Rounds,
            Self::Join(_) => EntryKind::Join,
            Self::Correction(..) => EntryKind::Correction,
            Self::Takeover(_) => EntryKind::Takeover,
        }
    }

    /// The id of the person whom it is about.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Candidate(id, _) | Self::Outcome(id, _) | Self::Correction(id, _) => Some(id),
            _ => None,
        }
    }

    /// All else, as JSON.
    #[must_use]
    pub fn body(&self) -> Cow<'_, str> {
        fn json(value: &impl Serialize) -> Cow<'static, str> {
            Cow::Owned(serde_json::to_string(value).expect("plain data"))
        }
        match self {
            Self::Candidate(_, record) => Cow::Borrowed(record),
            Self::Join(policies) => Cow::Borrowed(policies),
            Self::Outcome(_, reported) => json(reported),
            Self::Refusal(refusal) => json(refusal),
            Self::Forfeit(forfeit) => json(forfeit),
            Self::Decision(decided) => json(decided),
            Self::Rounds(rounds) => json(rounds),
            Self::Correction(_, corrected) => json(corrected),
            Self::Takeover(takeover) => json(takeover),
        }
    }

    /// An entry from its columns; none where they don't fit each other.
    #[must_use]
    pub fn of(kind: EntryKind, id: Option<&str>, body: &str) -> Option<Self> {
        Some(match kind {
            EntryKind::Candidate => Self::Candidate(id?.into(), body.into()),
            EntryKind::Outcome => Self::Outcome(id?.into(), serde_json::from_str(body).ok()?),
            EntryKind::Refusal => Self::Refusal(serde_json::from_str(body).ok()?),
            EntryKind::Forfeit => Self::Forfeit(serde_json::from_str(body).ok()?),
            EntryKind::Decision => Self::Decision(serde_json::from_str(body).ok()?),
            EntryKind::Rounds => Self::Rounds(serde_json::from_str(body).ok()?),
            EntryKind::Join => Self::Join(body.into()),
            EntryKind::Correction => Self::Correction(id?.into(), serde_json::from_str(body).ok()?),
            EntryKind::Takeover => Self::Takeover(serde_json::from_str(body).ok()?),
        })
    }
}

/// An entry under its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbered {
    /// The number, from 1.
    pub seq: u64,
    /// The entry.
    pub entry: JournalEntry,
}
