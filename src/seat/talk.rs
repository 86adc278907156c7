//! What was said at a seat, written down for who examines it.

use std::time::Duration;

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    /// The line that wanted an answer.
    pub(super) told: String,
    /// The line that came.
    pub(super) said: Vec<u8>,
}

/// The exchanges of a seat, one process after another.
#[derive(Debug, Default)]
pub(super) struct Talk {
    pub(super) exchanges: Vec<Exchange>,
    /// How long each answer took, but for `ready`.
    pub(super) took: Vec<Duration>,
    /// How long each `ready` took, from the program's start.
    pub(super) started: Vec<Duration>,
    /// The question that was answered last, or not at all.
    pub(super) last: String,
    /// What came for it.
    pub(super) answer: Option<Vec<u8>>,
    /// What was said after the last question was answered.
    pub(super) unasked: Vec<Vec<u8>>,
    /// Whether the program had to be killed after `bye`.
    pub(super) overstayed: bool,
}
