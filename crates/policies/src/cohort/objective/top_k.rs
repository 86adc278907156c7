//! w_top: the members' values, added up.

use super::{CohortShape, Objective, rank};
use crate::cohort::contest::HotSet;

/// w(M) = sum of u over M. The best cohort has the K highest values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TopK;

impl Objective for TopK {
    type Contest = HotSet;

    fn best(&self, shape: &CohortShape, values: &[f64], seated: &[bool], cohort: &mut Vec<bool>) {
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| rank(values, seated, a, b));
        cohort.clear();
        cohort.resize(values.len(), false);
        for &slot in order.iter().take(shape.members) {
            cohort[slot as usize] = true;
        }
    }

    fn worth(&self, _: &CohortShape, values: &[f64], cohort: &[bool]) -> f64 {
        let members = values.iter().zip(cohort).filter(|(_, member)| **member);
        members.map(|(value, _)| value).sum()
    }

    fn contest(&self, shape: CohortShape) -> HotSet {
        HotSet::new(shape.members)
    }
}
