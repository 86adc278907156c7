//! The way in which an organiser's files of quotas are read.

use crate::record::file::How;
use kleroterion_core::protocol::Quota;

/// The options by which an organiser's files of quotas are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotaSpec {
    /// The options by which the file is opened.
    pub how: How,
    /// The committee's size, if it is known.
    pub members: Option<u64>,
    /// The way in which the user gives the committee's size.
    pub members_by: MembersBy,
    /// True if clashing quotas are relaxed within their flexible bounds.
    pub is_flexible: bool,
    /// True if values that differ only in case, blanks or Unicode form are different values.
    pub is_exact: bool,
    /// The names of the columns, if they are not the usual ones.
    pub columns: QuotaNames,
}

/// The way in which a user gives the committee's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MembersBy {
    /// By `until` of a config's `[rules]`.
    #[default]
    Rules,
    /// By `--places` of `klero init`.
    Places,
}

impl MembersBy {
    /// Returns the advice on how to give the size.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Rules => "set until = { accepted = 40 } in [rules]",
            Self::Places => "say it: --places 40",
        }
    }
}

/// The names of the columns of quotas in a file's header. Where a name is `None`, the usual ones
/// are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotaNames {
    /// The column of attributes; for intersections the name before 1 and 2.
    pub category: Option<String>,
    /// The column of values; for intersections the name before 1 and 2.
    pub name: Option<String>,
    /// The column of minimums.
    pub min: Option<String>,
    /// The column of maximums.
    pub max: Option<String>,
    /// The column of flexible minimums.
    pub min_flex: Option<String>,
    /// The column of flexible maximums.
    pub max_flex: Option<String>,
    /// The column with both bounds in one cell: a number, a range, or a share of the seats.
    pub quota: Option<String>,
}

/// A quota, and the bounds within which it may be relaxed if no committee keeps all quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlexibleQuota {
    /// The quota.
    pub quota: Quota,
    /// The lowest minimum and the highest maximum.
    pub flexible: Quota,
    /// True if the file gives no maximum, so that the maximum is the committee's size.
    pub is_unbounded: bool,
}
