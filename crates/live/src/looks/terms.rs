//! The terms of a hiring round, as its config sets them.

use std::time::Duration;

use kleroterion_core::protocol::{Attribute, Gain, Quota};
use kleroterion_run::config::Plan;
use kleroterion_stats::sequence::Range;

/// The terms of the hiring rounds of a run.
#[derive(Clone, Debug, Default)]
pub struct HiringTerms {
    /// The attributes of applicants.
    pub attributes: Vec<Attribute>,
    /// The gain of each kind of interview.
    pub gains: Vec<Gain>,
    /// The standard deviation of an interview of gain 1, if the config says it.
    pub sd: Option<f64>,
    /// The least and the greatest mark, if the config declares them.
    pub range: Option<(f64, f64)>,
    /// The money for the interviews of a round. `None` if there is no bound.
    pub budget: Option<f64>,
    /// The time that interviewers have for an interview, if it is limited.
    pub deadline: Option<Duration>,
    /// The quotas of each choice: a row per attribute, an entry per value. An empty row sets none.
    pub quotas: Vec<Vec<Quota>>,
}

impl HiringTerms {
    /// The terms of a plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let (rules, world) = (&plan.rules, &plan.world);
        let sd = world.known.look_noise.get().copied();
        let quotas = plan.brief().round_quotas.is();
        Self {
            attributes: world.schema.attributes().to_vec(),
            gains: rules
                .interviews
                .iter()
                .map(|kind| kind.gain.clone())
                .collect(),
            sd: sd.filter(|sd| *sd > 0.0),
            range: plan
                .live
                .interviewers
                .and_then(|all| all.range)
                .map(Range::ends),
            budget: Some(rules.budget).filter(|budget| budget.is_finite()),
            deadline: plan.live.look_deadline,
            quotas: quotas.map_or_else(Vec::new, <[_]>::to_vec),
        }
    }

    /// The gain of an interview with a person of these values; `None` for an offer.
    #[must_use]
    pub fn gain(&self, kind: usize, values: &[u16]) -> Option<f64> {
        match self.gains.get(kind)? {
            Gain::Same(gain) => Some(*gain),
            Gain::ByValue { attribute, of } => {
                of.get(usize::from(*values.get(*attribute)?)).copied()
            }
        }
    }
}
