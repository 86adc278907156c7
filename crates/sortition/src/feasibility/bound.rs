//! One side of a quota, and a change of it.

use kleroterion_core::protocol::Side;

/// One side of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// Index of the attribute.
    pub attribute: usize,
    /// Index of the value.
    pub value: usize,
    /// The side of the quota.
    pub side: Side,
    /// The seats it allows or asks.
    pub seats: u32,
    /// The most members with the value that the people there are could give; `None` where they
    /// never run out.
    pub there: Option<u64>,
}

/// A bound and what to make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The bound as it is.
    pub bound: Bound,
    /// The seats that it should allow or ask.
    pub to: u32,
}
