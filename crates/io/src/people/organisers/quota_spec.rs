//! The way in which an organiser's files of quotas are read.

use crate::record::file::How;

/// The options by which an organiser's files of quotas are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotaSpec {
    /// The options by which the file is opened.
    pub how: How,
    /// The committee's size, where it is known.
    pub members: Option<u64>,
    /// The way in which a user says it.
    pub members_by: MembersBy,
    /// `true` where quotas that clash are relaxed within their flexible bounds.
    pub is_flexible: bool,
    /// `true` where case, blanks and Unicode form of values make a difference.
    pub is_exact: bool,
    /// The names of the columns, where they are not the usual ones.
    pub columns: QuotaNames,
}

/// The way in which a user says the committee's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MembersBy {
    /// By `until` of a config's `[rules]`.
    #[default]
    Rules,
    /// By `--places` of `klero init`.
    Places,
}

impl MembersBy {
    /// The words of the advice to say it.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Rules => "set until = { accepted = 40 } in [rules]",
            Self::Places => "say it: --places 40",
        }
    }
}

/// The names of the columns of quotas, as the header of a file has them; where none is given, the
/// usual ones are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotaNames {
    /// The attributes; of intersections the names with 1 and 2.
    pub category: Option<String>,
    /// Their values; of intersections the names with 1 and 2.
    pub name: Option<String>,
    /// The minimums.
    pub min: Option<String>,
    /// The maximums.
    pub max: Option<String>,
    /// The flexible minimums.
    pub min_flex: Option<String>,
    /// The flexible maximums.
    pub max_flex: Option<String>,
    /// Both bounds in one cell: a number, a range, or a share of the seats.
    pub quota: Option<String>,
}
