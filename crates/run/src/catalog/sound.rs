//! Parameters that a policy refuses.

use crate::document::Reader;
use kleroterion_policies::BadParameters;

/// The policy that could be made; what is wrong with its parameters is noted.
pub(super) fn sound<T>(table: &Reader<'_>, made: Result<T, BadParameters>) -> Option<T> {
    made.map_err(|wrong| {
        for parameter in wrong.0 {
            table.refuse(parameter.to_string(), format!("give {}", parameter.wants));
        }
    })
    .ok()
}
