//! Outcomes of a lane's choices: opened with the choice, kept until they are due, learnt in order.

use std::collections::BTreeMap;

use super::seat::Seat;
use crate::draw::Draw;
use crate::protocol::{Batch, Delay, Ledger, Outcome, Person, Persons};

/// The outcomes that the policy has not learnt yet.
pub(super) struct Outcomes {
    delay: Delay,
    delays: Draw,
    /// Keyed by (due, decided, slot).
    awaited: BTreeMap<(u64, u64, u32), Awaited>,
    /// Outcomes of the last round that are due at once and not learnt yet.
    at_once: usize,
    /// How many of the chosen have an outcome that never comes.
    never: usize,
}

/// A person whose outcome is still to come.
struct Awaited {
    person: Persons,
    value: f64,
    p: Option<f64>,
}

impl Outcomes {
    /// No outcomes yet. Each will come after `delay`, drawn from `delays` where it is random.
    pub(super) fn new(delay: Delay, delays: Draw) -> Self {
        Self {
            delay,
            delays,
            awaited: BTreeMap::new(),
            at_once: 0,
            never: 0,
        }
    }

    /// How many of the chosen have no outcome yet, those included whose outcome never comes.
    pub(super) fn pending(&self) -> usize {
        self.awaited.len() + self.at_once + self.never
    }

    /// Whether any outcome is still to come.
    #[inline]
    pub(super) fn awaits(&self) -> bool {
        self.at_once > 0 || !self.awaited.is_empty()
    }

    /// Opens the outcomes of those chosen in the round under way: those that `came` from the
    /// feedback task, where it was asked. `asking` is set while feedback answers here.
    pub(super) fn open(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &mut Ledger,
        came: Option<&[Option<f64>]>,
        asking: &mut bool,
    ) {
        for k in 0..ledger.choosing().len() {
            let row = ledger.choosing()[k];
            let person = Person::new(batch, row);
            let outcome = match came {
                Some(came) => came.get(k).copied().flatten(),
                None => {
                    *asking = true;
                    let outcome = batch.sealed().outcome(person);
                    *asking = false;
                    outcome
                }
            };
            ledger.note_outcome(outcome);
            let is_late = self.delay != Delay::Fixed(0);
            let delay = self.delay_of(person.number());
            if is_late {
                ledger.note_delay(delay);
            }
            let Some(value) = outcome else {
                self.never += 1;
                continue;
            };
            if !is_late {
                self.at_once += 1;
                continue;
            }
            let due = round + 1 + delay;
            let awaited = Awaited {
                person: batch.persons().keep(row),
                value,
                p: ledger.choosing_p(),
            };
            self.awaited.insert((due, round, k as u32), awaited);
        }
    }

    fn delay_of(&mut self, person: u64) -> u64 {
        match self.delay {
            Delay::Fixed(rounds) => rounds,
            Delay::Uniform { low, high } => {
                self.delays.readdress(person, 0);
                low + self.delays.below(high - low + 1)
            }
        }
    }

    /// Has the policy learn the outcomes that are due before the round after `round`, in order of
    /// (decided, slot). `round` is the last in the ledger.
    pub(super) fn deliver(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &Ledger,
        seat: &mut impl Seat,
    ) {
        // With no delay nothing is ever kept: the round's own outcomes are all there is.
        if self.at_once > 0 {
            let at = ledger.rounds() - 1;
            let (rows, values) = ledger.chosen_in(at..at + 1);
            for (&row, value) in rows.iter().zip(values) {
                let Some(value) = *value else { continue };
                self.at_once -= 1;
                seat.learn(&Outcome {
                    decided: round,
                    person: batch.persons().shown(row),
                    value,
                    p: ledger.p_at(at),
                });
            }
        }
        while let Some(first) = self.awaited.first_entry() {
            if first.key().0 > round + 1 {
                break;
            }
            let ((_, decided, _), awaited) = first.remove_entry();
            seat.learn(&Outcome {
                decided,
                person: awaited.person.shown(0),
                value: awaited.value,
                p: awaited.p,
            });
        }
    }
}
