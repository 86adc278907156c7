//! The check of a document, which makes a plan: it reads every section and notes every problem.

mod answers;
mod head;
mod judged;
mod lanes;
mod parts;
mod seats;

use std::sync::Arc;

use self::head::Head;
use self::judged::Judged;
use self::lanes::Lanes;
use self::parts::Parts;
use self::seats::Seats;
use super::dropout::{self, DROPOUT};
use super::families::{Definitions, MetricFamily};
use super::feedback::Replies;
use super::inputs::ConfigInputs;
use super::keys::{CONFIG, SOURCE, SWEEP};
use super::letters::{self, LETTERS, Sought};
use super::live::{self, FromOutside};
use super::offers::OffersSection;
use super::plan::{ALL_ACCEPT, LanePlan, LivePlan, Plan, PlanFacts, Recruitment, World};
use crate::document::{Document, Reader, read};
use crate::limits::MOST_OUTLOOK_CELLS;
use crate::registry::Registry;
use kleroterion_core::feedback::{AnsweredBy, Answers};
use kleroterion_core::problem::{Given, Problems};
use kleroterion_core::protocol::{Role, Rules, Schema, Target};
use kleroterion_io::feed::SlateEnd;
use kleroterion_io::seat::AnsweringSpecs;
use kleroterion_policies::committee::outlook::Outlook;
use kleroterion_stats::Judge;

/// Checks a document and returns its plan. Files that the document names are looked up first in the
/// folder of `inputs`, which a path alone is. The kinds that it may name are those of the registry
/// of `inputs`, by default the built-in ones.
///
/// # Errors
/// All that is wrong, in the order of the text.
pub fn check(document: &Document, inputs: impl Into<ConfigInputs>) -> Result<Plan, Problems> {
    let inputs = inputs.into();
    let document = document.in_reach_of(&inputs);
    read(&document, |top| {
        plan(&inputs.registry(), top, document.name(), &inputs)
    })
}

impl Registry {
    /// Checks a document whose kinds are those of this registry, as [`check`] does.
    ///
    /// # Errors
    /// All that is wrong, in the order of the text.
    pub fn check(
        &self,
        document: &Document,
        inputs: impl Into<ConfigInputs>,
    ) -> Result<Plan, Problems> {
        check(document, inputs.into().with_registry(self.clone()))
    }
}

/// The parts, settled with each other: what one section says changes others.
fn parts<'a>(
    registry: &Registry,
    top: &mut Reader<'a>,
    inputs: &ConfigInputs,
    head: &Head,
    notes: &mut Vec<String>,
) -> Parts<'a> {
    let mut parts = Parts::read(registry, top, inputs);
    parts.set_gains();
    parts.settle_offers(top, inputs);
    parts.check_replications(head, notes);
    parts.check_feedback(notes);
    parts.flip_outcomes();
    parts.share_noise(notes);
    parts.settle_rules(notes);
    parts
}

/// The plan. Each part is read, and noted where it is wrong, before any of them is missed.
fn plan(
    registry: &Registry,
    mut top: Reader<'_>,
    file: &str,
    inputs: &ConfigInputs,
) -> Option<Plan> {
    top.declare(CONFIG.to_vec());
    let mut notes = Vec::new();
    let head = Head::read(&mut top, file, &mut notes);
    let mut parts = parts(registry, &mut top, inputs, &head, &mut notes);
    let seats = Seats::read(&mut parts, &mut notes);
    let lanes = Lanes::read(registry, &mut top, &parts, &seats, inputs, &mut notes);
    let recruits = Recruits::read(&mut top, &parts, &seats, inputs);
    let judged = Judged::read(
        registry, &mut top, &head, &parts, &seats, &lanes, &mut notes,
    );
    parts.ask_for_outcomes(lanes.labels.as_deref());
    let live = live(&mut top, &parts, &lanes, head.name.as_deref(), inputs);
    refuse_sweep(&mut top);
    top.finish();
    let report = judged.report?;
    let outcomes = parts.outcomes();
    let is_whole = seats.are_whole(&parts) && !parts.answers.is_bad();
    let mut world = parts.world.filter(|_| is_whole)?;
    let acting = live.as_ref().and_then(|live| lanes.interviewed(live));
    world.world.disclosures.extend(acting);
    notes.extend(world.notes.iter().cloned());
    let outlook = outlook_of(&world, seats.target.as_deref());
    if parts.pool.as_ref().is().is_some() && parts.offers.as_ref().is().is_some() {
        notes.push(ALL_ACCEPT.into());
    }
    let rules = parts.rules?;
    let judge = judge(report.judge, &lanes, rules.slate.constant() == Some(1));
    let wanted = parts.wanted.is();
    let organiser = wanted.and_then(|wanted| Some(wanted.organiser()?.files()));
    let offers = parts.offers.unless_bad()?;
    let (replies, yields) = offers.map(|offers| (offers.replies, offers.yields)).unzip();
    let (answering, feedback) = answered(&parts.answers, &world.schema, &rules.rules, replies);
    Some(Plan {
        name: head.name.unwrap_or_else(|| "run".into()),
        seed: head.seed?,
        replications: head.replications?,
        slates: rules.slate.law(&world.world),
        world: world.world,
        outcomes,
        feedback,
        answering,
        pool: parts.pool.is(),
        households: rules.unique.is_some(),
        yields: yields.flatten(),
        rules: Arc::new(rules.rules),
        organiser,
        quotas: seats.quota_violation(),
        committee: seats.committee,
        target: seats.target,
        aim: judged.aim?,
        objectives: judged.objectives?,
        outlook,
        recruitment: recruits.recruitment.unless_bad()?,
        dropout: recruits.dropout.unless_bad()?,
        scorers: registry
            .families()
            .iter()
            .map(MetricFamily::scorer)
            .collect(),
        lanes: defined(lanes.plans, judged.definitions)?,
        moments: report.moments,
        judge,
        keep: report.keep,
        live: live?,
        notes,
        facts: PlanFacts {
            quotas: seats.quotas,
            kept: seats.kept,
            round_quotas: seats.round_quotas,
            slate: rules.slate.constant(),
        },
    })
}

/// The answers that people give, and the programs that give some of them.
fn answered(
    answers: &Given<Replies<'_>>,
    schema: &Schema,
    rules: &Rules,
    offers: Option<AnsweredBy>,
) -> (AnsweringSpecs, Answers) {
    let answers = answers.as_ref().is();
    let programs = answers.map(|answers| answers.programs(schema, rules));
    let feedback = answers.map(|answers| answers.feedback.clone());
    let feedback = Answers {
        offers,
        ..feedback.unwrap_or_default()
    };
    (programs.unwrap_or_default(), feedback)
}

fn live(
    top: &mut Reader<'_>,
    parts: &Parts<'_>,
    lanes: &Lanes,
    name: Option<&str>,
    inputs: &ConfigInputs,
) -> Option<LivePlan> {
    let answers = parts.answers.as_ref().is();
    let feed = parts
        .world
        .as_ref()
        .and_then(|world| world.world.feed.as_ref());
    let outside = FromOutside {
        labels: lanes.labels.as_deref(),
        elsewhere: lanes.are_elsewhere(),
        name: name.unwrap_or("run"),
        secrets: inputs.secrets(),
        reported: parts.is_reported(),
        outcome_range: answers.and_then(|answers| answers.outcomes.as_ref()?.declared()),
        interviewers: answers.and_then(|answers| answers.interviewers),
        offers: parts
            .offers
            .as_ref()
            .is()
            .is_some_and(OffersSection::are_people),
        // Of what can't be read nothing is said.
        are_slates_closed: parts.world.is_none()
            || feed.is_some_and(|feed| feed.slates == SlateEnd::Closing),
    };
    live::read(top, &outside)
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

fn refuse_sweep(top: &mut Reader<'_>) {
    let sweep = SWEEP.field(top);
    if sweep.is_given() {
        sweep.refuse(
            "a sweep asks for many runs, and this is one of them",
            "sweep over other keys",
        );
    }
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

/// Returns the forecast under the candidates' law, unless there is no target or the law is unknown
/// or too large to solve quickly.
fn outlook_of(world: &World, target: Option<&Target>) -> Option<Outlook> {
    let law = world.known.law.get()?;
    if world.schema.cells() > MOST_OUTLOOK_CELLS {
        return None;
    }
    Outlook::new(&world.schema, target?, law).ok()
}

/// The parts of a config beyond the run: letters before it, and members who leave after it.
struct Recruits {
    recruitment: Given<Recruitment>,
    dropout: Given<Vec<f64>>,
}

impl Recruits {
    /// Reads `[letters]` and `[dropout]`.
    fn read(top: &mut Reader<'_>, parts: &Parts<'_>, seats: &Seats, inputs: &ConfigInputs) -> Self {
        let section = LETTERS.field(top);
        let sought = sought(parts, seats);
        let is_open = parts.world.is_none() || parts.wanted.is_bad() || parts.rules.is_none();
        if section.is_given() && sought.is_none() && !is_open {
            // Why a target could not be resolved has been noted.
            if parts.wanted.is_absent() {
                let help = "for example: [target] with categories = \"categories.csv\"";
                section.refuse(
                    "letters are planned for quotas or shares: there are none",
                    help,
                );
            } else if seats.target.is_some() {
                let help = "for example: until = { accepted = 40 } in [rules]";
                section.refuse(
                    "letters are planned for a committee: none is to be filled",
                    help,
                );
            }
        }
        let recruitment =
            LETTERS.section(top, |table| letters::read(table, sought.as_ref(), inputs));
        let recruitment = match recruitment {
            Given::Absent => sought
                .as_ref()
                .and_then(letters::implied)
                .map_or(Given::Absent, Given::Is),
            given => given,
        };
        let members = parts.people(SOURCE.param.again(top), inputs);
        let dropout = DROPOUT.section(top, |table| dropout::read(table, members.as_ref()));
        Self {
            recruitment,
            dropout,
        }
    }
}

/// Returns the committee that letters are to recruit for, if there is one.
fn sought<'a>(parts: &'a Parts<'_>, seats: &'a Seats) -> Option<Sought<'a>> {
    Some(Sought {
        world: parts.world.as_ref()?,
        wanted: parts.wanted.as_ref().is(),
        target: seats.target.as_deref()?,
        quotas: seats.quotas.as_deref(),
        members: u32::try_from(parts.members()?).ok()?,
    })
}
