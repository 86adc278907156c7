//! `[report] target` and `lambda`: by what the pools of all lanes are measured.

use super::plan::LanePlan;
use crate::catalog::pool_target;
use crate::document::{Field, Value};
use crate::problem::Given;
use crate::protocol::Schema;
use crate::score::PoolAim;

/// What is measured.
pub(super) struct Aimed<'a> {
    pub(super) schema: &'a Schema,
    /// The attribute whose values are the groups of the pool; none without a pool.
    pub(super) attribute: Given<usize>,
    pub(super) lanes: &'a [Option<LanePlan>],
}

/// The aim of a run: what `[report]` says, else what all policies that have an aim agree on. The
/// outer `None`: it is wrong, which is noted, or could not be read.
pub(super) fn read(
    report: &Field<'_>,
    aimed: Option<&Aimed<'_>>,
    notes: &mut Vec<String>,
) -> Option<Option<PoolAim>> {
    // That a report is no table is noted where it is read.
    let table = match report.value() {
        Some(Value::Table(_)) => report.table(),
        _ => None,
    };
    let fields = table.map(|mut table| ["target", "lambda"].map(|key| table.get(key)));
    let [target, lambda] = fields.map_or([None, None], |fields| {
        fields.map(|field| Some(field).filter(Field::is_given))
    });
    let Aimed {
        schema,
        attribute,
        lanes,
    } = aimed?;
    let Some(attribute) = attribute.as_ref().is() else {
        return match attribute.is_bad() {
            true => None,
            false => without_pool([target, lambda]),
        };
    };
    let values = &schema.attributes()[*attribute].values;
    let weight = lambda.as_ref().map(Field::not_negative);
    let own: Vec<&PoolAim> = lanes
        .iter()
        .flatten()
        .filter_map(|lane| lane.policy.aim.as_ref())
        .collect();
    let aim = match &target {
        Some(target) => {
            let (target, steered) = pool_target(target, values)?;
            Some(PoolAim {
                target,
                steered,
                lambda: None,
            })
        }
        None => agreed(&own, notes),
    };
    match (aim, weight) {
        (Some(aim), Some(weight)) => Some(Some(PoolAim {
            lambda: Some(weight?),
            ..aim
        })),
        (Some(aim), None) => {
            let mut weights = own.iter().filter_map(|own| own.lambda);
            let first = weights.next();
            let lambda = first.filter(|first| weights.all(|other| other == *first));
            Some(Some(PoolAim { lambda, ..aim }))
        }
        (None, None) => Some(None),
        (None, Some(_)) => {
            lambda?.refuse(
                "lambda weighs a loss against a target, and the run has none",
                "name one in [report], for example: target = { u = 0.4 }",
            );
            None
        }
    }
}

/// Notes that there is nothing to be measured by these.
fn without_pool(fields: [Option<Field<'_>>; 2]) -> Option<Option<PoolAim>> {
    let given = fields.into_iter().flatten().next();
    match given {
        None => Some(None),
        Some(field) => {
            field.refuse(
                "this run has no pool whose groups could be held against a target",
                "leave it out, or add [pool]; what a committee is held against is in [target]",
            );
            None
        }
    }
}

/// The target that all policies with one have, without a weight; that they have several is noted.
fn agreed(own: &[&PoolAim], notes: &mut Vec<String>) -> Option<PoolAim> {
    let first = own.first()?;
    if own.iter().all(|other| first.is_toward(other)) {
        return Some(PoolAim {
            lambda: None,
            ..(*first).clone()
        });
    }
    notes.push(
        "the policies have different targets, so the run has no fairness_loss: own_fairness_loss is \
         by each one's own, and not compared; [report] target names the run's"
            .into(),
    );
    None
}
