//! Decisions that are put in words when they are first looked at, because most never are.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use kleroterion_core::protocol::{Batch, Ledger, RoundEntry};
use kleroterion_io::trace::{Decision, Event, Post};

use crate::limits::{DECISION_BYTES, SHOWN_BYTES};

/// A decision that may not be in words yet.
#[derive(Clone)]
pub enum LateDecision {
    /// The decision in words.
    Made(Box<Decision>),
    /// The round of which it is made.
    Of(DecidedIn),
}

/// A decided round, and the lane that decided it.
#[derive(Clone)]
pub struct DecidedIn {
    pub(super) batch: Arc<Batch>,
    pub(super) ledger: Arc<Ledger>,
    /// The place of the round in the batch.
    pub(super) at: usize,
    pub(super) post: Arc<Post>,
}

impl From<Decision> for LateDecision {
    fn from(decision: Decision) -> Self {
        Self::Made(Box::new(decision))
    }
}

impl LateDecision {
    /// The round's number, from 1.
    pub(super) fn round(&self) -> u64 {
        match self {
            Self::Made(decision) => decision.round,
            Self::Of(of) => of.batch.round_number(of.at),
        }
    }

    /// The approximate size of the decision in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Made(decision) => decision.bytes(),
            Self::Of(of) => DECISION_BYTES + SHOWN_BYTES * of.batch.roster(of.at).len(),
        }
    }

    fn make(&self) -> Decision {
        match self {
            Self::Made(decision) => (**decision).clone(),
            Self::Of(of) => {
                let entry = RoundEntry::new(&of.batch, of.at, &of.ledger, of.at);
                of.post.decision(&entry)
            }
        }
    }
}

/// A decision with its number, which is an [`Event`] once it is looked at.
#[derive(Clone)]
pub struct LateEvent {
    seq: u64,
    of: LateDecision,
    made: OnceLock<Event>,
}

impl LateEvent {
    pub(super) fn new(seq: u64, of: LateDecision) -> Self {
        let made = OnceLock::new();
        Self { seq, of, made }
    }

    /// The number of the event, from 0.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The round's number, from 1.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.of.round()
    }

    pub(super) fn bytes(&self) -> usize {
        self.of.bytes()
    }
}

impl Deref for LateEvent {
    type Target = Event;

    fn deref(&self) -> &Event {
        let make = || Event::new(self.seq, self.of.make());
        self.made.get_or_init(make)
    }
}

impl fmt::Debug for LateEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for LateEvent {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
