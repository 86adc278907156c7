//! Gains of a group's root by another member.

use std::cmp::Ordering;

use super::descending;

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
