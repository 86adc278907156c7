//! The cells of one record, and all their faults.

use std::borrow::Cow;

use crate::record::Span;
use crate::record::cell::required_number;
use crate::record::json::Record;
use kleroterion_core::nearest::nearest;

/// The cells of a record, by column name. It notes each fault once.
pub(super) struct Cells<'a> {
    record: &'a Record<'a>,
    wrong: Vec<String>,
}

impl<'a> Cells<'a> {
    pub(super) fn new(record: &'a Record<'a>) -> Self {
        Self {
            record,
            wrong: Vec::new(),
        }
    }

    /// Returns the cell of a column, or `None` if there is none.
    pub(super) fn get(&mut self, column: &str) -> Option<Cow<'a, str>> {
        self.record.cell(column).unwrap_or_else(|fault| {
            self.refuse(fault.line());
            None
        })
    }

    /// Returns the cell of a required column. `user` says what it is for, as in "gives the
    /// attribute `sex`".
    pub(super) fn need(
        &mut self,
        column: &str,
        user: impl FnOnce() -> String,
    ) -> Option<Cow<'a, str>> {
        let before = self.wrong.len();
        let cell = self.get(column);
        if cell.is_none() && self.wrong.len() == before {
            let names = self.record.names().map(AsRef::as_ref);
            let near = nearest(column, names.filter(|name| *name != column));
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            self.refuse(format!("there is no `{column}`, which {}{help}", user()));
        }
        cell
    }

    /// Returns the number of a required column, within its range.
    pub(super) fn number(
        &mut self,
        column: &str,
        user: impl FnOnce() -> String,
        span: Span,
    ) -> Option<f64> {
        let cell = self.need(column, user)?;
        self.stated(&cell, column, span)
    }

    /// Returns the number in a cell of a column, within its range.
    pub(super) fn stated(&mut self, cell: &str, column: &str, span: Span) -> Option<f64> {
        let found = required_number(cell, column, span);
        found.map_err(|what| self.refuse(what)).ok()
    }

    /// Notes a fault.
    pub(super) fn refuse(&mut self, what: String) {
        if !self.wrong.contains(&what) {
            self.wrong.push(what);
        }
    }

    /// Returns the faults noted so far as one error, if there are any.
    ///
    /// # Errors
    /// All that was noted.
    pub(super) fn check(&self) -> Result<(), String> {
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(self.wrong.join("; ")),
        }
    }
}
