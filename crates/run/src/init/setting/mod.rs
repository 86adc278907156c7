//! The four settings as first configs, and the choice of the one that fits a file.

mod choice;
mod cohort;
mod committee;
mod merit;
mod people;
mod pool;
mod respondents;
mod stream;
mod wishes;

pub use self::choice::Setting;
pub use self::stream::{Doorway, live};
pub use self::wishes::{QuotaWishes, Wishes};

use super::draft::Draft;
use kleroterion_core::problem::Problem;

/// Writes the config of a setting.
///
/// # Errors
/// Where the columns lack what the setting needs.
pub fn draft(setting: Setting, wishes: &Wishes<'_>) -> Result<Draft, Problem> {
    let mut draft = Draft::default();
    draft.rest(include_str!("../template/head.toml"), &[]);
    match setting {
        Setting::Committee => match wishes.quotas {
            Some(quotas) => respondents::write(&mut draft, wishes, quotas)?,
            None => committee::write(&mut draft, wishes)?,
        },
        Setting::Merit => merit::write(&mut draft, wishes)?,
        Setting::Cohort => cohort::write(&mut draft, wishes)?,
        Setting::Pool => pool::write(&mut draft, wishes)?,
    }
    if let Some(unread) = wishes.roles.unread(wishes.sheet) {
        draft.assume(unread);
    }
    Ok(draft)
}
