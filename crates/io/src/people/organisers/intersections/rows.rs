//! From the rows of an intersections file to pairs.

use super::pair::{PairValue, ValuePair};
use crate::people::organisers::quota_columns::{Column, Fields, QuotaColumns};
use crate::people::organisers::quota_header::{DIALECTS, named_pairs};
use crate::people::organisers::quota_said::Said;
use crate::people::organisers::{Categories, Category, FlexibleQuota, QuotaNames, QuotaSpec};
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::ProblemTally;
use crate::record::cell::shown;
use crate::record::fold;
use crate::record::plain::is_total;
use kleroterion_core::nearest::nearest_value;

/// Marks between a column's name and its number.
const MARKS: [&str; 4] = [" ", "_", "", "-"];

/// The columns that matter; nothing for those that are missing or there twice.
#[derive(Default)]
pub(super) struct Columns {
    /// The columns of each attribute of a pair: its name and its value.
    sides: [Option<(Column, Column)>; 2],
    pub(super) quotas: QuotaColumns,
}

impl Columns {
    /// The columns by the header; those that are missing or there twice are noted.
    pub(super) fn find(sheet: &mut Sheet, spec: &QuotaSpec) -> Self {
        let QuotaNames { category, name, .. } = &spec.columns;
        let named = category.as_deref().zip(name.as_deref());
        let dialects = named.into_iter().chain(DIALECTS);
        let dialects: Vec<_> = dialects
            .flat_map(|(attribute, value)| {
                MARKS.map(|mark| {
                    [1, 2].map(|n| [attribute, value].map(|of| format!("{of}{mark}{n}")))
                })
            })
            .collect();
        let found = |names: &[[String; 2]; 2]| {
            let names = names.iter().flatten();
            names.filter(|name| sheet.find(name).is_some()).count()
        };
        // Of dialects that fit alike the first.
        let best = dialects.into_iter().rev().max_by_key(found);
        let best = best.filter(|names| found(names) > 0);
        let mut columns = Self::default();
        let mut fields = Fields::default();
        if let Some(names) = best {
            columns.sides = names.map(|[attribute, value]| {
                let attribute = fields.need(sheet, &attribute, "the attributes");
                let value = fields.need(sheet, &value, "the attributes' values");
                attribute.zip(value)
            });
        } else {
            let help = named_pairs(sheet).unwrap_or_else(|| sheet.advice("category 1"));
            let what = "the header has neither `category 1,feature 1,category 2,feature 2` nor \
                        `feature 1,value 1,feature 2,value 2`";
            sheet.note_header(what, help);
        }
        columns.quotas = QuotaColumns::find(fields, sheet, spec);
        columns
    }
}

/// The pairs of all rows, in the order of first mention; what is wrong is noted.
pub(super) fn read(
    rows: &[SheetRow],
    columns: &Columns,
    categories: &Categories,
    tally: &mut ProblemTally,
) -> (Vec<ValuePair>, Said) {
    let mut pairs: Vec<ValuePair> = Vec::new();
    let mut said = Said::default();
    let [Some(first), Some(second)] = &columns.sides else {
        return (pairs, said);
    };
    let mut above = [""; 4];
    for row in rows {
        let cells = [&first.0, &first.1, &second.0, &second.1].map(|column| column.cell(row));
        if !is_pair(row, cells, &columns.quotas, &mut said) {
            continue;
        }
        let cells = filled(cells, above);
        if [&first.0, &second.0]
            .iter()
            .any(|column| column.cell(row).is_empty())
        {
            said.merged.push(row.line);
        }
        above = cells;
        let [_, one, _, other] = cells;
        let quota = columns
            .quotas
            .read(row, &format!("{one} x {other}"), tally, &mut said);
        let [one, other] = [[cells[0], cells[1]], [cells[2], cells[3]]];
        let sides = [(first, one), (second, other)];
        let sides = sides.map(|(side, cells)| named(row, side, cells, categories, tally));
        let [Some(one), Some(other)] = sides else {
            continue;
        };
        if one.0 == other.0 {
            let what = format!("`{}` is paired with itself", one.0);
            second.0.note(row, tally, what, "name two attributes");
            continue;
        }
        if let Some(line) = push(&mut pairs, [one, other], row.line, quota) {
            let cells = [cells[1], cells[3]].map(shown);
            let what = format!("the pair {} is on line {line} already", cells.join(" and "));
            let help = "keep one row a pair, whichever comes first in it";
            second.1.note(row, tally, what, help);
        }
    }
    pairs.retain(|pair| !pair.values.is_empty());
    let values = |name: &String| {
        let mut attributes = categories.attributes().iter();
        attributes
            .find(|known| known.name == *name)
            .map_or(0, |a| a.values.len())
    };
    for pair in &mut pairs {
        let all: usize = pair.of.iter().map(values).product();
        pair.lists_all = pair.values.len() == all;
    }
    (pairs, said)
}

/// Returns true if a row names a pair of values. Notes a row of sums, and a row with a quota but no
/// values.
fn is_pair(row: &SheetRow, cells: [&str; 4], quotas: &QuotaColumns, said: &mut Said) -> bool {
    let first = cells.iter().find(|cell| !cell.is_empty());
    let sums = first.is_some_and(|first| is_total(first));
    if sums {
        said.sums.push(row.line);
    } else if first.is_none() && !quotas.are_blank(row) {
        said.nameless.push(row.line);
    }
    first.is_some() && !sums
}

/// The attributes and values of a row in which merged cells are blank.
fn filled<'r>(cells: [&'r str; 4], above: [&'r str; 4]) -> [&'r str; 4] {
    let [one, value, other, last] = cells;
    let or = |cell: &'r str, at: usize| if cell.is_empty() { above[at] } else { cell };
    let value = if one.is_empty() { or(value, 1) } else { value };
    [or(one, 0), value, or(other, 2), last]
}

/// Adds a row to the pair of its attributes; the line of the row that has the same values, where
/// one does. A row without a quota, which has been noted, adds nothing.
fn push(
    pairs: &mut Vec<ValuePair>,
    sides: [(&str, &str); 2],
    line: u64,
    quota: Option<FlexibleQuota>,
) -> Option<u64> {
    let is_of = |pair: &ValuePair, [one, other]: [(&str, &str); 2]| pair.of == [one.0, other.0];
    let [one, other] = sides;
    let swapped = [other, one];
    let sides = match pairs.iter().any(|pair| is_of(pair, swapped)) {
        true => swapped,
        false => sides,
    };
    let at = pairs.iter().position(|pair| is_of(pair, sides));
    let at = at.unwrap_or_else(|| {
        pairs.push(ValuePair {
            of: sides.map(|(attribute, _)| attribute.to_owned()),
            values: Vec::new(),
            lists_all: false,
        });
        pairs.len() - 1
    });
    let values = sides.map(|(_, value)| value.to_owned());
    let pair = &mut pairs[at];
    if let Some(known) = pair.values.iter().find(|known| known.of == values) {
        return Some(known.line);
    }
    pair.values.extend(quota.map(|quota| PairValue {
        of: values,
        line,
        quota,
    }));
    None
}

/// The attribute and the value that one side of a row names, as spelt in the categories; that it
/// names none is noted.
fn named<'c>(
    row: &SheetRow,
    (attribute, value): &(Column, Column),
    [name, cell]: [&str; 2],
    categories: &'c Categories,
    tally: &mut ProblemTally,
) -> Option<(&'c str, &'c str)> {
    let all = || categories.attributes().iter();
    let Some(category) = all().find(|known| fold(&known.name) == fold(name)) else {
        let what = match name {
            "" => format!("`{}` is blank", attribute.name()),
            _ => format!("the categories have no attribute {}", shown(name)),
        };
        let help = advice(name, all().map(|known| known.name.as_str()).collect());
        attribute.note(row, tally, what, &help);
        return None;
    };
    let Category { name, values } = category;
    let found = values.iter().find(|known| match categories.is_exact() {
        true => known.name == cell,
        false => fold(&known.name) == fold(cell),
    });
    if found.is_none() {
        let what = match cell {
            "" => format!("the value of `{name}` in `{}` is blank", value.name()),
            _ => format!("`{name}` has no value {}", shown(cell)),
        };
        let help = advice(cell, values.iter().map(|v| v.name.as_str()).collect());
        value.note(row, tally, what, &help);
    }
    Some((name, &found?.name))
}

/// The nearest of the known names, or all of them.
fn advice(name: &str, known: Vec<&str>) -> String {
    let list = known.join(", ");
    match nearest_value(name, known) {
        Some(near) => format!("did you mean '{near}'? There are: {list}"),
        None => format!("there are: {list}"),
    }
}
