//! The families of measures: the runs that have them, their names, and their scorers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::objective;
use super::plan::{LanePlan, OutcomePlan, Plan, ScorerMaker};
use kleroterion_core::protocol::{CohortObjective, GroupTruth, Rules, Schema, Target};
use kleroterion_core::score::{
    Cohort, Committee, Direction, ErrorRates, Fairness, MeasureDefinition, Merit, MetricInfo,
    Metrics, Offers, Outcomes, OwnAim, OwnMeasures, PoolAim, Pools, QuotaViolation, Regret,
    Representation, Scorer, SelectionRates, Spending, metrics_of, names_of,
};
use kleroterion_stats::LEAST_CHANCE;

/// The facts on a run that a metric of a program's own is made from.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct MetricRun<'a> {
    /// The schema of the candidates.
    pub schema: &'a Arc<Schema>,
    /// The rules of every lane.
    pub rules: &'a Rules,
    /// The target shares, if there are any.
    pub target: Option<&'a Arc<Target>>,
    /// The distribution of merits in each group, if it is known.
    pub truth: Option<&'a GroupTruth>,
    /// True if candidates have merits.
    pub has_merits: bool,
    /// The attribute whose values are the groups of the pool, if there is a pool.
    pub pool: Option<usize>,
    /// The number of members of the committee, if one is to be filled.
    pub members: Option<u64>,
}

impl<'a> MetricRun<'a> {
    fn of_plan(plan: &'a Plan) -> Self {
        Self {
            schema: &plan.world.schema,
            rules: &plan.rules,
            target: plan.target.as_ref(),
            truth: plan.world.truth.as_ref(),
            has_merits: plan.world.merits.exist(),
            pool: plan.pool.as_ref().map(|pool| pool.attribute),
            members: plan.committee.as_ref().map(Committee::members),
        }
    }
}

/// The facts that determine which measures a run has. They are complete for a plan, and partial
/// while a config is checked. Parts that could not be read are assumed to be present.
pub(crate) struct Measured<'a> {
    pub(super) schema: &'a Arc<Schema>,
    pub(super) has_target: bool,
    /// The target, if it could be read.
    pub(super) target: Option<&'a Arc<Target>>,
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
pub(crate) struct Pooled<'a> {
    /// The attribute whose values are the groups.
    pub(super) attribute: usize,
    /// The run's aim for the pool.
    pub(super) aim: Option<&'a PoolAim>,
}

impl<'a> Measured<'a> {
    /// The facts for metrics of a program's own. `None` if some could not be read.
    fn run(&self) -> Option<MetricRun<'a>> {
        let is_read = self.target.is_some() == self.has_target;
        let rules = self.rules.filter(|_| is_read)?;
        Some(MetricRun {
            schema: self.schema,
            rules,
            target: self.target,
            truth: self.truth,
            has_merits: self.has_merits,
            pool: self.pool.map(|pool| pool.attribute),
            members: self.committee.map(Committee::members),
        })
    }
}

/// A family of measures. It does not depend on the lane, so a measure is the same in all lanes.
#[derive(Clone)]
pub struct MetricFamily {
    /// The metrics that it adds to the catalogue, by name.
    pub(crate) metrics: Vec<(&'static str, MetricInfo)>,
    origin: Origin,
}

/// A program's maker of scorers.
type MakeScorer = dyn Fn(&MetricRun<'_>) -> Box<dyn Scorer> + Send + Sync;

/// The origin of a family.
#[derive(Clone)]
enum Origin {
    BuiltIn(Family),
    Own {
        /// Returns true if a run has the family.
        is_had: Arc<dyn Fn(&MetricRun<'_>) -> bool + Send + Sync>,
        scorer: Arc<MakeScorer>,
    },
}

/// The families of a program's own.
///
/// ```
/// use kleroterion_run::Registry;
/// use kleroterion_run::registry::MetricFamily;
/// use kleroterion_core::protocol::{RoundEntry, Truth};
/// use kleroterion_core::score::{MetricInfo, Readings, Scorer};
///
/// #[derive(Default)]
/// struct Longest {
///     now: u32,
///     longest: u32,
/// }
///
/// impl Scorer for Longest {
///     fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
///         self.now = if entry.chosen().len() == 0 { self.now + 1 } else { 0 };
///         self.longest = self.longest.max(self.now);
///     }
///
///     fn read(&self, readings: &mut Readings) {
///         readings.put("longest_wait", f64::from(self.longest));
///     }
/// }
///
/// let info = MetricInfo::lower("the most rounds in a row in which no one was chosen");
/// let family = MetricFamily::new("longest_wait", info, |_| Longest::default());
/// let registry = Registry::default().metric(family)?;
/// # Ok::<(), kleroterion_run::registry::NameTaken>(())
/// ```
impl MetricFamily {
    /// A family of one metric, with the maker of a lane's scorer. A name that ends in `.GROUP`
    /// means a metric of each group, as [`names_of`] has them. The scorer puts a value under
    /// each name.
    pub fn new<S: Scorer + 'static>(
        name: &'static str,
        info: MetricInfo,
        scorer: impl Fn(&MetricRun<'_>) -> S + Send + Sync + 'static,
    ) -> Self {
        Self {
            metrics: vec![(name, info)],
            origin: Origin::Own {
                is_had: Arc::new(|_| true),
                scorer: Arc::new(move |run| Box::new(scorer(run))),
            },
        }
    }

    /// Adds a metric that the same scorer measures.
    #[must_use]
    pub fn with(mut self, name: &'static str, info: MetricInfo) -> Self {
        self.metrics.push((name, info));
        self
    }

    /// Limits the family to some runs, for example to those with a target.
    #[must_use]
    pub fn if_run(mut self, has: impl Fn(&MetricRun<'_>) -> bool + Send + Sync + 'static) -> Self {
        if let Origin::Own { is_had, .. } = &mut self.origin {
            *is_had = Arc::new(has);
        }
        self
    }

    /// The names of its measures. `None` if the run does not have the family.
    fn names(&self, run: &Measured<'_>) -> Option<Vec<String>> {
        match &self.origin {
            Origin::BuiltIn(family) => (family.names)(run),
            Origin::Own { is_had, .. } => {
                // What could not be read is assumed to be there.
                let is_there = run.run().is_none_or(|run| is_had(&run));
                let entries = self.metrics.iter();
                let names = entries.flat_map(|(entry, _)| names_of(entry, run.schema));
                is_there.then(|| names.collect())
            }
        }
    }

    /// The maker of its scorers.
    pub(super) fn scorer(&self) -> ScorerMaker {
        match &self.origin {
            Origin::BuiltIn(family) => Arc::new(family.scorer),
            Origin::Own { is_had, scorer } => {
                let (is_had, scorer) = (Arc::clone(is_had), Arc::clone(scorer));
                Arc::new(move |plan| {
                    let run = MetricRun::of_plan(plan);
                    is_had(&run).then(|| scorer(&run))
                })
            }
        }
    }
}

/// A built-in family, whose metrics are in the catalogue.
#[derive(Clone, Copy)]
struct Family {
    /// Returns the names of its measures. `None` if the run does not have the family.
    names: fn(&Measured<'_>) -> Option<Vec<String>>,
    /// Makes the scorer of a lane. `None` if the run does not have the family.
    scorer: fn(&Plan) -> Option<Box<dyn Scorer>>,
}

/// Returns the built-in families, in the order of the outputs.
pub(crate) fn families() -> impl Iterator<Item = MetricFamily> {
    FAMILIES.into_iter().map(|family| MetricFamily {
        metrics: Vec::new(),
        origin: Origin::BuiltIn(family),
    })
}

/// The built-in families, in the order of the outputs.
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
pub(super) fn names(families: &[MetricFamily], run: &Measured<'_>) -> Vec<String> {
    let names = families.iter().filter_map(|family| family.names(run));
    names.flatten().collect()
}

/// The metrics of a run that the program adds to the catalogue, and their better sides by name.
pub(super) fn added(
    families: &[MetricFamily],
    run: &Measured<'_>,
) -> (Metrics, Vec<(String, Direction)>) {
    let mut metrics = Metrics::default();
    let mut sides = Vec::new();
    let of_run = families.iter().filter(|family| family.names(run).is_some());
    for (entry, info) in of_run.flat_map(|family| &family.metrics) {
        metrics.add(entry, info.clone());
        let names = names_of(entry, run.schema).into_iter();
        let side = Some(info.direction()).filter(|side| *side != Direction::None);
        sides.extend(names.zip(side.into_iter().cycle()));
    }
    (metrics, sides)
}

/// Returns the scorers of a lane: those of the run, and those of its policy's own measures.
pub fn scorers(plan: &Plan, lane: &LanePlan) -> Vec<Box<dyn Scorer>> {
    let of_run = plan.scorers.iter().filter_map(|maker| maker(plan));
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

/// Returns the definitions of a lane's measures. `reported` are those of its policy's own.
pub(super) fn definitions<'m>(
    families: &[MetricFamily],
    run: &Measured<'_>,
    lane: &LanePlan,
    reported: impl Iterator<Item = &'m str>,
) -> Definitions {
    let of_pool = run.pool.and_then(|pool| pool.aim);
    let of_run = names(families, run)
        .into_iter()
        .map(|name| (name, MeasureDefinition::Run));
    let own_aim = lane.policy.aim.as_ref().filter(|_| run.pool.is_some());
    let by_aim = own_aim.into_iter().flat_map(|aim| {
        let by = |name| (name, MeasureDefinition::Aim(aim.clone()));
        OwnAim::metrics(run.schema, aim, of_pool).map(by)
    });
    let reported = reported.map(|name| {
        let definition = match MetricInfo::of(name).is_own {
            true => MeasureDefinition::Policy(lane.kind, lane.policy.rule.clone()),
            false => MeasureDefinition::Run,
        };
        (name.to_owned(), definition)
    });
    reported.chain(by_aim).chain(of_run).collect()
}
