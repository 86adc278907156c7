//! Interviews as people are shown them.

use super::key::LookKey;

/// The state of an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LookState {
    /// It is to be held.
    Open,
    /// It was held.
    Answered,
    /// Its deadline has passed.
    Missed,
    /// The candidate withdrew.
    Withdrawn,
}

impl LookState {
    /// Its word.
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
    /// Which.
    pub look: LookKey,
    /// Since when, in milliseconds since 1970.
    pub since: u64,
    /// The places of the lanes that want it.
    pub wanted_by: Vec<usize>,
    /// Its state.
    pub state: LookState,
    /// The answer.
    pub value: Option<f64>,
}
