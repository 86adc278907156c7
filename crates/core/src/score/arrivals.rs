//! Outcomes of the selected in the order in which they come.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::protocol::{RoundEntry, Schema, Shown};

/// Hands on the outcome of each selected person once it has come. They are ordered by the rounds
/// after which they come, then by choice, then by slot. That is the order in which the policy
/// learns them, however batches are cut.
#[derive(Clone, Debug)]
pub struct Arrivals {
    schema: Arc<Schema>,
    /// Outcomes that have not come, by (due, decided, slot).
    awaited: BTreeMap<(u64, u64, u32), Awaited>,
}

/// A selected person whose outcome has not come.
#[derive(Clone, Debug)]
struct Awaited {
    cell: u32,
    score: Option<f64>,
    outcome: f64,
}

/// A selected person whose outcome has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrived<'a> {
    /// The value of each attribute.
    pub values: &'a [u16],
    /// The score that policies saw, if there is one.
    pub score: Option<f64>,
    /// The person's outcome.
    pub outcome: f64,
}

impl Arrivals {
    /// Makes an empty queue of outcomes.
    #[must_use]
    pub fn new(schema: &Arc<Schema>) -> Self {
        Self {
            schema: Arc::clone(schema),
            awaited: BTreeMap::new(),
        }
    }

    /// Takes in a round, and hands on the outcomes that come after it.
    pub fn take(&mut self, entry: &RoundEntry<'_>, mut come: impl FnMut(Arrived<'_>)) {
        let decided = entry.round();
        let outcomes = (0..).zip(entry.chosen()).zip(entry.outcomes());
        let mut delays = entry.delays().iter();
        for ((slot, person), outcome) in outcomes {
            let delay = delays.next();
            let Some(outcome) = *outcome else { continue };
            match delay {
                None => come(Arrived {
                    values: person.values(),
                    score: person.score(),
                    outcome,
                }),
                Some(delay) => self.wait((decided + delay, decided, slot), person, outcome),
            }
        }
        if !self.awaited.is_empty() {
            self.hand_on(decided, come);
        }
    }

    fn wait(&mut self, place: (u64, u64, u32), person: Shown<'_>, outcome: f64) {
        let awaited = Awaited {
            cell: person.cell(),
            score: person.score(),
            outcome,
        };
        self.awaited.insert(place, awaited);
    }

    /// Hands on what has come after the round `last`.
    fn hand_on(&mut self, last: u64, mut come: impl FnMut(Arrived<'_>)) {
        while let Some(first) = self.awaited.first_entry() {
            if first.key().0 > last {
                break;
            }
            let awaited = first.remove();
            come(Arrived {
                values: &self.schema.values(awaited.cell),
                score: awaited.score,
                outcome: awaited.outcome,
            });
        }
    }
}
