//! What is measured and judged.

use std::collections::BTreeMap;

use super::head::Head;
use super::lanes::{Lanes, brief};
use super::parts::Parts;
use super::seats::Seats;
use crate::catalog;
use crate::config::about::{About, Grounds};
use crate::config::families::{self, Measured, Pooled};
use crate::config::plan::Merits;
use crate::config::report::Reported;
use crate::config::{objective, report};
use crate::document::Reader;
use crate::protocol::CohortObjective;
use crate::score::{Cohort, Committee, Merit, Outcomes, Spending};

/// What is measured and judged, each part as far as it could be read.
pub(super) struct Judged {
    /// By what objectives cohorts are scored.
    pub(super) objectives: Option<Vec<CohortObjective>>,
    /// When measures are taken, who judges, and what is kept.
    pub(super) report: Option<Reported>,
}

impl Judged {
    /// Reads `[report]`, which speaks of the metrics that the run has.
    pub(super) fn read(
        top: &mut Reader<'_>,
        head: &Head<'_>,
        parts: &Parts<'_>,
        seats: &Seats,
        lanes: &Lanes,
        notes: &mut Vec<String>,
    ) -> Self {
        let field = top.get("report");
        let brief = brief(parts, seats);
        let merits = parts.world.as_ref();
        let merits = merits.filter(|_| parts.rules.is_some() && seats.are_whole(parts));
        let scored = merits.map(|world| objective::Scored {
            brief: &brief,
            merits: world.merits.exist(),
            lanes: &lanes.plans,
        });
        let objectives = objective::read(&field, scored.as_ref(), notes);
        let metrics = metrics(parts, seats, lanes, objectives.as_deref());
        let rules = parts.rules.as_ref().map(|rules| &rules.rules);
        let about = About {
            rules,
            metrics: metrics.as_deref(),
            target: !parts.wanted.is_absent(),
            labels: lanes.labels.as_deref(),
            grounds: match head.replications {
                Some(1) => Grounds::Rounds,
                Some(_) if head.is_noise_only => Grounds::Noise,
                _ => Grounds::Replications,
            },
            sides: parts
                .outcomes()
                .and_then(|all| all.sides())
                .into_iter()
                .collect(),
            ranges: ranges(parts, seats, objectives.as_deref().unwrap_or_default()),
        };
        let report = report::read(&field, &about, notes);
        Self { objectives, report }
    }
}

/// The metrics that the run has; none where the people, their groups or outcomes are unknown.
fn metrics(
    parts: &Parts<'_>,
    seats: &Seats,
    lanes: &Lanes,
    objectives: Option<&[CohortObjective]>,
) -> Option<Vec<String>> {
    let is_unknown = parts.pool.is_bad() || parts.answers.is_bad();
    let world = parts.world.as_ref().filter(|_| !is_unknown)?;
    let mut names = families::names(&Measured {
        schema: &world.schema,
        has_target: !parts.wanted.is_absent(),
        has_rate: world.volunteering.is_some(),
        truth: world.truth.as_ref(),
        rules: parts.rules.as_ref().map(|rules| &rules.rules),
        has_merits: world.merits.exist(),
        objectives,
        pool: pooled(parts, lanes),
        has_quotas: !seats.round_quotas.is_absent(),
        has_offers: !parts.offers.is_absent(),
        committee: seats.committee.as_ref(),
        has_chances: seats.committee.is_some() && world.known.respondents.is_some(),
        outcomes: parts.outcomes().as_ref(),
    });
    for lane in &lanes.plans {
        let kind = lane.as_ref().map(|lane| lane.kind);
        for own in catalog::measures(kind) {
            if !names.iter().any(|name| name == own) {
                names.push(own.to_owned());
            }
        }
    }
    Some(names)
}

/// What is measured of a pool; where a policy could not be read, all that there may be.
fn pooled(parts: &Parts<'_>, lanes: &Lanes) -> Option<Pooled> {
    let pool = parts.pool.as_ref().is()?;
    let plans = || lanes.plans.iter().flatten();
    let aims = || plans().filter_map(|lane| lane.policy.aim.as_ref());
    let is_unknown = lanes.plans.iter().any(Option::is_none);
    Some(Pooled {
        attribute: pool.attribute,
        is_aimed: is_unknown || aims().next().is_some(),
        is_weighed: is_unknown || aims().any(|aim| aim.lambda.is_some()),
    })
}

/// How many times the places a bound on the screened may be. An interval over a range far beyond
/// what is screened says nothing.
const FAR: f64 = 1_000.0;

/// The range of `screened`: up to the people there are, each of whom comes once, or to those who
/// have come when a lane is stalled, where the config says when that is.
fn screened(parts: &Parts<'_>) -> Option<(&'static str, (f64, f64))> {
    let rules = parts.rules.as_ref()?;
    let slate = rules.slate.constant();
    let slate = slate.filter(|_| rules.states_max_rounds);
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
        all.extend(Cohort::ranges(objectives, &world.schema, rules, utilities));
    }
    all
}
