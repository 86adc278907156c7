//! From a document to a plan: every section read, every problem noted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::plan::{LanePlan, LivePlan, Merits, Plan, World};
use super::rules::Slate;
use super::world::{self, Context, world};
use super::{feasible, feedback, live, objective, pool, quota, report, rules, target};
use crate::catalog;
use crate::document::{Document, Field, Reader, read};
use crate::policy::committee::outlook::Outlook;
use crate::policy::{Brief, Section};
use crate::problem::Problems;
use crate::protocol::{
    CohortObjective, Fact, GroupTruth, Quota, Role, Rules, Schema, Target, Until,
};
use crate::score::{
    Bounds, Cohort, Committee, Fairness, Merit, Pools, Quotas, Span, Spending, metrics_of,
};

/// What each section must have at least.
const RULES: &str = "[rules] with choose = \"at_most_one\" and until = { accepted = 150 }";
const SOURCE: &str =
    "[source] with type = \"categorical\" and shares = { gender = { M = 0.5, F = 0.5 } }";
const POLICY: &str = "[[policy]] with label = \"queue\" and kind = \"virtual_queue\"";

/// What a policy may be there for.
const ROLES: [(&str, Role); 2] = [("policy", Role::Policy), ("yardstick", Role::Yardstick)];

/// Checks a document; `folder`: where the files that it names are looked for first.
///
/// # Errors
/// All that is wrong, in the order of the text.
pub fn check(document: &Document, folder: &Path) -> Result<Plan, Problems> {
    read(document, |top| plan(top, document.name(), folder))
}

fn plan(mut top: Reader<'_>, file: &str, folder: &Path) -> Option<Plan> {
    let mut notes = Vec::new();
    // What a preset says of itself in `klero list`.
    let _ = top.get("about").text();
    let name = top.get("name");
    let (name_given, name) = (name.is_given(), name.text().map(str::to_owned));
    let stem = || {
        Path::new(file)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let name = name.or_else(|| stem().filter(|_| !name_given));
    let seed = or_note(&top.get("seed"), Field::whole, 1, "seed", &mut notes);
    let replications = top.get("replications");
    let many = or_note(
        &replications,
        |field| field.whole_in(1..),
        1,
        "replications",
        &mut notes,
    );
    let noise_only = top.get("policy_noise_only").flag().unwrap_or(false);

    let rules_field = top.need("rules", RULES);
    let mut rules = rules_field.table().and_then(rules::read);
    let members = match rules.as_ref().map(|rules| rules.rules.until) {
        Some(Until::Accepted(members)) => Some(members),
        _ => None,
    };
    let target_field = top.get("target");
    let wanted = target_field.table();
    let wanted = wanted.and_then(|table| target::read(table, folder, members));
    let target_given = target_field.is_given();
    let pool_field = top.get("pool");
    let pool = pool_field.table().and_then(pool::wish);
    let unpooled = pool_field.is_given() && pool.is_none();
    let mut world = top.need("source", SOURCE).table().and_then(|source| {
        world(
            source,
            &Context {
                folder,
                wanted: wanted.as_ref(),
                unread: target_given && wanted.is_none(),
                slate: rules.as_ref().map_or(&Slate::Of(1), |rules| &rules.slate),
                ruled: rules.is_some(),
                pool: pool.as_ref(),
                unpooled,
                unique: rules.as_ref().and_then(|rules| rules.unique.as_ref()),
            },
        )
    });
    // A source that is relative to the target has said that there is none.
    let asked_for = world.is_none() && top.get("source").table().is_some_and(world::needs_target);
    let pool = pool.and_then(|pool| {
        let world = world.as_ref();
        pool.read(world.map(|world| (&*world.schema, &world.known)))
    });
    let unpooled = pool_field.is_given() && pool.is_none();
    let feedback_field = top.get("feedback");
    let answers = feedback_field.table().and_then(feedback::read);
    let silent = feedback_field.is_given() && answers.is_none();
    if let (Some(world), Some(many)) = (&world, many)
        && world.feed.is_some()
        && many > 1
    {
        replications.refuse(
            "people come from outside once, so there is one replication",
            "set replications = 1; to repeat a run over the same people, record them and take the file",
        );
    } else if let (Some(world), Some(many)) = (&world, many)
        && world.fixed
        && many > 1
        && !noise_only
        && !silent
    {
        if answers.as_ref().is_some_and(|answers| answers.drawn) {
            notes.push("the people come in the file's own order, so replications differ by what is drawn of looks and outcomes, and by the policies' luck".into());
        } else {
            replications.refuse(
                "the people come in the file's own order, so every replication would be the same",
                "set replications = 1, order = \"shuffled\" or \"resampled\", or policy_noise_only = true to repeat the policies' own randomness alone",
            );
        }
    }
    let reported = answers.as_ref().is_some_and(|answers| answers.reported);
    if reported
        && world
            .as_ref()
            .is_some_and(|world| world.world.feed.is_none())
    {
        feedback_field.refuse(
            "nobody tells what becomes of people who come from no feed",
            "leave out [feedback.outcome], or take a source of type \"http\", \"stdin\", \"tcp\" or \"tape\"",
        );
    }
    if let (Some(_), Some(world)) = (&answers, &world)
        && !world.merits.exist()
        && !reported
    {
        feedback_field.refuse(
            "looks and outcomes tell what people are worth, and those of this source are worth nothing in particular",
            "leave out [feedback], take a source of type \"linear_groups\" or \"arms\", or give a file utility = \"COLUMN\", or [source.features] and [source.reward]",
        );
    }
    if let (Some(world), Some(noise)) = (&mut world, answers.as_ref().and_then(|a| a.outcomes)) {
        world.world.known.outcome_noise = Fact::Exact(noise);
    }
    if let (Some(world), Some(answers)) = (&mut world, &answers)
        && let Some(noise) = &answers.looks
    {
        world.world.known.look_noise = noise.clone();
        if answers.replays && !world.records {
            feedback_field.refuse(
                "recorded_looks replays what reviewers said, and this source has no record of it",
                "set type = \"gaussian_looks\", take a source of type \"admissions\", or name the columns of a file: reviews = [\"first_review\", \"second_review\"] in [source]",
            );
        }
    }
    let replayed = answers.as_ref().is_some_and(|answers| answers.replays);
    if world.as_ref().is_some_and(|world| world.records) && !replayed && !silent {
        notes.push("the recorded reviews are not used: [feedback.interview] is not of type \"recorded_looks\"".into());
    }
    if let Some(rules) = &mut rules {
        notes.append(&mut rules.notes);
        let looks = answers
            .as_ref()
            .is_some_and(|answers| answers.looks.is_some());
        let sold = !rules.rules.interviews.is_empty();
        if looks != sold && !silent {
            unanswered(looks, &feedback_field, &rules_field);
        }
        if let Some(answers) = &answers {
            rules.rules.delay = answers.delay;
        }
    }
    let target = match (&wanted, &world) {
        (Some(wanted), Some(world)) => wanted
            .resolve(world, &target_field, &mut notes)
            .map(Arc::new),
        _ => None,
    };
    let quotas = match (&target, &wanted, &world) {
        (Some(_), Some(wanted), Some(world)) => wanted.quotas(&world.schema),
        _ => None,
    };
    if let (Some(quotas), Some(members)) = (&quotas, members)
        && let (Some(world), Some(wanted), Some(mut rules)) = (&world, &wanted, rules_field.table())
    {
        let size = rules.get("until");
        feasible::check(world, wanted, quotas, members, &size, &mut notes);
    }
    let schema = world.as_ref().map(|world| &*world.schema);
    let round_quotas = rules.as_ref().and_then(|rules| quota::read(rules, schema));
    if let (Some(rules), Some(quotas)) = (&mut rules, &round_quotas)
        && rules.enforce
    {
        rules.rules.enforced.clone_from(quotas);
    }
    let span = rules.as_ref().map(|rules| quota::span(rules, &mut notes));
    let committee = match (&rules, &world, members) {
        (Some(_), Some(world), Some(members)) => {
            let of_rules = round_quotas.as_deref().filter(|_| span == Some(Span::Run));
            Some(committee(
                &world.schema,
                members,
                [quotas.as_deref(), of_rules],
                target.as_deref(),
            ))
        }
        _ => None,
    };
    let unread =
        rules.as_ref().is_some_and(|rules| rules.quota.is_given()) && round_quotas.is_none();
    let sound = (target.is_some() || !target_given) && !unread && !unpooled;

    let listed = top.need("policy", POLICY);
    let policies = listed.members();
    if policies.as_ref().is_some_and(Vec::is_empty) {
        listed.refuse(
            "there is no policy to run",
            format!("for example: {POLICY}"),
        );
    }
    let policies = policies.unwrap_or_default();
    let labels = labels(&policies);
    // Shares that are not as they are meant are not held against each other.
    let wished = target.as_deref();
    let wished = wished.filter(|_| wanted.as_ref().is_some_and(target::Wanted::is_sound));
    let brief = Brief {
        schema: world.as_ref().map(|world| &*world.schema),
        rules: rules.as_ref().map(|rules| &rules.rules),
        target: Section::of(target_given || asked_for, wished),
        quotas: quotas.as_deref(),
        round_quotas: Section::of(unread, round_quotas.as_deref()),
        known: world
            .as_ref()
            .filter(|world| world.sound)
            .map(|world| &world.known),
        pool: Section::of(unpooled, pool.as_ref()),
        slate: rules.as_ref().and_then(|rules| rules.slate.constant()),
        // What can't be read is not missing.
        outcomes: silent
            || answers
                .as_ref()
                .is_some_and(|answers| answers.outcomes.is_some() || answers.reported),
    };
    let truth = world.as_ref().map(|world| world.truth.as_ref());
    let truth = Section::of(truth.is_none(), truth.flatten());
    let lanes = policies
        .iter()
        .map(|policy| lane(policy, &brief, truth, &mut notes));
    let lanes: Vec<Option<LanePlan>> = lanes.collect();
    let merits = world.as_ref().filter(|_| rules.is_some() && sound);
    let scored = merits.map(|world| objective::Scored {
        brief: &brief,
        merits: world.merits.exist(),
        lanes: &lanes,
    });
    let objectives = objective::read(&top.get("report"), scored.as_ref(), &mut notes);

    // Of a pool that can't be read nobody knows the groups.
    let known = world.as_ref().filter(|_| !unpooled);
    let metrics = known.map(|world| {
        let rate = world.volunteering_rate.is_some();
        let mut names = metrics_of(&world.schema, target_given, rate);
        if let Some(truth) = &world.truth
            && rules
                .as_ref()
                .is_none_or(|rules| Fairness::applies(&rules.rules))
        {
            names.extend(Fairness::metrics(&world.schema, truth));
        }
        if round_quotas.is_some() || unread {
            names.extend(Quotas::metrics());
        }
        names.extend(committee.iter().flat_map(Committee::metrics));
        let sold = |rules: &rules::Setting<'_>| !rules.rules.interviews.is_empty();
        if rules.as_ref().is_none_or(sold) {
            names.extend(Spending::metrics());
        }
        if world.merits.exist() {
            names.extend(objective::metrics(objectives.as_deref()));
            names.extend(Merit::metrics());
        }
        if let Some(pool) = &pool {
            let aims = || lanes.iter().flatten().filter_map(|lane| lane.aim.as_ref());
            let unknown = lanes.iter().any(Option::is_none);
            let aimed = unknown || aims().next().is_some();
            let weighed = unknown || aims().any(|aim| aim.lambda.is_some());
            names.extend(Pools::metrics(
                &world.schema,
                pool.attribute,
                aimed,
                weighed,
            ));
        }
        for lane in &lanes {
            let kind = lane.as_ref().map(|lane| lane.kind);
            for own in catalog::measures(kind) {
                if !names.iter().any(|name| name == own) {
                    names.push(own.to_owned());
                }
            }
        }
        names
    });
    let about = report::About {
        rules: rules.as_ref().map(|rules| &rules.rules),
        metrics: metrics.as_deref(),
        target: target_given,
        labels: labels.as_deref(),
        grounds: match many {
            Some(1) => report::Grounds::Rounds,
            Some(_) if noise_only => report::Grounds::Noise,
            _ => report::Grounds::Replications,
        },
        ranges: ranges(
            committee.as_ref(),
            rules.as_ref().map(|rules| &rules.rules),
            world.as_ref().map(|world| &world.world),
            objectives.as_deref().unwrap_or_default(),
        ),
    };
    let report = report::read(&top.get("report"), &about, &mut notes);
    if let (true, Some(world), Some(labels)) = (reported, &mut world, &labels)
        && let Some(feed) = &mut world.world.feed
    {
        feed.outcomes = Some(labels.iter().map(|label| Arc::from(&**label)).collect());
    }
    let live = live::read(&mut top, labels.as_deref(), reported).map(|live| LivePlan {
        outcome_range: answers.as_ref().and_then(|answers| answers.range),
        ..live
    });
    let sweep = top.get("sweep");
    if sweep.is_given() {
        sweep.refuse(
            "a sweep stands for many runs, and this is one of them",
            "sweep over other keys",
        );
    }
    top.finish();
    let (moments, mut judge) = report?;
    let yardsticks = lanes.iter().flatten();
    let yardsticks = yardsticks.filter(|lane| lane.role == Role::Yardstick);
    judge.yardsticks = yardsticks.map(|lane| lane.label.clone()).collect();
    let world = world.filter(|_| !silent)?;
    notes.extend(world.notes.iter().cloned());
    let outlook = target.as_deref();
    let outlook = outlook.and_then(|target| outlook_of(&world, target));
    Some(Plan {
        name: name.unwrap_or_else(|| "run".into()),
        seed: seed?,
        replications: many?,
        world: world.world,
        feedback: answers
            .filter(|answers| !answers.reported)
            .map(|answers| answers.feedback),
        pool: if unpooled { return None } else { pool },
        rules: Arc::new(rules?.rules),
        target: if sound { target } else { return None },
        quotas: round_quotas
            .zip(span)
            .map(|(quotas, span)| Quotas::new(&quotas, span)),
        committee,
        objectives: objectives?,
        outlook,
        lanes: lanes.into_iter().collect::<Option<_>>()?,
        moments,
        judge,
        live: live?,
        notes,
    })
}

/// What a committee is judged by: the quotas there are, or else the target.
fn committee(
    schema: &Arc<Schema>,
    members: u64,
    quotas: [Option<&[Vec<Quota>]>; 2],
    target: Option<&Target>,
) -> Committee {
    let quotas: Vec<_> = quotas.into_iter().flatten().collect();
    let around = || Bounds::around(schema, target?, members);
    let bounds = Bounds::quotas(&quotas).or_else(around);
    Committee::new(schema, members, bounds)
}

/// The ranges of metrics that follow from the rules and from what the people are worth.
fn ranges(
    committee: Option<&Committee>,
    rules: Option<&Rules>,
    world: Option<&World>,
    objectives: &[CohortObjective],
) -> BTreeMap<String, (f64, f64)> {
    let seats = committee.and_then(Committee::range);
    let cost = rules.and_then(Spending::range);
    let all = seats.into_iter().chain(cost);
    let mut all: BTreeMap<_, _> = all.map(|(name, range)| (name.to_owned(), range)).collect();
    let (Some(rules), Some(world)) = (rules, world) else {
        return all;
    };
    if let Merits::Known(utilities) = &world.merits {
        all.extend(Merit::ranges(utilities));
        all.extend(Cohort::ranges(objectives, &world.schema, rules, utilities));
    }
    all
}

/// Notes that interviews are answered but not for sale, or for sale but not answered.
fn unanswered(looks: bool, feedback: &Field<'_>, rules: &Field<'_>) {
    if looks {
        feedback.refuse(
            "interviews are answered here, and the rules sell none",
            "set interviews = [{ name = \"weak\", cost = 1, gain = 1 }] in [rules], or leave out [feedback.interview]",
        );
    } else {
        rules.refuse(
            "the rules sell interviews, and nothing answers them",
            "for example: [feedback.interview] with type = \"gaussian_looks\" and sd = 0.1",
        );
    }
}

/// What is to be expected under the candidates' law, where that takes no time to speak of.
fn outlook_of(world: &World, target: &Target) -> Option<Outlook> {
    const MOST_CELLS: u32 = 1 << 16;
    let law = world.known.law.get()?;
    if world.schema.cells() > MOST_CELLS {
        return None;
    }
    Outlook::new(&world.schema, target, law).ok()
}

/// An optional key's value, or a default that is noted as assumed.
fn or_note<'a>(
    field: &Field<'a>,
    read: impl Fn(&Field<'a>) -> Option<u64>,
    default: u64,
    key: &str,
    notes: &mut Vec<String>,
) -> Option<u64> {
    if field.is_given() {
        return read(field);
    }
    notes.push(format!("{key} = {default} (the config gives none)"));
    Some(default)
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
        let field = table.need("label", "label = \"greedy .05\"");
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
    policy: &Field<'_>,
    brief: &Brief<'_>,
    truth: Section<&GroupTruth>,
    notes: &mut Vec<String>,
) -> Option<LanePlan> {
    let mut table = policy.table()?;
    let label = table.get("label").text().map(str::to_owned);
    let built = catalog::set_up(&mut table, brief, truth);
    // A wrong kind leaves open which keys belong to it.
    let (kind, ready) = built?;
    let role = table.get("role");
    let (role_given, role) = (role.is_given(), role.choice(&ROLES));
    table.finish();
    if role_given && role.is_none() {
        return None;
    }
    let (label, ready) = (label?, ready?);
    notes.extend(ready.notes.iter().map(|note| format!("{label}: {note}")));
    Some(LanePlan {
        label,
        kind,
        role: role.unwrap_or_else(|| catalog::role(kind)),
        prototype: ready.prototype,
        objective: ready.objective,
        aim: ready.aim,
        prospect: ready.prospect,
        foresight: ready.foresight,
        outside: ready.outside,
    })
}
