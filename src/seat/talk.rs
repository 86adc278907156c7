//! The exchange at a seat, written down for its examiner.

use std::time::Duration;

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// The line that wanted an answer.
    pub(crate) told: String,
    /// The line that came.
    pub(crate) said: Vec<u8>,
}

/// The exchanges of a seat, one process after another.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    pub(crate) exchanges: Vec<Exchange>,
    /// How long each answer took, but for `ready`.
    pub(crate) took: Vec<Duration>,
    /// How long each `ready` took, from the program's start.
    pub(crate) started: Vec<Duration>,
    /// The question that was answered last, or not at all.
    pub(crate) last: String,
    /// What came for it.
    pub(crate) answer: Option<Vec<u8>>,
    /// What was said after the last question was answered.
    pub(crate) unasked: Vec<Vec<u8>>,
    /// Whether the program had to be killed after `bye`.
    pub(crate) overstayed: bool,
}
