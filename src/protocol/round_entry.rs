//! One round as a lane played it: a view into its ledger.

use super::batch::Batch;
use super::ledger::Ledger;
use super::persons::Shown;
use super::view::Slate;

/// The entry of one round in a ledger.
#[derive(Clone, Copy)]
pub struct RoundEntry<'a> {
    batch: &'a Batch,
    /// The round's place in the batch.
    round: usize,
    ledger: &'a Ledger,
    /// The round's place in the ledger.
    at: usize,
}

impl<'a> RoundEntry<'a> {
    /// The entry of round `round` of a batch, at place `at` of the ledger.
    #[must_use]
    pub fn new(batch: &'a Batch, round: usize, ledger: &'a Ledger, at: usize) -> Self {
        Self {
            batch,
            round,
            ledger,
            at,
        }
    }

    /// The round's number in the stream, from 1.
    #[must_use]
    pub fn round(&self) -> u64 {
        self.batch.round_number(self.round)
    }

    /// How many could have applied.
    #[must_use]
    pub fn roster_len(&self) -> u32 {
        self.batch.roster(self.round).len() as u32
    }

    /// Those who were shown.
    #[must_use]
    pub fn slate(&self) -> Slate<'a> {
        Slate::new(self.batch, self.round, self.ledger.applied_at(self.at))
    }

    /// What the pool said of itself when it mustered; empty without one.
    #[must_use]
    pub fn pool_state(&self) -> &'a [f64] {
        self.ledger.state_at(self.at)
    }

    /// Those who were chosen, in slot order.
    pub fn chosen(&self) -> impl ExactSizeIterator<Item = Shown<'a>> + use<'a> {
        let persons = self.batch.persons();
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        rows.iter().map(move |&row| persons.shown(row))
    }

    /// Those who were chosen and declined, in slot order.
    pub fn declined(&self) -> impl ExactSizeIterator<Item = Shown<'a>> + use<'a> {
        let persons = self.batch.persons();
        let rows = self.ledger.declined_in(self.at..self.at + 1);
        rows.iter().map(move |&row| persons.shown(row))
    }

    /// The slots of those who were chosen, in order.
    pub fn chosen_slots(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        let start = self.batch.roster(self.round).start;
        let applied = self.ledger.applied_at(self.at);
        // The chosen are in slot order, so a slot is found from where the last was.
        let mut slots = applied.into_iter().flat_map(|applied| (0..).zip(applied));
        rows.iter().filter_map(move |row| {
            let position = row - start;
            match applied {
                None => Some(position),
                Some(_) => {
                    let found = slots.find(|(_, at)| **at == position);
                    found.map(|(slot, _)| slot)
                }
            }
        })
    }

    /// Those who were shown, in slot order, and whether each was chosen.
    pub fn decided(&self) -> impl Iterator<Item = (Shown<'a>, bool)> + use<'a> {
        let slate = self.slate();
        let persons = self.batch.persons();
        let (chosen, _) = self.ledger.chosen_in(self.at..self.at + 1);
        // The chosen are in slot order.
        let mut chosen = chosen.iter().peekable();
        (0..slate.len()).map(move |slot| {
            let row = slate.row(slot);
            (persons.shown(row), chosen.next_if_eq(&&row).is_some())
        })
    }

    /// Whether the candidate in a slot was chosen.
    pub(crate) fn chose(&self, slot: u32) -> bool {
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        rows.contains(&self.slate().row(slot))
    }

    /// What the chosen turn out to be, in slot order, none where that never comes; empty where there
    /// are no outcomes.
    #[must_use]
    pub fn outcomes(&self) -> &'a [Option<f64>] {
        self.ledger.chosen_in(self.at..self.at + 1).1
    }

    /// After how many rounds each of these outcomes comes, in slot order; empty where each comes at
    /// once.
    #[must_use]
    pub fn delays(&self) -> &'a [u64] {
        self.ledger.delays_in(self.at..self.at + 1)
    }

    /// Money spent on looks.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.ledger.spending_at(self.at).0
    }

    /// Looks bought.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.ledger.spending_at(self.at).1
    }

    /// The propensity of the choice, where it was random.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        self.ledger.p_at(self.at)
    }

    /// Whether the policy let the round pass without an answer in time, so that it neither chose
    /// nor refused anyone.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.ledger.is_forfeit(self.at)
    }

    /// The nominal shares, where they were declared.
    #[must_use]
    pub fn declared(&self) -> Option<&'a [f64]> {
        self.ledger.declared_at(self.at)
    }

    /// The policy's reasons, where they are traced.
    pub fn reasons(&self) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
        self.ledger.reasons_at(self.at)
    }
}
