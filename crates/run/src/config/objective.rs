//! The keys `[report] objective`, `target` and `lambda`: the objectives by which cohorts of all lanes
//! are scored, and the aim by which their pools are.

use super::plan::LanePlan;
use crate::catalog::{AIMS, CohortAim as Aim, NO_GROUPS, NOT_SAID, aim, pool_target};
use crate::document::param::{Shape, TEXTS};
use crate::document::range::NOT_NEGATIVE;
use crate::document::{ConfigKey, Field, Later, Value};
use crate::keys;
use kleroterion_core::brief::Brief;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{CohortObjective, Schema};
use kleroterion_core::score::{Cohort, PoolAim};

const DIVERSE: ConfigKey<Later> =
    ConfigKey::later("diverse", Shape::OneOf(&[Shape::Text, TEXTS])).needed();

const QUOTA: ConfigKey<Later> = ConfigKey::later("quota", Shape::Text).needed();

const ONE: Shape = Shape::OneOf(&[
    Shape::Word(&AIMS),
    Shape::Table(keys![DIVERSE]),
    Shape::Table(keys![QUOTA]),
]);

pub(super) const OBJECTIVE: ConfigKey<Later> =
    ConfigKey::later("objective", Shape::OneOf(&[ONE, Shape::List(&ONE)]))
        .about("by what the cohorts of all lanes are scored");

pub(super) const TARGET: ConfigKey<Later> = ConfigKey::later(
    "target",
    Shape::Map(&Shape::Number(NOT_NEGATIVE)),
)
.about(
    "of a pool, the shares by which fairness_loss, utility and rounds_to_target of all lanes are \
     measured",
);

pub(super) const LAMBDA: ConfigKey<f64> = ConfigKey::number("lambda", NOT_NEGATIVE)
    .about("the weight of unfairness in the utility of all lanes");

/// The facts that the objectives are checked against.
pub(super) struct Scored<'a> {
    pub(super) brief: &'a Brief<'a>,
    /// True if every candidate's utility is known.
    pub(super) merits: bool,
    pub(super) lanes: &'a [Option<LanePlan>],
}

/// The objectives of a run, its own first. A list in the config is taken as it is; else those
/// of the policies follow the run's own. None at all where no cohorts are scored. The outer `None`:
/// it is wrong, which is noted, or what is scored could not be read.
pub(super) fn read(
    report: &Field<'_>,
    scored: Option<&Scored<'_>>,
    notes: &mut Vec<String>,
) -> Option<Vec<CohortObjective>> {
    // That a report is no table is noted where it is read.
    let table = report.value().and_then(Value::table);
    let table = table.and_then(|_| report.table());
    let field = table.map(|mut table| OBJECTIVE.field(&mut table));
    let field = field.filter(Field::is_given);
    let Scored {
        brief,
        merits,
        lanes,
    } = scored?;
    let applies = match &field {
        Some(_) => Cohort::can_apply,
        None => Cohort::applies,
    };
    if !merits || !applies(brief.rules?) {
        let Some(field) = field else {
            return Some(Vec::new());
        };
        return field.refused(
            "this run has no cohorts whose value is known",
            "leave it out, or take a source that knows what people are worth and choose \
             = { exactly = 5 } or { share = 0.5 } in [rules]",
        );
    }
    if let Some(list) = field.as_ref().filter(|field| is_list(field)) {
        return asked_list(list, brief);
    }
    let mut sought: Vec<&CohortObjective> = Vec::new();
    for one in lanes
        .iter()
        .flatten()
        .filter_map(|lane| lane.policy.objective.as_ref())
    {
        if sought.iter().all(|known| known.name != one.name) {
            sought.push(one);
        }
    }
    let own = match (&field, &sought[..]) {
        (Some(field), _) => asked(field, brief)?,
        (None, [only]) => (*only).clone(),
        (None, several) => {
            let own = Aim::TopK.objective(brief.schema?);
            notes.extend(differing(several, &own));
            own
        }
    };
    let others = sought.into_iter().filter(|one| one.name != own.name);
    let others = others.cloned().collect::<Vec<_>>();
    Some([vec![own], others].concat())
}

/// Says by what the cohorts are scored where policies seek different ones and the config does not
/// say.
fn differing(sought: &[&CohortObjective], own: &CohortObjective) -> Option<String> {
    let names: Vec<&str> = sought.iter().map(|one| &*one.name).collect();
    let others = names.iter().filter(|name| **name != &*own.name);
    let others: Vec<String> = others.map(|name| format!("cohort_value.{name}")).collect();
    (names.len() > 1).then(|| {
        format!(
            "the policies seek cohorts by different objectives ({}): cohort_value is by \
             {} for all of them, beyond it there is {}; [report] objective chooses",
            names.join(", "),
            own.name,
            others.join(", ")
        )
    })
}

fn is_list(field: &Field<'_>) -> bool {
    matches!(field.value(), Some(Value::List(_)))
}

/// Several, of which the first is the run's own.
fn asked_list(list: &Field<'_>, brief: &Brief<'_>) -> Option<Vec<CohortObjective>> {
    let mut objectives: Vec<CohortObjective> = Vec::new();
    list.each(|member| {
        let objective = asked(member, brief)?;
        if objectives.iter().any(|known| known.name == objective.name) {
            return member.refused(
                format!("{} is listed twice", objective.name),
                "list it once",
            );
        }
        objectives.push(objective);
        Some(())
    })?;
    if objectives.is_empty() {
        return list.refused(
            "no objective is listed",
            "for example: objective = [\"top_k\"]",
        );
    }
    Some(objectives)
}

/// `"top_k"`, `"diverse"`, `"quota"`, or with what makes the groups: `{ diverse = "gender" }`, `{
/// diverse = ["gender", "region"] }`.
fn asked(field: &Field<'_>, brief: &Brief<'_>) -> Option<CohortObjective> {
    let words = AIMS.map(|(word, _)| word);
    let (word, by) = field.form(&words, &[DIVERSE.name(), QUOTA.name()])?;
    let (_, kind) = AIMS.into_iter().find(|(known, _)| *known == word)?;
    let aim = aim(kind, field, brief, &by, |names| {
        let (what, help) = match names {
            [] => (NO_GROUPS, "set objective = \"top_k\"".to_owned()),
            [first, ..] => (
                NOT_SAID,
                format!(
                    "write objective = {{ {word} = {first} }}, or one of {}",
                    names.join(", ")
                ),
            ),
        };
        field.refuse(what, help);
    });
    Some(aim?.objective(brief.schema?))
}

/// The names of the metrics; where the objectives could not be read, of all that there may be.
pub(super) fn metrics(objectives: Option<&[CohortObjective]>) -> Vec<String> {
    match objectives {
        Some([]) => Vec::new(),
        Some(all) => Cohort::metrics(all.iter().map(|one| &*one.name)),
        None => {
            let mut names = Cohort::metrics(["top_k", "diverse", "quota"]);
            names.extend(Cohort::metrics(["diverse", "top_k"]));
            names
        }
    }
}

/// The aim of a run, where `[report]` says it; no policy's own enters it, so that a lane is measured
/// alike in any company. The outer `None`: it is wrong, which is noted, or could not be read.
/// `attribute`: the one whose values are the groups of the pool; none without a pool.
pub(super) fn read_aim(
    report: &Field<'_>,
    schema: Option<&Schema>,
    attribute: &Given<usize>,
) -> Option<Option<PoolAim>> {
    // That a report is no table is noted where it is read.
    let table = report.value().and_then(Value::table);
    let table = table.and_then(|_| report.table());
    let fields = table.map(|mut table| [TARGET.field(&mut table), LAMBDA.field(&mut table)]);
    let [target, lambda] = fields.map_or([None, None], |fields| {
        fields.map(|field| Some(field).filter(Field::is_given))
    });
    let Some(attribute) = attribute.as_ref().is() else {
        return match attribute.is_bad() {
            true => None,
            false => without_pool([target, lambda]),
        };
    };
    let values = &schema?.attributes()[*attribute].values;
    let weight = lambda.as_ref().map(|lambda| LAMBDA.of_value(lambda));
    let Some(target) = target else {
        let Some(lambda) = lambda else {
            return Some(None);
        };
        return lambda.refused(
            "lambda weighs a loss against a target, and the run has none",
            "name one in [report], for example: target = { u = 0.4 }",
        );
    };
    let (target, steered) = pool_target(&target, values)?;
    let lambda = match weight {
        Some(weight) => Some(weight?),
        None => None,
    };
    Some(Some(PoolAim {
        target,
        steered,
        lambda,
    }))
}

/// Notes that there is nothing to be measured by these.
fn without_pool(fields: [Option<Field<'_>>; 2]) -> Option<Option<PoolAim>> {
    let given = fields.into_iter().flatten().next();
    match given {
        None => Some(None),
        Some(field) => field.refused(
            "this run has no pool whose groups could be held against a target",
            "leave it out, or add [pool]; what a committee is held against is in [target]",
        ),
    }
}
