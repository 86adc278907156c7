//! The four settings, and the choice of the one that fits a file.

use crate::init::roles::Roles;

/// A setting: the way in which people are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// People come one by one, and a committee is to match a target.
    Committee,
    /// One of several is chosen each round, and its outcome is observed.
    Merit,
    /// A cohort is chosen at once, after costly interviews.
    Cohort,
    /// The pool of applicants reacts to earlier admissions.
    Pool,
}

impl Setting {
    /// Guesses the setting from a file's columns. It is merit with outcomes and numbers, or if the
    /// user names the outcome. It is a cohort if people have scores, and else a committee.
    #[must_use]
    pub fn guess(roles: &Roles, with_quotas: bool) -> Self {
        let says_much = !roles.numbers().is_empty() || roles.score().is_some();
        match (with_quotas, roles.outcome(), roles.score()) {
            (true, ..) => Self::Committee,
            (_, Some(outcome), _) if says_much || roles.columns[outcome].is_said => Self::Merit,
            (.., Some(_)) => Self::Cohort,
            _ => Self::Committee,
        }
    }
}
