//! The people who answered interviews and offers, for lists of people.

use std::fmt;
use std::sync::Arc;

/// The person who answered, and since when they were asked, in milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnsweredBy {
    /// The name that they gave.
    pub by: Option<String>,
    /// Since when they were asked.
    pub asked: Option<u64>,
}

/// Says of a candidate's interview (its kind and which of its kind) or offer who answered it.
#[derive(Clone)]
pub struct Interviewers(pub Arc<Answering>);

/// The person, the kind of interview or offer, and which of its kind.
type Answering = dyn Fn(&str, &str, u64) -> AnsweredBy + Send + Sync;

impl fmt::Debug for Interviewers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interviewers")
    }
}
