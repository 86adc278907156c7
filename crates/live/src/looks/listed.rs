//! Interviews in the form in which people see them.

use super::key::LookKey;

/// The state of an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LookState {
    /// The interview is to be held.
    Open,
    /// The interview was answered.
    Answered,
    /// Its deadline has passed.
    Missed,
    /// The candidate withdrew.
    Withdrawn,
}

impl LookState {
    /// The state's word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered => "answered",
            Self::Missed => "missed",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// An interview that people were asked to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedLook {
    /// The interview.
    pub look: LookKey,
    /// The time at which people were asked, in milliseconds since 1970.
    pub since: u64,
    /// The places of the lanes that want it.
    pub wanted_by: Vec<usize>,
    /// Its state.
    pub state: LookState,
    /// The answer, if there is one.
    pub value: Option<f64>,
}
