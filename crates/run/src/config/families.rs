//! The families of measures: the runs that have them, their names, and their scorers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::objective;
use super::plan::{LanePlan, OutcomePlan, Plan};
use crate::catalog;
use kleroterion_core::protocol::{CohortObjective, GroupTruth, Rules, Schema};
use kleroterion_core::score::{
    Cohort, Committee, ErrorRates, Fairness, MeasureDefinition, Merit, MetricInfo, Offers,
    Outcomes, OwnAim, OwnMeasures, PoolAim, Pools, QuotaViolation, Regret, Representation, Scorer,
    SelectionRates, Spending, metrics_of,
};
use kleroterion_stats::LEAST_CHANCE;

/// The facts that determine which measures a run has. They are complete for a plan, and partial
/// while a config is checked. Parts that could not be read are assumed to be present.
pub(super) struct Measured<'a> {
    pub(super) schema: &'a Schema,
    pub(super) has_target: bool,
    pub(super) has_rate: bool,
    pub(super) truth: Option<&'a GroupTruth>,
    pub(super) rules: Option<&'a Rules>,
    /// True if candidates have merits.
    pub(super) has_merits: bool,
    /// The objectives by which cohorts are scored. `None` if they could not be read.
    pub(super) objectives: Option<&'a [CohortObjective]>,
    pub(super) pool: Option<Pooled<'a>>,
    pub(super) has_quotas: bool,
    /// True if those chosen may decline.
    pub(super) has_offers: bool,
    pub(super) committee: Option<&'a Committee>,
    /// True if a committee is chosen from respondents who are known beforehand.
    pub(super) has_chances: bool,
    /// The outcomes of those chosen, if the run has outcomes.
    pub(super) outcomes: Option<OutcomePlan>,
}

/// The pool whose measures are taken.
#[derive(Clone, Copy)]
pub(super) struct Pooled<'a> {
    /// The attribute whose values are the groups.
    pub(super) attribute: usize,
    /// The run's aim for the pool.
    pub(super) aim: Option<&'a PoolAim>,
}

/// A family of measures. It does not depend on the lane, so a measure is the same in all lanes.
struct Family {
    /// Returns the names of its measures. `None` if the run does not have the family.
    names: fn(&Measured<'_>) -> Option<Vec<String>>,
    /// Makes the scorer of a lane. `None` if the run does not have the family.
    scorer: fn(&Plan) -> Option<Box<dyn Scorer>>,
}

/// All families, in the order of the outputs.
const FAMILIES: [Family; 14] = [
    Family {
        names: |run| Some(metrics_of(run.schema, run.has_target, run.has_rate)),
        scorer: |plan| {
            let tally = SelectionRates::new(&plan.world.schema);
            Some(Box::new(
                tally.volunteering(plan.world.volunteering.clone()),
            ))
        },
    },
    Family {
        // With the tally's.
        names: |_| None,
        scorer: |plan| {
            let target = Arc::clone(plan.target.as_ref()?);
            Some(Box::new(Representation::new(&plan.world.schema, target)))
        },
    },
    Family {
        names: |_| None,
        scorer: |plan| {
            let target = Arc::clone(plan.target.as_ref()?);
            let gain = plan.outlook.as_ref().map(|outlook| outlook.gain);
            Some(Box::new(Regret::new(&plan.world.schema, target, gain)))
        },
    },
    Family {
        names: |run| {
            let truth = run.truth?;
            let applies = run.rules.is_none_or(Fairness::applies);
            applies.then(|| Fairness::metrics(run.schema, truth, run.has_offers))
        },
        scorer: |plan| {
            let truth = plan.world.truth.as_ref();
            let truth = truth.filter(|_| Fairness::applies(&plan.rules))?;
            let may_decline = plan.feedback.offers.is_some();
            let fairness = Fairness::new(&plan.world.schema, truth.clone(), may_decline);
            Some(Box::new(fairness))
        },
    },
    Family {
        names: |run| run.has_merits.then(|| objective::metrics(run.objectives)),
        scorer: |plan| {
            let has_cohorts = !plan.objectives.is_empty();
            has_cohorts
                .then(|| Box::new(Cohort::new(&plan.objectives, &plan.rules)) as Box<dyn Scorer>)
        },
    },
    Family {
        names: |run| run.has_merits.then(Merit::metrics),
        scorer: |plan| {
            let has_merits = plan.world.merits.exist();
            has_merits.then(|| Box::<Merit>::default() as Box<dyn Scorer>)
        },
    },
    Family {
        names: |run| {
            let Pooled { attribute, aim } = run.pool?;
            Some(Pools::metrics(run.schema, attribute, aim))
        },
        scorer: |plan| {
            let attribute = plan.pool.as_ref()?.attribute;
            let pools = Pools::new(&plan.world.schema, attribute, plan.aim.clone());
            Some(Box::new(pools))
        },
    },
    Family {
        names: |run| run.has_quotas.then(QuotaViolation::metrics),
        scorer: |plan| Some(Box::new(plan.quotas.clone()?)),
    },
    Family {
        names: |run| run.committee.map(Committee::metrics),
        scorer: |plan| Some(Box::new(plan.committee.clone()?)),
    },
    Family {
        names: |run| run.has_chances.then(|| vec![LEAST_CHANCE.to_owned()]),
        // It is of all replications together, and no lane has it.
        scorer: |_| None,
    },
    Family {
        names: |run| run.has_offers.then(|| Offers::metrics(run.rules)),
        scorer: |plan| {
            let may_decline = plan.feedback.offers.is_some();
            may_decline.then(|| Box::new(Offers::new(&plan.rules)) as Box<dyn Scorer>)
        },
    },
    Family {
        names: |run| {
            let are_sold = run.rules.is_none_or(|rules| !rules.interviews.is_empty());
            are_sold.then(Spending::metrics)
        },
        scorer: |plan| {
            let are_sold = !plan.rules.interviews.is_empty();
            are_sold.then(|| Box::<Spending>::default() as Box<dyn Scorer>)
        },
    },
    Family {
        names: |run| {
            let is_scored = run.outcomes?.is_scored;
            Some(Outcomes::metrics(run.schema, is_scored))
        },
        scorer: |plan| {
            // Those reported from outside are written by who watches the run.
            let known = plan.outcomes.filter(|all| !all.is_reported())?;
            Some(Box::new(Outcomes::new(&plan.world.schema, known.is_scored)))
        },
    },
    Family {
        names: |run| {
            run.outcomes?.separated()?;
            Some(ErrorRates::metrics(run.schema))
        },
        scorer: |plan| {
            let good = plan.outcomes.as_ref()?.separated()?;
            Some(Box::new(ErrorRates::new(&plan.world.schema, good)))
        },
    },
];

/// The names of what a run measures, but for what policies report of themselves.
pub(super) fn names(run: &Measured<'_>) -> Vec<String> {
    let names = FAMILIES.iter().filter_map(|family| (family.names)(run));
    names.flatten().collect()
}

/// Returns the scorers of a lane: those of the run, and those of its policy's own measures.
pub fn scorers(plan: &Plan, lane: &LanePlan) -> Vec<Box<dyn Scorer>> {
    let of_run = FAMILIES.iter().filter_map(|family| (family.scorer)(plan));
    let own_aim = plan.pool.as_ref().and_then(|pool| {
        let own = lane.policy.aim.clone()?;
        let schema = &plan.world.schema;
        let scorer = OwnAim::new(schema, pool.attribute, own, plan.aim.as_ref())?;
        Some(Box::new(scorer) as Box<dyn Scorer>)
    });
    let own = Box::<OwnMeasures>::default() as Box<dyn Scorer>;
    of_run.chain(own_aim).chain([own]).collect()
}

/// Each measure of a lane, and all that its values depend on besides the lane's rounds.
pub(super) type Definitions = BTreeMap<String, MeasureDefinition>;

/// Returns the definitions of a lane's measures.
pub(super) fn definitions(run: &Measured<'_>, lane: &LanePlan) -> Definitions {
    let of_pool = run.pool.and_then(|pool| pool.aim);
    let of_run = names(run)
        .into_iter()
        .map(|name| (name, MeasureDefinition::Run));
    let own_aim = lane.policy.aim.as_ref().filter(|_| run.pool.is_some());
    let by_aim = own_aim.into_iter().flat_map(|aim| {
        let by = |name| (name, MeasureDefinition::Aim(aim.clone()));
        OwnAim::metrics(run.schema, aim, of_pool).map(by)
    });
    let reported = catalog::measures(Some(lane.kind)).map(|name| {
        let definition = match MetricInfo::of(name).is_own {
            true => MeasureDefinition::Policy(lane.kind, lane.policy.rule.clone()),
            false => MeasureDefinition::Run,
        };
        (name.to_owned(), definition)
    });
    reported.chain(by_aim).chain(of_run).collect()
}
