//! A first config, written from the files that an organiser, a lender or a researcher has.
//!
//! [`InitFile`] holds the columns of a file of people, whatever its layout and encoding. [`Roles`] says
//! which column names people, groups them, or says what became of them, and why. [`RowFaults`] lists
//! the rows that need a look, and leaves out those that are no people. [`draft`] writes the config:
//! it runs at once, and each assumption is a comment in it.

mod classes;
mod column;
mod draft;
mod extra;
mod guess;
mod header;
mod labels;
mod names;
mod outcome;
mod quotas;
mod role;
mod roles;
mod rows;
mod setting;
mod sheet;
#[cfg(test)]
mod tests;

pub use column::Column;
pub use draft::Draft;
pub use extra::ExtraRow;
pub use header::HeaderRows;
pub use outcome::OutcomeForm;
pub use quotas::{QUOTA_WORDS, QuotaColumns, QuotaRole, is_of_quotas};
pub use role::{AttributeColumn, ColumnBands, ColumnRole, GuessedRole, NamedRole};
pub use roles::Roles;
pub use rows::{RowFaults, RowProblem};
pub use setting::{Doorway, QuotaWishes, Setting, Wishes, draft, live};
pub use sheet::{InitFile, TableLayout};
