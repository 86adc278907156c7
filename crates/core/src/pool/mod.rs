//! Pools. A pool decides which people of the roster apply, and reacts to admissions. It is a filter
//! and not a second source: the stream stays shared even if pools diverge.

mod order;
mod reinforcement;
mod response;

use std::sync::Arc;

use crate::draw::{Draw, Key};
use crate::protocol::{Batch, Id, RoundEntry, Shown};

pub use reinforcement::{Dynamics, Eta, Reinforcement};
pub use response::{OwnResponse, PoolGaps, PoolResponse, Response};

/// The coming round, as a pool sees it, with all who could apply.
#[derive(Clone, Copy)]
pub struct PoolRound<'a> {
    batch: &'a Batch,
    round: usize,
}

impl<'a> PoolRound<'a> {
    /// Makes the view of the round at a place (from 0) of a batch.
    #[must_use]
    pub fn new(batch: &'a Batch, round: usize) -> Self {
        Self { batch, round }
    }

    /// The round's number, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.batch.round_number(self.round)
    }

    /// The number of people who could apply.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.batch.roster(self.round).len() as u32
    }

    /// Returns true if the roster is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The person at a position of the roster.
    ///
    /// # Panics
    /// Panics if the roster has no position of this number.
    #[must_use]
    pub fn person(&self, position: u32) -> Shown<'a> {
        let roster = self.batch.roster(self.round);
        assert!(position < self.len(), "no position {position}");
        self.batch.persons().shown(roster.start + position)
    }

    /// The name of the person at a position.
    ///
    /// # Panics
    /// Panics if the roster has no position of this number.
    #[must_use]
    pub fn id(&self, position: u32) -> Id<'a> {
        self.person(position).id()
    }
}

/// The applicants in the order of the slate's slots, and the numbers that describe the pool's state
/// (for example its shares). There are as many numbers every round.
#[derive(Clone, Debug, PartialEq)]
pub struct Mustered {
    who: Vec<u32>,
    state: Vec<f64>,
}

/// The error that a muster does not name positions of the roster, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a muster names positions of the roster (0 .. {roster}), each once")]
pub struct NotAMuster {
    roster: u32,
}

impl Mustered {
    /// Makes a muster of the persons at these positions of a roster of `roster` persons. The first
    /// of them gets slot 0.
    ///
    /// # Errors
    /// Returns an error if a position is outside the roster or named twice.
    pub fn new(who: Vec<u32>, state: Vec<f64>, roster: u32) -> Result<Self, NotAMuster> {
        let mut free = vec![true; roster as usize];
        let mut takes = |&position: &u32| {
            let place = free.get_mut(position as usize);
            place.is_some_and(std::mem::take)
        };
        if who.iter().all(&mut takes) {
            Ok(Self { who, state })
        } else {
            Err(NotAMuster { roster })
        }
    }

    /// The positions in the roster, by slot.
    #[must_use]
    pub fn who(&self) -> &[u32] {
        &self.who
    }

    /// The numbers that describe the pool's state, as in [`Pool::state`].
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.state
    }
}

/// Makes a pool for a lane of a replication.
pub type PoolMaker = Arc<dyn Fn(Key) -> Box<dyn Pool> + Send + Sync>;

/// Decides which people apply. Each lane has its own.
pub trait Pool: Send {
    /// Chooses the applicants from the round's roster. `draw` belongs to the round and is the same
    /// in every lane.
    fn muster(&mut self, round: &PoolRound<'_>, draw: &mut Draw) -> Mustered;

    /// Learns what happened in a round.
    fn react(&mut self, entry: &RoundEntry<'_>);

    /// Returns the numbers that describe the pool's state, as a muster right now would use it.
    /// Empty if the pool has none.
    fn state(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_muster_names_everybody_once_in_any_order() {
        let mustered = |who: &[u32], roster| Mustered::new(who.to_vec(), vec![0.5], roster);
        assert_eq!(mustered(&[2, 0, 1], 3).unwrap().who(), [2, 0, 1]);
        assert_eq!(mustered(&[2, 0, 1], 3).unwrap().state(), [0.5]);
        assert_eq!(mustered(&[], 0).unwrap().who(), [0; 0]);
        for (who, roster) in [(&[3][..], 3), (&[1, 0, 1], 3), (&[0], 0)] {
            assert_eq!(mustered(who, roster), Err(NotAMuster { roster }));
        }
    }
}
