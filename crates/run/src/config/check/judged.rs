//! The measures of a run, and the judging of policies by them.

use std::collections::{BTreeMap, BTreeSet};

use super::lanes::{Lanes, brief};
use super::parts::Parts;
use super::seats::Seats;
use crate::config::about::{About, Grounds};
use crate::config::families::{self, Definitions, Measured, Pooled};
use crate::config::keys::REPORT;
use crate::config::plan::{LanePlan, Merits};
use crate::config::report::Reported;
use crate::config::{objective, report};
use crate::document::Reader;
use crate::registry::Registry;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::CohortObjective;
use kleroterion_core::score::{
    Cohort, Committee, MeasureDefinition, Merit, Outcomes, PoolAim, Spending,
};

/// The measures and the judging. Parts that could not be read are `None`.
pub(super) struct Judged {
    /// The objectives by which cohorts are scored.
    pub(super) objectives: Option<Vec<CohortObjective>>,
    /// The aim for the run's pools. The inner `None` means that the config sets none.
    pub(super) aim: Option<Option<PoolAim>>,
    /// The definitions of each lane's measures.
    pub(super) definitions: Vec<Definitions>,
    /// The moments, the judge, and the values to keep.
    pub(super) report: Option<Reported>,
    pub(super) notes: Vec<String>,
}

impl Judged {
    /// Reads `[report]`, which speaks of the metrics that the run has.
    pub(super) fn read(
        registry: &Registry,
        top: &mut Reader<'_>,
        parts: &Parts<'_>,
        seats: &Seats,
        lanes: &Lanes,
    ) -> Self {
        let mut notes = Vec::new();
        let field = REPORT.field(top);
        let brief = brief(parts, seats);
        let merits = parts.world.as_ref();
        let merits = merits.filter(|_| parts.rules.is_some() && seats.are_whole(parts));
        let scored = merits.map(|world| objective::Scored {
            brief: &brief,
            merits: world.merits.exist(),
            lanes: &lanes.plans,
        });
        let objectives = objective::read(&field, scored.as_ref(), &mut notes);
        let attribute = parts.pool.as_ref().is().map(|pool| pool.attribute);
        let attribute = Given::of(!parts.pool.is_absent(), attribute);
        let schema = parts.world.as_ref().map(|world| &*world.schema);
        let aim = objective::read_aim(&field, schema, &attribute);
        let measured = measured(parts, seats, objectives.as_deref(), aim.as_ref());
        let defined = |lane: &Option<LanePlan>| {
            let lane = measured.as_ref().zip(lane.as_ref());
            lane.map_or_else(Definitions::new, |(run, lane)| {
                families::definitions(
                    registry.families(),
                    run,
                    lane,
                    registry.measures(Some(lane.kind)),
                )
            })
        };
        let definitions: Vec<Definitions> = lanes.plans.iter().map(defined).collect();
        let is_open = aim.is_none() || lanes.plans.iter().any(Option::is_none);
        let metrics = measured
            .as_ref()
            .map(|run| metrics(registry, run, is_open, &definitions));
        let added = |run| families::added(registry.families(), run);
        let (catalogue, sides) = measured.as_ref().map(added).unwrap_or_default();
        let rules = parts.rules.as_ref().map(|rules| &rules.rules);
        let about = About {
            all: registry.metrics().map(|(name, _)| name).collect(),
            is_metric: &|name| registry.is_metric(name),
            rules,
            metrics: metrics.as_deref(),
            apart: apart(&definitions),
            target: !parts.wanted.is_absent(),
            labels: lanes.labels.as_deref(),
            grounds: match parts.head.replications {
                Some(1) => Grounds::Rounds,
                Some(_) if parts.head.is_noise_only => Grounds::Noise,
                _ => Grounds::Replications,
            },
            sides: parts
                .outcomes()
                .and_then(|all| all.sides())
                .into_iter()
                .chain(sides)
                .collect(),
            catalogue,
            ranges: ranges(
                parts,
                seats,
                objectives.as_deref().unwrap_or_default(),
                lanes.may_be_late(),
            ),
        };
        let report = report::read(&field, &about, &mut notes);
        Self {
            objectives,
            aim,
            definitions,
            report,
            notes,
        }
    }
}

/// Returns the facts that determine the run's measures. `None` if the people, their groups or the
/// outcomes are unknown.
fn measured<'a>(
    parts: &'a Parts<'_>,
    seats: &'a Seats,
    objectives: Option<&'a [CohortObjective]>,
    aim: Option<&'a Option<PoolAim>>,
) -> Option<Measured<'a>> {
    let is_unknown = parts.pool.is_bad() || parts.answers.is_bad();
    let world = parts.world.as_ref().filter(|_| !is_unknown)?;
    let pool = parts.pool.as_ref().is();
    Some(Measured {
        schema: &world.schema,
        has_target: !parts.wanted.is_absent(),
        target: seats.target.as_ref(),
        has_rate: world.volunteering.is_some(),
        truth: world.truth.as_ref(),
        rules: parts.rules.as_ref().map(|rules| &rules.rules),
        has_merits: world.merits.exist(),
        objectives,
        pool: pool.map(|pool| Pooled {
            attribute: pool.attribute,
            aim: aim.and_then(Option::as_ref),
        }),
        has_quotas: (parts.rules.as_ref()).is_some_and(|rules| !rules.quotas.is_absent()),
        has_offers: !parts.offers.is_absent(),
        committee: seats.committee.as_ref(),
        has_chances: seats.committee.is_some() && world.known.respondents.is_some(),
        outcomes: parts.outcomes(),
    })
}

/// The metrics that the run has; where a policy or the run's aim could not be read, all that there
/// may be.
fn metrics(
    registry: &Registry,
    run: &Measured<'_>,
    is_open: bool,
    definitions: &[Definitions],
) -> Vec<String> {
    let by_aims = run.pool.filter(|_| is_open).map(|_| OF_POOLS);
    let reported = is_open.then(|| registry.measures(None));
    let open = by_aims
        .into_iter()
        .flatten()
        .chain(reported.into_iter().flatten());
    let mut names = families::names(registry.families(), run);
    let own = definitions.iter().flat_map(BTreeMap::keys).cloned();
    for own in own.chain(open.map(str::to_owned)) {
        if !names.contains(&own) {
            names.push(own);
        }
    }
    names
}

/// The measures of a pool that exist only if a policy has an aim.
const OF_POOLS: [&str; 3] = ["fairness_loss", "utility", "rounds_to_target"];

/// The metrics that are not one measure in all lanes that have them.
fn apart(lanes: &[Definitions]) -> Vec<String> {
    let is_apart = |(name, definition): &(&String, &MeasureDefinition)| {
        let mut others = lanes.iter().filter_map(|lane| lane.get(*name));
        !others.all(|other| definition.is_comparable(other))
    };
    let apart = lanes.iter().flatten().filter(is_apart);
    let apart: BTreeSet<&String> = apart.map(|(name, _)| name).collect();
    apart.into_iter().cloned().collect()
}

/// The largest allowed ratio of a bound on `screened` to the number of places. An interval over a
/// range that is far too wide is useless.
const FAR: f64 = 1_000.0;

/// The range of `screened`: up to the people there are, each of whom comes once, or to those who
/// have come when a lane is stalled, where the config says when that is.
fn screened(parts: &Parts<'_>) -> Option<(&'static str, (f64, f64))> {
    let rules = parts.rules.as_ref()?;
    let slate = rules.section.slate.constant();
    let slate = slate.filter(|_| rules.section.states_max_rounds);
    let until_stalled = slate.map(|slate| rules.rules.max_rounds as f64 * f64::from(slate));
    let people = parts.world.as_ref()?.people.map(|people| people as f64);
    let most = until_stalled.into_iter().chain(people).reduce(f64::min)?;
    let is_near = most <= FAR * parts.members()? as f64;
    is_near.then_some(("screened", (0.0, most)))
}

/// The ranges of metrics that follow from the rules and from what the people are worth.
fn ranges(
    parts: &Parts<'_>,
    seats: &Seats,
    objectives: &[CohortObjective],
    may_be_late: bool,
) -> BTreeMap<String, (f64, f64)> {
    let rules = parts.rules.as_ref().map(|rules| &rules.rules);
    let seats_off = seats.committee.as_ref().and_then(Committee::range);
    let cost = rules.and_then(Spending::range);
    let all = seats_off.into_iter().chain(cost).chain(screened(parts));
    let mut all: BTreeMap<_, _> = all.map(|(name, range)| (name.to_owned(), range)).collect();
    let (Some(rules), Some(world)) = (rules, parts.world.as_ref()) else {
        return all;
    };
    if let Some(range) = parts.outcomes().and_then(|outcomes| outcomes.range) {
        all.extend(Outcomes::ranges(&world.schema, range));
    }
    if let Merits::Known(utilities) = &world.merits {
        all.extend(Merit::ranges(utilities));
        let is_short = may_be_late || !parts.offers.is_absent();
        let cohorts = Cohort::ranges(objectives, &world.schema, rules, utilities, is_short);
        all.extend(cohorts);
    }
    all
}
