//! The check that a committee can keep the quotas of an organiser's files, made before anyone is
//! drawn.

use super::context::Built;
use super::organiser::OrganiserTarget;
use crate::document::Field;
use kleroterion_core::problem::Place;
use kleroterion_core::protocol::{Law, Quota, Schema};
use kleroterion_sortition::feasibility::{
    Bound, Feasibility, NODES, Relaxation, Supply, change_text, feasibility, relaxation,
};

/// The quotas of an organiser's files, and the people who are to keep them.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) world: &'a Built,
    pub(super) target: &'a OrganiserTarget,
    /// A row for each attribute of the schema.
    pub(super) quotas: &'a [Vec<Quota>],
    pub(super) members: u64,
}

/// Quotas that were relaxed within their flexible bounds.
pub(super) struct Relaxed {
    pub(super) quotas: Vec<Vec<Quota>>,
    /// The sentence by which every output says so.
    pub(super) disclosure: String,
}

/// Notes that no committee keeps all quotas, at the first of those that clash or, where people are
/// too few, at the committee's size; or relaxes them, where the config allows it. What was not
/// decided is a note for the reader.
pub(super) fn check(
    asked: Asked<'_>,
    size: &Field<'_>,
    notes: &mut Vec<String>,
) -> Option<Relaxed> {
    let Asked {
        world,
        target,
        quotas,
        ..
    } = asked;
    let by_law = || Some(supply(world.known.law.get()?, &world.schema));
    let supply = world.supply.clone().or_else(by_law)?;
    let members = asked.members.try_into().ok()?;
    let found = feasibility(quotas, members, &supply, NODES);
    let label = |bound: &Bound| label(bound, target, &world.schema);
    let mut problem = found.problem(members, label)?;
    let first = match &found {
        Feasibility::Undecided { .. } => {
            notes.push(problem.to_string());
            return None;
        }
        Feasibility::Clash(clash) if target.has_flexible_bounds() => {
            let flexible = target.quotas(&world.schema, |listed| listed.flexible);
            let relaxation = relaxation(quotas, &flexible, members, &supply, NODES);
            if target.is_flexible
                && let Some(relaxed) = relaxed(&relaxation, asked)
            {
                return Some(relaxed);
            }
            let wide = problem.help.take().unwrap_or_default();
            problem.help = Some(flexible_help(&relaxation, wide, label));
            clash.bounds.first()
        }
        Feasibility::Clash(clash) => clash.bounds.first(),
        Feasibility::Feasible | Feasibility::TooFew { .. } => None,
    };
    let first = first.and_then(|bound| target.place(bound, &world.schema));
    problem.place = first.unwrap_or_else(|| size.place().clone());
    size.report(problem);
    None
}

/// The advice where files have flexible bounds; `wide`: that without regard to them.
fn flexible_help(found: &Relaxation, wide: String, label: impl Fn(&Bound) -> String) -> String {
    match found {
        Relaxation::Shifts { shifts, least } => {
            let change = change_text(shifts, *least, " within the flexible bounds", &label);
            format!("{change}; `flexible = true` in [target] makes it")
        }
        Relaxation::None => format!("the flexible bounds do not suffice; {wide}"),
        Relaxation::Undecided => {
            format!("whether the flexible bounds suffice was not decided; {wide}")
        }
    }
}

/// The quotas with the changes made that were found.
fn relaxed(found: &Relaxation, asked: Asked<'_>) -> Option<Relaxed> {
    let Relaxation::Shifts { shifts, least } = found else {
        return None;
    };
    let name = |bound: &Bound| name(bound, &asked.world.schema);
    let change = change_text(shifts, *least, " within the flexible bounds", &name);
    Some(Relaxed {
        quotas: found.applied(asked.quotas)?,
        disclosure: format!(
            "No committee keeps all quotas, so they are relaxed (flexible = true) by {change}"
        ),
    })
}

/// A bound's value, with its place in the file: "age 18-29 (line 4, column 3)".
fn label(bound: &Bound, target: &OrganiserTarget, schema: &Schema) -> String {
    let name = name(bound, schema);
    match target.place(bound, schema) {
        Some(Place::File {
            line: Some(line),
            column: Some(column),
            ..
        }) => {
            format!("{name} (line {line}, column {column})")
        }
        Some(Place::Memory {
            line,
            row,
            column: Some(column),
            ..
        }) => {
            let unit = if line.is_some() { "line" } else { "row" };
            let number = line.or(row).unwrap_or_default();
            format!("{name} ({unit} {number}, column {column})")
        }
        _ => name,
    }
}

fn name(bound: &Bound, schema: &Schema) -> String {
    let attribute = &schema.attributes()[bound.attribute];
    format!("{} {}", attribute.name, attribute.values[bound.value])
}

/// Returns the unlimited supply of people under a law.
fn supply(law: &Law, schema: &Schema) -> Supply {
    match law {
        Law::Product(marginals) => {
            let comes = |row: &Vec<f64>| row.iter().map(|share| *share > 0.0).collect();
            Supply::independent(&marginals.iter().map(comes).collect::<Vec<_>>())
        }
        Law::Cells(cells) => {
            let cells = cells.iter().filter(|(_, share)| *share > 0.0);
            let types: Vec<_> = cells.map(|(cell, _)| schema.values(*cell)).collect();
            Supply::types(types.iter().map(Vec::as_slice))
        }
    }
}
