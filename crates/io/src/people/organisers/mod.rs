//! The files that organisers of citizens' assemblies already have. Categories give the number of
//! members with each value; intersections give it for pairs of values. Respondents are the people
//! who volunteered.

mod categories;
mod chances;
mod claimed;
mod codes;
mod intersections;
mod kept_rows;
mod lists;
mod lottery;
mod quota_cell;
mod quota_columns;
pub mod quota_header;
mod quota_said;
mod quota_spec;
mod respondents;
#[cfg(test)]
mod tests;

pub use categories::{Categories, Category, CategoryValue};
pub use chances::chances;
pub use claimed::{ClaimedChance, claimed_chances};
pub use intersections::{Intersections, PairValue, ValuePair};
pub use lists::{CODE, ListKind, Listed, PeopleList, Roster, panel_members};
pub use lottery::{ListedPanel, listed_panels};
pub use quota_spec::{FlexibleQuota, MembersBy, QuotaNames, QuotaSpec};
pub use respondents::RespondentsSpec;
