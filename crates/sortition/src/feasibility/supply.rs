//! The people among whom a committee is sought, by kind.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kleroterion_core::protocol::Side;

/// The people among whom a committee is sought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supply {
    /// Kinds of people who may be taken: (attribute, value) pairs.
    pub(super) kinds: Vec<Vec<(usize, u16)>>,
    /// The groups; every kind is in one.
    pub(super) groups: Vec<Group>,
    /// Kinds of which exactly a committee is taken in all.
    pub(super) totals: Vec<Vec<usize>>,
}

/// Kinds of which only a number can be taken together: the households in which just these live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) kinds: Range<usize>,
    /// The largest committee; `None` if people never run out.
    pub(super) most: Option<u32>,
}

impl Supply {
    /// Makes a supply of people who can each be taken once. Each is given by their values, one per
    /// attribute. With `households` (each person's number) at most one of each household is taken.
    /// The supply is exact: kinds are people of the same values whose households have members of
    /// the same values.
    pub fn people<'a>(
        values: impl IntoIterator<Item = &'a [u16]>,
        households: Option<&[u32]>,
    ) -> Self {
        let mut homes: BTreeMap<u32, BTreeSet<&[u16]>> = BTreeMap::new();
        let mut alone: BTreeMap<Vec<&[u16]>, u32> = BTreeMap::new();
        for (person, values) in values.into_iter().enumerate() {
            match households.and_then(|households| households.get(person)) {
                Some(home) => _ = homes.entry(*home).or_default().insert(values),
                None => *alone.entry(vec![values]).or_default() += 1,
            }
        }
        let mut grouped = alone;
        for home in homes.into_values() {
            *grouped.entry(home.into_iter().collect()).or_default() += 1;
        }
        let grouped = grouped.into_iter();
        Self::of_types(grouped.map(|(types, most)| (types, Some(most))))
    }

    /// Makes a supply that never runs out: a stream that draws with replacement among these types,
    /// each given by its values.
    pub fn types<'a>(types: impl IntoIterator<Item = &'a [u16]>) -> Self {
        let types: BTreeSet<&[u16]> = types.into_iter().collect();
        Self::of_types(types.into_iter().map(|values| (vec![values], None)))
    }

    /// Makes a supply that never runs out, with independent attributes. `comes[i][j]` says whether
    /// value j of attribute i comes at all.
    #[must_use]
    pub fn independent(comes: &[Vec<bool>]) -> Self {
        let mut supply = Self::of_types(std::iter::empty());
        supply.totals.clear();
        for (attribute, row) in comes.iter().enumerate() {
            let values = (0..).zip(row).filter(|(_, comes)| **comes);
            let first = supply.kinds.len();
            for (value, _) in values {
                supply.push([vec![(attribute, value)]], None);
            }
            supply.totals.push((first..supply.kinds.len()).collect());
        }
        supply
    }

    fn of_types<'a>(groups: impl Iterator<Item = (Vec<&'a [u16]>, Option<u32>)>) -> Self {
        let mut supply = Self {
            kinds: Vec::new(),
            groups: Vec::new(),
            totals: Vec::new(),
        };
        for (types, most) in groups {
            let kinds = types.into_iter();
            let kinds = kinds.map(|values| values.iter().copied().enumerate().collect());
            supply.push(kinds, most);
        }
        supply.totals.push((0..supply.kinds.len()).collect());
        supply
    }

    fn push(&mut self, kinds: impl IntoIterator<Item = Vec<(usize, u16)>>, most: Option<u32>) {
        let first = self.kinds.len();
        self.kinds.extend(kinds);
        let kinds = first..self.kinds.len();
        self.groups.push(Group { kinds, most });
    }

    /// The largest committee that there are people for; nothing where they never run out.
    pub(super) fn most(&self) -> Option<u64> {
        self.groups
            .iter()
            .map(|group| group.most.map(u64::from))
            .sum()
    }

    /// The most members with a value that there are people for; nothing where they never run out.
    pub(super) fn with(&self, attribute: usize, value: usize) -> Option<u64> {
        let has = |kind: usize| {
            let mut pairs = self.kinds[kind].iter();
            pairs.any(|(i, j)| *i == attribute && usize::from(*j) == value)
        };
        let groups = self.groups.iter().filter(|g| g.kinds.clone().any(has));
        groups.map(|group| group.most.map(u64::from)).sum()
    }
}

/// One side of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The index of the attribute.
    pub attribute: usize,
    /// The index of the value.
    pub value: usize,
    /// The side of the quota.
    pub side: Side,
    /// The number of seats: the least or the most allowed, by its side.
    pub seats: u32,
    /// The most members with the value among the people available. `None` if they never run out.
    pub there: Option<u64>,
}

/// A change of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The bound before the change.
    pub bound: Bound,
    /// The number of seats after the change.
    pub to: u32,
}

/// The result of a search for a relaxation of quotas within their flexible bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relaxation {
    /// These changes together let a committee exist.
    Shifts {
        /// The changes. They move the fewest seats in all if `least` is true; empty if a committee
        /// keeps all quotas.
        shifts: Vec<Shift>,
        /// True if it is proved that no changes by fewer seats suffice.
        least: bool,
    },
    /// No committee keeps even the flexible bounds.
    None,
    /// The program was not solved within the nodes allowed.
    Undecided,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_of_like_homes_are_one_kind() {
        let people: [[u16; 1]; 8] = [[0], [0], [1], [0], [1], [1], [0], [0]];
        let values = || people.iter().map(<[u16; 1]>::as_slice);
        let supply = Supply::people(values(), None);
        assert_eq!((supply.kinds.len(), supply.most()), (2, Some(8)));
        assert_eq!(supply.with(0, 0), Some(5));
        // Homes: {0,0}, {1,0}, {1}, {1,0}, {0}.
        let supply = Supply::people(values(), Some(&[0, 0, 1, 1, 2, 3, 3, 4]));
        assert_eq!((supply.kinds.len(), supply.groups.len()), (4, 3));
        assert_eq!(supply.most(), Some(5));
        assert_eq!((supply.with(0, 0), supply.with(0, 1)), (Some(4), Some(3)));
    }

    #[test]
    fn types_never_run_out_but_others_never_come() {
        let supply = Supply::types([[0_u16, 1].as_slice(), &[1, 1], &[0, 1]]);
        assert_eq!((supply.kinds.len(), supply.most()), (2, None));
        assert_eq!((supply.with(0, 0), supply.with(1, 0)), (None, Some(0)));
        let supply = Supply::independent(&[vec![true, false], vec![true, true, true]]);
        assert_eq!((supply.kinds.len(), supply.totals.len()), (4, 2));
        assert_eq!((supply.with(0, 1), supply.with(1, 2)), (Some(0), None));
    }

    #[test]
    fn nobody_makes_a_committee_of_none() {
        assert_eq!(Supply::people([], None).most(), Some(0));
        assert_eq!(Supply::types([]).most(), Some(0));
    }
}
