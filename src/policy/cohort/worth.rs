//! What a cohort is worth at the true utilities: for scorers.

use super::{Field, Objective};
use crate::protocol::Shown;

/// The objective of a lane, whatever its type.
pub trait CohortWorth: Send + Sync {
    /// w of the chosen and w of the best cohort of as many members, at these utilities. `values` and `chosen` by slot.
    fn judge(&self, slate: &[Shown<'_>], values: &[f64], chosen: &[bool]) -> (f64, f64);
}

impl<O: Objective> CohortWorth for O {
    fn judge(&self, slate: &[Shown<'_>], values: &[f64], chosen: &[bool]) -> (f64, f64) {
        let group = |shown: &Shown<'_>| self.attribute().map_or(0, |at| shown.values()[at]);
        let field = Field {
            members: chosen.iter().filter(|member| **member).count(),
            groups: slate.iter().map(group).collect(),
        };
        let mut best = Vec::new();
        self.best(&field, values, &vec![false; values.len()], &mut best);
        (
            self.worth(&field, values, chosen),
            self.worth(&field, values, &best),
        )
    }
}
