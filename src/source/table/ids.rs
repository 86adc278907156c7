//! The ids of the people of a file: the cells of the column that names them, or of `id`.

use std::collections::BTreeMap;

use super::row::TableRow;
use super::rows::TableRows;
use super::tally::{At, CellRole, ProblemKind, ProblemTally};
use super::wanted::WantedColumns;
use crate::record::cell::shown;

/// Reads ids row by row.
///
/// Where a spec names the column, each kept row must have an id of its own. Else a record's `id`
/// names its person, as in a feed; a file is read whole, so one row without an id of its own has
/// all people named by the numbers of their rows.
pub(super) struct Ids<'a> {
    column: &'a str,
    slot: usize,
    required: bool,
    ids: Vec<String>,
    /// Whether some kept row has an id, and the line of the first that has none or a blank one.
    met: bool,
    lacking: Option<u64>,
    /// Why ids that are there name no one.
    unnamed: Option<String>,
}

impl<'a> Ids<'a> {
    pub(super) fn new(column: Option<&'a str>, wanted: &mut WantedColumns) -> Self {
        Self {
            column: column.unwrap_or("id"),
            slot: match column {
                Some(column) => wanted.slot(column, "`id`".into()),
                None => wanted.optional("id"),
            },
            required: column.is_some(),
            ids: Vec::new(),
            met: false,
            lacking: None,
            unnamed: None,
        }
    }

    /// Takes a kept row.
    pub(super) fn take(&mut self, row: &TableRow, rows: &TableRows, tally: &mut ProblemTally) {
        let id = row.cell(self.slot).unwrap_or_default();
        if self.required {
            self.require(row, rows, tally);
        } else {
            self.met |= !id.is_empty();
            if id.is_empty() {
                self.lacking.get_or_insert(row.line);
                self.ids = Vec::new();
            }
        }
        // Pushed though it is empty where it is required, so that ids and lines stay even.
        if self.lacking.is_none() {
            self.ids.push(id.to_owned());
        }
    }

    fn require(&self, row: &TableRow, rows: &TableRows, tally: &mut ProblemTally) {
        let (slot, column) = (self.slot, self.column);
        let kind = ProblemKind::Cell(slot, CellRole::Id);
        if row.required(slot, column, kind, tally) == Some("") {
            let at = At::cell(row.line, rows.field(slot));
            tally.note(kind, at, || {
                let what = format!("the id in `{column}` is empty");
                let help =
                    "give each person an id, or leave out `id`: the row's number then names them";
                (what, help.into())
            });
        }
    }

    /// Looks for ids that two of the kept rows have; `lines` of those rows.
    pub(super) fn check(&mut self, lines: &[u64], rows: &TableRows, tally: &mut ProblemTally) {
        if let (true, Some(line)) = (self.met, self.lacking) {
            self.unnamed = Some(format!("line {line} has no `id`"));
        }
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (row, id) in self.ids.iter().enumerate().filter(|(_, id)| !id.is_empty()) {
            let met = *first.entry(id).or_insert(row);
            if met == row {
                continue;
            }
            let (column, line) = (self.column, lines[met]);
            if !self.required {
                let again = lines[row];
                self.unnamed = Some(format!("lines {line} and {again} have one `id`"));
                break;
            }
            let at = At::cell(lines[row], rows.field(self.slot));
            tally.note(ProblemKind::Cell(self.slot, CellRole::Id), at, || {
                let what = format!(
                    "the id {} in `{column}` is that of line {line} too",
                    shown(id)
                );
                let help = "keep one row a person, or choose a column that differs for each person";
                (what, help.into())
            });
        }
    }

    /// The ids of the kept rows where they name people, and else why not where some row has one.
    pub(super) fn finish(self) -> (Option<Vec<String>>, Option<String>) {
        let named = self.lacking.is_none() && self.unnamed.is_none();
        (named.then_some(self.ids), self.unnamed)
    }
}
