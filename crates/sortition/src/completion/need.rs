//! The remaining need of a committee: seats, and bounds on the number of them for each value.

use super::pool::Pool;
use crate::PanelQuestion;

/// The remaining need of a committee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need {
    /// Seats left.
    pub(super) seats: u32,
    /// The fewest more with each value, by place.
    pub(super) least: Vec<u32>,
    /// The most more with each value, by place.
    pub(super) most: Vec<u32>,
    /// The most more of those shown together now.
    pub(super) shown: u32,
}

impl Need {
    pub(super) fn new(question: &PanelQuestion, pool: &Pool) -> Self {
        let seats = question.members;
        let places = pool.attributes().last().map_or(0, |last| last.end);
        let mut need = Self {
            seats,
            least: vec![0; places],
            most: vec![seats; places],
            shown: u32::MAX,
        };
        let rows = question.quotas.iter().filter(|row| !row.is_empty());
        for (row, places) in rows.zip(pool.attributes()) {
            for (quota, place) in row.iter().zip(places.clone()) {
                (need.least[place], need.most[place]) = (quota.min, quota.max);
            }
        }
        need
    }

    /// Returns true if one more person with these values exceeds no maximum.
    #[inline]
    pub(super) fn has_room(&self, places: &[u32]) -> bool {
        let mut places = places.iter();
        self.seats > 0 && places.all(|&place| self.most[place as usize] > 0)
    }

    /// Gives a seat to a person with these values; `is_shown` says that they are among those shown
    /// together now.
    pub(super) fn seat(&mut self, places: &[u32], is_shown: bool) {
        self.seats = self.seats.saturating_sub(1);
        self.shown -= u32::from(is_shown && self.shown > 0 && self.shown < u32::MAX);
        for &place in places {
            let place = place as usize;
            self.least[place] = self.least[place].saturating_sub(1);
            self.most[place] = self.most[place].saturating_sub(1);
        }
    }

    /// Tightens the bounds by the people `open` for the seats, and leaves in `open` only those who
    /// may still get a seat. Returns false if no committee is possible any more.
    pub(super) fn narrow(&mut self, pool: &Pool, open: &mut Vec<u32>) -> bool {
        loop {
            let before = open.len();
            let (least, most) = (&mut self.least, &mut self.most);
            let mut there = vec![0; most.len()];
            for &one in &*open {
                for &place in pool.places(one) {
                    there[place as usize] += 1;
                }
            }
            if before < self.seats as usize {
                return false;
            }
            for row in pool.attributes() {
                for place in row.clone() {
                    most[place] = most[place].min(there[place]);
                }
                if !tighten(self.seats, &mut least[row.clone()], &mut most[row.clone()]) {
                    return false;
                }
            }
            open.retain(|one| {
                let mut places = pool.places(*one).iter();
                places.all(|&place| most[place as usize] > 0)
            });
            if open.len() == before {
                return true;
            }
        }
    }
}

/// Tightens the bounds of one attribute's values, of which each of `seats` has one. False where
/// they leave no way.
fn tighten(seats: u32, least: &mut [u32], most: &mut [u32]) -> bool {
    let seats = u64::from(seats);
    let sum = |bounds: &[u32]| bounds.iter().copied().map(u64::from).sum::<u64>();
    for place in 0..least.len() {
        let (all_least, all_most) = (sum(least), sum(most));
        let (own_least, own_most) = (u64::from(least[place]), u64::from(most[place]));
        if all_least > seats || all_most < seats || own_least > own_most {
            return false;
        }
        most[place] = own_most.min(seats - (all_least - own_least)) as u32;
        least[place] = own_least.max(seats.saturating_sub(all_most - own_most)) as u32;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_one_attribute_tighten_each_other() {
        let (mut least, mut most) = ([2, 0, 0], [5, 1, 9]);
        assert!(tighten(4, &mut least, &mut most));
        assert_eq!((least, most), ([2, 0, 0], [4, 1, 2]));
        let (mut least, mut most) = ([0, 0], [1, 5]);
        assert!(tighten(5, &mut least, &mut most));
        assert_eq!((least, most), ([0, 4], [1, 5]));
        assert!(!tighten(7, &mut [0, 0], &mut [1, 5]));
        assert!(!tighten(1, &mut [1, 1], &mut [1, 5]));
        assert!(!tighten(3, &mut [2, 0], &mut [1, 5]));
    }
}
