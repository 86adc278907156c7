//! At most one of each household: who of a round may still be offered a place.

use crate::protocol::Persons;
use std::ops::Range;

/// The households that have a member, of one lane.
#[derive(Default)]
pub(super) struct Seated {
    /// By number of the household; those beyond have none.
    households: Vec<bool>,
    /// The positions in the roster of those who are offered in the current round.
    offered: Vec<u32>,
}

impl Seated {
    /// The positions in the roster of those of a round who may be offered: of each household
    /// without a member the first. `who`: the positions of those who applied, all where `None`.
    pub(super) fn offered(
        &mut self,
        persons: &Persons,
        roster: Range<u32>,
        who: Option<&[u32]>,
    ) -> &[u32] {
        let mut offered = std::mem::take(&mut self.offered);
        offered.clear();
        let households = &persons.households()[roster.start as usize..roster.end as usize];
        let mut free = |position: &u32| self.take(households[*position as usize]);
        match who {
            Some(who) => offered.extend(who.iter().copied().filter(&mut free)),
            None => offered.extend((0..households.len() as u32).filter(&mut free)),
        }
        self.offered = offered;
        // They were only taken to find the second of a household.
        for &position in &self.offered {
            self.households[households[position as usize] as usize] = false;
        }
        &self.offered
    }

    /// Seats the persons in some rows.
    pub(super) fn seat(&mut self, persons: &Persons, rows: &[u32]) {
        for &row in rows {
            self.take(persons.households()[row as usize]);
        }
    }

    /// Takes a household; whether it was free.
    fn take(&mut self, household: u32) -> bool {
        let household = household as usize;
        if household >= self.households.len() {
            self.households.resize(household + 1, false);
        }
        !std::mem::replace(&mut self.households[household], true)
    }
}
