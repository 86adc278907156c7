//! The plan that sections make.

use std::sync::Arc;

use super::lanes::Lanes;
use super::sections::Sections;
use crate::config::families::{Definitions, MetricFamily};
use crate::config::outcomes::OutcomeSection;
use crate::config::plan::{ALL_ACCEPT, KnownRules, LanePlan, Plan, PlanFacts, World};
use crate::limits::MOST_OUTLOOK_CELLS;
use crate::registry::Registry;
use kleroterion_core::protocol::Role;
use kleroterion_policies::committee::outlook::Outlook;
use kleroterion_stats::Judge;
use kleroterion_stats::sequence::Range;

impl Sections<'_> {
    /// The plan, with the notes of the checks. `None` if a section is wrong.
    pub(super) fn plan(self, registry: &Registry, found: Vec<String>) -> Option<Plan> {
        let (outcomes, whole) = (self.parts.outcomes(), self.is_whole());
        let outlook = self.outlook();
        let acting = self.lanes.interviewed(self.live.as_ref()?);
        let Self {
            parts,
            seats,
            lanes,
            recruits,
            judged,
            live,
            ..
        } = self;
        let rules = parts.rules?;
        let report = judged.report?;
        let judge = judge(
            report.judge,
            &lanes,
            rules.section.slate.constant() == Some(1),
        );
        let quotas = seats.quota_violation(&rules);
        let built = parts.world.filter(|_| whole)?;
        let all_accept = parts.pool.as_ref().is().and(parts.offers.as_ref().is());
        let notes = [parts.head.notes, found, rules.section.notes, seats.notes];
        let notes = notes
            .into_iter()
            .chain([lanes.notes, judged.notes, built.notes]);
        let notes = notes.flatten().chain(all_accept.map(|_| ALL_ACCEPT.into()));
        let answers = parts.answers.is();
        let outcome = answers
            .as_ref()
            .and_then(|answers| answers.outcomes.as_ref());
        let disclosed = seats.disclosure.into_iter().chain(acting);
        let world = disclosing(built.world, disclosed, outcome, &lanes.labels?);
        let programs = answers
            .as_ref()
            .map(|all| all.programs(&world.schema, &rules.rules));
        let offers = parts.offers.unless_bad()?;
        let organiser = parts.wanted.is();
        Some(Plan(PlanFacts {
            name: parts.head.name.unwrap_or_else(|| "run".into()),
            seed: parts.head.seed?,
            replications: parts.head.replications?,
            slates: rules.section.slate.law(&world),
            outcomes,
            feedback: parts.feedback,
            answering: programs.unwrap_or_default(),
            pool: parts.pool.is(),
            households: rules.section.unique.is_some(),
            yields: offers.and_then(|offers| offers.yields),
            rules: Arc::new(rules.rules),
            organiser: organiser.and_then(|wanted| Some(wanted.organiser()?.files())),
            quotas,
            committee: seats.committee,
            target: seats.target,
            aim: judged.aim?,
            objectives: judged.objectives?,
            outlook,
            recruitment: recruits.recruitment.unless_bad()?,
            dropout: recruits.dropout.unless_bad()?,
            scorers: (registry.families().iter())
                .map(MetricFamily::scorer)
                .collect(),
            lanes: defined(lanes.plans, judged.definitions)?,
            moments: report.moments,
            judge,
            keep: report.keep,
            live: live?,
            notes: notes.collect(),
            known: KnownRules {
                quotas: seats.quotas,
                kept: seats.kept,
                round_quotas: rules.quotas,
                slate: rules.section.slate.constant(),
            },
            world,
        }))
    }

    /// Returns true if the people, their answers and what is wanted of them could be read.
    fn is_whole(&self) -> bool {
        self.seats.are_whole(&self.parts) && !self.parts.answers.is_bad()
    }

    /// Returns the forecast under the candidates' law, unless there is no target or the law is
    /// unknown or too large to solve quickly.
    fn outlook(&self) -> Option<Outlook> {
        let world = self.parts.world.as_ref()?;
        let law = world.known.law.get()?;
        if world.schema.cells() > MOST_OUTLOOK_CELLS {
            return None;
        }
        Outlook::new(&world.schema, self.seats.target.as_deref()?, law).ok()
    }
}

/// The world with further disclosures. Its feed may report outcomes to policies of these labels.
fn disclosing(
    mut world: World,
    more: impl Iterator<Item = String>,
    outcome: Option<&OutcomeSection<'_>>,
    labels: &[String],
) -> World {
    world.disclosures.extend(more);
    let outcome = outcome.filter(|outcome| outcome.is_reported());
    if let (Some(outcome), Some(feed)) = (outcome, &mut world.feed) {
        feed.outcome_range = outcome.declared().map(Range::ends);
        feed.horizon = outcome.horizon();
        feed.outcomes = Some(labels.iter().map(|label| Arc::from(&**label)).collect());
    }
    world
}

/// The lanes, each with what its measures are by.
fn defined(plans: Vec<Option<LanePlan>>, all: Vec<Definitions>) -> Option<Vec<LanePlan>> {
    let lanes = plans.into_iter().zip(all).map(|(plan, definitions)| {
        let plan = plan?;
        Some(LanePlan {
            definitions,
            ..plan
        })
    });
    lanes.collect()
}

/// The judge, which knows the yardsticks and the size of the slates.
fn judge(judge: Judge, lanes: &Lanes, one_by_one: bool) -> Judge {
    let yardsticks = lanes.plans.iter().flatten();
    let yardsticks = yardsticks.filter(|lane| lane.role == Role::Yardstick);
    Judge {
        yardsticks: yardsticks.map(|lane| lane.label.clone()).collect(),
        one_by_one,
        ..judge
    }
}
