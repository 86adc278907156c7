//! Records as they come.

use crate::limits::MOST_REFUSED_CHARACTERS;
use crate::record::CompactRecord;

/// The origin of a candidate's id. The first candidate of a run decides it for all; otherwise one
/// candidate's number could be another's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// The id comes from the record, its envelope or a column.
    Own,
    /// The id is the record's number in its feed.
    Number,
}

impl Naming {
    /// Returns the reason to refuse a candidate named in this way where earlier ones were named in
    /// the other.
    #[must_use]
    pub fn refusal(self) -> &'static str {
        match self {
            Self::Own => "it has an `id`, and those before it had none: give all an id, or none",
            Self::Number => "it has no `id`, and those before it had one: give all an id, or none",
        }
    }
}

/// A candidate from a feed: the values that the run reads, and the record itself.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateRecord {
    /// The candidate's id for the outside world. It marks repeats, traces show it, and outcomes
    /// refer to it.
    pub id: Box<str>,
    /// The origin of the id.
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
    /// The name of the household; `None` where households do not matter.
    pub household: Option<Box<str>>,
    /// The record as JSON on one line; reading it again gives the same candidate.
    pub record: CompactRecord,
}

impl CandidateRecord {
    /// Returns the candidate as a refused record, as it was sent: without a number as its id.
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

/// The outcome of a chosen candidate, reported later.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeRecord {
    /// The candidate's id.
    pub id: Box<str>,
    /// The policy that learns the outcome; `None` for all policies that chose the candidate.
    pub policy: Option<Box<str>>,
    /// The outcome.
    pub value: f64,
    /// Its line, from 1, in the connection, file or request that it came with.
    pub line: u64,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// An interviewer's answer about a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct LookRecord {
    /// The candidate's id.
    pub id: Box<str>,
    /// The kind of the interview, as an index into the rules' kinds.
    pub kind: usize,
    /// The number of the interview among those of its kind, from 0; `None` if the answer does not
    /// say.
    pub nth: Option<u64>,
    /// The answer.
    pub value: f64,
    /// The name of the interviewer; `None` if they gave none.
    pub by: Option<Box<str>>,
    /// Its line, from 1, in the request that it came with.
    pub line: u64,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// The withdrawal of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalRecord {
    /// The candidate's id.
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
    /// All errors of the record, with their places.
    pub error: String,
    /// The record, cut off where it is long.
    pub record: Box<str>,
}

/// Returns the beginning of a record, as it is kept.
pub(super) fn cut(text: &str) -> Box<str> {
    match text.char_indices().nth(MOST_REFUSED_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// One record, as it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A candidate.
    Candidate(CandidateRecord),
    /// The outcome of a chosen candidate.
    Outcome(OutcomeRecord),
    /// An interviewer's answer.
    Look(LookRecord),
    /// The withdrawal of a candidate.
    Withdrawal(WithdrawalRecord),
    /// The organiser's closing of the slate of this round, from 1; of the open slate where `None`.
    Closing(Option<u64>),
    /// A record that can't be read.
    Refused(RefusedRecord),
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
        let long = format!("{{\"x\":\"{}\"}}", "é".repeat(MOST_REFUSED_CHARACTERS));
        let long = person(Naming::Number, read(&long)).refused("");
        assert_eq!(long.record.chars().count(), MOST_REFUSED_CHARACTERS + 1);
    }
}
