//! The first config of a committee of people who come one by one, matched to a target.

use super::people;
use super::wishes::Wishes;
use crate::init::column::Column;
use crate::init::draft::{Draft, key, list, table};
use crate::init::role::AttributeColumn;
use kleroterion_core::problem::Problem;

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    draft.key("replications", "200", "how often the stream is drawn anew");
    let people = wishes.sheet.people as u64;
    let places = wishes.places.unwrap_or_else(|| (people / 5).clamp(1, 40));
    can_fill(wishes, places)?;
    let order = (
        "shuffled",
        "each person once, in an order drawn anew in each replication",
    );
    people::write(draft, wishes, order, |_| {})?;
    draft.section("[target]");
    draft.comment("The share of the committee that each value is to have; the shares of an attribute sum to 1.");
    for attribute in &wishes.roles.attributes() {
        let column = &wishes.sheet.columns[attribute.column];
        let shares = shares(&counted(attribute, column));
        draft.key(
            &key(&people::name(column)),
            &table(shares),
            "as in the file",
        );
    }
    draft
        .assume("the target is the share of each value in the file; write those of the population");
    if wishes.places.is_none() {
        draft.assume(super::wishes::chosen(places, people));
    }
    let unique = unique(draft, wishes);
    let values = [("places", &*places.to_string()), ("unique", &unique)];
    draft.rest(include_str!("../template/committee.toml"), &values);
    Ok(())
}

/// Refuses a committee larger than the people.
pub(super) fn can_fill(wishes: &Wishes<'_>, places: u64) -> Result<(), Problem> {
    let people = wishes.sheet.people as u64;
    if places <= people {
        return Ok(());
    }
    let what = format!("{people} people can't fill a committee of {places}");
    let help = match wishes.quotas {
        Some(_) => "lower the quotas, or name a file with more people",
        None => "ask for fewer places, or name a file with more people",
    };
    Err(Problem::of_file(&wishes.sheet.path, what).help(help))
}

/// The line of `[rules]` that keeps people of one household apart, which is assumed; empty where no
/// columns name households.
pub(super) fn unique(draft: &mut Draft, wishes: &Wishes<'_>) -> String {
    let columns = wishes.roles.household();
    if columns.is_empty() {
        return String::new();
    }
    let names = columns.iter().map(|at| &*wishes.sheet.columns[*at].name);
    let names: Vec<&str> = names.collect();
    draft.assume(format!(
        "no two members are of one household: people with the same {}; leave out `unique` in [rules] if they may be",
        names.join(" and ")
    ));
    let line = format!("unique = {}", list(names));
    format!("{line:43} # no two members of one household\n")
}

/// The values of an attribute and how many people have each.
fn counted(attribute: &AttributeColumn, column: &Column) -> Vec<(String, usize)> {
    match column.categories() {
        Some(values) if attribute.bands.is_empty() => values.to_vec(),
        _ => {
            let numbers = column.numbers().unwrap_or_default();
            let band = |(name, from, below): &(String, f64, f64)| {
                let inside = numbers.iter().filter(|n| (*from..*below).contains(*n));
                (name.clone(), inside.count())
            };
            attribute.bands.iter().map(band).collect()
        }
    }
}

/// The share of each value, unrounded: values that always go together would rule each other out.
fn shares(counted: &[(String, usize)]) -> Vec<(String, String)> {
    let all: usize = counted.iter().map(|(_, n)| n).sum();
    let share =
        |(name, n): &(String, usize)| (name.clone(), format!("{:?}", *n as f64 / all as f64));
    counted.iter().map(share).collect()
}
