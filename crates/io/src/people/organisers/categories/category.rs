//! An attribute of a categories file, and its values.

use kleroterion_core::protocol::Quota;

/// An attribute; it has at least one value, and one of a maximum above 0.
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
    /// The fewest and the most members who may have it; both may be 0.
    pub quota: Quota,
    /// The bounds within which the quota may be relaxed where no committee keeps all quotas; the
    /// quota itself where the file does not say.
    pub flexible: Quota,
    /// `true` where the maximum is the committee's size because none is given.
    pub is_unbounded: bool,
}
