//! What the makers of policies share: defaults that are noted, parameters that are refused.

use super::param::Param;
use super::ready::Ready;
use crate::document::Reader;
use crate::policy::BadParameters;

/// What a policy's table leaves open, for the reader of the run.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) notes: Vec<String>,
}

impl Assumed {
    /// A declared number, or its default, which is noted.
    pub(super) fn number(&mut self, table: &mut Reader<'_>, param: &Param) -> Option<f64> {
        if !table.get(param.key).is_given()
            && let Some(default) = param.default_number()
        {
            let note = format!("{} = {default:?} (the config gives none)", param.key);
            self.notes.push(note);
        }
        param.number(table)
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
