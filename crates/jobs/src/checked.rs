//! The check of a job's configs, in one place.

use kleroterion_core::problem::Problems;
use kleroterion_run::config::{ConfigInputs, Document, Plan, check};

/// Checks a document. All of this crate's checks of configs are made here.
///
/// # Errors
/// All that is wrong, in the order of the text.
pub(crate) fn checked(document: &Document, inputs: &ConfigInputs) -> Result<Plan, Problems> {
    check(document, inputs)
}
