//! The rows of respondents that filters keep.

use std::borrow::Cow;

use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::{At, CellRole, ProblemKind};
use crate::record::Filter;
use crate::record::decimal;
use crate::record::file::Form;

/// The filters of a file, and how many rows each removes, whatever the others do.
pub(super) struct KeptRows<'a> {
    filters: &'a [Filter],
    /// The slots of each filter's clauses; `None` where the file lacks a column of the filter.
    slots: Vec<Option<Vec<usize>>>,
    pub(super) removed: Vec<u64>,
}

impl<'a> KeptRows<'a> {
    /// Filters whose columns `slot` finds, or notes that there are none.
    pub(super) fn new(
        filters: &'a [Filter],
        mut slot: impl FnMut(&str, &str) -> Option<usize>,
    ) -> Self {
        let mut slots = |filter: &Filter| {
            let user = format!("the filter `{}`", filter.text());
            let clauses = filter.clauses().iter();
            // Each is looked for, so that all that are missing are noted.
            let slots: Vec<_> = clauses.map(|clause| slot(clause.column(), &user)).collect();
            slots.into_iter().collect()
        };
        Self {
            filters,
            slots: filters.iter().map(&mut slots).collect(),
            removed: vec![0; filters.len()],
        }
    }

    /// The rows that all filters keep; that there is none is noted. `columns`: the field of each
    /// slot.
    pub(super) fn keep(
        &mut self,
        rows: Vec<SheetRow>,
        columns: &[usize],
        sheet: &mut Sheet,
    ) -> Vec<SheetRow> {
        let all = rows.len();
        let mut kept = Vec::with_capacity(all);
        for row in rows {
            if self.holds(&row, columns, sheet) {
                kept.push(row);
            }
        }
        if kept.is_empty() && all > 0 {
            let all = all as u64;
            let tally = &mut sheet.tally;
            tally.note_none_kept(all, self.filters, &self.removed);
        }
        kept
    }

    fn holds(&mut self, row: &SheetRow, columns: &[usize], sheet: &mut Sheet) -> bool {
        let mut kept = true;
        let filters = self.filters.iter().zip(&self.slots);
        for ((filter, slots), removed) in filters.zip(&mut self.removed) {
            let Some(slots) = slots else {
                continue;
            };
            let clauses = filter.clauses().iter().zip(slots);
            let cells: Vec<Cow<'_, str>> = clauses
                .map(|(clause, slot)| match clause.is_of_numbers() {
                    true => pointed(row, (*slot, columns[*slot]), clause.column(), sheet),
                    false => Cow::Borrowed(row.cells[*slot].as_str()),
                })
                .collect();
            if !filter.holds(|clause| &cells[clause]) {
                *removed += 1;
                kept = false;
            }
        }
        kept
    }
}

/// A cell that states a number, with a decimal point; that it may be either of two is noted.
fn pointed<'r>(
    row: &'r SheetRow,
    (slot, field): (usize, usize),
    column: &str,
    sheet: &mut Sheet,
) -> Cow<'r, str> {
    let Form::Separated { delimiter } = sheet.read_as().form else {
        return Cow::Borrowed(&row.cells[slot]);
    };
    decimal::pointed(&row.cells[slot], delimiter).unwrap_or_else(|both| {
        let at = At::cell(row.line, Some(field as u64 + 1));
        let kind = ProblemKind::Cell(slot, CellRole::Compared);
        sheet.tally.note(kind, at, || {
            let what = decimal::either(&row.cells[slot], column, &both);
            (what, "write one of these".into())
        });
        Cow::Borrowed(row.cells[slot].as_str())
    })
}
