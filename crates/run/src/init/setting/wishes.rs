//! The material from which a first config is written.

use crate::init::quotas::QuotaColumns;
use crate::init::roles::Roles;
use crate::init::sheet::InitFile;
use kleroterion_io::people::organisers::Categories;

/// The material of a first config.
pub struct Wishes<'a> {
    /// The people that runs keep.
    pub sheet: &'a InitFile,
    /// The roles of the sheet's columns.
    pub roles: &'a Roles,
    /// The filters that leave out all other people.
    pub filters: &'a [String],
    /// The quotas of a committee.
    pub quotas: Option<QuotaWishes<'a>>,
    /// The number of people to choose in all, if set.
    pub places: Option<u64>,
    /// The path of the people's file as the config names it.
    pub people: &'a str,
}

/// The quotas of a committee, and the format of their file.
#[derive(Clone, Copy)]
pub struct QuotaWishes<'a> {
    /// The quotas.
    pub categories: &'a Categories,
    /// The role of each column.
    pub columns: &'a QuotaColumns,
    /// The path of the quotas' file as the config names it.
    pub path: &'a str,
    /// The sheet, if the file is a workbook.
    pub sheet: Option<&'a str>,
}

/// Returns the assumption on how many are chosen.
pub(super) fn chosen(places: u64, people: u64) -> String {
    let verb = if places == 1 { "is" } else { "are" };
    format!("{places} of {people} {verb} chosen")
}
