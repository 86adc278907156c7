//! The exchanges at a seat, recorded for an examiner.

use std::time::Duration;

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The line sent to the program.
    pub told: String,
    /// The line that the program answered.
    pub said: Vec<u8>,
}

/// The exchanges of a seat, one process after another.
#[derive(Debug, Default)]
pub struct Talk {
    /// The exchanges, in the order of the questions.
    pub exchanges: Vec<Exchange>,
    /// The time that each answer took, except `ready`.
    pub took: Vec<Duration>,
    /// The time from each program's start to its `ready`.
    pub started: Vec<Duration>,
    /// The last question that was sent, answered or not.
    pub last: String,
    /// The program's answer to `last`; `None` if none came.
    pub answer: Option<Vec<u8>>,
    /// The lines that the program wrote after it had answered the last question.
    pub unasked: Vec<Vec<u8>>,
    /// True if the program had to be killed after `bye`.
    pub overstayed: bool,
}
