//! A row of a file, as the text cells of the columns that are read.

use super::doubles::RowKey;
use super::tally::{At, ProblemKind, ProblemTally};
use crate::record::cell::spelt;

/// One row: its number among the rows of data and its line (both from 1), the key of all of its
/// cells, and a cell for each slot.
#[derive(Clone)]
pub(super) struct TableRow {
    pub(super) number: u64,
    pub(super) line: u64,
    pub(super) key: RowKey,
    cells: Vec<RowCell>,
}

/// The cell of a slot: its text, if the row has it, and its field of separated text, from 1.
#[derive(Clone, Default)]
struct RowCell {
    is_there: bool,
    text: String,
    field: Option<u64>,
}

impl TableRow {
    /// `is_exact`: whether case, blanks and Unicode form make a difference between rows.
    pub(super) fn new(slots: usize, is_exact: bool) -> Self {
        Self {
            number: 0,
            line: 0,
            key: RowKey::new(is_exact),
            cells: vec![RowCell::default(); slots],
        }
    }

    /// The cell of a slot; nothing where the row has none.
    pub(super) fn cell(&self, slot: usize) -> Option<&str> {
        let RowCell { is_there, text, .. } = &self.cells[slot];
        is_there.then_some(text)
    }

    /// Returns the place of a slot's cell in the file.
    pub(super) fn at(&self, slot: usize) -> At {
        At::cell(self.line, self.cells[slot].field)
    }

    /// The cell that a kept row must have; that a record lacks the member is noted.
    pub(super) fn required(
        &self,
        slot: usize,
        column: &str,
        kind: ProblemKind,
        tally: &mut ProblemTally,
    ) -> Option<&str> {
        let cell = self.cell(slot);
        if cell.is_none() {
            tally.note(kind, At::line(self.line), || {
                let what = format!("the record has no `{column}`");
                let leave_out = format!("{} != ''", spelt(column));
                let help = format!(
                    "add the member, or leave those records out with where = [{leave_out:?}]"
                );
                (what, help)
            });
        }
        cell
    }

    /// Sets a cell and its field, keeping its memory.
    pub(super) fn set(&mut self, slot: usize, text: Option<&str>, field: Option<u64>) {
        let cell = &mut self.cells[slot];
        (cell.is_there, cell.field) = (text.is_some(), field);
        cell.text.clear();
        cell.text.push_str(text.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_set_to_nothing_is_absent_and_not_empty() {
        let mut row = TableRow::new(1, false);
        row.set(0, Some(""), None);
        assert_eq!(row.cell(0), Some(""));
        row.set(0, None, None);
        assert_eq!(row.cell(0), None);
    }
}
