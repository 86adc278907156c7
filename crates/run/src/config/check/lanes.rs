//! Checks of the policies, each in a lane of its own.

use super::parts::Parts;
use super::seats::Seats;
use crate::catalog;
use crate::catalog::lane::{LABEL, ROLE, SLOW, WHERE};
use crate::config::families::Definitions;
use crate::config::handed::HandedIn;
use crate::config::keys::POLICY;
use crate::config::own::{self, CUSTOM};
use crate::config::plan::{LanePlan, LivePlan, Slow};
use crate::config::target::Wanted;
use crate::document::{Field, Reader};
use crate::registry::Registry;
use kleroterion_core::brief::Brief;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{GroupTruth, Role};

/// The disclosure that shadows got the interviews held for the acting policy.
const ASKED: &str = "the others got the answers to what was asked for it: on their own they would \
                     spend and choose otherwise";

/// The disclosure that people chosen only by shadows are assumed to accept.
const TAKEN: &str = "whom the others chose beyond that is taken to have accepted";

/// Both disclosures.
const AND_TAKEN: &str = "the others got the answers to what was asked for it, and whom they chose \
                         beyond that is taken to have accepted: on their own they would spend and \
                         choose otherwise";

/// The lanes.
pub(super) struct Lanes {
    /// The labels, where all have one.
    pub(super) labels: Option<Vec<String>>,
    /// The policies in the order of the config; none in place of one that is wrong.
    pub(super) plans: Vec<Option<LanePlan>>,
    pub(super) notes: Vec<String>,
}

impl Lanes {
    /// Sets up each policy from what it may know.
    pub(super) fn read(
        registry: &Registry,
        top: &mut Reader<'_>,
        parts: &Parts<'_>,
        seats: &Seats,
        inputs: &HandedIn,
    ) -> Self {
        let mut notes = Vec::new();
        let listed = POLICY.field(top);
        let policies = listed.members();
        if policies.as_ref().is_some_and(Vec::is_empty) {
            let help = format!("for example: {}", POLICY.param.example);
            listed.refuse("there is no policy to run", help);
        }
        let policies = policies.unwrap_or_default();
        let labels = labels(&policies);
        let brief = brief(parts, seats);
        let truth = parts.world.as_ref().map(|world| world.truth.as_ref());
        let truth = Given::of(truth.is_none(), truth.flatten());
        let unable = unable(parts);
        let mut set_up = |policy| lane(registry, policy, &brief, truth, unable, inputs, &mut notes);
        let plans = policies.iter().map(&mut set_up).collect();
        Self {
            labels,
            plans,
            notes,
        }
    }

    /// Returns, for each policy, true if it plays elsewhere.
    pub(super) fn are_elsewhere(&self) -> Vec<bool> {
        let plans = self.plans.iter();
        let is_elsewhere = |plan: &LanePlan| plan.elsewhere.is_some();
        plans
            .map(|plan| plan.as_ref().is_some_and(is_elsewhere))
            .collect()
    }

    /// Returns true if a policy may answer too late, so that places stay empty.
    pub(super) fn may_be_late(&self) -> bool {
        let is_away = |lane: &LanePlan| lane.policy.outside.is_some() || lane.elsewhere.is_some();
        self.plans
            .iter()
            .any(|lane| lane.as_ref().is_none_or(is_away))
    }

    /// Returns the disclosure that every output makes if people hold interviews for the acting
    /// policy only.
    pub(super) fn interviewed(&self, live: &LivePlan) -> Option<String> {
        if !live.asks_people() {
            return None;
        }
        let acting = self.labels.as_ref()?.get(live.acting?)?;
        let has_shadows = self.plans.len() > 1;
        let (held, got) = match (live.interviewers, live.offers) {
            (Some(_), true) => ("interviews were held and places offered", AND_TAKEN),
            (Some(_), false) => ("interviews were held", ASKED),
            (None, _) => ("places were offered", TAKEN),
        };
        has_shadows.then(|| format!("{held} for {acting} alone, which acts; {got}"))
    }
}

/// Returns the facts that policies may know during setup.
pub(super) fn brief<'a>(parts: &'a Parts<'_>, seats: &'a Seats) -> Brief<'a> {
    // Shares that are not as they are meant are not held against each other.
    let target = seats.target.as_deref();
    let is_sound = |wanted: &Wanted| wanted.is_sound();
    let target = target.filter(|_| parts.wanted.as_ref().is().is_some_and(is_sound));
    let is_target_due = !parts.wanted.is_absent() || parts.is_target_missed;
    let known = parts.world.as_ref().filter(|world| world.sound);
    let answers = parts.answers.as_ref().is();
    let rules = parts.rules.as_ref();
    Brief {
        schema: parts.world.as_ref().map(|world| &*world.schema),
        rules: rules.map(|rules| &rules.rules),
        target: Given::of(is_target_due, target),
        quotas: seats.quotas.as_deref(),
        kept: seats.kept.as_deref(),
        round_quotas: rules.map_or(Given::Absent, |rules| {
            rules.quotas.as_ref().and_then(|rows| Some(&**rows))
        }),
        known: known.map(|world| &world.known),
        pool: parts.pool.as_ref(),
        slate: rules.and_then(|rules| rules.section.slate.constant()),
        yields: parts
            .offers
            .as_ref()
            .is()
            .and_then(|offers| offers.yields.as_ref()),
        // What can't be read is not missing.
        outcomes: parts.answers.is_bad()
            || answers.is_some_and(|answers| answers.outcomes.is_some()),
    }
}

/// The labels of the policies, where all have one; those that are missing or repeated are noted.
fn labels(policies: &[Field<'_>]) -> Option<Vec<String>> {
    let mut labels: Vec<String> = Vec::new();
    let mut whole = !policies.is_empty();
    for policy in policies {
        let Some(mut table) = policy.table() else {
            whole = false;
            continue;
        };
        let field = LABEL.field(&mut table);
        let Some(label) = field.text() else {
            whole = false;
            continue;
        };
        if label.trim().is_empty() || label.chars().any(char::is_control) {
            field.refuse(
                "a label needs visible characters",
                "for example: label = \"greedy .05\"",
            );
        } else if labels.iter().any(|known| known == label) {
            field.refuse(
                format!("two policies have the label {label:?}"),
                "give each lane a label of its own: its luck follows its label",
            );
        } else {
            labels.push(label.to_owned());
        }
    }
    whole.then_some(labels)
}

/// A lane; of what a wrong source or wrong rules leave open nothing is said.
fn lane(
    registry: &Registry,
    policy: &Field<'_>,
    brief: &Brief<'_>,
    truth: Given<&GroupTruth>,
    unable: Option<(&'static str, &'static str)>,
    inputs: &HandedIn,
    notes: &mut Vec<String>,
) -> Option<LanePlan> {
    let mut table = policy.table()?;
    let label = LABEL.param.again(&mut table).text().map(str::to_owned);
    let (kind, usual, ready) = match own::is_custom(&table) {
        true => (CUSTOM, Role::Policy, own::take(&mut table, inputs)),
        false => {
            // A wrong kind leaves open which keys belong to it.
            let (kind, ready) = catalog::set_up(registry.policies(), &mut table, brief, truth)?;
            (kind.name, kind.role, ready)
        }
    };
    let role = ROLE.read(&mut table);
    let elsewhere = elsewhere(&mut table, unable);
    table.finish();
    let role = role.or(usual)?;
    let elsewhere = elsewhere?;
    let (label, policy) = (label?, ready?);
    notes.extend(policy.notes.iter().map(|note| format!("{label}: {note}")));
    Some(LanePlan {
        label,
        kind,
        role,
        policy,
        elsewhere,
        definitions: Definitions::new(),
    })
}

/// Returns the reason why no lane of this config can play elsewhere, and the remedy. `None` if
/// lanes can.
fn unable(parts: &Parts<'_>) -> Option<(&'static str, &'static str)> {
    let world = parts.world.as_ref()?;
    let answers = parts.answers.as_ref().is();
    let interviewers = answers.and_then(|answers| answers.interviewers);
    let people = interviewers.is_some() || parts.asks_of_places();
    if cfg!(not(feature = "nats")) {
        return Some((
            "this klero was built without NATS",
            "install it with: cargo install kleroterion --features nats",
        ));
    }
    if world.world.feed.is_none() {
        return Some((
            "what travels is what the journal holds of people who come, and here they are generated",
            "leave `where` out, or take a feed: [source] type = \"http\"",
        ));
    }
    people.then_some((
        "people answer interviews or offers at the recorder, and a policy elsewhere can't ask them",
        "leave `where` out",
    ))
}

/// Reads `where` and `slow`. The inner value is `None` if the lane plays here.
fn elsewhere(
    table: &mut Reader<'_>,
    unable: Option<(&'static str, &'static str)>,
) -> Option<Option<Slow>> {
    let (place, slow) = (WHERE.field(table), SLOW.field(table));
    let (is_remote, how) = (WHERE.value_of(&place), SLOW.value_of(&slow));
    let (is_remote, how) = (is_remote?, how?);
    if !is_remote {
        if slow.is_given() {
            return slow.refused(
                "`slow` is for a policy that plays elsewhere",
                "leave it out, or set where = \"remote\"",
            );
        }
        return Some(None);
    }
    if let Some((what, help)) = unable {
        return place.refused(what, help);
    }
    Some(Some(how))
}
