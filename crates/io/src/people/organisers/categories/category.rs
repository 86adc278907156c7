//! An attribute of a categories file, and its values.

use kleroterion_core::protocol::Quota;

/// An attribute of a categories file. It has at least one value, and one with a maximum above 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// The name as first spelt in the file.
    pub name: String,
    /// The values in the order of the file.
    pub values: Vec<CategoryValue>,
}

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryValue {
    /// The name as spelt in the file.
    pub name: String,
    /// The line of the file, from 1.
    pub line: u64,
    /// The fewest and the most members with the value; both may be 0.
    pub quota: Quota,
    /// The bounds within which the quota may be relaxed if no committee keeps all quotas. Equal to
    /// the quota if the file gives none.
    pub flexible: Quota,
    /// True if the file gives no maximum, so that the maximum is the committee's size.
    pub is_unbounded: bool,
}
