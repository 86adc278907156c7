//! Objectives: the worth of a cohort, and the cohort that is worth most: the maximisation oracle of
//! the paper, Section 3.

mod diverse;
mod quotas;
mod top_k;

use std::cmp::Ordering;
use std::fmt::Debug;

use super::contest::Contest;
pub use diverse::Diverse;
use kleroterion_core::protocol::{CohortSums, Schema};
pub use quotas::Quotas;
pub use top_k::TopK;

/// The shape of a cohort: the number of members, and each candidate's group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CohortShape {
    /// K: the number of members, at most the number of candidates.
    pub members: usize,
    /// The group of each candidate, by slot. All 0 if the objective has no groups.
    pub groups: Vec<u16>,
}

impl CohortShape {
    /// The number of groups, by the highest that occurs.
    pub(super) fn group_count(&self) -> usize {
        let last = self.groups.iter().max();
        last.map_or(0, |&last| usize::from(last) + 1)
    }
}

/// A function w of cohorts, and its best cohort.
pub trait Objective: Clone + Debug + Send + Sync + 'static {
    /// The contest that follows the best cohorts from interview to interview.
    type Contest: Contest;

    /// Returns the group of a candidate with these values, one per attribute of the schema; 0 if
    /// the objective has no groups.
    fn group(&self, values: &[u16]) -> u16 {
        let _ = values;
        0
    }

    /// Writes into `cohort` the best cohort of [`CohortShape::members`] members, as a flag for each
    /// slot. `values` by slot are finite or minus infinity. Ties favour candidates already
    /// `seated`, then those of lower slot.
    fn best(&self, shape: &CohortShape, values: &[f64], seated: &[bool], cohort: &mut Vec<bool>);

    /// Returns w of a cohort, at these values.
    fn worth(&self, shape: &CohortShape, values: &[f64], cohort: &[bool]) -> f64;

    /// Returns the least and the greatest w of a cohort whose values add up as `sums` says.
    fn range(&self, schema: &Schema, sums: &CohortSums) -> (f64, f64) {
        let _ = schema;
        (sums.lowest, sums.highest)
    }

    /// The number of seats by which a cohort misses the conditions of admissibility; 0 if every
    /// cohort is admissible.
    fn missed(&self, shape: &CohortShape, cohort: &[bool]) -> u64 {
        let _ = (shape, cohort);
        0
    }

    /// The loss of worth if a cohort replaces a member by another arm. The arrays hold `[out,
    /// into]`: the values, and the edges of their groups; `same` says that it is one group.
    fn loss(&self, same: bool, edges: [&Edge; 2], values: [f64; 2]) -> f64 {
        let (_, _, [out, into]) = (same, edges, values);
        out - into
    }

    /// Returns true if a member of the first group may be replaced by an arm of the second, a
    /// different group.
    fn admits(&self, groups: [usize; 2], edges: [&Edge; 2]) -> bool {
        let (_, _) = (groups, edges);
        true
    }

    /// Makes the contest of M and M~ for a shape, before any candidate is interviewed.
    fn contest(&self, shape: CohortShape) -> Self::Contest;

    /// Returns the slots of the best cohort at these values.
    fn best_slots(&self, shape: &CohortShape, values: &[f64]) -> Vec<u32> {
        let mut cohort = Vec::new();
        let seated = vec![false; values.len()];
        self.best(shape, values, &seated, &mut cohort);
        slots(&cohort)
    }
}

/// The slots of those in a cohort.
pub(super) fn slots(cohort: &[bool]) -> Vec<u32> {
    let members = (0..).zip(cohort).filter(|(_, member)| **member);
    members.map(|(slot, _)| slot).collect()
}

/// Compares two slots: the greater value comes first, then the seated one, then the lower slot.
pub(super) fn rank(values: &[f64], seated: &[bool], a: u32, b: u32) -> Ordering {
    let [x, y] = [a as usize, b as usize];
    descending(values[x], values[y])
        .then(seated[y].cmp(&seated[x]))
        .then(a.cmp(&b))
}

/// The greater value first; -0 equals 0, and no value is NaN.
#[inline]
pub(super) fn descending(x: f64, y: f64) -> Ordering {
    y.partial_cmp(&x).unwrap_or(Ordering::Equal)
}

/// The data of a group that decide an exchange: its members and its best other candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edge {
    /// The number of members in the group.
    pub members: u32,
    /// The sum of the members' values, from the highest down.
    pub sum: f64,
    /// The least of the members' values.
    pub last: Option<f64>,
    /// The highest value of the others.
    pub next: Option<f64>,
}

/// The root of a group's sum.
#[inline]
pub(in crate::cohort) fn root(sum: f64) -> f64 {
    sum.max(0.0).sqrt()
}

/// The gain that another member would add to a group: of equals the seated one first, then the
/// lower slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cohort) struct Step {
    pub(in crate::cohort) gain: f64,
    pub(in crate::cohort) seated: bool,
    pub(in crate::cohort) slot: u32,
}

impl Step {
    /// Returns true if this step is taken before another.
    #[inline]
    pub(in crate::cohort) fn precedes(&self, other: &Self) -> bool {
        let by_gain = descending(self.gain, other.gain);
        let order = by_gain
            .then(other.seated.cmp(&self.seated))
            .then(self.slot.cmp(&other.slot));
        order == Ordering::Less
    }
}
