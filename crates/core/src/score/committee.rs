//! The scorer of committees: whether one is filled, whether it keeps its quotas, and by how many
//! seats it is off.

use std::ops::Range;
use std::sync::Arc;

use super::head_count::HeadCount;
use super::readings::Readings;
use super::scoreboard::Scorer;
use crate::protocol::{Batch, Ledger, Quota, RoundEntry, Schema, Target, Truth};

/// The fewest and the most members with each value: a row per attribute of the schema. An empty row
/// sets none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    rows: Vec<Vec<Quota>>,
    /// True if they were given as quotas; false if they are the whole numbers around target shares.
    are_quotas: bool,
}

impl Bounds {
    /// Combines several sets of quotas that must all be kept: for each value the largest minimum
    /// and the smallest maximum. `None` if no set is given.
    #[must_use]
    pub fn quotas(sets: &[&[Vec<Quota>]]) -> Option<Self> {
        let mut rows: Vec<Vec<Quota>> = vec![Vec::new(); sets.first()?.len()];
        for set in sets {
            for (row, more) in rows.iter_mut().zip(*set) {
                match row.is_empty() {
                    true => row.clone_from(more),
                    false => row.iter_mut().zip(more).for_each(|(have, more)| {
                        have.min = have.min.max(more.min);
                        have.max = have.max.min(more.max);
                    }),
                }
            }
        }
        Some(Self {
            rows,
            are_quotas: true,
        })
    }

    /// Makes bounds from the whole numbers of members on either side of a target's shares
    /// ([`Quota::around`]). `None` if the committee is too large for quotas.
    #[must_use]
    pub fn around(schema: &Schema, target: &Target, members: u64) -> Option<Self> {
        let members = u32::try_from(members).ok()?;
        let mut rows = vec![Vec::new(); schema.attributes().len()];
        for (attribute, shares) in target.rows() {
            let quotas = shares.iter().map(|share| Quota::around(*share, members));
            rows[*attribute] = quotas.collect();
        }
        Some(Self {
            rows,
            are_quotas: false,
        })
    }

    /// Returns the seats short of the minimums plus the seats beyond the maximums, over all values.
    /// `counts` has the members by value, with a row per attribute.
    #[must_use]
    pub fn off(&self, counts: &[Vec<u64>]) -> u64 {
        let rows = self.rows.iter().zip(counts);
        rows.flat_map(|(row, counts)| row.iter().zip(counts))
            .map(|(bound, &count)| bound.off(count))
            .sum()
    }

    /// Returns the most seats that a committee of up to `members` can be off. Each attribute's sum
    /// is convex in its head-counts. It is therefore largest if no one has a seat or if all members
    /// have one value.
    #[must_use]
    pub fn most_off(&self, members: u64) -> u64 {
        let worst = |row: &Vec<Quota>| {
            let empty: u64 = row.iter().map(|bound| bound.off(0)).sum();
            let all_in = |bound: &Quota| empty - bound.off(0) + bound.off(members);
            row.iter().map(all_in).fold(empty, u64::max)
        };
        self.rows.iter().map(worst).sum()
    }
}

/// The scorer of committees.
///
/// `filled`: 1 if all places are taken, else 0. `quotas_kept`: 1 if the committee is filled and
/// keeps every quota, else 0, if there are quotas. `seats_off`: the seats short of the minimums
/// plus the seats beyond the maximums, if there are quotas or a target. For a target without quotas
/// the bounds are the whole numbers around each share of the places.
///
/// A committee with empty places is checked against the same bounds, so the seats it owes count. A
/// committee without members has no `seats_off`. All three metrics are about the whole committee,
/// so they have no series.
#[derive(Clone)]
pub struct Committee {
    members: u64,
    bounds: Option<Bounds>,
    chosen: HeadCount,
}

impl Committee {
    /// The names of all metrics that the scorer may have.
    pub const NAMES: [&str; 3] = ["filled", "quotas_kept", "seats_off"];

    /// Makes the scorer of an empty committee that is to have `members` members.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, members: u64, bounds: Option<Bounds>) -> Self {
        Self {
            members,
            bounds,
            chosen: HeadCount::new(Arc::clone(schema)),
        }
    }

    /// The number of members wanted.
    #[must_use]
    pub fn members(&self) -> u64 {
        self.members
    }

    /// The quotas that the committee must keep, if it was given some: a row per attribute of the
    /// schema. An empty row sets none.
    #[must_use]
    pub fn quotas(&self) -> Option<Vec<Vec<Quota>>> {
        let bounds = self.bounds.as_ref().filter(|bounds| bounds.are_quotas)?;
        Some(bounds.rows.clone())
    }

    /// The names of the scorer's metrics.
    #[must_use]
    pub fn metrics(&self) -> Vec<String> {
        let quotas = self.bounds.as_ref().is_some_and(|bounds| bounds.are_quotas);
        let has = [true, quotas, self.bounds.is_some()];
        let names = Self::NAMES.iter().zip(has).filter(|(_, has)| *has);
        names.map(|(name, _)| (*name).to_owned()).collect()
    }

    /// The range of `seats_off`, if the scorer has that metric.
    #[must_use]
    pub fn range(&self) -> Option<(&'static str, (f64, f64))> {
        let most = self.bounds.as_ref()?.most_off(self.members);
        Some((Self::NAMES[2], (0.0, most as f64)))
    }
}

impl Scorer for Committee {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        entry.chosen().for_each(|person| self.chosen.add(person));
    }

    fn record_all(&mut self, batch: &Batch, ledger: &Ledger, rounds: Range<usize>) {
        let (chosen, _) = ledger.chosen_in(rounds);
        self.chosen.add_rows(batch.persons(), chosen);
    }

    fn read(&self, readings: &mut Readings) {
        if !readings.is_end() {
            return;
        }
        let word = |holds: bool| f64::from(u8::from(holds));
        let filled = self.chosen.persons() >= self.members;
        readings.put(Self::NAMES[0], word(filled));
        let Some(bounds) = &self.bounds else {
            return;
        };
        let off = bounds.off(&self.chosen.by_value());
        if bounds.are_quotas {
            readings.put(Self::NAMES[1], word(filled && off == 0));
        }
        if self.chosen.persons() > 0 {
            readings.put(Self::NAMES[2], off as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Attribute;

    fn quota(min: u32, max: u32) -> Quota {
        Quota { min, max }
    }

    /// Returns every head-count of up to `members` over as many values as the row has.
    fn counts(values: usize, members: u64) -> Vec<Vec<u64>> {
        let mut all = vec![vec![]];
        for _ in 0..values {
            let longer = all.iter().flat_map(|counts: &Vec<u64>| {
                let left = members - counts.iter().sum::<u64>();
                (0..=left).map(move |next| [&counts[..], &[next]].concat())
            });
            all = longer.collect();
        }
        all
    }

    #[test]
    fn the_most_seats_off_is_that_of_the_worst_committee_there_is() {
        for row in [
            vec![quota(2, 3), quota(3, 4)],
            vec![quota(0, 0), quota(1, 9), quota(2, 2)],
            vec![quota(9, 9), quota(0, 1)],
            vec![quota(0, 9)],
        ] {
            let bounds = Bounds::quotas(&[std::slice::from_ref(&row)]).unwrap();
            for members in [1, 4, 6] {
                let all = counts(row.len(), members);
                let worst = all
                    .iter()
                    .map(|counts| bounds.off(std::slice::from_ref(counts)));
                assert_eq!(worst.max().unwrap(), bounds.most_off(members), "{row:?}");
            }
        }
    }

    #[test]
    fn quotas_of_two_origins_are_kept_together() {
        let file = vec![vec![quota(1, 5), quota(0, 3)], vec![]];
        let rules = vec![vec![quota(2, 9), quota(0, 1)], vec![quota(1, 1)]];
        let both = Bounds::quotas(&[&file, &rules]).unwrap();
        assert_eq!(
            both.rows,
            [vec![quota(2, 5), quota(0, 1)], vec![quota(1, 1)]]
        );
        assert_eq!(both.off(&[vec![1, 3], vec![0]]), 1 + 2 + 1);
        assert_eq!(Bounds::quotas(&[]), None);
    }

    /// 73.5 and 76.5 seats of 150: 73 or 74 and 76 or 77 will do. 76.0 seats leave no room.
    #[test]
    fn a_target_wants_the_whole_numbers_around_its_shares() {
        let attribute = |name: &str| Attribute {
            name: name.into(),
            values: ["a", "b"].map(String::from).into(),
        };
        let schema = Schema::new(vec![attribute("x"), attribute("y")], vec![], false).unwrap();
        let off = |shares: [f64; 2], counts: [u64; 2]| {
            let target = Target::new(&schema, vec![(1, shares.into())]);
            let bounds = Bounds::around(&schema, &target, 150).unwrap();
            bounds.off(&[vec![0, 0], counts.into()])
        };
        assert_eq!(off([0.49, 0.51], [74, 76]), 0);
        assert_eq!(off([0.49, 0.51], [73, 77]), 0);
        assert_eq!(off([0.49, 0.51], [80, 70]), 6 + 6);
        assert_eq!(off([74.0 / 150.0, 76.0 / 150.0], [73, 77]), 1 + 1);
    }
}
