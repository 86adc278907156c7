//! The check of a document, which makes a plan: it reads every section and notes every problem.

pub(super) mod across;
mod head;
mod judged;
mod lanes;
mod made;
mod outcomes;
mod parts;
mod recruits;
mod replies;
mod rules;
mod seats;
mod sections;

use self::across::CHECKS;
use self::sections::Sections;
use super::handed::HandedIn;
use super::inputs::ConfigInputs;
use super::keys::CONFIG;
use super::plan::Plan;
use crate::document::{Document, Reader, read};
use crate::registry::Registry;
use kleroterion_core::problem::Problems;

/// Checks a document and returns its plan. Files that the document names are looked up first in the
/// folder of `inputs`, which a path alone is. The kinds that it may name are those of the registry
/// of `inputs`, by default the built-in ones.
///
/// # Errors
/// All that is wrong, in the order of the text.
pub fn check(document: &Document, inputs: impl Into<ConfigInputs>) -> Result<Plan, Problems> {
    let inputs = inputs.into();
    read(document, |top| {
        plan(&inputs.registry(), top, document.name(), &inputs.handed)
    })
}

impl Registry {
    /// Checks a document whose kinds are those of this registry, as [`check`] does.
    ///
    /// # Errors
    /// All that is wrong, in the order of the text.
    pub fn check(
        &self,
        document: &Document,
        inputs: impl Into<ConfigInputs>,
    ) -> Result<Plan, Problems> {
        check(document, inputs.into().with_registry(self.clone()))
    }
}

/// Reads the sections, runs the checks of what holds across them, and makes the plan.
fn plan(registry: &Registry, mut top: Reader<'_>, file: &str, inputs: &HandedIn) -> Option<Plan> {
    top.declare(CONFIG.to_vec());
    let sections = Sections::read(registry, &mut top, file, inputs);
    top.finish();
    let found = CHECKS.iter().filter_map(|check| (check.run)(&sections));
    let found = found.collect();
    sections.plan(registry, found)
}
