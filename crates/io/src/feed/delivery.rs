//! Deliveries of a transport, and the receipts that say what became of their records.

use std::borrow::Cow;

use tokio::sync::oneshot;

use super::items::{Item, Naming};

/// Items that came together, in their order.
#[derive(Debug, Default)]
pub struct Delivery {
    /// The items of this delivery, in the order sent.
    pub items: Vec<Item>,
    /// The number of records that came with the items and were left out by the config's `where`.
    pub left_out: u64,
    /// The sender of the receipt, which is due once the items are committed.
    pub receipt: Option<oneshot::Sender<Receipt>>,
}

/// The fate of one item.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// The record was committed.
    Accepted {
        /// The number in the journal, from 1.
        seq: u64,
        /// The candidate's number in the stream, from 0; `None` if the record is no candidate.
        person: Option<u64>,
    },
    /// The same record was taken before.
    Duplicate,
    /// The same candidate was taken before, under this number.
    Known {
        /// The number in the journal, from 1.
        seq: u64,
        /// The person's number in the stream, from 0.
        person: u64,
    },
    /// The candidate was taken before with another record, which differs in these members. The new
    /// record is not taken, and noted as refused.
    Differs(Box<str>),
    /// Another outcome was reported before; the new one replaces it from now on.
    Corrected {
        /// The number in the journal, from 1.
        seq: u64,
    },
    /// Another outcome was reported before, and policies that can't take it back have learnt it.
    /// The new one is not taken, and noted as refused.
    Contradicts {
        /// The outcome that holds.
        before: f64,
        /// The new outcome.
        value: f64,
        /// The labels of those policies.
        learnt: Box<str>,
    },
    /// The record could not be read, and is noted.
    Refused,
    /// Rejected and noted: earlier records had no id and this one has, or the reverse.
    Misnamed(Naming),
    /// The outcome of an unknown candidate: not taken, and noted as refused.
    Unknown,
    /// The slate of this round was closed.
    Closed {
        /// The round, from 1.
        round: u64,
        /// The number of candidates on the slate.
        people: u64,
    },
    /// The record was not taken, for this reason.
    Hindered(Hindrance),
    /// No lane runs any more, so the record was not taken.
    Over,
}

/// The reason why an answer, a candidate, an outcome or the closing of a slate was not taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Hindrance {
    /// No policy wants this interview.
    Unasked,
    /// The deadline of the interview has passed.
    Missed,
    /// The candidate withdrew.
    Withdrawn,
    /// Another answer was given before.
    Answered(f64),
    /// The candidate came after the last slate was closed.
    Late,
    /// No one is on the slate.
    EmptySlate,
    /// Another round's slate is open: the one with this number.
    OtherRound(u64),
    /// The last slate was closed.
    NoMoreSlates,
    /// Slates of this run close by themselves, once they have their number of candidates.
    Sized,
    /// The time limit for the candidate's outcome has passed.
    Settled,
}

impl Hindrance {
    /// Returns the reason in words.
    #[must_use]
    pub fn why(&self) -> Cow<'static, str> {
        match self {
            Self::Unasked => "no policy wants this interview: GET /v1/looks lists those that are \
                              open, by candidate, kind and nth"
                .into(),
            Self::Missed => "the deadline of this interview has passed, and policies go on \
                             without it"
                .into(),
            Self::Withdrawn => "the candidate withdrew, so no interview of theirs counts".into(),
            Self::Answered(before) => format!(
                "this interview was answered before, with {before}: that holds, because policies \
                 may have acted on it"
            )
            .into(),
            Self::Late => "the last slate is closed, and no other will follow".into(),
            Self::EmptySlate => "no candidate is on the slate: post some to /v1/candidates".into(),
            Self::OtherRound(open) => {
                format!("the slate that is open is that of round {open}").into()
            }
            Self::NoMoreSlates => "the last slate was closed before".into(),
            Self::Settled => "the outcome comes after the horizon of [feedback.outcome]: policies \
                              have gone on without it, or with the one that they know"
                .into(),
            Self::Sized => "a slate of this run is closed once it has its number of people; \
                            `slate = \"all\"` in [rules] lets the organiser close it"
                .into(),
        }
    }

    /// Returns true if the record contradicts an earlier one, rather than referring to nothing.
    fn is_conflict(&self) -> bool {
        !matches!(self, Self::Unasked | Self::Withdrawn)
    }
}

impl Taken {
    /// Returns the reason why a readable record was not taken, or `None` if it was taken.
    #[must_use]
    pub fn why_not(&self) -> Option<Cow<'static, str>> {
        let why = match self {
            Self::Accepted { .. }
            | Self::Corrected { .. }
            | Self::Closed { .. }
            | Self::Duplicate
            | Self::Known { .. }
            | Self::Refused => return None,
            Self::Hindered(why) => why.why(),
            Self::Misnamed(naming) => naming.refusal().into(),
            Self::Differs(members) => {
                format!("a candidate of this id came before, and differs in {members}").into()
            }
            Self::Contradicts {
                before,
                value,
                learnt,
            } => format!(
                "the outcome {before} was reported before, and now {value}: {learnt} may have \
                 learnt the first and can't take it back"
            )
            .into(),
            Self::Unknown => "no candidate of this id has come; one who came in a CloudEvents \
                              envelope and has no `id` in its `data` is called \"SOURCE ID\": the \
                              envelope's source, a blank, its id"
                .into(),
            Self::Over => "no lane runs any more".into(),
        };
        Some(why)
    }

    /// Returns true if the record contradicts an earlier one that was taken.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Differs(_) | Self::Contradicts { .. } => true,
            Self::Hindered(why) => why.is_conflict(),
            _ => false,
        }
    }
}

/// The receipt for a delivery. If its sender is dropped instead, nothing of the delivery was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// The fate of each item, in the order of the delivery.
    pub taken: Vec<Taken>,
    /// The number of the journal's last entry.
    pub last_seq: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A taken record has no reason. One that was not taken has one, and either is a conflict or
    /// not.
    #[test]
    fn each_fate_has_its_reason_and_is_a_conflict_or_not() {
        use Hindrance::*;
        for taken in [
            Taken::Accepted {
                seq: 1,
                person: None,
            },
            Taken::Corrected { seq: 1 },
            Taken::Closed {
                round: 1,
                people: 1,
            },
            Taken::Duplicate,
            Taken::Known { seq: 1, person: 0 },
            Taken::Refused,
        ] {
            assert_eq!((taken.why_not(), taken.is_conflict()), (None, false));
        }
        let contradicts = Taken::Contradicts {
            before: 0.5,
            value: 1.0,
            learnt: "queue".into(),
        };
        for (taken, is_conflict, words) in [
            (Taken::Misnamed(Naming::Own), false, "it has an `id`, and"),
            (
                Taken::Misnamed(Naming::Number),
                false,
                "it has no `id`, and",
            ),
            (Taken::Differs("sex".into()), true, "and differs in sex"),
            (
                contradicts,
                true,
                "the outcome 0.5 was reported before, and now 1: queue",
            ),
            (Taken::Unknown, false, "no candidate of this id has come"),
            (Taken::Over, false, "no lane runs any more"),
            (Taken::Hindered(Unasked), false, "no policy wants this"),
            (Taken::Hindered(Withdrawn), false, "the candidate withdrew"),
            (
                Taken::Hindered(Missed),
                true,
                "the deadline of this interview",
            ),
            (
                Taken::Hindered(Answered(0.25)),
                true,
                "answered before, with 0.25",
            ),
            (Taken::Hindered(Late), true, "the last slate is closed"),
            (
                Taken::Hindered(EmptySlate),
                true,
                "no candidate is on the slate",
            ),
            (Taken::Hindered(OtherRound(7)), true, "is that of round 7"),
            (
                Taken::Hindered(NoMoreSlates),
                true,
                "the last slate was closed",
            ),
            (
                Taken::Hindered(Sized),
                true,
                "closed once it has its number",
            ),
            (
                Taken::Hindered(Settled),
                true,
                "the outcome comes after the horizon",
            ),
        ] {
            let why = taken.why_not().expect("a reason");
            assert!(why.contains(words), "{taken:?}: {why}");
            assert_eq!(taken.is_conflict(), is_conflict, "{taken:?}");
        }
    }
}
