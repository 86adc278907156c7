//! The household rule: at most one person of each household may be offered a place in a round.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::draw::Draw;
use crate::protocol::{Ledger, Persons};

/// The households that have a member, of one lane.
#[derive(Default)]
pub(super) struct Seated {
    /// True for each household with a member, by the household's number.
    households: Vec<bool>,
    /// The positions in the roster of those who are offered in the current round.
    offered: Vec<u32>,
    /// True for each position in the roster of `round` that has been offered.
    shown: Vec<bool>,
    round: u64,
    /// Draws who of a household is offered first; else the first to apply is.
    lots: Option<Draw>,
}

impl Seated {
    /// Makes households without members.
    pub(super) fn new(lots: Option<Draw>) -> Self {
        Self {
            lots,
            ..Self::default()
        }
    }

    /// The positions in the roster of those of a round who may be offered: of each household
    /// without a member one of those who were not asked. `who`: the positions of those who applied,
    /// all where `None`. `asked`: which positions were asked; none where it is empty.
    pub(super) fn offered(
        &mut self,
        persons: &Persons,
        (round, roster): (u64, Range<u32>),
        who: Option<&[u32]>,
        asked: &[bool],
    ) -> &[u32] {
        let mut offered = std::mem::take(&mut self.offered);
        offered.clear();
        let all = 0..roster.len() as u32;
        let rows = roster.start as usize..roster.end as usize;
        // Where households are not kept apart there are none.
        let households = persons.households().get(rows).unwrap_or_default();
        let is_left = |position: &u32| !asked.get(*position as usize).copied().unwrap_or_default();
        match who {
            Some(who) => offered.extend(who.iter().copied().filter(is_left)),
            None => offered.extend(all.clone().filter(is_left)),
        }
        if !households.is_empty() {
            let lots = self.lots.as_mut().map(|draw| {
                draw.readdress(round, 0);
                all.map(|_| draw.word()).collect::<Vec<u64>>()
            });
            // A slate is in the order of application, whoever of a household is on it.
            let places = lots.is_some().then(|| offered.clone());
            if let Some(lots) = lots {
                offered.sort_by_key(|position| lots[*position as usize]);
            }
            offered.retain(|&position| self.take(households[position as usize]));
            if let Some(mut places) = places {
                let drawn: BTreeSet<u32> = offered.iter().copied().collect();
                places.retain(|position| drawn.contains(position));
                offered = places;
            }
        }
        self.offered = offered;
        if !households.is_empty() {
            if self.round != round {
                self.round = round;
                self.shown.clear();
            }
            self.shown.resize(roster.len(), false);
            for &position in &self.offered {
                // They were only taken to find the second of a household.
                self.households[households[position as usize] as usize] = false;
                self.shown[position as usize] = true;
            }
        }
        &self.offered
    }

    /// Writes who was offered in the current round into the ledger, in the order in which they
    /// applied.
    pub(super) fn write_shown(
        &mut self,
        roster: Range<u32>,
        who: Option<&[u32]>,
        ledger: &mut Ledger,
    ) {
        let shown = |position: &u32| self.shown.get(*position as usize) == Some(&true);
        match who {
            Some(who) => ledger.note_shown(who.iter().copied().filter(shown)),
            None => ledger.note_shown((0..roster.len() as u32).filter(shown)),
        }
    }

    /// Seats the persons in some rows.
    pub(super) fn seat(&mut self, persons: &Persons, rows: &[u32]) {
        for &row in rows {
            self.take(persons.households()[row as usize]);
        }
    }

    /// Takes a household. Returns true if it was free.
    fn take(&mut self, household: u32) -> bool {
        let household = household as usize;
        if household >= self.households.len() {
            self.households.resize(household + 1, false);
        }
        !std::mem::replace(&mut self.households[household], true)
    }
}
