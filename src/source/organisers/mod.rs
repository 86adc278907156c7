//! The files that organisers of citizens' assemblies already have: categories, which say how many
//! members of the committee may have each value; intersections, which say it of pairs of values; and
//! respondents, those who volunteered.

mod categories;
mod chances;
mod claimed;
mod flexible_quota;
mod intersections;
mod lists;
mod lottery;
mod quota_columns;
mod respondents;
#[cfg(test)]
mod tests;

pub use categories::{Categories, Category, CategoryValue};
pub use chances::chances;
pub use claimed::{ClaimedChance, claimed_chances};
pub use flexible_quota::FlexibleQuota;
pub use intersections::{Intersections, Pair, PairValue};
pub use lists::{CODE, ListKind, Listed, PeopleList, Roster, panel_members};
pub use lottery::{ListedPanel, listed_panels};
pub use respondents::RespondentsSpec;
