//! One round as a lane played it: a view into its ledger.

use super::batch::Batch;
use super::ledger::Ledger;
use super::persons::Shown;
use super::schema::Schema;
use super::trail::{HeardOutcome, OfferedPlace, SoldLook};
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

    /// The number of people who could have applied.
    #[must_use]
    pub fn roster_len(&self) -> u32 {
        self.batch.roster(self.round).len() as u32
    }

    /// The attributes of all people.
    #[must_use]
    pub fn schema(&self) -> &'a Schema {
        self.batch.persons().schema()
    }

    /// The people shown: all who applied, except those hidden by the household rule.
    #[must_use]
    pub fn slate(&self) -> Slate<'a> {
        Slate::new(self.batch, self.round, self.ledger.shown_at(self.at))
    }

    /// The people who applied.
    #[must_use]
    pub fn applicants(&self) -> Slate<'a> {
        Slate::new(self.batch, self.round, self.ledger.applied_at(self.at))
    }

    /// The people who applied and were not shown.
    pub fn unseen(&self) -> impl Iterator<Item = Shown<'a>> + use<'a> {
        let (came, slate) = (self.applicants(), self.slate());
        let slots = if self.ledger.hides() { came.len() } else { 0 };
        let mut next = 0;
        let unseen = (0..slots).filter(move |&slot| {
            // Both are in the order in which they applied.
            let is_shown = next < slate.len() && slate.position(next) == came.position(slot);
            next += u32::from(is_shown);
            !is_shown
        });
        unseen.map(move |slot| came.candidate(slot))
    }

    /// The pool's state when it chose the applicants. Empty without a pool.
    #[must_use]
    pub fn pool_state(&self) -> &'a [f64] {
        self.ledger.state_at(self.at)
    }

    /// The people chosen, in slot order.
    pub fn chosen(&self) -> impl ExactSizeIterator<Item = Shown<'a>> + use<'a> {
        let persons = self.batch.persons();
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        rows.iter().map(move |&row| persons.shown(row))
    }

    /// Returns true if the person in a slot was the first to be offered the place of a one-place
    /// round.
    pub(crate) fn offered_first(&self, slot: u32) -> bool {
        self.ledger.first_offered_at(self.at) == Some(self.slate().row(slot))
    }

    /// The people chosen who declined, in slot order.
    pub fn declined(&self) -> impl ExactSizeIterator<Item = Shown<'a>> + use<'a> {
        let persons = self.batch.persons();
        let rows = self.ledger.declined_in(self.at..self.at + 1);
        rows.iter().map(move |&row| persons.shown(row))
    }

    /// The slots of those who were chosen, in order: their places among those who applied.
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

    /// The people shown, in slot order, and whether each was chosen.
    pub fn decided(&self) -> impl Iterator<Item = (Shown<'a>, bool)> + use<'a> {
        self.with_choice(self.slate())
    }

    /// The people who applied, shown or not, and whether each was chosen.
    pub fn met(&self) -> impl Iterator<Item = (Shown<'a>, bool)> + use<'a> {
        self.with_choice(self.applicants())
    }

    fn with_choice(&self, slate: Slate<'a>) -> impl Iterator<Item = (Shown<'a>, bool)> + use<'a> {
        let persons = self.batch.persons();
        let (chosen, _) = self.ledger.chosen_in(self.at..self.at + 1);
        // The chosen are in slot order.
        let mut chosen = chosen.iter().peekable();
        (0..slate.len()).map(move |slot| {
            let row = slate.row(slot);
            (persons.shown(row), chosen.next_if_eq(&&row).is_some())
        })
    }

    /// Returns true if the candidate in a slot was chosen.
    pub(crate) fn chose(&self, slot: u32) -> bool {
        let (rows, _) = self.ledger.chosen_in(self.at..self.at + 1);
        rows.contains(&self.slate().row(slot))
    }

    /// The outcomes of the chosen, in slot order; `None` for an outcome that never comes. Empty if
    /// there are no outcomes.
    #[must_use]
    pub fn outcomes(&self) -> &'a [Option<f64>] {
        self.ledger.chosen_in(self.at..self.at + 1).1
    }

    /// The number of rounds until each of these outcomes comes, in slot order. Empty if each comes
    /// at once.
    #[must_use]
    pub fn delays(&self) -> &'a [u64] {
        self.ledger.delays_in(self.at..self.at + 1)
    }

    /// The money spent on interviews.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.ledger.spending_at(self.at).0
    }

    /// The number of interviews bought.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.ledger.spending_at(self.at).1
    }

    /// The number of interviews bought that were not of the cheapest kind
    /// ([`InterviewKind::weak`]).
    ///
    /// [`InterviewKind::weak`]: super::InterviewKind::weak
    #[must_use]
    pub fn strong_looks(&self) -> u64 {
        self.ledger.strong_at(self.at)
    }

    /// The propensity of the choice, if it was random.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        self.ledger.p_at(self.at)
    }

    /// Returns true if the policy did not answer in time, so that it neither chose nor refused
    /// anyone.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.ledger.is_forfeit(self.at)
    }

    /// The nominal shares, if they were declared.
    #[must_use]
    pub fn declared(&self) -> Option<&'a [f64]> {
        self.ledger.declared_at(self.at)
    }

    /// The numbers that the policy reported.
    pub fn measures(&self) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
        self.ledger.measures_in(self.at..self.at + 1)
    }

    /// The interviews bought, in order, each with the person. Empty if they are not kept; only the
    /// first of a round are kept.
    pub fn sold_looks(&self) -> impl ExactSizeIterator<Item = (Shown<'a>, &'a SoldLook)> + use<'a> {
        let persons = self.batch.persons();
        let looks = self
            .ledger
            .trail()
            .map_or(&[][..], |trail| trail.looks_at(self.at as u32));
        looks
            .iter()
            .map(move |(_, look)| (persons.shown(look.row), look))
    }

    /// The number of interviews bought beyond those kept.
    #[must_use]
    pub fn more_looks(&self) -> u64 {
        let trail = self.ledger.trail();
        trail.map_or(0, |trail| trail.more_looks_at(self.at as u32))
    }

    /// Returns a person named in the reasons of its interviews, by row of the batch.
    pub fn person_at(&self, row: u32) -> Shown<'a> {
        self.batch.persons().shown(row)
    }

    /// The outcomes that the policy heard in this round, if they are kept.
    pub fn heard(&self) -> impl ExactSizeIterator<Item = &'a HeardOutcome> + use<'a> {
        let heard = self
            .ledger
            .trail()
            .map_or(&[][..], |trail| trail.heard_at(self.at as u32));
        heard.iter().map(|(_, heard)| heard)
    }

    /// The offers made, in order, each with the person, if they are kept.
    pub fn offers(&self) -> impl ExactSizeIterator<Item = (Shown<'a>, OfferedPlace)> + use<'a> {
        let persons = self.batch.persons();
        let offers = self
            .ledger
            .trail()
            .map_or(&[][..], |trail| trail.offers_at(self.at as u32));
        offers
            .iter()
            .map(move |(_, offer)| (persons.shown(offer.row), *offer))
    }

    /// The pool's state after it reacted to this round, if that is kept.
    #[must_use]
    pub fn pool_after(&self) -> Option<&'a [f64]> {
        self.ledger.trail()?.after_at(self.at as u32)
    }

    /// The policy's reasons, if they are traced.
    pub fn reasons(&self) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
        self.ledger.reasons_at(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::schema::Schema;
    use super::*;

    /// Rounds 5 of four people and 6 of three, after one of two.
    fn batch() -> Batch {
        let mut batch = Batch::new(Arc::new(Schema::default()), 4, 10);
        for roster in [2, 4, 3] {
            (0..roster).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
            batch.close_round();
        }
        batch
    }

    fn numbers<'a>(people: impl Iterator<Item = Shown<'a>>) -> Vec<u64> {
        people.map(|person| person.number()).collect()
    }

    #[test]
    fn a_round_of_a_pool_is_read_back_by_slot() {
        let batch = batch();
        let mut ledger = Ledger::new(true);
        // The one before, so that the second place of the ledger is read.
        ledger.note_muster(&[0], &[]);
        ledger.close_offers(None::<fn(u32) -> u32>);
        ledger.note_spent(9.0, 9, 4);
        ledger.commit();
        // Of rows 2 to 5 all but 4 apply, 5 first; 5 and 2 are chosen, and 3 declines.
        ledger.note_muster(&[3, 0, 1], &[0.5, 0.25]);
        [5, 2, 3]
            .into_iter()
            .for_each(|row| ledger.note_chosen(row));
        ledger.note_replies(0, |_, row| row != 3);
        ledger.close_offers(None::<fn(u32) -> u32>);
        for (value, delay) in [(Some(0.75), 2), (None, 3)] {
            ledger.note_outcome(value);
            ledger.note_delay(delay);
        }
        ledger.note_spent(1.5, 2, 1);
        ledger.note_p(0.125);
        ledger.note_declared([0.5, 0.5].into());
        ledger.note_reason("r".into(), 7.0);
        ledger.commit();
        let entry = RoundEntry::new(&batch, 1, &ledger, 1);
        assert_eq!((entry.round(), entry.roster_len()), (5, 4));
        assert_eq!(numbers(entry.slate().candidates()), [15, 12, 13]);
        assert_eq!(numbers(entry.chosen()), [15, 12]);
        assert_eq!(numbers(entry.declined()), [13]);
        assert_eq!(entry.chosen_slots().collect::<Vec<_>>(), [0, 1]);
        let decided: Vec<_> = entry
            .decided()
            .map(|(who, is)| (who.number(), is))
            .collect();
        assert_eq!(decided, [(15, true), (12, true), (13, false)]);
        assert_eq!([0, 1, 2].map(|slot| entry.chose(slot)), [true, true, false]);
        assert_eq!(entry.pool_state(), [0.5, 0.25]);
        assert_eq!(
            (entry.outcomes(), entry.delays()),
            (&[Some(0.75), None][..], &[2, 3][..])
        );
        assert_eq!(
            (entry.spent(), entry.looks(), entry.p()),
            (1.5, 2, Some(0.125))
        );
        assert_eq!(entry.strong_looks(), 1);
        assert_eq!(
            (entry.declared(), entry.is_forfeit()),
            (Some(&[0.5, 0.5][..]), false)
        );
        assert_eq!(entry.reasons().collect::<Vec<_>>(), [("r", 7.0)]);
    }

    #[test]
    fn a_whole_roster_is_its_own_slate_and_nothing_more_is_noted() {
        let batch = batch();
        let mut ledger = Ledger::new(false);
        ledger.note_chosen(1);
        ledger.commit();
        ledger.note_forfeit();
        ledger.commit();
        [6, 8].into_iter().for_each(|row| ledger.note_chosen(row));
        ledger.commit();
        let entry = RoundEntry::new(&batch, 2, &ledger, 2);
        assert_eq!((entry.round(), entry.roster_len()), (6, 3));
        assert_eq!(numbers(entry.chosen()), [16, 18]);
        assert_eq!(entry.chosen_slots().collect::<Vec<_>>(), [0, 2]);
        assert_eq!([0, 1, 2].map(|slot| entry.chose(slot)), [true, false, true]);
        assert!(entry.pool_state().is_empty() && entry.outcomes().is_empty());
        assert!(entry.delays().is_empty() && entry.declined().len() == 0);
        assert_eq!((entry.spent(), entry.looks(), entry.p()), (0.0, 0, None));
        assert_eq!((entry.declared(), entry.reasons().count()), (None, 0));
        let passed = RoundEntry::new(&batch, 1, &ledger, 1);
        assert_eq!((passed.is_forfeit(), entry.is_forfeit()), (true, false));
        assert_eq!((passed.chosen().len(), passed.decided().count()), (0, 4));
    }

    /// Of rows 2 to 5 all but 4 apply, 5 first. Without a household rule all of them are shown.
    #[test]
    fn the_unseen_applied_and_were_not_shown() {
        let batch = batch();
        let unseen = |shown: Option<&[u32]>| {
            let mut ledger = Ledger::new(true);
            ledger.note_muster(&[3, 0, 1], &[]);
            if let Some(shown) = shown {
                ledger.note_shown(shown.iter().copied());
            }
            ledger.commit();
            numbers(RoundEntry::new(&batch, 1, &ledger, 0).unseen())
        };
        assert!(unseen(None).is_empty());
        assert!(unseen(Some(&[3, 0, 1])).is_empty());
        assert_eq!(unseen(Some(&[3, 1])), [12]);
        assert_eq!(unseen(Some(&[1])), [15, 12]);
        assert_eq!(unseen(Some(&[])), [15, 12, 13]);
    }
}
