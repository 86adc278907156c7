//! Outcomes: opened when somebody is chosen, kept until they are due, told in order.

use super::Referee;
use crate::arena::seat::Seat;
use crate::protocol::{Batch, Delay, Ledger, Outcome, Person, Persons};

/// A person whose outcome is still to come.
pub(super) struct Awaited {
    person: Persons,
    value: f64,
    p: Option<f64>,
}

impl Referee {
    /// How many outcomes are still to come.
    pub(in crate::arena) fn pending(&self) -> usize {
        self.awaited.len() + self.untold
    }

    /// Opens the outcomes of those chosen in the round under way, and keeps them until they are due.
    pub(in crate::arena) fn open_outcomes(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &mut Ledger,
    ) {
        for k in 0..ledger.choosing().len() {
            let row = ledger.choosing()[k];
            let person = Person::new(batch, row);
            self.asking = true;
            let outcome = batch.sealed().outcome(person);
            self.asking = false;
            let Some(value) = outcome else { continue };
            ledger.note_outcome(value);
            if self.rules.delay == Delay::Fixed(0) {
                self.untold += 1;
                continue;
            }
            let due = round + 1 + self.delay(person.number());
            let awaited = Awaited {
                person: batch.persons().keep(row),
                value,
                p: ledger.choosing_p(),
            };
            self.awaited.insert((due, round, k as u32), awaited);
        }
    }

    fn delay(&mut self, person: u64) -> u64 {
        match self.rules.delay {
            Delay::Fixed(rounds) => rounds,
            Delay::Uniform { low, high } => {
                self.delays.readdress(person, 0);
                low + self.delays.below(high - low + 1)
            }
        }
    }

    /// Whether any outcome is to be told, now or later.
    #[inline]
    pub(in crate::arena) fn awaits(&self) -> bool {
        self.untold > 0 || !self.awaited.is_empty()
    }

    /// Tells the outcomes that are due before the round after `round`, the last in the ledger, in (decided, slot)
    /// order.
    pub(in crate::arena) fn deliver(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &Ledger,
        seat: &mut impl Seat,
    ) {
        // With no delay nothing is ever kept: the round's own outcomes are all there is.
        if self.untold > 0 {
            let at = ledger.rounds() - 1;
            let (rows, values) = ledger.chosen_in(at..at + 1);
            for (&row, &value) in rows.iter().zip(values) {
                self.untold -= 1;
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
