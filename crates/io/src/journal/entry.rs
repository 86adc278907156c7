//! The entries of a journal: everything that came into a live run from outside.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::record::is_zero;
use kleroterion_core::protocol::{Ending, Stop};

/// An entry of the journal: one thing that came from outside, with its data.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalEntry {
    /// A candidate: the id, and the record as JSON.
    Candidate(Box<str>, Box<str>),
    /// The reported outcome of a candidate: the id, and the report.
    Outcome(Box<str>, Reported),
    /// A record that could not be read.
    Refusal(RefusalEntry),
    /// A seat's answer came too late.
    Forfeit(Forfeit),
    /// The decision of the acting policy in a round.
    Decision(Decided),
    /// Rounds of a generated stream were released.
    Rounds(u64),
    /// Policies joined the run, given as sections of its config. They play from the first candidate
    /// on.
    Join(Box<str>),
    /// A correction of an outcome: the id, and the correction.
    Correction(Box<str>, Corrected),
    /// The acting policy has ended, and another policy's decisions count from now on.
    Takeover(Takeover),
    /// The slate of the run was begun or closed.
    Slate(SlateStep),
    /// A candidate withdrew: the id, and the withdrawal.
    Withdrawal(Box<str>, Withdrawn),
    /// A policy asks for an interview of a candidate: the id, and the interview.
    Asked(Box<str>, AskedLook),
    /// An interviewer's answer about a candidate: the id, and the answer.
    Answer(Box<str>, AnsweredLook),
    /// An interview of a candidate will never be answered, because its deadline has passed: the id,
    /// and the interview.
    Miss(Box<str>, JournalLook),
    /// Outcomes are waited for no longer.
    Settled(SettledStep),
    /// All playing lanes had decided the rounds up to this one, so the decisions of programs in
    /// them may have been shown.
    Shown(u64),
}

/// A moment from which some outcomes are no longer waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledStep {
    /// The moment, in milliseconds since 1970.
    pub at: u64,
    /// The number in the stream of the first candidate whose outcome is still waited for.
    pub before: u64,
}

/// A slate was begun or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlateStep {
    /// The first candidate of the slate came, at this many milliseconds since 1970.
    Begun(u64),
    /// The slate was closed: it has the candidates who came before.
    Closed(ClosedBy),
}

/// The reason why a slate was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosedBy {
    /// The organiser closed it.
    Organiser,
    /// Its time was over.
    Time,
    /// The feed ended.
    FeedEnd,
}

/// The withdrawal of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// The candidate's number in the stream; `None` if the journal does not have the candidate.
    pub person: Option<u64>,
}

/// An interview of a candidate, as all lanes share it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalLook {
    /// The name of the kind of interview.
    pub kind: Box<str>,
    /// The number of earlier interviews of this kind with the candidate.
    pub nth: u64,
}

/// The request of a policy for an interview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedLook {
    /// The interview that the policy asks for.
    #[serde(flatten)]
    pub look: JournalLook,
    /// The moment of the request, in milliseconds since 1970.
    pub at: u64,
}

/// An interviewer's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweredLook {
    /// The interview that was answered.
    #[serde(flatten)]
    pub look: JournalLook,
    /// The answer.
    pub value: f64,
    /// The name of the interviewer; `None` if they gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Box<str>>,
}

/// A correction of an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corrected {
    /// The corrected outcome.
    #[serde(flatten)]
    pub reported: Reported,
    /// The outcome before the correction.
    pub before: f64,
}

/// The change from one acting policy to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takeover {
    /// The policy whose decisions count from then on.
    pub policy: Box<str>,
    /// The first round in which they count, from 1.
    pub round: u64,
}

/// The outcome of a candidate, as reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// The candidate's number in the stream.
    pub person: u64,
    /// The policy that learns the outcome; `None` for all policies that chose the candidate.
    pub policy: Option<Box<str>>,
    /// The outcome.
    pub value: f64,
}

/// A record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalEntry {
    /// The line of the record, from 1, in the connection, file or request.
    pub line: u64,
    /// The error, as text.
    pub error: String,
    /// The record, cut off where it is long.
    pub record: Box<str>,
    /// The number of records that this entry counts but does not keep; 0 for an entry of one
    /// record.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub records: u64,
}

/// An answer of a seat that did not come in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The policy of the seat.
    pub policy: Box<str>,
    /// The round, from 1.
    pub round: u64,
    /// The number of answers of the round that came in time before.
    pub step: u32,
    /// The reason for the seat's end, if the seat ended with this answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Box<str>>,
    /// The kind of that end.
    #[serde(default = "left", skip_serializing_if = "is_left")]
    pub ending: Ending,
}

/// The ending of a seat where an entry names none.
fn left() -> Ending {
    Ending::Left
}

fn is_left(ending: &Ending) -> bool {
    *ending == Ending::Left
}

impl Forfeit {
    /// Makes the entry of a late answer.
    #[must_use]
    pub fn late(policy: &str, round: u64, step: u32) -> Self {
        Self {
            policy: policy.into(),
            round,
            step,
            ended: None,
            ending: left(),
        }
    }

    /// Makes the entry of a seat's end.
    #[must_use]
    pub fn end(policy: &str, round: u64, step: u32, stop: &Stop) -> Self {
        Self {
            ended: Some(stop.detail.as_deref().unwrap_or_default().into()),
            ending: stop.ending,
            ..Self::late(policy, round, step)
        }
    }

    /// Returns the end of the seat, or `None` if the answer was only late.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        let why = self.ended.as_deref()?;
        Some(Stop::because(self.ending, why))
    }
}

/// The decision of the acting policy in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The round, from 1.
    pub round: u64,
    /// The slots of the chosen candidates.
    pub chosen: Vec<u32>,
}

impl JournalEntry {
    /// Returns the entry's columns in the journal: the word for its kind, the id of the candidate
    /// that it is about, and the rest as JSON.
    #[must_use]
    pub fn columns(&self) -> (&'static str, Option<&str>, Cow<'_, str>) {
        fn json(value: &impl Serialize) -> Cow<'static, str> {
            Cow::Owned(serde_json::to_string(value).expect("plain data"))
        }
        match self {
            Self::Candidate(id, record) => ("candidate", Some(id), Cow::Borrowed(record)),
            Self::Outcome(id, reported) => ("outcome", Some(id), json(reported)),
            Self::Refusal(refusal) => ("refusal", None, json(refusal)),
            Self::Forfeit(forfeit) => ("forfeit", None, json(forfeit)),
            Self::Decision(decided) => ("decision", None, json(decided)),
            Self::Rounds(rounds) => ("rounds", None, json(rounds)),
            Self::Join(policies) => ("join", None, Cow::Borrowed(policies)),
            Self::Correction(id, corrected) => ("correction", Some(id), json(corrected)),
            Self::Takeover(takeover) => ("takeover", None, json(takeover)),
            Self::Slate(step) => ("slate", None, json(step)),
            Self::Withdrawal(id, withdrawn) => ("withdrawal", Some(id), json(withdrawn)),
            Self::Asked(id, asked) => ("asked", Some(id), json(asked)),
            Self::Answer(id, answered) => ("answer", Some(id), json(answered)),
            Self::Miss(id, look) => ("miss", Some(id), json(look)),
            Self::Settled(step) => ("settled", None, json(step)),
            Self::Shown(round) => ("shown", None, json(round)),
        }
    }

    /// Returns the stream number of the candidate that the entry is about, if the journal indexes
    /// the entry by it. `persons` is the number of candidates that came before.
    #[must_use]
    pub fn person(&self, persons: u64) -> Option<u64> {
        match self {
            Self::Candidate(..) => Some(persons),
            Self::Outcome(_, reported) => Some(reported.person),
            Self::Correction(_, corrected) => Some(corrected.reported.person),
            _ => None,
        }
    }

    /// Returns the policy that learns an outcome, or `None` if all that chose the candidate do.
    #[must_use]
    pub fn policy(&self) -> Option<&str> {
        match self {
            Self::Outcome(_, reported) => reported.policy.as_deref(),
            Self::Correction(_, corrected) => corrected.reported.policy.as_deref(),
            _ => None,
        }
    }

    /// Builds an entry from its columns, or returns `None` if they don't fit each other.
    #[must_use]
    pub fn of(kind: &str, id: Option<&str>, body: &str) -> Option<Self> {
        fn read<T: DeserializeOwned>(body: &str) -> Option<T> {
            serde_json::from_str(body).ok()
        }
        Some(match kind {
            "candidate" => Self::Candidate(id?.into(), body.into()),
            "outcome" => Self::Outcome(id?.into(), read(body)?),
            "refusal" => Self::Refusal(read(body)?),
            "forfeit" => Self::Forfeit(read(body)?),
            "decision" => Self::Decision(read(body)?),
            "rounds" => Self::Rounds(read(body)?),
            "join" => Self::Join(body.into()),
            "correction" => Self::Correction(id?.into(), read(body)?),
            "takeover" => Self::Takeover(read(body)?),
            "slate" => Self::Slate(read(body)?),
            "withdrawal" => Self::Withdrawal(id?.into(), read(body)?),
            "asked" => Self::Asked(id?.into(), read(body)?),
            "answer" => Self::Answer(id?.into(), read(body)?),
            "miss" => Self::Miss(id?.into(), read(body)?),
            "settled" => Self::Settled(read(body)?),
            "shown" => Self::Shown(read(body)?),
            _ => return None,
        })
    }
}

/// An entry with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbered {
    /// The number, from 1.
    pub seq: u64,
    /// The entry.
    pub entry: JournalEntry,
}

#[cfg(test)]
mod tests;
