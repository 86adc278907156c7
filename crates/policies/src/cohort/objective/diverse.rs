//! w_div: the roots of the groups' sums, added up.

use super::{CohortShape, Edge, Objective, Step, descending, rank, root};
use crate::cohort::contest::GroupHeads;
use kleroterion_core::protocol::{CohortSums, Schema};

/// w(M) = sum over groups of sqrt(sum of u over the group's members) (Section 6.1), for groups that
/// do not overlap: of several attributes, the combinations of their values.
///
/// A group's sum below 0, as u~ can have, counts as 0. There are always K members. The best cohort
/// is exact: of each group its highest values, and how many of which by greed where K values or
/// more are at least 0, for there a group's root grows ever more slowly; where members of negative
/// value must be taken, by dynamic programming over the groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diverse {
    /// The attributes (indices into the schema), each with its number of values; that of the first
    /// does not count.
    attributes: Box<[(usize, usize)]>,
}

impl Diverse {
    /// Makes groups by the values of an attribute (its index in the schema).
    #[must_use]
    pub fn new(attribute: usize) -> Self {
        Self {
            attributes: [(attribute, 0)].into(),
        }
    }

    /// Makes groups by the combinations of the values of some attributes (their indices in the
    /// schema). With several attributes there may be at most
    /// [`MOST_GROUPS`](crate::limits::MOST_GROUPS).
    #[must_use]
    pub fn crossed(schema: &Schema, attributes: &[usize]) -> Self {
        let counted = |&at: &usize| (at, schema.attributes()[at].values.len());
        Self {
            attributes: attributes.iter().map(counted).collect(),
        }
    }
}

impl Objective for Diverse {
    type Contest = GroupHeads<Self>;

    fn group(&self, values: &[u16]) -> u16 {
        // The values in mixed radix, the first attribute most significant.
        let numbered =
            |group, &(at, count): &(usize, usize)| group * count + usize::from(values[at]);
        self.attributes.iter().fold(0, numbered) as u16
    }

    fn best(&self, shape: &CohortShape, values: &[f64], seated: &[bool], cohort: &mut Vec<bool>) {
        let mut groups = vec![Vec::new(); shape.group_count()];
        for (slot, &group) in (0u32..).zip(&shape.groups) {
            groups[usize::from(group)].push(slot);
        }
        for group in &mut groups {
            group.sort_unstable_by(|&a, &b| rank(values, seated, a, b));
        }
        let members = shape.members.min(values.len());
        let enough = values.iter().filter(|value| **value >= 0.0).count() >= members;
        let taken = if enough {
            by_greed(&groups, members, values, seated)
        } else {
            by_program(&groups, members, values)
        };
        cohort.clear();
        cohort.resize(values.len(), false);
        for (group, taken) in groups.iter().zip(taken) {
            for &slot in &group[..taken] {
                cohort[slot as usize] = true;
            }
        }
    }

    fn worth(&self, shape: &CohortShape, values: &[f64], cohort: &[bool]) -> f64 {
        let mut groups = vec![Vec::new(); shape.group_count()];
        for ((value, group), member) in values.iter().zip(&shape.groups).zip(cohort) {
            if *member {
                groups[usize::from(*group)].push(*value);
            }
        }
        let roots = groups.into_iter().map(|mut values| {
            // From the highest down, so that the sum does not depend on the slots.
            values.sort_unstable_by(|x, y| descending(*x, *y));
            root(values.iter().sum())
        });
        roots.sum()
    }

    /// A root of a sum is at most the sum of the roots, and by Cauchy and Schwarz the roots of G
    /// sums add up to at most the root of G times their sum.
    fn range(&self, schema: &Schema, sums: &CohortSums) -> (f64, f64) {
        let count = |(at, _): &(usize, usize)| schema.attributes()[*at].values.len() as f64;
        let groups: f64 = self.attributes.iter().map(count).product();
        // Groups whose sum is below 0 count as 0, so the others may add up to more than all do;
        // never to more than the squares of the roots.
        let spread = match sums.lowest >= 0.0 {
            true => root(groups * sums.highest),
            false => f64::INFINITY,
        };
        (root(sums.lowest), sums.roots.min(spread))
    }

    fn loss(&self, same: bool, [left, joined]: [&Edge; 2], [out, into]: [f64; 2]) -> f64 {
        if same {
            return root(left.sum) - root(left.sum - out + into);
        }
        let before = root(left.sum) + root(joined.sum);
        before - (root(left.sum - out) + root(joined.sum + into))
    }

    fn contest(&self, shape: CohortShape) -> GroupHeads<Self> {
        GroupHeads::new(self.clone(), shape)
    }
}

/// Returns the number of each group, chosen greedily: one member at a time, where the root grows
/// most.
fn by_greed(groups: &[Vec<u32>], members: usize, values: &[f64], seated: &[bool]) -> Vec<usize> {
    let mut taken = vec![0; groups.len()];
    let mut sums = vec![0.0; groups.len()];
    for _ in 0..members {
        let mut best: Option<(usize, Step)> = None;
        for (at, group) in groups.iter().enumerate() {
            let Some(&slot) = group.get(taken[at]) else {
                continue;
            };
            let step = Step {
                gain: root(sums[at] + values[slot as usize]) - root(sums[at]),
                seated: seated[slot as usize],
                slot,
            };
            if best.is_none_or(|(_, best)| step.precedes(&best)) {
                best = Some((at, step));
            }
        }
        if let Some((at, step)) = best {
            sums[at] += values[step.slot as usize];
            taken[at] += 1;
        }
    }
    taken
}

/// Returns the number of each group if the values of at least 0 do not suffice and all are taken.
/// The rest is spread over the groups in the best way.
fn by_program(groups: &[Vec<u32>], members: usize, values: &[f64]) -> Vec<usize> {
    let mut taken: Vec<usize> = groups
        .iter()
        .map(|group| group.partition_point(|&slot| values[slot as usize] >= 0.0))
        .collect();
    let rest = members - taken.iter().sum::<usize>();
    // The best worth of the groups so far with a number of the rest, and how many of them the last
    // group has.
    let mut worths = vec![f64::NEG_INFINITY; rest + 1];
    worths[0] = 0.0;
    let mut choices = Vec::with_capacity(groups.len());
    for (group, &taken) in groups.iter().zip(&taken) {
        let (first, more) = group.split_at(taken);
        let value = |slot: &u32| values[*slot as usize];
        let mut sum: f64 = first.iter().map(value).sum();
        let mut roots = vec![root(sum)];
        roots.extend(more.iter().take(rest).map(|slot| {
            sum += value(slot);
            root(sum)
        }));
        let mut next = vec![f64::NEG_INFINITY; rest + 1];
        let mut choice = vec![0; rest + 1];
        for (had, worth) in worths.iter().enumerate() {
            for (here, root) in roots.iter().enumerate().take(rest + 1 - had) {
                if worth + root > next[had + here] {
                    next[had + here] = worth + root;
                    choice[had + here] = here;
                }
            }
        }
        worths = next;
        choices.push(choice);
    }
    let mut left = rest;
    for (taken, choice) in taken.iter_mut().zip(&choices).rev() {
        *taken += choice[left];
        left -= choice[left];
    }
    taken
}
