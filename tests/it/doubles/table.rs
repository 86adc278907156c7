//! The table of a round, in plain values: who may still be chosen, and what is known of them.

use kleroterion::protocol::{Choose, LookStats};

use super::lawful::places;

/// The table of a round.
pub struct Table {
    /// Those on the slate who were not asked yet, with the looks at each.
    pub left: Vec<(u64, LookStats)>,
    /// The fewest and the most that the slate was to give when the round began.
    first: (u32, u32),
    /// How many have taken a place.
    pub taken: u32,
    /// No look can be bought any more.
    pub last: bool,
}

impl Table {
    pub fn new(offered: &[u64], choose: Choose) -> Self {
        Self {
            left: offered
                .iter()
                .map(|&one| (one, LookStats::default()))
                .collect(),
            first: places(choose, offered.len() as u32, None),
            taken: 0,
            last: false,
        }
    }

    /// The fewest and the most that may be chosen now, of so many places in the run.
    pub fn places(&self, left_in_run: Option<u64>) -> (u32, u32) {
        let (fewest, most) = self.first;
        let most = (most - self.taken).min(self.left.len() as u32);
        let room = left_in_run.map_or(most, |left| left.min(u64::from(most)) as u32);
        (fewest.saturating_sub(self.taken).min(room), room)
    }

    /// Puts these on the slate, with the looks at those who were on it.
    pub fn offer(&mut self, offered: &[u64]) {
        let file = |one: &u64| self.left.iter().find(|(other, _)| other == one);
        let file = |one: &u64| file(one).map_or_else(LookStats::default, |(_, file)| *file);
        self.left = offered.iter().map(|one| (*one, file(one))).collect();
    }

    /// Takes those off the slate who were asked.
    pub fn asked(&mut self, slots: &[u32]) {
        let mut slot = 0;
        self.left.retain(|_| {
            slot += 1;
            !slots.contains(&(slot - 1))
        });
    }
}
