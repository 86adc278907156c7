//! The exchange at a seat, written down for its examiner.

use std::time::Duration;

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The line that wanted an answer.
    pub told: String,
    /// The line that came.
    pub said: Vec<u8>,
}

/// The exchanges of a seat, one process after another.
#[derive(Debug, Default)]
pub struct Talk {
    /// The exchanges, in the order of the questions.
    pub exchanges: Vec<Exchange>,
    /// How long each answer took, but for `ready`.
    pub took: Vec<Duration>,
    /// How long each `ready` took, from the program's start.
    pub started: Vec<Duration>,
    /// The question that was answered last, or not at all.
    pub last: String,
    /// What came for it.
    pub answer: Option<Vec<u8>>,
    /// What was said after the last question was answered.
    pub unasked: Vec<Vec<u8>>,
    /// Whether the program had to be killed after `bye`.
    pub overstayed: bool,
}
