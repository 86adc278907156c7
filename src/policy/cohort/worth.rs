//! Every objective judges cohorts for scorers.

use super::{CohortShape, Objective};
use crate::protocol::{CohortSums, CohortWorth, Judged, Schema, Shown};

impl<O: Objective> CohortWorth for O {
    fn judge(
        &self,
        slate: &[Shown<'_>],
        values: &[f64],
        chosen: &[bool],
        members: usize,
    ) -> Judged {
        let groups = slate.iter().map(|shown| self.group(shown.values()));
        let shape = CohortShape {
            members,
            groups: groups.collect(),
        };
        let mut best = Vec::new();
        self.best(&shape, values, &vec![false; values.len()], &mut best);
        let [value, most] = [chosen, &best].map(|cohort| self.worth(&shape, values, cohort));
        let [missed, fewest] = [chosen, &best].map(|cohort| self.missed(&shape, cohort));
        Judged {
            value,
            // Equally good members may be added up in another order.
            optimal: missed <= fewest && value >= most - 1e-12 * most.abs(),
        }
    }

    fn range(&self, schema: &Schema, sums: &CohortSums) -> (f64, f64) {
        Objective::range(self, schema, sums)
    }
}
