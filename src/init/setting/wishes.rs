//! What a first config is written from.

use crate::init::roles::Roles;
use crate::init::sheet::Sheet;
use crate::source::organisers::Categories;

/// What a first config is written from.
pub struct Wishes<'a> {
    /// The people.
    pub sheet: &'a Sheet,
    /// What their columns are for.
    pub roles: &'a Roles,
    /// The quotas of a committee.
    pub quotas: Option<&'a Categories>,
    /// How many are chosen in all, where that is said.
    pub places: Option<u64>,
    /// The path of the people's file as the config names it.
    pub people: &'a str,
    /// The path of the quotas' file as the config names it.
    pub quotas_path: &'a str,
}
