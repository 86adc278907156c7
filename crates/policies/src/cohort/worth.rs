//! An objective as scorers ask it.

use super::{CohortShape, Objective};
use kleroterion_core::protocol::{CohortSums, CohortWorth, Judged, Schema, Shown};

/// An objective that judges cohorts for scorers.
pub struct ByObjective<O>(pub O);

impl<O: Objective> CohortWorth for ByObjective<O> {
    fn judge(
        &self,
        slate: &[Shown<'_>],
        values: &[f64],
        chosen: &[bool],
        members: usize,
    ) -> Judged {
        let groups = slate.iter().map(|shown| self.0.group(shown.values()));
        let shape = CohortShape {
            members,
            groups: groups.collect(),
        };
        let mut best = Vec::new();
        self.0
            .best(&shape, values, &vec![false; values.len()], &mut best);
        let [value, most] = [chosen, &best].map(|cohort| self.0.worth(&shape, values, cohort));
        let [missed, fewest] = [chosen, &best].map(|cohort| self.0.missed(&shape, cohort));
        Judged {
            value,
            // Equally good members may be added up in another order.
            optimal: missed <= fewest && value >= most - 1e-12 * most.abs(),
        }
    }

    fn range(&self, schema: &Schema, sums: &CohortSums) -> (f64, f64) {
        self.0.range(schema, sums)
    }
}
