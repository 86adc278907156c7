//! Deliveries of a transport, and the receipts for them.

use std::borrow::Cow;

use tokio::sync::oneshot;

use crate::record::CompactRecord;

/// How many characters are kept of a record that is refused.
const KEPT: usize = 1000;

/// The origin of a person's name. The first person of a run decides for all who come after:
/// otherwise one person's number could be another's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// The record, its envelope or a column.
    Own,
    /// Its number among the records of its feed.
    Number,
}

impl Naming {
    /// Why one who is named so is refused where those before were not.
    #[must_use]
    pub fn refusal(self) -> &'static str {
        match self {
            Self::Own => "it has an `id`, and those before it had none: give all an id, or none",
            Self::Number => "it has no `id`, and those before it had one: give all an id, or none",
        }
    }
}

/// A person as a feed gave it: what the run reads of it, and the record itself.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateRecord {
    /// Who it is, to the outside world: what marks a repeat, what traces show and what outcomes
    /// refer to.
    pub id: Box<str>,
    /// What says so.
    pub naming: Naming,
    /// Its line, from 1, in the connection, file or request that it came with; 0 where it came from
    /// a journal.
    pub line: u64,
    /// The value of each attribute of the schema, as an index into its values.
    pub values: Vec<u16>,
    /// The features, in the schema's order.
    pub features: Vec<f64>,
    /// The score, where the schema has one.
    pub score: Option<f64>,
    /// What names its household, where households matter.
    pub household: Option<Box<str>>,
    /// The record as JSON on one line: read again it gives the same.
    pub record: CompactRecord,
}

impl CandidateRecord {
    /// The person as a refused record, as it was sent: without the number that named it.
    #[must_use]
    pub fn refused(&self, error: &str) -> RefusedRecord {
        RefusedRecord {
            line: self.line,
            error: error.to_owned(),
            record: match self.naming {
                Naming::Number => cut(&self.record.as_sent()),
                Naming::Own => cut(&self.record),
            },
        }
    }
}

/// The outcome of a person who was chosen, which comes later.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeRecord {
    /// Of whom.
    pub id: Box<str>,
    /// To which policy; to all that chose the person where `None`.
    pub policy: Option<Box<str>>,
    /// What the person turned out to be.
    pub value: f64,
    /// Its line, from 1, in the connection, file or request that it came with.
    pub line: u64,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// An interviewer's answer about a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct LookRecord {
    /// About whom.
    pub id: Box<str>,
    /// The kind of the interview, as an index into the rules'.
    pub kind: usize,
    /// Which of its kind, from 0, where that is said.
    pub nth: Option<u64>,
    /// The answer.
    pub value: f64,
    /// The interviewer, where they gave a name.
    pub by: Option<Box<str>>,
    /// Its line, from 1, in the request that it came with.
    pub line: u64,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// The withdrawal of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalRecord {
    /// Of whom.
    pub id: Box<str>,
    /// Its line, from 1, in the request that it came with.
    pub line: u64,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// A record that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRecord {
    /// Its line, from 1, in the connection, file or request that it came with.
    pub line: u64,
    /// All that is wrong with it, with places.
    pub error: String,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// The beginning of a record, as it is kept.
pub(super) fn cut(text: &str) -> Box<str> {
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// One thing that came.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A person.
    Candidate(CandidateRecord),
    /// What became of a person.
    Outcome(OutcomeRecord),
    /// An interviewer's answer.
    Look(LookRecord),
    /// A person withdraws.
    Withdrawal(WithdrawalRecord),
    /// The organiser closes the slate of this round, from 1; the open one where it is not said.
    Closing(Option<u64>),
    /// A record that can't be read.
    Refused(RefusedRecord),
}

/// Things that came together, in their order.
#[derive(Debug, Default)]
pub struct Delivery {
    /// The things.
    pub items: Vec<Item>,
    /// How many records came with them that `where` leaves out.
    pub left_out: u64,
    /// The sender of the receipt, which is due once they are committed.
    pub receipt: Option<oneshot::Sender<Receipt>>,
}

/// The fate of one item.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// Committed under this number; of a person also which of the stream it is, from 0.
    Accepted {
        /// The number in the journal, from 1.
        seq: u64,
        /// The person's number in the stream.
        person: Option<u64>,
    },
    /// It was there before.
    Duplicate,
    /// The person was there before, under this number.
    Known {
        /// The number in the journal, from 1.
        seq: u64,
        /// The person's number in the stream, from 0.
        person: u64,
    },
    /// The person was there before with another record, which differs in these members: not taken,
    /// and noted as refused.
    Differs(Box<str>),
    /// Another outcome came before, and this one holds from now on, committed under this number.
    Corrected {
        /// The number in the journal, from 1.
        seq: u64,
    },
    /// Another outcome came before, and policies have learnt it that can't take it back: not taken,
    /// and noted as refused.
    Contradicts {
        /// The outcome that holds.
        before: f64,
        /// The one that came.
        value: f64,
        /// The policies' labels.
        learnt: Box<str>,
    },
    /// It could not be read, and is noted.
    Refused,
    /// Rejected and noted: earlier records had no id and this one has, or the reverse.
    Misnamed(Naming),
    /// An outcome of a person who never came: not taken, and noted as refused.
    Unknown,
    /// The slate of this round is closed, with this many people.
    Closed {
        /// The round, from 1.
        round: u64,
        /// How many are on the slate.
        people: u64,
    },
    /// An answer, an outcome or a slate that was not taken, and why.
    Hindered(Hindrance),
    /// No lane plays any more: not taken.
    Over,
}

/// Why an answer, a candidate, an outcome or the closing of a slate was not taken.
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
    /// This is not the round whose slate is open; the number of that.
    OtherRound(u64),
    /// The last slate was closed.
    NoMoreSlates,
    /// Slates of this run are not closed by anyone.
    Sized,
    /// The horizon of the person's outcome has passed.
    Settled,
}

impl Hindrance {
    /// The reason in words.
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

    /// Whether it contradicts what came before, rather than being about nothing.
    fn is_conflict(&self) -> bool {
        !matches!(self, Self::Unasked | Self::Withdrawn)
    }
}

impl Taken {
    /// Why a record that could be read was not taken.
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

    /// Whether it contradicts what was taken before.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Differs(_) | Self::Contradicts { .. } => true,
            Self::Hindered(why) => why.is_conflict(),
            _ => false,
        }
    }
}

/// The receipt for a delivery. Where the receipt's sender is dropped, nothing of it was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// Of each item, in order.
    pub taken: Vec<Taken>,
    /// The number of the journal's last entry.
    pub last_seq: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::json::Record;

    #[test]
    fn a_refused_person_is_shown_as_it_was_sent() {
        let person = |naming, record: CompactRecord| CandidateRecord {
            id: "7".into(),
            naming,
            line: 3,
            values: Vec::new(),
            features: Vec::new(),
            score: None,
            household: None,
            record,
        };
        let read = |text| Record::parse(text).unwrap().compact(Some("7"));
        for (naming, record, kept) in [
            (Naming::Number, r#"{"x":1}"#, r#"{"id":"7","x":1}"#),
            (Naming::Number, "{}", r#"{"id":"7"}"#),
            (Naming::Own, r#"{"id":"7","x":1}"#, r#"{"id":"7","x":1}"#),
        ] {
            let person = person(naming, read(record));
            assert_eq!(&*person.record, kept);
            let refused = person.refused("why");
            assert_eq!((&*refused.record, refused.line), (record, 3));
        }
        let long = format!("{{\"x\":\"{}\"}}", "é".repeat(KEPT));
        let long = person(Naming::Number, read(&long)).refused("");
        assert_eq!(long.record.chars().count(), KEPT + 1);
    }

    /// What was taken has no reason; what was not says why, and whether it contradicts another.
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
