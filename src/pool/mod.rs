//! A pool decides who of the roster applies, and reacts to whom a policy admits. It is a filter, not a second source:
//! the stream stays shared though pools diverge.

mod reinforcement;

use crate::draw::Draw;
use crate::protocol::{Batch, Id, Shown, Verdict};

pub use reinforcement::{Dynamics, Eta, Reinforcement, Response};

/// The coming round, as a pool sees it: everybody who could apply.
#[derive(Clone, Copy)]
pub struct Round<'a> {
    batch: &'a Batch,
    round: usize,
}

impl<'a> Round<'a> {
    /// Round `round` (from 0) of a batch.
    #[must_use]
    pub fn new(batch: &'a Batch, round: usize) -> Self {
        Self { batch, round }
    }

    /// The round's number, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.batch.round_number(self.round)
    }

    /// How many could apply.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.batch.roster(self.round).len() as u32
    }

    /// Whether nobody could.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The person at a position of the roster.
    ///
    /// # Panics
    /// Where there is no such position.
    #[must_use]
    pub fn person(&self, position: u32) -> Shown<'a> {
        let roster = self.batch.roster(self.round);
        assert!(position < self.len(), "no such position");
        self.batch.persons().shown(roster.start + position)
    }

    /// The name of the person at a position.
    ///
    /// # Panics
    /// Where there is no such position.
    #[must_use]
    pub fn id(&self, position: u32) -> Id<'a> {
        self.person(position).id()
    }
}

/// Who applies, and what the pool says of itself (its shares, say; as many numbers every round).
#[derive(Clone, Debug, PartialEq)]
pub struct Mustered {
    who: Vec<u32>,
    state: Vec<f64>,
}

/// A muster must name positions of the roster, each once, in increasing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a muster names positions of the roster (0 .. {roster}), each once, in increasing order")]
pub struct NotAMuster {
    roster: u32,
}

impl Mustered {
    /// The persons at these positions of a roster of `roster`.
    ///
    /// # Errors
    /// Where the positions are not increasing or one is outside the roster.
    pub fn new(who: Vec<u32>, state: Vec<f64>, roster: u32) -> Result<Self, NotAMuster> {
        let increasing = who.windows(2).all(|pair| pair[0] < pair[1]);
        let inside = who.last().is_none_or(|&last| last < roster);
        if increasing && inside {
            Ok(Self { who, state })
        } else {
            Err(NotAMuster { roster })
        }
    }

    /// Positions in the roster, increasing.
    #[must_use]
    pub fn who(&self) -> &[u32] {
        &self.who
    }

    /// What the pool says of itself.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.state
    }
}

/// Decides who applies; each lane has its own.
pub trait Pool: Send {
    /// Who of the round's roster applies; `draw` is the round's, the same in every lane.
    fn muster(&mut self, round: &Round<'_>, draw: &mut Draw) -> Mustered;

    /// Learns what happened in a round.
    fn react(&mut self, verdict: &Verdict<'_>);
}
