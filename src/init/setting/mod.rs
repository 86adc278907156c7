//! The four settings as first configs, and which of them fits a file.

mod cohort;
mod committee;
mod merit;
mod people;
mod pool;
mod wishes;

pub use self::wishes::Wishes;

use super::draft::{Draft, text};
use super::roles::Roles;
use super::sheet::Sheet;
use crate::problem::Problem;

/// A way of choosing people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// People come one by one, and a committee is to be like a target.
    Committee,
    /// One of several is chosen each round, and its outcome is learnt.
    Merit,
    /// A cohort is chosen at once, after costly interviews.
    Cohort,
    /// Who applies reacts to who was admitted.
    Pool,
}

impl Setting {
    /// The setting that a file's columns suggest: merit where numbers and a numeric outcome are
    /// there, a cohort where people have scores, else a committee.
    #[must_use]
    pub fn guess(sheet: &Sheet, roles: &Roles, with_quotas: bool) -> Self {
        match (with_quotas, merit::outcome(sheet, roles), roles.score) {
            (true, ..) => Self::Committee,
            (_, Some(_), _) if !roles.numbers.is_empty() || roles.score.is_some() => Self::Merit,
            (.., Some(_)) => Self::Cohort,
            _ => Self::Committee,
        }
    }
}

/// The config of a setting.
///
/// # Errors
/// Where the columns lack what the setting needs.
pub fn draft(setting: Setting, wishes: &Wishes<'_>) -> Result<Draft, Problem> {
    let mut draft = Draft::default();
    draft.key(
        "name",
        &text("a first comparison"),
        "the title of tables and pages",
    );
    draft.key(
        "seed",
        "1",
        "the seed of every draw: the same seed, the same results",
    );
    match setting {
        Setting::Committee => committee::write(&mut draft, wishes)?,
        Setting::Merit => merit::write(&mut draft, wishes)?,
        Setting::Cohort => cohort::write(&mut draft, wishes)?,
        Setting::Pool => pool::write(&mut draft, wishes)?,
    }
    Ok(draft)
}
