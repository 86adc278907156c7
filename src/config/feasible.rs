//! Whether a committee keeps the quotas of a categories file, asked before anything is drawn.

use super::context::Built;
use super::target::Wanted;
use crate::document::Field;
use crate::panel::feasibility::{Bound, Feasibility, NODES, Supply, feasibility};
use crate::problem::Place;
use crate::protocol::{Law, Quota, Schema};
use crate::source::organisers::Categories;

/// Notes that no committee of `members` among the people of a world keeps all quotas, at the first
/// of those that clash or, where people are too few, at the committee's size. What was not decided
/// is a note for the reader.
pub(super) fn check(
    world: &Built,
    wanted: &Wanted,
    quotas: &[Vec<Quota>],
    members: u64,
    size: &Field<'_>,
    notes: &mut Vec<String>,
) {
    let by_law = || Some(supply(world.known.law.get()?, &world.schema));
    let supply = world.supply.clone().or_else(by_law);
    let (Some(supply), Some(categories), Ok(members)) =
        (supply, wanted.categories(), members.try_into())
    else {
        return;
    };
    let found = feasibility(quotas, members, &supply, NODES);
    let label = |bound: &Bound| {
        let attribute = &world.schema.attributes()[bound.attribute];
        let name = format!("{} {}", attribute.name, attribute.values[bound.value]);
        match place(bound, categories, &world.schema) {
            Some(Place::File {
                line: Some(line),
                column: Some(column),
                ..
            }) => {
                format!("{name} (line {line}, column {column})")
            }
            _ => name,
        }
    };
    let Some(mut problem) = found.problem(members, label) else {
        return;
    };
    let first = match &found {
        Feasibility::Undecided { .. } => {
            notes.push(problem.to_string());
            return;
        }
        Feasibility::Clash(clash) => clash.bounds.first(),
        Feasibility::Feasible | Feasibility::TooFew { .. } => None,
    };
    let first = first.and_then(|bound| place(bound, categories, &world.schema));
    problem.place = first.unwrap_or_else(|| size.place().clone());
    size.report(problem);
}

/// The cell of a bound; a value of the source that the file does not have is in none.
fn place(bound: &Bound, categories: &Categories, schema: &Schema) -> Option<Place> {
    let attribute = &schema.attributes()[bound.attribute];
    let value = categories.value(&attribute.name, &attribute.values[bound.value])?;
    Some(categories.place(value, bound.side))
}

/// Who comes under a law, without end.
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
