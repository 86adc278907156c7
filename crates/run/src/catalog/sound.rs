//! Parameters that a policy refuses, and what it needs of a config.

use crate::document::Reader;
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::Target;
use kleroterion_policies::BadParameters;

/// The target; that there is none is noted.
pub(super) fn target<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Target> {
    if brief.target.is_absent() {
        table.refuse(
            "this policy needs the shares that are wanted, and the config has no [target]",
            "for example: [target] with gender = { M = 0.49, F = 0.51 }",
        );
    }
    brief.target.is()
}

/// The policy that could be made; what is wrong with its parameters is noted.
pub(super) fn sound<T>(table: &Reader<'_>, made: Result<T, BadParameters>) -> Option<T> {
    made.map_err(|wrong| {
        for parameter in wrong.0 {
            table.refuse(parameter.to_string(), format!("give {}", parameter.wants));
        }
    })
    .ok()
}

/// Returns whether there are outcomes to learn from; that there are none is noted.
pub(super) fn learns(table: &Reader<'_>, brief: &Brief<'_>) -> bool {
    if !brief.outcomes {
        table.refuse(
            "this policy learns from what comes of its choices, and the config has no \
             [feedback.outcome]",
            "for example: [feedback.outcome] with type = \"linear\" and noise = 2.0",
        );
    }
    brief.outcomes
}
