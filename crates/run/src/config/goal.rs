//! The section `[report.goal]`: the metric to optimise, and the bounds on other metrics.

use super::about::About;
use super::direction;
use crate::document::param::Shape;
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::score::{Direction, Directions};
use kleroterion_stats::{Constraint, Goal, GoalBound, Judge};

/// An example of the section.
const EXAMPLE: &str =
    "goal = { best = \"selection_rate\", where = { representation_loss = \"<= 0.05\" } }";

const BEST: ConfigKey<Later> = ConfigKey::later("best", Shape::Text)
    .about("the metric whose best value is sought")
    .needed_like(EXAMPLE);

const WHERE: ConfigKey<Later> =
    ConfigKey::later("where", Shape::Map(&Shape::Text)).about("bounds, by metric");

pub(super) const GOAL: ConfigKey<Later> =
    ConfigKey::table("goal", keys![BEST, WHERE]).about("what is wanted of a policy");

/// The goal as written, before it is known which metrics have a range.
#[derive(Default)]
pub(super) struct GoalWish<'a> {
    /// The metric to optimise. `None` if the config sets no goal.
    best: Option<String>,
    /// The constraints that could be read, with their fields.
    constraints: Vec<(Constraint, Field<'a>)>,
    /// True if a part of the goal is wrong. A problem has been noted for it.
    is_wrong: bool,
}

/// Reads the goal; nothing is said of the better side of its metric where `directions` could not be
/// read.
pub(super) fn read<'a>(
    field: &Field<'a>,
    about: &About<'_>,
    directions: Option<&Directions>,
) -> GoalWish<'a> {
    if !field.is_given() {
        return GoalWish::default();
    }
    let Some(mut table) = GOAL.reader(field) else {
        return GoalWish {
            is_wrong: true,
            ..GoalWish::default()
        };
    };
    let best = BEST.field(&mut table);
    let metric = best
        .text()
        .filter(|name| about.has(&best, name) && about.is_one(&best, name));
    let metric = metric.filter(|name| {
        let is_sided = directions.is_none_or(|all| all.of(name) != Direction::None);
        if !is_sided {
            best.refuse(
                format!("{name} has no better side, so no value of it is best"),
                format!(
                    "take a metric that is better when it is higher or lower (`klero list \
                     metrics`), or set its side: {}",
                    direction::example(name)
                ),
            );
        }
        is_sided
    });
    let constraints = WHERE.section(&mut table, |table| Some(constraints(table, about)));
    let constraints = constraints.or(Vec::new()).unwrap_or_else(|| vec![None]);
    table.finish();
    GoalWish {
        is_wrong: metric.is_none() || constraints.iter().any(Option::is_none),
        best: metric.map(str::to_owned),
        constraints: constraints.into_iter().flatten().collect(),
    }
}

/// The constraints; none in place of each that is wrong.
fn constraints<'a>(
    mut table: Reader<'a>,
    about: &About<'_>,
) -> Vec<Option<(Constraint, Field<'a>)>> {
    let each = table.rest().into_iter().map(|(key, field)| {
        let name = &key.name;
        let is_known = about.has(&field, name) && about.is_one(&field, name);
        let bound = bound(&field)?;
        let metric = is_known.then(|| name.clone())?;
        Some((Constraint { metric, bound }, field))
    });
    each.collect()
}

/// `">= 0.95"` or `"<= 0.05"`.
pub(super) fn bound(field: &Field<'_>) -> Option<GoalBound> {
    let text = field.text()?.trim();
    let number = |rest: &str| rest.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let found = match (text.strip_prefix(">="), text.strip_prefix("<=")) {
        (Some(rest), _) => number(rest).map(GoalBound::AtLeast),
        (_, Some(rest)) => number(rest).map(GoalBound::AtMost),
        _ => None,
    };
    found.or_else(|| {
        field.refused(
            format!("`{text}` is not a bound"),
            "write \">= 0.95\" or \"<= 0.05\"",
        )
    })
}

impl GoalWish<'_> {
    /// The judge with the goal. `None` if the goal is wrong or a constraint can't be tested.
    pub(super) fn judge(self, mut judge: Judge) -> Option<Judge> {
        let mut is_sound = !self.is_wrong;
        for (constraint, place) in &self.constraints {
            is_sound &= is_testable(constraint, place, &judge);
        }
        if !is_sound {
            return None;
        }
        let Some(best) = self.best else {
            return Some(judge);
        };
        if !judge.metrics.contains(&best) {
            judge.metrics.push(best.clone());
        }
        let constraints = self.constraints.into_iter().map(|(one, _)| one).collect();
        judge.goal = Some(Goal { best, constraints });
        Some(judge)
    }
}

/// Returns true if some number of replications could settle a constraint. Notes a problem
/// otherwise.
fn is_testable(constraint: &Constraint, place: &Field<'_>, judge: &Judge) -> bool {
    let Constraint { metric, bound } = constraint;
    let Some(range) = judge.range(metric) else {
        place.refuse(
            format!(
                "{metric} has no declared range, so no number of replications settles a \
                 bound on its mean"
            ),
            "bound a share, a rate, a loss or a 0/1 metric",
        );
        return false;
    };
    let is_in = range.unit(bound.value()).is_ok();
    if !is_in {
        place.refuse(
            format!("{metric} {bound} says nothing: its values lie from {range}"),
            "write a bound within that range",
        );
    }
    is_in
}
