//! The lanes and the measures of the presets.

use crate::reproduce::prelude::*;
use kleroterion_core::score::Cohort;

/// The labels of the presets' lanes.
pub(super) const SWAP: &str = "SWAP";
pub(super) const STRONG: &str = "strong";
pub(super) const WEAK: &str = "weak";

/// The cost of the interviews, in weak ones.
pub(super) const COST: &str = "cost";
/// The metrics of w of the chosen cohort, and of its being the best; each by one of the run's
/// objectives, see [`own`].
pub(super) const VALUE: &str = "cohort_value";
pub(super) const OPTIMAL: &str = "optimal";

/// Returns the name of a metric by a policy's own objective. Runs here score all cohorts by all
/// objectives of their policies.
pub(super) fn own(run: &StudyRun, label: &str, metric: &str) -> String {
    let mut lanes = run.plan.lanes.iter();
    let lane = lanes.find(|lane| lane.label == label);
    let place = |name: &str| {
        let mut objectives = run.plan.objectives.iter();
        objectives.position(|one| *one.name == *name)
    };
    let objective = lane.and_then(|lane| lane.policy.objective.as_ref());
    let placed = objective.and_then(|one| Some((place(&one.name)?, &one.name)));
    placed.map_or_else(
        || metric.to_owned(),
        |(place, name)| Cohort::metric(metric, place, name),
    )
}
