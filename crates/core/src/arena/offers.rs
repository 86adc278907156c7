//! Places that are offered: those chosen may decline, and then the policy may choose among the
//! others of the slate.

use std::ops::Range;

use super::questions::Questions;
use super::referee::Referee;
use crate::protocol::{Batch, Ledger, Person, Places, Probe};

/// The offers of the round under way.
#[derive(Default)]
pub(super) struct Offers {
    /// The number of those chosen in the round who have taken their places.
    taken: usize,
    /// The rows of those who were asked last.
    asked: Vec<u32>,
    /// The people of the slate not yet asked, once the policy acts again.
    rest: Option<Rest>,
}

/// The people of a slate not yet asked, and the places that are open again.
struct Rest {
    /// Their positions in the roster, by slot.
    left: Vec<u32>,
    /// The place of each position of the roster among those who applied.
    slots: Vec<u32>,
    /// True for each position of the roster that was asked.
    asked: Vec<bool>,
    /// The places of the round at its start.
    places: Places,
}

impl Offers {
    /// The positions in the roster of those who were not asked yet, where the policy acts again.
    #[inline]
    pub(super) fn left(&self) -> Option<&[u32]> {
        self.rest.as_ref().map(|rest| &*rest.left)
    }

    /// The rows of those chosen last.
    pub(super) fn last<'a>(&self, ledger: &'a Ledger) -> &'a [u32] {
        &ledger.choosing()[self.taken..]
    }

    /// Writes down questions to those chosen last; whether there are any.
    pub(super) fn ask(&self, ledger: &Ledger, questions: &mut Questions) -> bool {
        let chosen = self.last(ledger);
        questions.ask(Probe::Offer, chosen.iter().copied());
        !chosen.is_empty()
    }

    /// Writes the replies of those chosen last into the ledger; returns how many declined.
    /// `answered`: what the feedback task was answered, where it was asked. Else replies are opened
    /// or drawn here, and `asking` is set meanwhile.
    pub(super) fn note_replies(
        &mut self,
        batch: &Batch,
        answered: Option<&[Option<f64>]>,
        ledger: &mut Ledger,
        asking: &mut bool,
    ) -> usize {
        self.asked.clear();
        self.asked.extend_from_slice(self.last(ledger));
        *asking = answered.is_none();
        let takes = |place: usize, row| match answered {
            // Who never replies is taken to come, as where no one is asked.
            Some(answers) => answers.get(place).copied().flatten() != Some(0.0),
            None => batch.sealed().takes(Person::new(batch, row)),
        };
        ledger.note_replies(self.taken, takes);
        *asking = false;
        let takers = ledger.choosing().len() - self.taken;
        self.taken += takers;
        self.asked.len() - takers
    }

    /// Notes who was asked last; which positions of the roster have been asked in the round.
    /// `came`: the positions of those who applied, all of the roster where `None`; `places`: those
    /// of the round's first slate.
    pub(super) fn mark_asked(
        &mut self,
        roster: Range<u32>,
        came: Option<&[u32]>,
        places: Places,
    ) -> &[bool] {
        let rest = self
            .rest
            .get_or_insert_with(|| Rest::new(roster.len(), came, places));
        for row in &self.asked {
            rest.asked[(row - roster.start) as usize] = true;
        }
        &rest.asked
    }

    /// Opens the places of those who declined to those who are `left`, by their positions in the
    /// roster; whether there is a place and a person. `before`: those of the slate before, all of
    /// the roster where `None`; what is on file of them stays.
    pub(super) fn reopen(
        &mut self,
        before: Option<&[u32]>,
        left: Vec<u32>,
        referee: &mut Referee,
    ) -> bool {
        let Some(rest) = &mut self.rest else {
            return false;
        };
        referee.refile(left.iter().map(|position| match before {
            None => Some(*position as usize),
            Some(before) => before.iter().position(|known| known == position),
        }));
        let taken = self.taken as u32;
        let max = rest.places.max.saturating_sub(taken).min(left.len() as u32);
        let min = rest.places.min.saturating_sub(taken).min(max);
        referee.reopen(left.len() as u32, Places { min, max });
        rest.left = left;
        max > 0
    }

    /// Ends the offers of a round: its entry in the ledger gets the order of the slate.
    pub(super) fn close(&mut self, roster: Range<u32>, ledger: &mut Ledger, referee: &mut Referee) {
        match self.rest.take() {
            None => ledger.close_offers(None::<fn(u32) -> u32>),
            Some(rest) => {
                ledger.close_offers(Some(|row| rest.slots[(row - roster.start) as usize]));
                referee.forget_places();
            }
        }
        self.taken = 0;
    }
}

impl Rest {
    fn new(roster: usize, came: Option<&[u32]>, places: Places) -> Self {
        let mut slots: Vec<u32> = (0..roster as u32).collect();
        for (slot, &position) in (0..).zip(came.unwrap_or_default()) {
            slots[position as usize] = slot;
        }
        Self {
            left: Vec::new(),
            slots,
            asked: vec![false; roster],
            places,
        }
    }
}

#[cfg(test)]
mod tests;
