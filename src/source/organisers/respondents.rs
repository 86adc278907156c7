//! The respondents file of sortition tools: those who volunteered, one a row.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Categories, Category};
use crate::nearest::nearest;
use crate::record::cell::shown;
use crate::record::file::How;
use crate::record::fold;
use crate::source::Households;
use crate::source::table::sheet::{Sheet, SheetRow};
use crate::source::table::tally::{At, CellRole, ProblemKind};
use crate::source::table::{LoadError, PeopleTable};

/// A file of respondents, and how it is read.
#[derive(Clone, Debug)]
pub struct RespondentsSpec<'a> {
    /// The file: a table with a header. A column is
    /// found by its name, trimmed and case-insensitively; columns that no one asks for are ignored.
    pub path: &'a Path,
    /// How it is opened.
    pub how: &'a How,
    /// The attributes, each a column of the file, and the values that its cells may name.
    pub categories: &'a Categories,
    /// The column that names people, each by a name of its own; else a person's name is the number
    /// of the row.
    pub id: Option<&'a str>,
    /// The columns that together name a household.
    pub unique: &'a [String],
}

impl RespondentsSpec<'_> {
    /// Reads those who volunteered: their attributes and values are in the order of the categories.
    ///
    /// # Errors
    /// All that is wrong with the file: columns that are missing or there twice; rows of too few or
    /// too many fields; cells that are blank or name no value of their attribute; ids that are
    /// empty or repeated; no row; more combinations of values than 2^32; and whatever keeps the
    /// file from being read. Of each kind and column the first 20 are listed one by one, then how
    /// many more there are of which cells.
    pub fn load(&self) -> Result<PeopleTable, LoadError> {
        let mut sheet = Sheet::open(self.path, "each person", self.how)?;
        let attributes = self.categories.attributes();
        // A column that is missing or there twice is noted; its cells can't be read then.
        let mut columns = Vec::new();
        let mut slot = |sheet: &mut Sheet, name: &str, user: &str| {
            let column = sheet.need(name, user)?;
            columns.push(column);
            Some(columns.len() - 1)
        };
        let by_attribute: Vec<Option<usize>> = attributes
            .iter()
            .map(|a| slot(&mut sheet, &a.name, &format!("the attribute `{}`", a.name)))
            .collect();
        let id = self.id.and_then(|name| slot(&mut sheet, name, "`id`"));
        let unique = self.unique.iter();
        let unique: Vec<Option<usize>> = unique
            .map(|name| slot(&mut sheet, name, "`unique`"))
            .collect();
        let rows = sheet.rows(&columns);
        let mut values = Vec::with_capacity(rows.len() * attributes.len());
        let codes: Vec<_> = attributes.iter().map(Codes::new).collect();
        for row in &rows {
            for (i, (slot, codes)) in by_attribute.iter().zip(&codes).enumerate() {
                if let Some(slot) = *slot {
                    let at = At::cell(row.line, Some(columns[slot] as u64 + 1));
                    let kind = ProblemKind::Cell(slot, CellRole::Attribute(i));
                    values.extend(codes.read(&row.cells[slot], kind, at, &mut sheet));
                }
            }
        }
        if let (Some(slot), Some(name)) = (id, self.id) {
            check_ids(&rows, slot, columns[slot] as u64 + 1, name, &mut sheet);
        }
        check_cells(attributes, &mut sheet);
        if !sheet.tally.is_empty() {
            return Err(sheet.tally.finish().into());
        }
        let households = (!unique.is_empty()).then(|| {
            let mut households = Households::default();
            let mut number = |row: &SheetRow| {
                let cells = unique.iter().flatten();
                households.number(cells.map(|slot| row.cells[*slot].as_str()))
            };
            let of = rows.iter().map(&mut number).collect();
            (households, of)
        });
        Ok(PeopleTable::assemble(
            (sheet.read_as().clone(), sheet.blank_rows()),
            id.map(|slot| rows.iter().map(|row| row.cells[slot].clone()).collect()),
            attributes.iter().map(named).collect(),
            values,
            households,
            rows.iter().map(|row| row.line).collect(),
            rows.iter().map(|row| row.number).collect(),
        ))
    }
}

/// An attribute's values by the letters in which they are compared.
struct Codes<'a> {
    attribute: &'a Category,
    codes: BTreeMap<String, u16>,
}

impl<'a> Codes<'a> {
    fn new(attribute: &'a Category) -> Self {
        let values = attribute.values.iter().zip(0..);
        Self {
            attribute,
            codes: values.map(|(v, code)| (fold(&v.name), code)).collect(),
        }
    }

    /// The value that a cell names; that it names none is noted.
    fn read(&self, cell: &str, kind: ProblemKind, at: At, sheet: &mut Sheet) -> Option<u16> {
        let code = self.codes.get(&fold(cell)).copied();
        if code.is_none() {
            sheet.tally.refuse(kind, at, cell, || self.explain(cell));
        }
        code
    }

    fn explain(&self, cell: &str) -> (String, String) {
        let Category { name, values } = self.attribute;
        let known = || values.iter().map(|value| value.name.as_str());
        let list = known().collect::<Vec<_>>().join(", ");
        let help = match nearest(cell, known()) {
            Some(near) => format!("did you mean '{near}'? The values are {list}"),
            None => format!("the values are {list}"),
        };
        match cell {
            "" => (format!("the cell of `{name}` is blank"), help),
            _ => (format!("`{name}` has no value {}", shown(cell)), help),
        }
    }
}

fn named(attribute: &Category) -> (String, Vec<String>) {
    let values = attribute.values.iter().map(|value| value.name.clone());
    (attribute.name.clone(), values.collect())
}

fn check_ids(rows: &[SheetRow], slot: usize, column: u64, name: &str, sheet: &mut Sheet) {
    let kind = ProblemKind::Cell(slot, CellRole::Id);
    let mut first: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows {
        let (id, at) = (row.cells[slot].as_str(), At::cell(row.line, Some(column)));
        if id.is_empty() {
            sheet.tally.note(kind, at, || {
                let help =
                    "give each person an id, or leave out `id`: the row's number then names them";
                (format!("the id in `{name}` is empty"), help.into())
            });
        } else if let Some(line) = first.get(id) {
            sheet.tally.note(kind, at, || {
                let what = format!(
                    "the id {} in `{name}` is that of line {line} too",
                    shown(id)
                );
                let help = "keep one row a person, or choose a column that differs for each person";
                (what, help.into())
            });
        } else {
            first.insert(id, row.line);
        }
    }
}

/// People are numbered by the combination of their values, in 32 bits.
fn check_cells(attributes: &[Category], sheet: &mut Sheet) {
    let sizes = attributes.iter().map(|attribute| attribute.values.len());
    let cells = sizes.fold(1_u64, |n, size| n.saturating_mul(size as u64));
    if cells > 1 << 32 {
        sheet.tally.note(ProblemKind::Whole, At::FILE, || {
            let sizes = attributes.iter().map(|a| a.values.len().to_string());
            let sizes = sizes.collect::<Vec<_>>().join(" x ");
            (
                format!("the attributes have {sizes} cells, more than 2^32"),
                "leave out an attribute of the categories, or join values".into(),
            )
        });
    }
}
