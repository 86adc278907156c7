//! A round as the policies of cohorts read it.

use super::objective::{CohortShape, Objective};
use super::tiers::Tiers;
use kleroterion_core::protocol::{LookStats, View};

/// The estimates u^ by slot; minus infinity for those of whom nothing is known or whose mean is
/// beyond all numbers: they are chosen last.
pub(super) fn estimates(files: &[LookStats]) -> Vec<f64> {
    let estimate = |file: &LookStats| {
        if file.weight > 0.0 && file.mean.is_finite() {
            file.mean
        } else {
            f64::NEG_INFINITY
        }
    };
    files.iter().map(estimate).collect()
}

/// The interviews of a round so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Looks {
    pub(super) all: u64,
    /// The cost, in units of the cheapest kind.
    pub(super) cost: f64,
}

impl Looks {
    /// Counts the last answers.
    pub(super) fn count(&mut self, tiers: &Tiers, view: &View<'_>) {
        for answer in view.answers() {
            let kind = answer.pull.kind;
            self.all += 1;
            self.cost += tiers.cost(kind);
        }
    }
}

/// Returns the shape of a round's cohort: its size is the number of places, with the groups that
/// the objective asks for.
pub(super) fn shape(objective: &impl Objective, view: &View<'_>) -> CohortShape {
    let candidates = view.slate().candidates();
    let groups = candidates.map(|shown| objective.group(shown.values()));
    CohortShape {
        members: view.places().max as usize,
        groups: groups.collect(),
    }
}
