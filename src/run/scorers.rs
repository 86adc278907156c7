//! The scorers of a lane, as its plan asks for them.

use std::sync::Arc;

use crate::config::{LanePlan, Plan};
use crate::score::{
    Cohort, Fairness, Merit, OwnMeasures, Pools, Regret, Representation, Scorer, Spending, Tally,
};

/// The scorers of a lane.
pub(crate) fn scorers(plan: &Plan, lane: &LanePlan) -> Vec<Box<dyn Scorer>> {
    let schema = &plan.world.schema;
    let mut scorers: Vec<Box<dyn Scorer>> = vec![Box::new(
        Tally::new(schema).volunteering(plan.world.volunteering_rate),
    )];
    if let Some(target) = &plan.target {
        let loss = Representation::new(schema, Arc::clone(target));
        scorers.push(Box::new(loss));
        let gain = plan.outlook.as_ref().map(|outlook| outlook.gain);
        scorers.push(Box::new(Regret::new(schema, Arc::clone(target), gain)));
    }
    if let Some(truth) = &plan.world.truth
        && Fairness::applies(&plan.rules)
    {
        scorers.push(Box::new(Fairness::new(schema, truth.clone())));
    }
    if !plan.objectives.is_empty() {
        scorers.push(Box::new(Cohort::new(&plan.objectives)));
    }
    if plan.world.merits.exist() {
        scorers.push(Box::new(Merit::default()));
    }
    if let Some(pool) = &plan.pool {
        let pools = Pools::new(schema, pool.attribute, lane.aim.clone());
        scorers.push(Box::new(pools));
    }
    if let Some(quotas) = &plan.quotas {
        scorers.push(Box::new(quotas.clone()));
    }
    if let Some(committee) = &plan.committee {
        scorers.push(Box::new(committee.clone()));
    }
    if !plan.rules.interviews.is_empty() {
        scorers.push(Box::new(Spending::default()));
    }
    scorers.push(Box::new(OwnMeasures::default()));
    scorers
}
