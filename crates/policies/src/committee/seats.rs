//! The seats of a committee under quotas: the candidates they admit and their distance from the
//! quotas.

use kleroterion_core::protocol::Quota;
use kleroterion_sortition::feasibility::nearest_seating;

/// The remaining quotas of a committee that is being filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seats {
    seats: u32,
    attributes: Vec<Left>,
}

/// The quotas left of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    values: Vec<Quota>,
    /// The quotas of an empty committee, and how many of its members have each value.
    given: Vec<Quota>,
    seated: Vec<u32>,
    /// The sum of the values' minimums that are still unmet.
    owed: u64,
}

impl Left {
    /// Counts those seated of a value anew.
    fn count(&mut self, value: usize, count: impl Fn(u32) -> u32) {
        let Some(quota) = self.values.get_mut(value) else {
            return;
        };
        let (given, seated) = (self.given[value], &mut self.seated[value]);
        *seated = count(*seated);
        let (min, max) = (
            given.min.saturating_sub(*seated),
            given.max.saturating_sub(*seated),
        );
        self.owed = self.owed - u64::from(quota.min) + u64::from(min);
        *quota = Quota { min, max };
    }
}

impl Seats {
    /// Makes the seats from quotas, a row per attribute of the candidates, for a committee of
    /// `members`. An empty row sets none.
    #[must_use]
    pub fn new(quotas: Vec<Vec<Quota>>, members: u32) -> Self {
        let attributes = quotas.into_iter().map(|values| Left {
            owed: values.iter().map(|quota| u64::from(quota.min)).sum(),
            seated: vec![0; values.len()],
            given: values.clone(),
            values,
        });
        Self {
            seats: members,
            attributes: attributes.collect(),
        }
    }

    /// The number of seats left.
    #[must_use]
    pub fn seats(&self) -> u32 {
        self.seats
    }

    /// Returns true if a candidate of these values is accepted; `values` has one per attribute.
    #[inline]
    #[must_use]
    pub fn admits(&self, values: &[u16]) -> bool {
        debug_assert_eq!(values.len(), self.attributes.len());
        let Some(after) = self.seats.checked_sub(1) else {
            return false;
        };
        let mut rows = self.attributes.iter().zip(values);
        rows.all(|(left, value)| match left.values.get(usize::from(*value)) {
            Some(quota) => {
                quota.max > 0 && left.owed - u64::from(quota.min > 0) <= u64::from(after)
            }
            None => true,
        })
    }

    /// Returns two slacks for a candidate of these values. The first is the fewest seats left under
    /// a maximum. The second is the number of seats left after seating them that no minimum needs,
    /// for the attribute that needs most. Both are infinite without quotas. A candidate is admitted
    /// iff the first is above 0 and the second not below 0.
    #[must_use]
    pub fn slack(&self, values: &[u16]) -> [f64; 2] {
        let after = f64::from(self.seats) - 1.0;
        let rows = self.attributes.iter().zip(values);
        let least = |[most, spare]: [f64; 2], (left, value): (&Left, &u16)| {
            let Some(quota) = left.values.get(usize::from(*value)) else {
                return [most, spare];
            };
            let owed = left.owed - u64::from(quota.min > 0);
            [
                most.min(f64::from(quota.max)),
                spare.min(after - owed as f64),
            ]
        };
        rows.fold([f64::INFINITY; 2], least)
    }

    /// Returns the terms on which the admission of a candidate depends, for a trace.
    ///
    /// If the minimums of an attribute (from 1) need more seats than are left, they are that
    /// attribute and the number of seats it needs. Otherwise they are the attribute with the fewest
    /// seats left under the value's maximum, the number of these taken, and the maximum.
    pub(super) fn hinge(&self, values: &[u16]) -> Vec<(&'static str, f64)> {
        let after = f64::from(self.seats) - 1.0;
        let rows = (1_u32..).zip(self.attributes.iter().zip(values));
        let rows = rows.filter_map(|(at, (left, value))| {
            let value = usize::from(*value);
            let quota = left.values.get(value)?;
            let owed = left.owed - u64::from(quota.min > 0);
            Some((
                f64::from(at),
                quota.max,
                owed,
                left.seated[value],
                left.given[value].max,
            ))
        });
        let rows: Vec<_> = rows.collect();
        let Some(tightest) = rows.iter().min_by_key(|(_, max, ..)| *max) else {
            return Vec::new();
        };
        let neediest = rows.iter().max_by_key(|(_, _, owed, ..)| *owed);
        match neediest.filter(|(_, _, owed, ..)| tightest.1 > 0 && *owed as f64 > after) {
            Some((at, _, owed, ..)) => vec![("attribute", *at), ("owed", *owed as f64)],
            None => vec![
                ("attribute", tightest.0),
                ("taken", f64::from(tightest.3)),
                ("most", f64::from(tightest.4)),
            ],
        }
    }

    /// Seats a candidate of these values, who was [admitted](Self::admits).
    #[inline]
    pub fn admit(&mut self, values: &[u16]) {
        debug_assert!(self.admits(values));
        self.seat(values);
    }

    /// The slots of `members` of these candidates, given by their values, who miss the quotas by
    /// the fewest seats; where that is not found, of those who miss the fewest when they are seated
    /// one after another.
    pub(super) fn nearest(&self, slate: &[&[u16]], members: u32) -> Vec<u32> {
        let quotas: Vec<&[Quota]> = self.attributes.iter().map(|left| &*left.values).collect();
        let later = self.seats.saturating_sub(members);
        nearest_seating(&quotas, slate, members, later)
            .unwrap_or_else(|| self.nearest_in_turn(slate, members))
    }

    fn nearest_in_turn(&self, slate: &[&[u16]], members: u32) -> Vec<u32> {
        let mut left = self.clone();
        let mut open: Vec<u32> = (0..slate.len() as u32).collect();
        let mut chosen = Vec::new();
        for _ in 0..members {
            let misses = |&slot: &u32| left.misses(slate[slot as usize]);
            let Some(at) = (0..open.len()).min_by_key(|&at| misses(&open[at])) else {
                break;
            };
            let slot = open.remove(at);
            left.seat(slate[slot as usize]);
            chosen.push(slot);
        }
        chosen.sort_unstable();
        chosen
    }

    /// Returns the number of seats by which the quotas are missed, attribute by attribute, because
    /// a candidate of these values has a seat.
    fn misses(&self, values: &[u16]) -> u64 {
        let after = u64::from(self.seats.saturating_sub(1));
        let rows = self.attributes.iter().zip(values);
        rows.map(|(left, value)| match left.values.get(usize::from(*value)) {
            Some(quota) => {
                let owed = left.owed - u64::from(quota.min > 0);
                u64::from(quota.max == 0) + owed.saturating_sub(after)
            }
            None => 0,
        })
        .sum()
    }

    /// Seats a candidate of these values, whether or not a quota allows it.
    pub(super) fn seat(&mut self, values: &[u16]) {
        self.seats = self.seats.saturating_sub(1);
        for (left, value) in self.attributes.iter_mut().zip(values) {
            left.count(usize::from(*value), |seated| seated + 1);
        }
    }

    /// Takes back the seat of a candidate of these values.
    pub(super) fn release(&mut self, values: &[u16]) {
        self.seats += 1;
        for (left, value) in self.attributes.iter_mut().zip(values) {
            left.count(usize::from(*value), |seated| seated - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotas(rows: &[&[(u32, u32)]]) -> Vec<Vec<Quota>> {
        let quota = |&(min, max): &(u32, u32)| Quota { min, max };
        let row = |row: &&[(u32, u32)]| row.iter().map(quota).collect();
        rows.iter().map(row).collect()
    }

    /// The rule as the brief of the policy words it, on counts of those who sit.
    fn plain(rows: &[Vec<Quota>], members: u32, seated: &[Vec<u16>], next: &[u16]) -> bool {
        let mut after = seated.to_vec();
        after.push(next.to_vec());
        rows.iter().enumerate().all(|(i, row)| {
            let count = |j: usize| after.iter().filter(|v| usize::from(v[i]) == j).count() as u32;
            let under = row.iter().enumerate().all(|(j, q)| count(j) <= q.max);
            let unmet = row.iter().enumerate();
            let unmet: u32 = unmet.map(|(j, q)| q.min.saturating_sub(count(j))).sum();
            under && after.len() as u32 + unmet <= members
        })
    }

    #[test]
    fn agrees_with_the_rule_on_counts_and_fills_the_committee() {
        let rows = quotas(&[&[(2, 4), (1, 3), (0, 2)], &[(3, 3), (3, 3)]]);
        let mut word = 9_u64;
        for _ in 0..200 {
            let mut state = Seats::new(rows.clone(), 6);
            let mut seated: Vec<Vec<u16>> = Vec::new();
            for _ in 0..400 {
                word = word
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let next = vec![(word >> 33) as u16 % 3, (word >> 50) as u16 % 2];
                let due = seated.len() < 6 && plain(&rows, 6, &seated, &next);
                assert_eq!(state.admits(&next), due, "{seated:?} {next:?}");
                if due {
                    state.admit(&next);
                    seated.push(next);
                }
            }
            assert_eq!((seated.len(), state.seats()), (6, 0));
            for (i, row) in rows.iter().enumerate() {
                for (j, quota) in row.iter().enumerate() {
                    let has = |v: &&Vec<u16>| usize::from(v[i]) == j;
                    let count = seated.iter().filter(has).count() as u32;
                    assert!((quota.min..=quota.max).contains(&count));
                }
            }
        }
    }

    #[test]
    fn a_seat_that_a_minimum_needs_is_kept() {
        let mut state = Seats::new(quotas(&[&[(1, 3), (0, 3)], &[]]), 2);
        state.admit(&[1, 0]);
        assert!(!state.admits(&[1, 7]));
        assert!(state.admits(&[0, 7]));
    }

    #[test]
    fn minimums_beyond_the_seats_admit_nobody() {
        let state = Seats::new(quotas(&[&[(3, 3), (0, 3)]]), 2);
        assert!(!state.admits(&[0]) && !state.admits(&[1]));
        assert!(!Seats::new(vec![vec![]], 0).admits(&[0]));
    }

    /// Three seats, one or two of each of two values; the second attribute has no quotas.
    #[test]
    fn the_slack_is_of_the_maximum_and_of_the_seats_that_no_minimum_needs() {
        let quota = Quota { min: 1, max: 2 };
        let mut seats = Seats::new(vec![vec![quota; 2], vec![]], 3);
        assert_eq!(seats.slack(&[0, 0]), [2.0, 1.0]);
        seats.admit(&[0, 0]);
        assert_eq!(seats.slack(&[0, 0]), [1.0, 0.0]);
        assert_eq!(seats.slack(&[1, 0]), [2.0, 1.0]);
        seats.admit(&[0, 0]);
        assert_eq!(seats.slack(&[0, 0]), [0.0, -1.0]);
        assert_eq!(seats.slack(&[1, 0]), [2.0, 0.0]);
        let free = Seats::new(vec![vec![], vec![]], 3);
        assert_eq!(free.slack(&[0, 0]), [f64::INFINITY; 2]);
    }
}
