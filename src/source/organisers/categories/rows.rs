//! From the rows of a categories file to attributes and their values.

use super::category::{Category, CategoryValue};
use crate::protocol::Quota;
use crate::record::cell::shown;
use crate::record::fault::FaultKind;
use crate::source::table::sheet::{Sheet, SheetRow, fold};
use crate::source::table::tally::{At, CellRole, ProblemKind, ProblemTally};

/// The dialects: the columns of attributes and of their values.
const DIALECTS: [(&str, &str); 3] = [
    ("feature", "value"),
    ("category", "name"),
    ("category", "feature"),
];

/// The columns that matter; nothing for those that are missing or there twice.
#[derive(Default)]
pub(super) struct Columns {
    attribute: Option<Column>,
    value: Option<Column>,
    min: Option<Column>,
    max: Option<Column>,
    min_flex: Option<Column>,
    max_flex: Option<Column>,
    fields: Vec<usize>,
}

/// A column of the file.
#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    /// Its number in the file, from 1.
    number: u64,
    /// Its place in [`Columns::fields`].
    slot: usize,
}

/// An attribute as far as it has been read.
pub(super) struct Listed {
    pub(super) name: String,
    /// The line of its first row.
    pub(super) line: u64,
    /// Each value, its line, and its quota where the row makes sense.
    pub(super) values: Vec<(String, u64, Option<Quota>)>,
}

impl Columns {
    /// The columns by the header; those that are missing or there twice are noted.
    pub(super) fn find(sheet: &mut Sheet) -> Self {
        let has = |name| sheet.find(name).is_some();
        let whole = DIALECTS.into_iter().find(|(a, v)| has(a) && has(v));
        let dialect = whole.or_else(|| DIALECTS.into_iter().find(|(a, v)| has(a) || has(v)));
        let mut columns = Self::default();
        if let Some((attribute, value)) = dialect {
            columns.attribute = columns.need(sheet, attribute, "the attributes");
            columns.value = columns.need(sheet, value, "the attributes' values");
        } else {
            let at = At {
                line: sheet.header_line(),
                column: None,
            };
            let help = sheet.advice("feature");
            sheet
                .tally
                .note(ProblemKind::Shape(FaultKind::Columns), at, || {
                    let what = "the header has neither `feature,value` nor `category,name` nor \
                            `category,feature`";
                    (what.into(), help)
                });
        }
        columns.min = columns.need(sheet, "min", "the minimums");
        columns.max = columns.need(sheet, "max", "the maximums");
        if sheet.find("min_flex").is_some() {
            columns.min_flex = columns.need(sheet, "min_flex", "the flexible minimums");
        }
        if sheet.find("max_flex").is_some() {
            columns.max_flex = columns.need(sheet, "max_flex", "the flexible maximums");
        }
        columns
    }

    fn need(&mut self, sheet: &mut Sheet, name: &'static str, user: &str) -> Option<Column> {
        let field = sheet.need(name, user)?;
        self.fields.push(field);
        Some(Column {
            name,
            number: field as u64 + 1,
            slot: self.fields.len() - 1,
        })
    }

    /// The numbers of the columns of minimums and maximums, from 1.
    pub(super) fn bounds(&self) -> [Option<u64>; 2] {
        [self.min, self.max].map(|column| column.map(|column| column.number))
    }

    /// The fields in the order in which [`read`] takes a row's cells.
    pub(super) fn fields(&self) -> &[usize] {
        &self.fields
    }
}

/// The attributes of all rows, in the order of first mention; none where no column names them.
pub(super) fn read(rows: &[SheetRow], columns: &Columns, tally: &mut ProblemTally) -> Vec<Listed> {
    let mut listed: Vec<Listed> = Vec::new();
    let Some(attribute) = columns.attribute else {
        return listed;
    };
    for row in rows {
        let name = &row.cells[attribute.slot];
        if name.is_empty() {
            continue;
        }
        let mut quota = quota(row, columns, tally);
        let Some(column) = columns.value else {
            continue;
        };
        let found = listed.iter().position(|l| fold(&l.name) == fold(name));
        let index = found.unwrap_or_else(|| {
            listed.push(Listed {
                name: name.clone(),
                line: row.line,
                values: Vec::new(),
            });
            listed.len() - 1
        });
        let attribute = &mut listed[index];
        let value = &row.cells[column.slot];
        let mut refuse = |what: String, help: &str| {
            note(tally, row, column, what, help);
            quota = None;
        };
        let same = |(known, ..): &&(String, u64, _)| fold(known) == fold(value);
        if value.is_empty() {
            let what = format!(
                "the value of `{}` in `{}` is blank",
                attribute.name, column.name
            );
            refuse(what, "name the value, or leave out the row");
        } else if let Some((_, line, _)) = attribute.values.iter().find(same) {
            let (value, name) = (shown(value), &attribute.name);
            let what = format!("the value {value} of `{name}` is on line {line} already");
            let help = "keep one row a value; case and blanks make no difference";
            refuse(what, help);
        }
        attribute.values.push((value.clone(), row.line, quota));
    }
    listed
}

/// A row's quota; nothing where it makes no sense, which is noted.
fn quota(row: &SheetRow, columns: &Columns, tally: &mut ProblemTally) -> Option<Quota> {
    let min = columns.min.zip(number(row, columns.min, tally));
    let max = columns.max.zip(number(row, columns.max, tally));
    // A blank flexible bound is none.
    let given = |column: Option<Column>| column.filter(|c| !row.cells[c.slot].is_empty());
    let (min_flex, max_flex) = (given(columns.min_flex), given(columns.max_flex));
    let min_flex = min_flex.zip(number(row, min_flex, tally));
    let max_flex = max_flex.zip(number(row, max_flex, tally));
    let mut refuse = |column: Column, what: String, help: &str| {
        note(tally, row, column, what, help);
    };
    if let (Some((column, flex)), Some((_, min))) = (min_flex, min)
        && flex > min
    {
        let what = format!("`min_flex` {flex} is over `min` {min}");
        refuse(column, what, "a flexible minimum is the minimum or less");
    }
    if let (Some((column, flex)), Some((_, max))) = (max_flex, max)
        && flex < max
    {
        let what = format!("`max_flex` {flex} is under `max` {max}");
        refuse(column, what, "a flexible maximum is the maximum or more");
    }
    let ((column, min), (_, max)) = (min?, max?);
    if min > max {
        let what = format!("`min` {min} is over `max` {max}");
        refuse(column, what, "lower the one or raise the other");
        return None;
    }
    Some(Quota { min, max })
}

/// A whole number, not negative; nothing where the cell is none, which is noted.
fn number(row: &SheetRow, column: Option<Column>, tally: &mut ProblemTally) -> Option<u32> {
    let column = column?;
    let Column { name, slot, .. } = column;
    let cell = row.cells[slot].as_str();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (what, help) = if cell.is_empty() {
        let help = "write a whole number; 0 where none is needed";
        (format!("`{name}` is blank"), help)
    } else if digits(cell) {
        match cell.parse() {
            Ok(number) => return Some(number),
            Err(_) => (
                format!("`{name}` is too large: {}", shown(cell)),
                "write a number of people",
            ),
        }
    } else if cell.strip_prefix('-').is_some_and(digits) {
        let help = "write 0 or more";
        (format!("`{name}` is negative: {}", shown(cell)), help)
    } else {
        let help = "write a whole number in digits alone";
        (
            format!("`{name}` is not a whole number: {}", shown(cell)),
            help,
        )
    };
    note(tally, row, column, what, help);
    None
}

/// Notes what is wrong with a cell.
fn note(tally: &mut ProblemTally, row: &SheetRow, column: Column, what: String, help: &str) {
    let at = At::cell(row.line, Some(column.number));
    tally.note(ProblemKind::Cell(column.slot, CellRole::Quota), at, || {
        (what, help.into())
    });
}

impl Listed {
    /// The quotas of all values; nothing where one could not be read.
    pub(super) fn quotas(&self) -> Option<Vec<Quota>> {
        self.values.iter().map(|(_, _, quota)| *quota).collect()
    }

    /// The attribute; values without a quota, which are noted, are left out.
    pub(super) fn finish(self) -> Category {
        let values = self.values.into_iter();
        let values = values.filter_map(|(name, line, quota)| {
            Some(CategoryValue {
                name,
                line,
                quota: quota?,
            })
        });
        Category {
            name: self.name,
            values: values.collect(),
        }
    }
}
