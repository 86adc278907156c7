//! What the makers of policies share: defaults that are noted, parameters that are refused.

use super::ready::Ready;
use crate::document::{Field, Reader};
use crate::policy::BadParameters;

/// What a policy's table leaves open, for the reader of the run.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) notes: Vec<String>,
}

impl Assumed {
    /// An optional number, or a default that is noted.
    pub(super) fn number<'a>(
        &mut self,
        field: &Field<'a>,
        key: &str,
        default: f64,
        read: impl Fn(&Field<'a>) -> Option<f64>,
    ) -> Option<f64> {
        if field.is_given() {
            return read(field);
        }
        self.notes
            .push(format!("{key} = {default:?} (the config gives none)"));
        Some(default)
    }

    pub(super) fn say(self, ready: Option<Ready>) -> Option<Ready> {
        let mut ready = ready?;
        ready.notes.extend(self.notes);
        Some(ready)
    }
}

/// What could be made; what is wrong with its parameters is noted.
pub(super) fn sound<T>(table: &Reader<'_>, made: Result<T, BadParameters>) -> Option<T> {
    made.map_err(|wrong| {
        for parameter in wrong.0 {
            table.refuse(parameter.to_string(), format!("give {}", parameter.wants));
        }
    })
    .ok()
}
