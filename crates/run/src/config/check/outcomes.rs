//! The facts on outcomes, from the config and the people.

use super::parts::Parts;
use crate::config::outcomes::OutcomeKind;
use crate::config::plan::{OutcomePlan, OutcomeReach};
use kleroterion_core::score::GoodOutcome;
use kleroterion_stats::sequence::Range;

impl Parts<'_> {
    /// Returns the facts on outcomes that measures depend on, if the config has outcomes.
    pub(super) fn outcomes(&self) -> Option<OutcomePlan> {
        let outcomes = self.outcome()?;
        let world = self.world.as_ref()?;
        let unit = (0.0, 1.0);
        let (range, good) = match &outcomes.kind {
            OutcomeKind::Linear(_) => (None, None),
            OutcomeKind::Own(own) => (own.range.map(Range::ends), None),
            OutcomeKind::Bernoulli => (Some(unit), Some(GoodOutcome::AtLeast(1.0))),
            OutcomeKind::Recorded(column) => {
                let record = world.outcomes?;
                let declared = column.range.map(Range::ends);
                (Some(declared.unwrap_or(record.range)), record.good())
            }
            OutcomeKind::Reported(range, _) | OutcomeKind::Asked(_, range) => {
                (range.map(Range::ends), None)
            }
        };
        let is_unit = |range: (f64, f64)| unit.0 <= range.0 && range.1 <= unit.1;
        let reach = match outcomes.kind {
            OutcomeKind::Reported(..) => OutcomeReach::Reported,
            OutcomeKind::Asked(..) => OutcomeReach::Chosen,
            _ => OutcomeReach::All,
        };
        let scores = world.score_range.filter(|_| !outcomes.is_reported());
        Some(OutcomePlan {
            reach,
            is_scored: scores
                .zip(range)
                .is_some_and(|(a, b)| is_unit(a) && is_unit(b)),
            range,
            good: outcomes.good.or(good),
        })
    }
}
