//! The edge of a cohort in a group.

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
