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
    /// The number of the chosen whose outcome never comes.
    never: usize,
    /// The chosen whose outcome must still be requested from the feedback task.
    open: Vec<Open>,
    /// The round before which the first of them is due.
    first_due: u64,
}

/// A person whose outcome the feedback task is still to be asked for.
struct Open {
    row: u32,
    /// The place of the outcome in the ledger.
    at: usize,
    /// The key among the awaited outcomes.
    due: (u64, u64, u32),
    p: Option<f64>,
}

/// The way in which the outcomes of a round come.
#[derive(Clone, Copy)]
pub(super) enum Come<'a> {
    /// The lane opens them, drawn already or not.
    Here,
    /// The feedback task was asked for them.
    Answered(&'a [Option<f64>]),
    /// The feedback task will be asked for them, at the latest when the first of them is due.
    Later,
}

/// A person whose outcome is still to come.
struct Awaited {
    person: Persons,
    value: f64,
    p: Option<f64>,
}

impl Outcomes {
    /// Makes an empty queue. Each outcome will come after `delay`, drawn from `delays` if it is
    /// random.
    pub(super) fn new(delay: Delay, delays: Draw) -> Self {
        Self {
            delay,
            delays,
            awaited: BTreeMap::new(),
            at_once: 0,
            never: 0,
            open: Vec::new(),
            first_due: u64::MAX,
        }
    }

    /// The number of the chosen without an outcome yet, including those whose outcome never comes.
    pub(super) fn pending(&self) -> usize {
        self.awaited.len() + self.at_once + self.never
    }

    /// Returns true if any outcome is still to come.
    #[inline]
    pub(super) fn awaits(&self) -> bool {
        self.at_once > 0 || !self.awaited.is_empty() || !self.open.is_empty()
    }

    /// Returns true if the policy learns all outcomes later than the round after the choice.
    #[inline]
    pub(super) fn are_late(&self) -> bool {
        self.delay != Delay::Fixed(0)
    }

    /// Opens the outcomes of those chosen in the round under way, or leaves them to be asked for.
    /// `asking` is set while feedback answers here.
    pub(super) fn open(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &mut Ledger,
        come: Come<'_>,
        asking: &mut bool,
    ) {
        for k in 0..ledger.choosing().len() {
            let row = ledger.choosing()[k];
            let person = Person::new(batch, row);
            let outcome = match come {
                Come::Answered(came) => came.get(k).copied().flatten(),
                Come::Here => {
                    *asking = true;
                    let outcome = batch.sealed().outcome(person);
                    *asking = false;
                    outcome
                }
                Come::Later => None,
            };
            let at = ledger.outcomes();
            ledger.note_outcome(outcome);
            let is_late = self.are_late();
            let delay = self.delay_of(person.number());
            if is_late {
                ledger.note_delay(delay);
            }
            let due = (round + 1 + delay, round, k as u32);
            let p = ledger.choosing_p();
            if matches!(come, Come::Later) {
                self.first_due = self.first_due.min(due.0);
                self.open.push(Open { row, at, due, p });
                continue;
            }
            let Some(value) = outcome else {
                self.never += 1;
                continue;
            };
            if !is_late {
                self.at_once += 1;
                continue;
            }
            self.keep(due, batch.persons().keep(row), value, p);
        }
    }

    fn keep(&mut self, due: (u64, u64, u32), person: Persons, value: f64, p: Option<f64>) {
        self.awaited.insert(due, Awaited { person, value, p });
    }

    /// Returns true if an outcome is due before the round after `round` and was not yet requested
    /// from the feedback task.
    #[inline]
    pub(super) fn lacks(&self, round: u64) -> bool {
        self.first_due <= round + 1
    }

    /// The rows of those whose outcome the feedback task is still to be asked for.
    pub(super) fn open_rows(&self) -> impl Iterator<Item = u32> {
        self.open.iter().map(|open| open.row)
    }

    /// Takes in the answers of the feedback task to all open requests.
    pub(super) fn fill(&mut self, answers: &[Option<f64>], batch: &Batch, ledger: &mut Ledger) {
        let open = std::mem::take(&mut self.open);
        for (one, answer) in open.iter().zip(answers) {
            ledger.fill_outcome(one.at, *answer);
            match *answer {
                Some(value) => self.keep(one.due, batch.persons().keep(one.row), value, one.p),
                None => self.never += 1,
            }
        }
        // Its room is used again.
        self.open = open;
        self.open.clear();
        self.first_due = u64::MAX;
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

    /// Lets the policy learn the outcomes that are due before the round after `round`, in order of
    /// (decided, slot). `round` is the last in the ledger.
    pub(super) fn deliver(
        &mut self,
        round: u64,
        batch: &Batch,
        ledger: &mut Ledger,
        seat: &mut impl Seat,
    ) {
        let at = ledger.rounds().saturating_sub(1);
        if self.at_once > 0 && ledger.is_traced() {
            note_at_once(at, round, batch, ledger);
        }
        // With no delay nothing is ever kept: the round's own outcomes are all there is.
        if self.at_once > 0 {
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
            if ledger.is_traced() {
                let (person, late) = (awaited.person.shown(0), round - decided);
                ledger.note_heard(at, person, (decided, late), awaited.value, None);
            }
            seat.learn(&Outcome {
                decided,
                person: awaited.person.shown(0),
                value: awaited.value,
                p: awaited.p,
            });
        }
    }
}

/// Notes the outcomes of a round that are heard right after it.
#[cold]
fn note_at_once(at: usize, round: u64, batch: &Batch, ledger: &mut Ledger) {
    let (rows, values) = ledger.chosen_in(at..at + 1);
    let heard: Vec<_> = rows
        .iter()
        .zip(values)
        .map(|(row, value)| (*row, *value))
        .collect();
    for (row, value) in heard {
        if let Some(value) = value {
            ledger.note_heard(at, batch.persons().shown(row), (round, 0), value, None);
        }
    }
}

#[cfg(test)]
mod tests;
