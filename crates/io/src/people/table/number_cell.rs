//! A cell that should be a number.

use super::decimals::Decimals;
use super::row::TableRow;
use super::tally::{CellRole, ProblemKind, ProblemTally};
use crate::record::cell::{number, refusal, without};
use crate::record::decimal::{either, marked, pointed};
use crate::record::words::Words;
use crate::record::{Span, fold};

/// A cell that should be a number: its row, its slot and its column's name.
pub(super) struct NumberCell<'r>(pub(super) &'r TableRow, pub(super) usize, pub(super) &'r str);

impl NumberCell<'_> {
    /// The number that it states, where that is one of the range.
    pub(super) fn number(&self, span: Span, decimals: &mut Decimals) -> Option<f64> {
        let found = decimals.number(self.0.cell(self.1)?, self.1, self.0.line);
        found.filter(|number| span.holds(*number))
    }

    /// Returns true if the cell states a number, or one of two numbers.
    pub(super) fn is_stated(&self, decimals: &mut Decimals) -> bool {
        let is_number = |cell| decimals.number(cell, self.1, self.0.line).is_some();
        let cell = self.0.cell(self.1);
        cell.is_some_and(is_number) || self.both(decimals).is_some()
    }

    /// The two numbers of which a cell states one.
    fn both(&self, decimals: &Decimals) -> Option<[String; 2]> {
        pointed(self.0.cell(self.1)?, decimals.delimiter?).err()
    }

    /// Notes that it states none; `help` makes the advice of how to leave the row out.
    pub(super) fn refuse(
        &self,
        role: CellRole,
        span: Span,
        decimals: &Decimals,
        tally: &mut ProblemTally,
        help: impl FnOnce(&str) -> String,
    ) {
        let Self(row, slot, column) = *self;
        let kind = ProblemKind::Cell(slot, role);
        let at = row.at(slot);
        let cell = row.cell(slot);
        if let (Some(cell), Some(both)) = (cell, self.both(decimals)) {
            let what = || (either(cell, column, &both), "write one of these".into());
            tally.refuse(kind, at, cell, what);
            return;
        }
        let note = || {
            let what = match cell {
                None => format!("the record has no `{column}`, which has to be a number"),
                Some("") => format!("the cell in `{column}` is empty, which is no number"),
                Some(cell) => {
                    let stated = marked(cell).map(|(number, _)| number);
                    let stated = stated.filter(|_| decimals.delimiter.is_some());
                    refusal(cell, stated.or(number(cell)), column, span)
                }
            };
            let leave_out = leave_out(column, cell.unwrap_or_default());
            (what, help(&leave_out))
        };
        match cell {
            Some(text) => tally.refuse(kind, at, text, note),
            None => tally.note(kind, at, note),
        }
    }
}

/// Returns true if a cell says that the number is unknown.
pub(super) fn is_unknown(cell: &str) -> bool {
    Words(", na, n/a, n.a., nan, null, none, -, --, ., ?, k.a., k. a., nd").has(&fold(cell))
}

/// The advice to leave out the rows of a cell.
pub(super) fn leave_out(column: &str, cell: &str) -> String {
    format!(
        "leave those rows out with where = [{:?}]",
        without(column, cell)
    )
}
