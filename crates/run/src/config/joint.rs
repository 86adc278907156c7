//! The key `joint = "types.csv"` or `joint = [ { gender = "M", p = 0.5 }, … ]`: the shares of whole
//! types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::handed::HandedIn;
use super::located::{find, misparted};
use super::memory::{self, FILE};
use super::shares::SLACK;
use crate::catalog::short;
use crate::document::param::Shape;
use crate::document::range::PROBABILITY;
use crate::document::{ConfigKey, Field, Later, Value};
use crate::keys;
use kleroterion_core::problem::{Place, Problem};
use kleroterion_core::protocol::{Attribute, Law, Schema};
use kleroterion_io::people::table::{PeopleTable, TableSpec};
use kleroterion_io::record::file::{Grid, How};
use kleroterion_io::record::{AttributeSpec, Levels};

/// The share of a type, in a list and as a column of a table of types.
const P: ConfigKey<f64> = ConfigKey::number("p", PROBABILITY)
    .about("the type's share")
    .needed_like("p = 0.25");

pub(super) const JOINT: ConfigKey<Later> = ConfigKey::later(
    "joint",
    Shape::OneOf(&[FILE, Shape::List(&Shape::Open(keys![P], &Shape::Text))]),
)
.about("shares of whole types, from a file or listed with p");

/// A description of the table of types, for error messages.
const SHAPE: &str = "a table of types has a column for each attribute and a column p, separated by commas, and a row for \
    each type; its p is a number from 0 to 1";

/// An example of a list of types.
const EXAMPLE: &str = "joint = [ { gender = \"M\", p = 0.5 }, { gender = \"F\", p = 0.5 } ]";

/// Reads the types and their shares, from a file or a list.
pub(super) fn joint(field: &Field<'_>, inputs: &HandedIn) -> Option<(Vec<Attribute>, Law)> {
    match field.value()? {
        Value::Text(_) => from_file(field, inputs),
        Value::List(_) => from_list(field),
        Value::Table(_) if memory::name(field.value()).is_some() => from_file(field, inputs),
        _ => field.expected("the path of a table of types, or a list of types"),
    }
}

/// A list of types, each a table of its values and `p`. Values are in alphabetical order, as those
/// of a file are.
fn from_list(field: &Field<'_>) -> Option<(Vec<Attribute>, Law)> {
    let types = field.each(one_type)?;
    let Some((first, ..)) = types.first() else {
        return field.refused("the list names no type", format!("for example: {EXAMPLE}"));
    };
    if first.is_empty() {
        let help = format!("for example: {EXAMPLE}");
        return field.refused("the types have no attribute but p", help);
    }
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    let rows = rows_of(&types, &names, &field.members()?);
    let sum: f64 = types.iter().map(|(_, p)| p).sum();
    if (sum - 1.0).abs() > SLACK {
        let what = format!("the p of the types sum to {}, not to 1", short(sum));
        return field.refused(what, "make them sum to 1");
    }
    let rows = rows?;
    let attributes = attributes_of(&names, &rows);
    let schema = Schema::new(attributes.clone(), vec![], false);
    let schema = field.sound(schema, "merge rare values, or drop an attribute")?;
    let mut cells = BTreeMap::new();
    for (row, (_, p)) in rows.iter().zip(&types) {
        let values = attributes.iter().zip(row).map(|(a, value)| a.index(value));
        let values: Option<Vec<u16>> = values.map(|at| u16::try_from(at?).ok()).collect();
        if *p > 0.0 {
            cells.insert(schema.cell(&values?), p / sum);
        }
    }
    Some((attributes, Law::Cells(cells.into_iter().collect())))
}

/// A law of some attributes as one of others. `places` has the place among those of each attribute,
/// and the places of its values. `None` if the attributes make no schema.
pub(super) fn moved(
    law: Law,
    named: &[Attribute],
    attributes: &[Attribute],
    places: &[(usize, Vec<u16>)],
) -> Option<Law> {
    Some(match law {
        Law::Product(rows) => {
            let sizes = attributes.iter().map(|attribute| attribute.values.len());
            let mut marginals: Vec<Vec<f64>> = sizes.map(|size| vec![0.0; size]).collect();
            for ((at, values), row) in places.iter().zip(rows) {
                for (value, share) in values.iter().zip(row) {
                    marginals[*at][usize::from(*value)] = share;
                }
            }
            Law::Product(marginals)
        }
        Law::Cells(cells) => {
            let from = Schema::new(named.to_vec(), vec![], false).ok()?;
            let to = Schema::new(attributes.to_vec(), vec![], false).ok()?;
            let moved = |(cell, share): (u32, f64)| {
                let mut values = vec![0; attributes.len()];
                for ((at, known), value) in places.iter().zip(from.values(cell)) {
                    values[*at] = known[usize::from(value)];
                }
                (to.cell(&values), share)
            };
            let mut cells: Vec<_> = cells.into_iter().map(moved).collect();
            cells.sort_unstable_by_key(|(cell, _)| *cell);
            Law::Cells(cells)
        }
    })
}

/// The values of each type in the order of `names`; types that lack one, have another or come twice
/// are noted.
fn rows_of<'t>(
    types: &'t [OneType],
    names: &[&str],
    members: &[Field<'_>],
) -> Option<Vec<Vec<&'t str>>> {
    let help = || format!("every type has a value of each of {}", names.join(", "));
    let mut is_sound = true;
    let mut refuse = |member: &Field<'_>, what: String, help: String| {
        member.refuse(what, help);
        is_sound = false;
    };
    let mut rows: Vec<Vec<&str>> = Vec::new();
    for ((values, _), member) in types.iter().zip(members) {
        for (name, _) in values.iter().filter(|(n, _)| !names.contains(&n.as_str())) {
            let what = format!("this type has {name}, which the first type does not have");
            refuse(member, what, help());
        }
        let of = |name: &&str| values.iter().find(|(n, _)| n == name);
        for name in names.iter().filter(|name| of(name).is_none()) {
            refuse(member, format!("this type has no value of {name}"), help());
        }
        let row = names.iter().filter_map(of).map(|(_, value)| value.as_str());
        let row: Vec<&str> = row.collect();
        let is_whole = row.len() == names.len();
        if let Some(at) = rows.iter().position(|known| is_whole && *known == row) {
            let what = format!("type {} of the list comes here again", at + 1);
            refuse(member, what, "name each type once".into());
        }
        rows.push(row);
    }
    is_sound.then_some(rows)
}

/// The attributes and their values, in alphabetical order.
fn attributes_of(names: &[&str], rows: &[Vec<&str>]) -> Vec<Attribute> {
    let attribute = |(at, name): (usize, &&str)| {
        let values: BTreeSet<&str> = rows.iter().map(|row| row[at]).collect();
        Attribute {
            name: (*name).to_owned(),
            values: values.into_iter().map(str::to_owned).collect(),
        }
    };
    names.iter().enumerate().map(attribute).collect()
}

/// A type's values by attribute, and its share.
type OneType = (Vec<(String, String)>, f64);

/// Reads a type.
fn one_type(field: &Field<'_>) -> Option<OneType> {
    let mut table = field.table()?;
    let p = P.value(&mut table);
    let values = table.rest().into_iter().map(|(key, field)| {
        let value = field.text()?.trim();
        if value.is_empty() {
            return field.refused(format!("{} is empty", key.name), "give it a value");
        }
        Some((key.name.clone(), value.to_owned()))
    });
    let values: Vec<_> = values.collect();
    let values: Option<Vec<_>> = values.into_iter().collect();
    Some((values?, p?))
}

/// A table of types: attribute columns and `p`, a row for each type.
fn from_file(field: &Field<'_>, inputs: &HandedIn) -> Option<(Vec<Attribute>, Law)> {
    let found = find(field, None, inputs)?;
    let how = found.how(How::default());
    let columns = columns_of(&found.path, &how);
    let path = found.path;
    let mut spec = TableSpec {
        path: path.clone(),
        how,
        columns: None,
        filters: vec![],
        id: None,
        attributes: vec![],
        weight: Some(P.name().into()),
        unique: vec![],
        numbers: Default::default(),
    };
    let attributes = columns.iter().filter(|column| *column != P.name());
    spec.attributes = attributes
        .map(|column| AttributeSpec {
            name: column.clone(),
            column: column.clone(),
            levels: Levels::Distinct,
        })
        .collect();
    if spec.attributes.is_empty() && !columns.is_empty() {
        let what = "the table has no attribute but p";
        let problem = Problem::new(Place::line(&path, Some(1)), what);
        field.report(problem.help("for example: gender,age,p on its first line"));
        return None;
    }
    let table = loaded(&spec, field)?;
    let weights = table.weights().unwrap_or_default();
    let sum: f64 = weights.iter().sum();
    if (sum - 1.0).abs() > SLACK {
        let what = format!("the column p sums to {}, not to 1", short(sum));
        field.report(Problem::new(Place::line(&path, None), what).help("make it sum to 1"));
        return None;
    }
    if has_repeats(&table, &path, field) {
        return None;
    }
    let attributes = table.attributes().iter().map(|(name, values)| Attribute {
        name: name.clone(),
        values: values.clone(),
    });
    let cells = table.joint(true).into_iter().filter(|(_, p)| *p > 0.0);
    Some((attributes.collect(), Law::Cells(cells.collect())))
}

/// The table of types; why it can't be read is noted.
fn loaded(spec: &TableSpec, field: &Field<'_>) -> Option<PeopleTable> {
    let error = match PeopleTable::load(spec) {
        Ok(table) => return Some(table),
        Err(error) => error,
    };
    let misparted = misparted(spec);
    for problem in misparted.map_or(error.problems.0, |problem| vec![problem]) {
        field.report(match error.unopened {
            Some(_) => problem,
            // Its advice is for people; here a row is a type and a weight its share.
            None => problem.help(SHAPE),
        });
    }
    None
}

/// Notes each type that comes twice. Returns true if there is one.
fn has_repeats(table: &PeopleTable, path: &Path, field: &Field<'_>) -> bool {
    let mut lines = BTreeMap::new();
    let mut has_repeats = false;
    for row in 0..table.len() {
        let line = table.line(row);
        if let Some(first) = lines.insert(table.cell(row), line) {
            let what = format!("the type of line {first} comes here again");
            let problem = Problem::new(Place::line(path, Some(line)), what);
            field.report(problem.help("name each type once"));
            has_repeats = true;
        }
    }
    has_repeats
}

/// The names on the first line of a CSV file. Empty if it can't be read, which loading it notes.
fn columns_of(path: &Path, how: &How) -> Vec<String> {
    let grid = Grid::read(path, how).unwrap_or_default();
    let first = grid.rows.into_iter().next();
    first.map(|row| row.cells).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::config::{Document, check};

    const REST: &str = "[rules]\nchoose = \"any\"\nuntil = { rounds = 5 }\n[[policy]]\nlabel = \
         \"all\"\nkind = \"accept_all\"\n";

    #[test]
    fn a_list_says_the_same_as_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let table = "age,sex,p\nold,M,0.5\nold,F,0.25\nyoung,M,0.25\nyoung,F,0\n";
        std::fs::write(folder.path().join("types.csv"), table).unwrap();
        let list = r#"[ { age = "old", sex = "M", p = 0.5 }, { sex = "F", age = "old", p = 0.25 },
            { age = "young", p = 0.25, sex = "M" }, { age = " young ", sex = "F", p = 0 } ]"#;
        let world = |joint: &str| {
            let text = format!("[source]\ntype = \"categorical\"\njoint = {joint}\n{REST}");
            let plan = check(&Document::parse(&text).unwrap(), folder.path()).unwrap();
            let law = plan.world.known.law.exact().unwrap();
            (plan.world.schema.attributes().to_vec(), (**law).clone())
        };
        let (attributes, law) = world(list);
        assert_eq!((attributes.clone(), law), world("\"types.csv\""));
        let names: Vec<_> = attributes.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["age", "sex"]);
    }
}
