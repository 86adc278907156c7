//! The sum of the members' values, with a fewest and a most for each group.

use super::{CohortShape, Edge, Objective, TopK, rank};
use crate::cohort::contest::PlainContest;
use kleroterion_core::protocol::Quota;

/// w(M) = sum of u over M, among the cohorts that keep each group's [`Quota`].
///
/// Exact by greed, for those cohorts are the bases of a matroid: the best of each group up to its
/// fewest, then the best of all whose group has not its most. Where no cohort can keep all quotas
/// there are K members all the same: the fewest go first, as far as there are people and places,
/// and the most is broken last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotas {
    attribute: usize,
    quotas: Box<[Quota]>,
}

impl Quotas {
    /// Makes quotas by value of an attribute (its index in the schema). Values beyond the list have
    /// none.
    #[must_use]
    pub fn new(attribute: usize, quotas: Vec<Quota>) -> Self {
        let quotas = quotas.into();
        Self { attribute, quotas }
    }

    /// Returns true if a cohort keeps all quotas.
    #[must_use]
    pub fn are_kept(&self, shape: &CohortShape, cohort: &[bool]) -> bool {
        self.missed(shape, cohort) == 0
    }
}

impl Objective for Quotas {
    type Contest = PlainContest<Self>;

    fn group(&self, values: &[u16]) -> u16 {
        values[self.attribute]
    }

    fn best(&self, shape: &CohortShape, values: &[f64], seated: &[bool], cohort: &mut Vec<bool>) {
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| rank(values, seated, a, b));
        cohort.clear();
        cohort.resize(values.len(), false);
        let mut counts = vec![0u32; shape.group_count()];
        let mut places = shape.members;
        let limits: [fn(&Quota) -> u32; 3] = [|quota| quota.min, |quota| quota.max, |_| u32::MAX];
        for (pass, limit) in limits.into_iter().enumerate() {
            for &slot in &order {
                let group = usize::from(shape.groups[slot as usize]);
                let none = if pass == 0 { 0 } else { u32::MAX };
                let most = self.quotas.get(group).map_or(none, limit);
                let member = &mut cohort[slot as usize];
                if places > 0 && !*member && counts[group] < most {
                    *member = true;
                    counts[group] += 1;
                    places -= 1;
                }
            }
        }
    }

    fn worth(&self, shape: &CohortShape, values: &[f64], cohort: &[bool]) -> f64 {
        TopK.worth(shape, values, cohort)
    }

    fn missed(&self, shape: &CohortShape, cohort: &[bool]) -> u64 {
        let mut counts = vec![0u32; self.quotas.len().max(shape.group_count())];
        for (group, member) in shape.groups.iter().zip(cohort) {
            counts[usize::from(*group)] += u32::from(*member);
        }
        let off = |(quota, &count): (&Quota, &u32)| quota.off(count.into());
        self.quotas.iter().zip(&counts).map(off).sum()
    }

    fn admits(&self, [from, to]: [usize; 2], [left, joined]: [&Edge; 2]) -> bool {
        let quota = |group: usize| self.quotas.get(group);
        quota(from).is_none_or(|quota| left.members > quota.min)
            && quota(to).is_none_or(|quota| joined.members < quota.max)
    }

    fn contest(&self, shape: CohortShape) -> PlainContest<Self> {
        PlainContest::new(self.clone(), shape)
    }
}
