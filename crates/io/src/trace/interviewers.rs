//! The people who answered interviews and offers, for lists of people.

use std::fmt;
use std::sync::Arc;

/// The person who answered an interview or offer, and the moment of the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCredit {
    /// The name that they gave; `None` if they gave none.
    pub by: Option<String>,
    /// The moment at which they were asked, in milliseconds since 1970.
    pub asked: Option<u64>,
}

/// Looks up who answered an interview or offer, by the candidate's id, the kind, and the number
/// among those of its kind.
#[derive(Clone)]
pub struct Interviewers(pub Arc<Answering>);

/// The look-up by candidate, kind of interview or offer, and number among its kind.
type Answering = dyn Fn(&str, &str, u64) -> AnswerCredit + Send + Sync;

impl fmt::Debug for Interviewers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interviewers")
    }
}
