//! The columns `min`, `max`, `min_flex` and `max_flex` of an organiser's file, and their cells.

use super::FlexibleQuota;
use crate::protocol::Quota;
use crate::record::cell::shown;
use crate::source::table::sheet::{Sheet, SheetRow};
use crate::source::table::tally::{At, CellRole, ProblemKind, ProblemTally};

/// The fields of a file that are read, in the order in which a row's cells are taken.
#[derive(Default)]
pub(super) struct Fields(pub(super) Vec<usize>);

/// A column of a file.
#[derive(Clone)]
pub(super) struct Column {
    name: String,
    /// Its number in the file, from 1.
    number: u64,
    /// Its place in [`Fields`].
    slot: usize,
}

/// The columns of quotas; nothing for those that are missing or there twice.
#[derive(Default)]
pub(super) struct QuotaColumns {
    min: Option<Column>,
    max: Option<Column>,
    min_flex: Option<Column>,
    max_flex: Option<Column>,
}

impl Fields {
    /// The column of a name; that it is missing or there twice is noted. `user`: who wants it.
    pub(super) fn need(&mut self, sheet: &mut Sheet, name: &str, user: &str) -> Option<Column> {
        let field = sheet.need(name, user)?;
        self.0.push(field);
        Some(Column {
            name: name.to_owned(),
            number: field as u64 + 1,
            slot: self.0.len() - 1,
        })
    }
}

impl Column {
    /// Its name in the header.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A row's cell in it.
    pub(super) fn cell<'r>(&self, row: &'r SheetRow) -> &'r str {
        &row.cells[self.slot]
    }

    /// Notes what is wrong with a row's cell in it.
    pub(super) fn note(&self, row: &SheetRow, tally: &mut ProblemTally, what: String, help: &str) {
        let at = At::cell(row.line, Some(self.number));
        tally.note(ProblemKind::Cell(self.slot, CellRole::Quota), at, || {
            (what, help.into())
        });
    }

    /// A row's whole number, not negative; nothing where the cell is none, which is noted.
    fn whole(&self, row: &SheetRow, tally: &mut ProblemTally) -> Option<u32> {
        let (name, cell) = (&self.name, self.cell(row));
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
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
        self.note(row, tally, what, help);
        None
    }
}

impl QuotaColumns {
    /// The columns by the header; those that are missing or there twice are noted.
    pub(super) fn find(fields: &mut Fields, sheet: &mut Sheet) -> Self {
        let min = fields.need(sheet, "min", "the minimums");
        let max = fields.need(sheet, "max", "the maximums");
        let mut flexible = |sheet: &mut Sheet, name, user| {
            sheet.find(name)?;
            fields.need(sheet, name, user)
        };
        Self {
            min,
            max,
            min_flex: flexible(sheet, "min_flex", "the flexible minimums"),
            max_flex: flexible(sheet, "max_flex", "the flexible maximums"),
        }
    }

    /// The numbers of the columns of minimums and maximums, from 1.
    pub(super) fn bounds(&self) -> [Option<u64>; 2] {
        [&self.min, &self.max].map(|column| column.as_ref().map(|column| column.number))
    }

    /// Whether there are flexible bounds.
    pub(super) fn are_flexible(&self) -> bool {
        self.min_flex.is_some() || self.max_flex.is_some()
    }

    /// A row's quota; nothing where it makes no sense, which is noted. A flexible bound that is
    /// blank, or whose column is not there, is the bound proper.
    pub(super) fn read(&self, row: &SheetRow, tally: &mut ProblemTally) -> Option<FlexibleQuota> {
        let mut read = |column: &Option<Column>| column.as_ref()?.whole(row, tally);
        let (min, max) = (read(&self.min), read(&self.max));
        let given = |column: &Option<Column>| {
            let filled = column.as_ref().filter(|one| !one.cell(row).is_empty());
            filled.cloned()
        };
        let (min_flex, max_flex) = (given(&self.min_flex), given(&self.max_flex));
        let lowest = read(&min_flex);
        let highest = read(&max_flex);
        if let (Some(column), Some(flex), Some(min)) = (&min_flex, lowest, min)
            && flex > min
        {
            let what = format!("`min_flex` {flex} is over `min` {min}");
            let help = "a flexible minimum is the minimum or less";
            column.note(row, tally, what, help);
        }
        if let (Some(column), Some(flex), Some(max)) = (&max_flex, highest, max)
            && flex < max
        {
            let what = format!("`max_flex` {flex} is under `max` {max}");
            let help = "a flexible maximum is the maximum or more";
            column.note(row, tally, what, help);
        }
        let (min, max) = (min?, max?);
        if min > max {
            let what = format!("`min` {min} is over `max` {max}");
            let column = self.min.as_ref()?;
            column.note(row, tally, what, "lower the one or raise the other");
            return None;
        }
        Some(FlexibleQuota {
            quota: Quota { min, max },
            flexible: Quota {
                min: lowest.unwrap_or(min),
                max: highest.unwrap_or(max),
            },
        })
    }
}
