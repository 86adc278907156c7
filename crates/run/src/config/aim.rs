//! The keys `[report] target` and `lambda`: the aim by which the pools of all lanes are measured.

use crate::catalog::pool_target;
use crate::document::{Field, Value};
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::Schema;
use kleroterion_core::score::PoolAim;

/// The aim of a run, where `[report]` says it; no policy's own enters it, so that a lane is measured
/// alike in any company. The outer `None`: it is wrong, which is noted, or could not be read.
/// `attribute`: the one whose values are the groups of the pool; none without a pool.
pub(super) fn read(
    report: &Field<'_>,
    schema: Option<&Schema>,
    attribute: &Given<usize>,
) -> Option<Option<PoolAim>> {
    // That a report is no table is noted where it is read.
    let table = report.value().and_then(Value::table);
    let table = table.and_then(|_| report.table());
    let fields = table.map(|mut table| ["target", "lambda"].map(|key| table.get(key)));
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
    let weight = lambda.as_ref().map(Field::not_negative);
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
