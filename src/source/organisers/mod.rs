//! The files that organisers of citizens' assemblies already have: categories, which say how many
//! members of the committee may have each value, and respondents, those who volunteered.

mod categories;
mod respondents;
#[cfg(test)]
mod tests;

pub use categories::{Categories, Category, CategoryValue};
pub use respondents::RespondentsSpec;
