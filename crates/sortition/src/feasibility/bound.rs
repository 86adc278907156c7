//! One side of a quota, and a change of it.

use kleroterion_core::protocol::Side;

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
