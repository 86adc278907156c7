//! The edge of a cohort in a group.

/// The members and the others of a group, as far as an exchange is about them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edge {
    /// The number of members in the group.
    pub members: u32,
    /// Their values, added up from the highest down.
    pub sum: f64,
    /// The least of them.
    pub last: Option<f64>,
    /// The highest value of the others.
    pub next: Option<f64>,
}
