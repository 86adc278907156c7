//! `joint = "types.csv"`: the shares of whole types, from a table.

use std::collections::BTreeMap;
use std::path::Path;

use super::Field;
use super::located::{find, line_of, misparted};
use super::target::{SLACK, short};
use crate::problem::Problem;
use crate::protocol::{Attribute, Law};
use crate::source::table::{AttributeSpec, Layout, Levels, Table, TableSpec};

/// The column of a table of types that holds their shares.
const P: &str = "p";

/// What such a table looks like.
const SHAPE: &str = "a table of types has a column for each attribute and a column p, parted by commas, and a row for \
    each type; its p is a number from 0 to 1";

/// A table of types: attribute columns and `p`, a row a type.
pub(super) fn joint(field: &Field<'_>, folder: &Path) -> Option<(Vec<Attribute>, Law)> {
    let path = find(field, None, folder)?;
    let mut spec = TableSpec {
        path: path.clone(),
        layout: Layout::Csv {
            header: true,
            columns: vec![],
            delimiter: b',',
        },
        filters: vec![],
        id: None,
        attributes: vec![],
        weight: Some(P.into()),
        unique: vec![],
    };
    let columns = columns_of(&path);
    let attributes = columns.iter().filter(|column| *column != P);
    spec.attributes = attributes
        .map(|column| AttributeSpec {
            name: column.clone(),
            column: column.clone(),
            levels: Levels::Distinct,
        })
        .collect();
    if spec.attributes.is_empty() && !columns.is_empty() {
        let problem = Problem::new(
            line_of(&path, Some(1)),
            "the table has no attribute beside p",
        );
        field.report(problem.help("for example: gender,age,p on its first line"));
        return None;
    }
    let table = match Table::load(&spec) {
        Ok(table) => table,
        Err(error) => {
            let parted = misparted(&path, &spec.layout);
            for problem in parted.map_or(error.problems.0, |problem| vec![problem]) {
                field.report(match error.unopened {
                    Some(_) => problem,
                    // Its advice is for people; here a row is a type and a weight its share.
                    None => problem.help(SHAPE),
                });
            }
            return None;
        }
    };
    let weights = table.weights().unwrap_or_default();
    let sum: f64 = weights.iter().sum();
    if (sum - 1.0).abs() > SLACK {
        let what = format!("the column p sums to {}, not to 1", short(sum));
        field.report(Problem::new(line_of(&path, None), what).help("make it sum to 1"));
        return None;
    }
    let mut seen = BTreeMap::new();
    let mut sound = true;
    for row in 0..table.len() {
        if let Some(first) = seen.insert(table.cell(row), table.line(row)) {
            let what = format!("the type of line {first} stands here again");
            let problem = Problem::new(line_of(&path, Some(table.line(row))), what);
            field.report(problem.help("name each type once"));
            sound = false;
        }
    }
    let attributes = table.attributes().iter().map(|(name, values)| Attribute {
        name: name.clone(),
        values: values.clone(),
    });
    let cells = table.joint(true).into_iter().filter(|(_, p)| *p > 0.0);
    sound.then(|| (attributes.collect(), Law::Cells(cells.collect())))
}

/// The names on the first line of a CSV file; none where it can't be read, which its loading tells.
fn columns_of(path: &Path) -> Vec<String> {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let headers = reader
        .headers()
        .map(|headers| headers.iter().map(str::to_owned).collect());
    headers.unwrap_or_default()
}
