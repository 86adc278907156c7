//! The boundary of M at the estimates u^, and how far arms are from it.
//!
//! The gap of an arm is what M loses by the cheapest exchange that moves it to the other side: Eq.
//! 1's gap, read at u^ and of one exchange alone. (For `top_k` and `quota` one exchange is all that
//! it takes.) Of the radii that are equally wide the one of least gap is interviewed first, for
//! there the choice hangs on least. *Ours*: the paper leaves ties open.

use crate::cohort::objective::{CohortShape, Edge, Objective};
use kleroterion_core::protocol::LookStats;

/// The boundary of M: its edges, by group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupEdges {
    edges: Vec<Edge>,
}

impl GroupEdges {
    /// Makes the boundary with these edges, by group.
    #[must_use]
    pub fn new(edges: Vec<Edge>) -> Self {
        Self { edges }
    }

    /// The boundary of M, from all arms.
    pub(super) fn of(shape: &CohortShape, files: &[LookStats], leading: &[bool]) -> Self {
        let mut members = vec![Vec::new(); shape.group_count()];
        let mut edges = vec![Edge::default(); members.len()];
        for ((group, file), member) in shape.groups.iter().zip(files).zip(leading) {
            let group = usize::from(*group);
            if *member {
                members[group].push(file.mean);
            } else {
                let next = &mut edges[group].next;
                *next = Some(next.map_or(file.mean, |next| next.max(file.mean)));
            }
        }
        for (edge, mut values) in edges.iter_mut().zip(members) {
            // The order in which `GroupHeads` adds up.
            values.sort_unstable_by(|x, y| y.total_cmp(x));
            edge.members = values.len() as u32;
            edge.sum = values.iter().sum();
            edge.last = values.last().copied();
        }
        Self { edges }
    }

    /// Returns the loss of M by the cheapest exchange of an arm of a group. Infinite if there is
    /// none.
    pub(super) fn gap(
        &self,
        objective: &impl Objective,
        group: usize,
        value: f64,
        is_member: bool,
    ) -> f64 {
        let loss = |other: usize| {
            if is_member {
                let next = self.edges[other].next?;
                self.loss(objective, [group, other], [value, next])
            } else {
                let last = self.edges[other].last?;
                self.loss(objective, [other, group], [last, value])
            }
        };
        let losses = (0..self.edges.len()).filter_map(loss);
        losses.fold(f64::INFINITY, f64::min)
    }

    /// Returns the loss of M if a member of the first group and value is replaced by an arm of the
    /// second.
    fn loss(
        &self,
        objective: &impl Objective,
        groups: [usize; 2],
        [out, into]: [f64; 2],
    ) -> Option<f64> {
        let edges = groups.map(|group| &self.edges[group]);
        let admits = groups[0] == groups[1] || objective.admits(groups, edges);
        admits.then(|| objective.loss(groups[0] == groups[1], edges, [out, into]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cohort::{Diverse, Quotas, TopK};
    use kleroterion_core::protocol::Quota;

    fn files(values: &[f64]) -> Vec<LookStats> {
        let file = |&value: &f64| {
            let mut file = LookStats::default();
            file.add(value, 1.0);
            file
        };
        values.iter().map(file).collect()
    }

    /// The gap of every arm.
    fn gaps(objective: &impl Objective, members: usize, arms: &[(u16, f64)]) -> Vec<f64> {
        let shape = CohortShape {
            members,
            groups: arms.iter().map(|(group, _)| *group).collect(),
        };
        let values: Vec<f64> = arms.iter().map(|(_, value)| *value).collect();
        let mut best = Vec::new();
        objective.best(&shape, &values, &vec![false; values.len()], &mut best);
        let boundary = GroupEdges::of(&shape, &files(&values), &best);
        let arms = arms.iter().zip(&best);
        let gap = |(&(group, value), member): (&(u16, f64), &bool)| {
            boundary.gap(objective, usize::from(group), value, *member)
        };
        arms.map(gap).collect()
    }

    #[test]
    fn of_top_k_a_gap_is_the_distance_to_the_other_side() {
        let marks = [5.0, 5.0, 6.0, 8.0, 8.0, 9.0].map(|mark| (0, mark));
        assert_eq!(gaps(&TopK, 2, &marks), [3.0, 3.0, 2.0, 0.0, 0.0, 1.0]);
        // Where all or none are chosen there is no other side.
        let all = [f64::INFINITY; 6];
        assert_eq!(gaps(&TopK, 6, &marks), all);
        assert_eq!(gaps(&TopK, 0, &marks), all);
    }

    #[test]
    fn of_quotas_an_exchange_keeps_them() {
        let exactly_one = Quota { min: 1, max: 1 };
        let quotas = Quotas::new(0, vec![exactly_one; 2]);
        // One of each group: 9 for 4, and 3 for 2.
        let arms = [(0, 9.0), (0, 4.0), (1, 3.0), (1, 2.0)];
        assert_eq!(gaps(&quotas, 2, &arms), [5.0, 5.0, 1.0, 1.0]);
        let free = Quotas::new(0, vec![Quota { min: 0, max: 2 }; 2]);
        assert_eq!(gaps(&free, 2, &arms), [6.0, 1.0, 1.0, 2.0]);
        // At least one of the second group: its only member can't leave for the first group.
        let some = Quotas::new(0, vec![Quota { min: 0, max: 9 }, Quota { min: 1, max: 9 }]);
        assert_eq!(gaps(&some, 2, &arms), [5.0, 5.0, 1.0, 1.0]);
    }

    /// Held against all cohorts that differ by one exchange.
    #[test]
    fn of_diverse_a_gap_is_in_units_of_its_worth() {
        let arms = [(0, 9.0), (0, 4.0), (0, 1.0), (1, 4.0), (1, 3.0), (2, 0.5)];
        let diverse = Diverse::new(0);
        let shape = CohortShape {
            members: 3,
            groups: arms.map(|(group, _)| group).to_vec(),
        };
        let values = arms.map(|(_, value)| value);
        let mut best = Vec::new();
        diverse.best(&shape, &values, &[false; 6], &mut best);
        let worth = |cohort: &[bool]| diverse.worth(&shape, &values, cohort);
        let found = gaps(&diverse, 3, &arms);
        for arm in 0..arms.len() {
            let others = (0..arms.len()).filter(|&other| best[other] != best[arm]);
            let losses = others.map(|other| {
                let mut cohort = best.clone();
                cohort.swap(arm, other);
                worth(&best) - worth(&cohort)
            });
            let least = losses.fold(f64::INFINITY, f64::min);
            assert!((found[arm] - least).abs() < 1e-12, "{arm}: {found:?}");
        }
    }
}
